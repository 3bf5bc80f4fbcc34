import type { Cell, Statement } from '../logs/document/document.js'
import type { Matrix } from '../logs/document/matrix.js'
import type { Quantity } from '../logs/document/quantity.js'
import { hull } from '../stats/rounding.js'
import type { Assertion, FigureRole, StatedFigure } from './assertion.js'
import { stanceOf } from './stance.js'

/** Small makers that every relation uses to put an assertion together, off a statement or a cell. */
export function figureOf(statement: Statement, quantity: Quantity, role: FigureRole): StatedFigure {
  const { from, to } = quantity
  return { role, quantity, offset: statement.offsetOf(from), text: statement.text.slice(from, to).trim() }
}

/** What figures of a statement assert together: the stretch that holds them all states it. */
export function assertionOver(
  statement: Statement,
  relation: string,
  figures: readonly StatedFigure[],
  { manner = '', words = [] }: { readonly manner?: string; readonly words?: readonly number[] } = {},
): Assertion {
  const { low, high } = hull([...words, ...figures.flatMap(({ quantity: { from, to } }) => [from, to])])
  const quote = closed(statement.text, low, high)
  const scope = { statement, table: statement.table }
  const [stance, offset] = [stanceOf(statement, low, high), statement.offsetOf(low)]
  return { relation, stance, quote, offset, figures, manner, scope }
}

/** A quotation that opens a bracket closes it, and the other way round. */
function closed(text: string, from: number, to: number): string {
  const quote = text.slice(from, to).trim()
  const isOpen = /[(（][^)）]*$/.test(quote)
  const isShut = /^[^(（]*[)）]/.test(quote) && /[(（]$/.test(text.slice(0, from))
  const end = isOpen ? (/^[^()（），,。;；]{0,16}[)）]/.exec(text.slice(to, to + 20))?.[0] ?? '') : ''
  return `${isShut ? text[from - 1] : ''}${quote}${end}`
}

/** What the figure of a cell asserts about the other cells of its table. */
export function assertionInCell(
  { table }: Matrix,
  { text: quote, offset }: Cell,
  relation: string,
  { figures, manner }: Pick<Assertion, 'figures' | 'manner'>,
): Assertion {
  return { relation, stance: 'said', quote, offset, figures, manner, scope: { statement: null, table } }
}

export function cellFigure({ text, offset }: Cell, quantity: Quantity, role: FigureRole): StatedFigure {
  return { role, quantity, offset, text: text.slice(quantity.from, quantity.to).trim() }
}

export function figureAs({ figures }: Assertion, role: FigureRole): StatedFigure | null {
  return figures.find(figure => figure.role === role) ?? null
}

export function figuresAs({ figures }: Assertion, role: FigureRole): readonly StatedFigure[] {
  return figures.filter(figure => figure.role === role)
}
