import type { Cell, Statement } from '../logs/document/document.js'
import type { Matrix } from '../logs/document/matrix.js'
import type { Quantity, Stretch } from '../logs/document/quantity.js'
import { hull } from '../stats/rounding.js'
import type { Assertion, FigureRole, StatedFigure } from './assertion.js'
import type { ListEntry } from './entries.js'
import { stanceOf } from './stance.js'

/** Small makers that every relation uses to put an assertion together: off a statement, a cell, or an entry of a list. */
export function figureOf(statement: Statement, quantity: Quantity, role: FigureRole): StatedFigure {
  const { from, to } = quantity
  return { role, quantity, offset: statement.offsetOf(from), text: statement.text.slice(from, to) }
}

type Draft = Partial<Pick<Assertion, 'figures' | 'subjects' | 'quantity' | 'sense' | 'manner'>>

type AssertionOrigin = Pick<Assertion, 'relation' | 'stance' | 'quote' | 'offset' | 'scope'>

/** Written out: a long report makes hundreds of thousands, and copying objects into one another is slow. */
function drafted({ relation, stance, quote, offset, scope }: AssertionOrigin, draft: Draft): Assertion {
  const { figures = [], subjects = [], quantity = null, sense = null, manner = '' } = draft
  return { figures, subjects, quantity, sense, manner, relation, stance, quote, offset, scope }
}

export function assertionIn(statement: Statement, relation: string, { from, to }: Stretch, draft: Draft): Assertion {
  const quote = statement.text.slice(from, to).trim()
  const [stance, offset] = [stanceOf(statement, from, to), statement.offsetOf(from)]
  const scope = { section: statement.section, table: statement.table, statement, stretch: { from, to } }
  return drafted({ relation, stance, quote, offset, scope }, draft)
}

/** What figures of a statement assert together: the stretch that holds them all makes it. */
export function assertionOver(
  statement: Statement,
  relation: string,
  draft: Draft & Pick<Assertion, 'figures'>,
): Assertion {
  const { low, high } = hull(draft.figures.flatMap(({ quantity: { from, to } }) => [from, to]))
  return assertionIn(statement, relation, { from: low, to: high }, draft)
}

/** What the figure of a cell asserts about the other cells of its table. */
export function assertionInCell({ table }: Matrix, cell: Cell, relation: string, draft: Draft): Assertion {
  const scope = { section: table.section, table, statement: null, stretch: null }
  return drafted({ relation, stance: 'said', quote: cell.text, offset: cell.offset, scope }, draft)
}

export function cellFigure({ text, offset }: Cell, quantity: Quantity, role: FigureRole = 'result'): StatedFigure {
  return { role, quantity, offset, text: text.slice(quantity.from, quantity.to) }
}

export function assertionInEntry(entry: ListEntry, relation: string, draft: Draft): Assertion {
  const { key, value, offset, section, table, statement } = entry
  const stance = statement === null ? 'said' : stanceOf(statement, 0, statement.text.length)
  const scope = { section, table, statement, stretch: null }
  return drafted({ relation, stance, quote: `${key}: ${value}`, offset, scope }, draft)
}

export function entryFigure({ value, offset }: ListEntry, quantity: Quantity, role: FigureRole): StatedFigure {
  return { role, quantity, offset, text: value.slice(quantity.from, quantity.to) }
}

export function figureAs({ figures }: Assertion, role: FigureRole): StatedFigure | null {
  return figures.find(figure => figure.role === role) ?? null
}

export function figuresAs({ figures }: Assertion, role: FigureRole): readonly StatedFigure[] {
  return figures.filter(figure => figure.role === role)
}

/** The text with every digit that belongs to a name, a step or a date made a letter: what is left is measured. */
export function masked({ text, quantities }: Statement): string {
  let words = ''
  let at = 0
  for (const { from, to } of quantities) {
    words += text.slice(at, from).replace(/\d/g, 'n') + text.slice(Math.max(at, from), to)
    at = Math.max(at, to)
  }
  return words + text.slice(at).replace(/\d/g, 'n')
}
