import { type Statement, titlesAbove } from '../document/document.js'
import { everyMatch } from '../document/matches.js'
import type { Stance } from './assertion.js'
import { has } from './lexicon.js'

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

function readStance(statement: Statement, from: number, to: number): Stance {
  const clause = clauseAround(statement.text, from, to)
  if (has(clause, 'definition')) return 'defined'
  if (has(clause, 'advice')) return 'advised'
  if (has(clause, 'plan')) return 'planned'
  if (has(clause, 'doubt') || isConditional(statement.text, from)) return 'hedged'
  const above = [...statement.leads, ...nearTitles(statement)].map(text => text.slice(0, LONGEST_TITLE))
  if (above.some(text => has(text, 'plan'))) return 'planned'
  if (above.some(text => has(text, 'advice'))) return 'advised'
  return above.some(text => has(text, 'definition')) ? 'defined' : 'said'
}

const LONGEST_TITLE = 80

/** The title of a whole report says nothing about one sentence of it. */
function nearTitles({ section }: Statement): readonly string[] {
  return titlesAbove(section).slice(0, section === null ? 0 : Math.min(2, section.level - 1))
}

/** A comma between digits belongs to a number. */
const CLAUSE_END = /[。；;！？!?]|[,，](?!\d{3})|\.(?=\s)|(?:但是?|however|but|although|虽然)/gi

/** "If they are equal, …": what follows is said of a case, not of what was measured. */
const CONDITION =
  /(?:^|[。；;：:!?！？]|\.\s)\s*(?:若|如果|假如|倘若|要是|if|unless|in case)(?![a-z])[^。；;：:.!?！？,，]{1,60}[,，][^。；;：:.!?！？,，]{0,40}$/i

function isConditional(text: string, from: number): boolean {
  return CONDITION.test(text.slice(Math.max(0, from - 120), from))
}

/** The clause that holds a stretch of the text. */
export function clauseAround(text: string, from: number, to: number): string {
  let start = 0
  for (const { index, 0: mark } of everyMatch(text, CLAUSE_END)) {
    if (index + mark.length <= from) start = index + mark.length
    else if (index >= to) return text.slice(start, index)
  }
  return text.slice(start)
}

/** Whether a word is denied right before it: "not significant", 没有显著, "without a significant change". */
export function isDenied(text: string, from: number): boolean {
  return has(text.slice(Math.max(0, from - 8), from), 'denial')
}
