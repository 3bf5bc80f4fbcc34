import { type Statement, titlesAbove } from '../logs/document/document.js'
import { memoOfLast } from '../logs/model/util/memo.js'
import type { Stance } from './assertion.js'
import { clausesOf } from './clauses.js'
import { has } from './lexicon.js'

/**
 * How its author stands to what a stretch of a statement says: by what it is quoted in, by the clause it stands in, then
 * by what is above it. Several relations ask about the same clause, one after the other.
 */
export const stanceOf = memoOfLast((of: Statement, from: number, to: number): Stance => readStance(of, from, to))

/** Arithmetic is judged of what is said, however cautiously; not of quotations, plans, advice, definitions or cases. */
export const isClaimed = (stance: Stance): boolean => stance === 'said' || stance === 'hedged'

/** Whether a judgement is said: of its titles and leads only the short ones that announce nothing else are heard. */
export function isStated(of: Statement, from: number, to: number): boolean {
  return stanceOf(of, from, to) === 'said' || readStance(of, from, to, announces) === 'said'
}

const announces = (above: string): boolean => above.length <= LONGEST_TITLE / 2 && !CONCLUDED.test(above)

function readStance(
  statement: Statement,
  from: number,
  to: number,
  isHeard = (above: string): boolean => !CONCLUDED.test(above),
): Stance {
  const { text } = statement
  if (statement.isQuoted || isInQuotation(text, from, to)) return 'quoted'
  const around = clausesOf(statement).filter(one => one.to > from && one.from < to)
  const clause = text.slice(around[0]?.from ?? from, around.at(-1)?.to ?? to)
  const shown = shownBy([clause])
  if (shown !== null) return shown
  const isAsked = /^[^.。!！\n]{0,60}[?？]/.test(text.slice(to))
  if (isAsked || CASE.test(clause) || CONDITION.test(text.slice(Math.max(0, from - 120), from))) return 'supposed'
  if (has(clause, 'doubt')) return 'hedged'
  const above = [...statement.leads, ...nearTitles(statement)].filter(isHeard)
  return shownBy(above.map(title => title.slice(0, LONGEST_TITLE))) ?? 'said'
}

function shownBy(texts: readonly string[]): Stance | null {
  if (texts.some(text => has(text, 'definition'))) return 'defined'
  if (texts.some(text => has(text, 'advice'))) return 'advised'
  return texts.some(text => has(text, 'plan')) ? 'planned' : null
}

/** “…”, "…", 「…」 around the stretch: somebody's words. */
function isInQuotation(text: string, from: number, to: number): boolean {
  const before = text.slice(0, from)
  const behind = text.slice(to)
  const isInside = (open: string, close: string): boolean =>
    before.lastIndexOf(open) > before.lastIndexOf(close) && behind.includes(close)
  const isPaired = before.split('"').length % 2 === 0 && behind.includes('"')
  return isPaired || isInside('“', '”') || isInside('「', '」') || isInside('『', '』')
}

/** "Conclusions and recommendations" holds both. */
const CONCLUDED = /结论|总结|小结|conclusion|summary|findings|results|结果/i
const LONGEST_TITLE = 80

/** The title of a whole report says nothing about one sentence of it. */
function nearTitles({ section }: Statement): readonly string[] {
  return titlesAbove(section).slice(0, section === null ? 0 : Math.min(2, section.level - 1))
}

/** A case that is thought of, not one that was measured. */
const CASE = /如果|假如|假设|倘若|若是|(?<![a-z])(?:if|unless|would|suppose|assuming|hypothetical(?:ly)?)(?![a-z])/i

/** "If they are equal, …": what follows is said of a case. */
const CONDITION =
  /(?:^|[。；;：:!?！？]|\.\s)\s*(?:若|如果|假如|倘若|要是|if|unless|in case)(?![a-z])[^。；;：:.!?！？,，]{1,60}[,，][^。；;：:.!?！？,，]{0,40}$/i

/** Whether a word is denied right before it: "not significant", 没有显著, "without a significant change". */
export function isDenied(text: string, from: number): boolean {
  return has(text.slice(Math.max(0, from - 8), from), 'denial')
}
