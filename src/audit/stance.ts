import { type Statement, titlesAbove } from '../logs/document/document.js'
import { memoOfLast } from '../logs/model/util/memo.js'
import type { Stance } from './assertion.js'
import { has } from './lexicon.js'
import { clausesOf } from './mentions.js'

/**
 * How its author stands to what a stretch of a statement says: by the clause it stands in, then by what is above it.
 * Several relations ask about the same clause, one after the other.
 */
export const stanceOf = memoOfLast((of: Statement, from: number, to: number): Stance => readStance(of, from, to))

/** Whether a judgement is said: of its titles and leads only the short ones that announce nothing else are heard. */
export function isStated(of: Statement, from: number, to: number): boolean {
  return stanceOf(of, from, to) === 'said' || readStance(of, from, to, announces) === 'said'
}

const announces = (above: string): boolean => above.length <= LONGEST_TITLE / 2 && !has(above, 'conclusion')

function readStance(
  statement: Statement,
  from: number,
  to: number,
  isHeard = (above: string): boolean => !CONCLUDED.test(above),
): Stance {
  const around = clausesOf(statement).filter(one => one.to > from && one.from < to)
  const clause = statement.text.slice(around[0]?.from ?? from, around.at(-1)?.to ?? to)
  const shown = shownBy([clause])
  if (shown !== null) return shown
  const isAsked = /^\s?[?？]/.test(statement.text.slice(to))
  if (isAsked || has(clause, 'doubt') || CONDITION.test(statement.text.slice(Math.max(0, from - 120), from)))
    return 'hedged'
  const above = [...statement.leads, ...nearTitles(statement)].filter(isHeard)
  return shownBy(above.map(text => text.slice(0, LONGEST_TITLE))) ?? 'said'
}

function shownBy(texts: readonly string[]): Stance | null {
  if (texts.some(text => has(text, 'definition'))) return 'defined'
  if (texts.some(text => has(text, 'advice'))) return 'advised'
  return texts.some(text => has(text, 'plan')) ? 'planned' : null
}

/** "Conclusions and recommendations" holds both. */
const CONCLUDED = /结论|总结|小结|conclusion|summary|findings/i
const LONGEST_TITLE = 80

/** The title of a whole report says nothing about one sentence of it. */
function nearTitles({ section }: Statement): readonly string[] {
  return titlesAbove(section).slice(0, section === null ? 0 : Math.min(2, section.level - 1))
}

/** "If they are equal, …": what follows is said of a case, not of what was measured. */
const CONDITION =
  /(?:^|[。；;：:!?！？]|\.\s)\s*(?:若|如果|假如|倘若|要是|if|unless|in case)(?![a-z])[^。；;：:.!?！？,，]{1,60}[,，][^。；;：:.!?！？,，]{0,40}$/i

/** Whether a word is denied right before it: "not significant", 没有显著, "without a significant change". */
export function isDenied(text: string, from: number): boolean {
  return has(text.slice(Math.max(0, from - 8), from), 'denial')
}
