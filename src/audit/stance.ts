import { type Statement, titlesAbove } from '../document/document.js'
import type { Stance } from './assertion.js'
import { has } from './lexicon.js'
import { clausesOf } from './mentions.js'

/** How its author stands to what a stretch of a statement says: by the clause it stands in, then by what is above it. */
export function stanceOf(statement: Statement, from: number, to: number): Stance {
  if (last?.statement !== statement || last.from !== from || last.to !== to)
    last = { statement, from, to, stance: readStance(statement, from, to) }
  return last.stance
}

/** Several relations ask about the same clause, one after the other. */
let last: {
  readonly statement: Statement
  readonly from: number
  readonly to: number
  readonly stance: Stance
} | null = null

/** Whether something is said, be it under a title such as "Conclusions and next steps" or below a long sentence. */
export function isStated(statement: Statement, from: number, to: number): boolean {
  return stanceOf(statement, from, to) === 'said' || readStance(statement, from, to, announces) === 'said'
}

const announces = (above: string): boolean => above.length <= LONGEST_TITLE / 2 && !has(above, 'conclusion')

function readStance(statement: Statement, from: number, to: number, isHeard = (_above: string) => true): Stance {
  const around = clausesOf(statement).filter(one => one.to > from && one.from < to)
  const clause = statement.text.slice(around[0]?.from ?? from, around.at(-1)?.to ?? to)
  if (has(clause, 'definition')) return 'defined'
  if (has(clause, 'advice')) return 'advised'
  if (has(clause, 'plan')) return 'planned'
  if (has(clause, 'doubt') || isConditional(statement.text, from) || ASKED.test(statement.text.slice(to)))
    return 'hedged'
  const above = [...statement.leads, ...nearTitles(statement)].filter(isHeard).map(text => text.slice(0, LONGEST_TITLE))
  if (above.some(text => has(text, 'plan'))) return 'planned'
  if (above.some(text => has(text, 'advice') && !CONCLUDED.test(text))) return 'advised'
  return above.some(text => has(text, 'definition')) ? 'defined' : 'said'
}

/** "Conclusions and recommendations" holds both. */
const CONCLUDED = /结论|总结|小结|conclusion|summary|findings/i

/** A question claims nothing. */
const ASKED = /^\s?[?？]/

const LONGEST_TITLE = 80

/** The title of a whole report says nothing about one sentence of it. */
function nearTitles({ section }: Statement): readonly string[] {
  return titlesAbove(section).slice(0, section === null ? 0 : Math.min(2, section.level - 1))
}

/** "If they are equal, …": what follows is said of a case, not of what was measured. */
const CONDITION =
  /(?:^|[。；;：:!?！？]|\.\s)\s*(?:若|如果|假如|倘若|要是|if|unless|in case)(?![a-z])[^。；;：:.!?！？,，]{1,60}[,，][^。；;：:.!?！？,，]{0,40}$/i

function isConditional(text: string, from: number): boolean {
  return CONDITION.test(text.slice(Math.max(0, from - 120), from))
}

/** Whether a word is denied right before it: "not significant", 没有显著, "without a significant change". */
export function isDenied(text: string, from: number): boolean {
  return has(text.slice(Math.max(0, from - 8), from), 'denial')
}
