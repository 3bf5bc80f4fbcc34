import type { Quantity } from '../../document/quantity.js'
import { exactly, multiply, type Range } from '../../stats/rounding.js'
import { scale } from '../arithmetic.js'

/** What figures of a text make together, and what makes a list of them. */
export type Operation = 'sum' | 'product' | 'mean'

export interface Reckoning {
  readonly operation: Operation
  readonly terms: readonly Quantity[]
  readonly result: Quantity
}

/** What some figures make. Rounding errors of many cancel out: two standard deviations are enough. Counts have none. */
export function reckoned(operation: Operation, terms: readonly Quantity[]): Range | null {
  const ranges = terms.map(({ decimals, value, range }) => (decimals <= 0 ? exactly(value) : range))
  if (ranges.length < 2) return null
  if (operation === 'product') return ranges.reduce(multiply)
  const sum = terms.reduce((all, { value }) => all + value, 0)
  const spread = 1.155 * Math.hypot(...terms.map(({ range }) => (range.high - range.low) / 2))
  return scale({ low: sum - spread, high: sum + spread }, operation === 'mean' ? 1 / terms.length : 1)
}

export const MINUTES: { readonly [unit: string]: number } = { s: 1 / 60, min: 1, h: 60, d: 1440 }
export const isDuration = ({ unit }: Quantity): boolean => unit !== null && unit in MINUTES

export const isCount = ({ value, ends, hedge, unit }: Quantity): boolean =>
  Number.isInteger(value) && value >= 0 && ends === null && hedge === null && unit !== '%'

/** Nothing but a number: no change, no bound, no range, and not about. */
export const isPlain = ({ ends, signed, bound, hedge }: Quantity): boolean =>
  ends === null && !signed && bound === null && hedge === null

/** Between two figures of a list: what the first one counts, a comma, and what the second one is called. */
const LIST_GAP = /^[^\d,;、/→到至]{0,30}(?:[,;、/+]|and|[和与及])[^\d,;、/→到至]{0,24}$/i

/** Whether figures stand in a row, with nothing but their names between them. */
export const isList = (text: string, list: readonly Quantity[]): boolean =>
  list.slice(1).every((one, i) => LIST_GAP.test(text.slice(list[i]?.to, one.from).replace(/\([^()]*\)/, '')))
