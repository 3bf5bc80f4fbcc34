import type { Quantity } from '../../document/quantity.js'
import { divide, exactly, multiply, type Range, subtract } from '../../stats/rounding.js'
import { scale } from '../arithmetic.js'

/** What figures of a text make together: sums, products, means and what is left, in one unit. */
export type Operation = 'sum' | 'product' | 'mean' | 'rest' | 'difference' | 'quotient'

export interface Reckoning {
  readonly operation: Operation
  readonly terms: readonly Quantity[]
  readonly result: Quantity
  /** The operation is written out, or nothing but commas stands between the terms. */
  readonly isSure: boolean
}

/** What some figures make. Rounding errors of many cancel out: two standard deviations are enough. Counts have none. */
export function reckoned(operation: Operation, terms: readonly Quantity[]): Range | null {
  const ranges = terms.map(one => exactIfCount(one).range)
  const [first, second] = ranges
  if (first === undefined || second === undefined) return null
  if (operation === 'product') return ranges.reduce(multiply)
  if (operation === 'difference') return subtract(first, second)
  if (operation === 'quotient') return divide(first, second)
  const sum = sumOf(terms)
  const spread = 1.155 * Math.hypot(...terms.map(({ range }) => (range.high - range.low) / 2))
  const total = { low: sum - spread, high: sum + spread }
  return operation === 'rest'
    ? subtract(exactly(100), total)
    : scale(total, operation === 'mean' ? 1 / terms.length : 1)
}

export const exact = (one: Quantity): Quantity => ({ ...one, range: exactly(one.value) })
const exactIfCount = (one: Quantity): Quantity => (one.decimals <= 0 ? exact(one) : one)
export const sumOf = (list: readonly Quantity[]): number => list.reduce((sum, { value }) => sum + value, 0)

export const MINUTES: { readonly [unit: string]: number } = { s: 1 / 60, min: 1, h: 60, d: 1440 }

export const isDuration = ({ unit }: Quantity): boolean => unit !== null && unit in MINUTES

/** Seconds, minutes, hours and days are turned into those of the result. */
export function inUnitOf(one: Quantity, result: Quantity): Quantity {
  if (one.unit === result.unit || !isDuration(one) || !isDuration(result)) return one
  const factor = (MINUTES[one.unit ?? ''] ?? 1) / (MINUTES[result.unit ?? ''] ?? 1)
  return { ...one, unit: result.unit, value: one.value * factor, range: scale(one.range, factor), decimals: 1 }
}
