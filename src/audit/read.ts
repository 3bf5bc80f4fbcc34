import type { Cell, Statement } from '../document/document.js'
import type { Matrix } from '../document/matrix.js'
import type { Quantity, Stretch } from '../document/quantity.js'
import { hull } from '../stats/rounding.js'
import type { Assertion, Figure, FigureRole, RelationName, Scope, Stance } from './assertion.js'
import type { Entry } from './entries.js'
import { stanceOf } from './stance.js'

/** Small makers that every relation uses to put an assertion together: off a statement, a cell, or an entry of a list. */
export function figureOf(statement: Statement, quantity: Quantity, role: FigureRole): Figure {
  const { from, to } = quantity
  return { role, quantity, offset: statement.offsetOf(from), text: statement.text.slice(from, to) }
}

export function scopeOf(statement: Statement, stretch: Stretch | null = null): Scope {
  const { section, table } = statement
  return { section, table, statement, stretch }
}

type Draft = Partial<Pick<Assertion, 'figures' | 'subjects' | 'quantity' | 'sense' | 'manner'>>

const NOTHING: readonly never[] = []

/** Written out, because copying one object into another costs ten times as much, and there are a thousand a page. */
function assertionOf(
  { figures = NOTHING, subjects = NOTHING, quantity = null, sense = null, manner = '' }: Draft,
  relation: RelationName,
  stance: Stance,
  quote: string,
  offset: number,
  scope: Scope,
): Assertion {
  return { relation, stance, quote, offset, subjects, quantity, figures, sense, scope, manner }
}

export function assertionIn(
  statement: Statement,
  relation: RelationName,
  { from, to }: Stretch,
  draft: Draft,
): Assertion {
  const quote = statement.text.slice(from, to).trim()
  const [stance, scope] = [stanceOf(statement, from, to), scopeOf(statement, { from, to })]
  return assertionOf(draft, relation, stance, quote, statement.offsetOf(from), scope)
}

/** What figures of a statement assert together: the stretch that holds them all makes it. */
export function assertionOver(
  statement: Statement,
  relation: RelationName,
  figures: readonly Figure[],
  manner: string,
): Assertion {
  const { low, high } = hull(figures.flatMap(({ quantity: { from, to } }) => [from, to]))
  return assertionIn(statement, relation, { from: low, to: high }, { figures, manner })
}

/** What the figure of a cell asserts about the other cells of its table. */
export function assertionInCell({ table }: Matrix, cell: Cell, relation: RelationName, draft: Draft): Assertion {
  const scope = { section: table.section, table, statement: null, stretch: null }
  return assertionOf(draft, relation, 'said', cell.text, cell.offset, scope)
}

export function cellFigure({ text, offset }: Cell, quantity: Quantity): Figure {
  return { role: 'result', quantity, offset, text: text.slice(quantity.from, quantity.to) }
}

export function assertionInEntry(entry: Entry, relation: RelationName, draft: Draft): Assertion {
  const { key, value, offset, section, table, statement } = entry
  const stance = statement === null ? 'said' : stanceOf(statement, 0, statement.text.length)
  const scope = { section, table, statement, stretch: null }
  return assertionOf(draft, relation, stance, `${key}: ${value}`, offset, scope)
}

export function entryFigure({ value, offset }: Entry, quantity: Quantity, role: FigureRole): Figure {
  return { role, quantity, offset, text: value.slice(quantity.from, quantity.to) }
}

export function figureAs({ figures }: Assertion, role: FigureRole): Figure | null {
  return figures.find(figure => figure.role === role) ?? null
}

export function figuresAs({ figures }: Assertion, role: FigureRole): readonly Figure[] {
  return figures.filter(figure => figure.role === role)
}

let lastMasked: { readonly statement: Statement; readonly words: string } | null = null

/** The text with every digit that belongs to a name, a step or a date made a letter: what is left is measured. */
export function masked(statement: Statement): string {
  if (lastMasked?.statement === statement) return lastMasked.words
  const { text, quantities } = statement
  let words = ''
  let at = 0
  for (const { from, to } of quantities) {
    words += text.slice(at, from).replace(/\d/g, 'n') + text.slice(from, to)
    at = to
  }
  words += text.slice(at).replace(/\d/g, 'n')
  lastMasked = { statement, words }
  return words
}
