import type { Quantity } from '../logs/document/quantity.js'
import { divide, exactly, multiply, type NumberRange } from '../stats/rounding.js'

/**
 * Whether a printed figure can be what others give. Printed figures are ranges, and people round, cut off and say
 * "about": a figure fits when its range, one unit of its last digit wide on either side, meets what is computed.
 */

/** What a stated figure can stand for, cutting off instead of rounding included: that makes a figure only smaller. */
export function statedRange({ range, decimals, hedge, value, bound }: Quantity): NumberRange {
  const unit = 10 ** -(decimals ?? 6)
  const slack = hedge === null ? unit / 2 : Math.max(unit, 0.06 * Math.abs(value))
  // What is whole is not cut off to the number below it.
  const cut = 0.999 * slack
  const [below, above] = hedge !== null ? [slack, slack] : value < 0 ? [cut, 0] : [0, cut]
  return {
    low: bound === 'below' ? Number.NEGATIVE_INFINITY : bound === 'above' ? value - slack / 5 : range.low - below,
    high: bound === 'above' ? Number.POSITIVE_INFINITY : bound === 'below' ? value + slack / 5 : range.high + above,
  }
}

/** What a figure that others are computed from stands for: as printed, unless it is hedged. */
export function printedOf(quantity: Quantity): NumberRange {
  return quantity.hedge === null && quantity.bound === null ? quantity.range : statedRange(quantity)
}

export function meets(a: NumberRange, b: NumberRange): boolean {
  const size = [a.low, a.high, b.low, b.high].filter(Number.isFinite).map(Math.abs)
  const slack = 1e-9 * Math.max(0, ...size)
  return a.low <= b.high + slack && b.low <= a.high + slack
}

/** (b − a) / a in percent; null where a may be zero. */
export function percentOf(a: NumberRange, b: NumberRange): NumberRange | null {
  const ratio = divide(b, a)
  return ratio === null ? null : scale(lessOne(ratio), 100)
}

const lessOne = ({ low, high }: NumberRange): NumberRange => ({ low: low - 1, high: high - 1 })

export function sizeOf({ low, high }: NumberRange): NumberRange {
  if (low >= 0) return { low, high }
  if (high <= 0) return { low: -high, high: -low }
  return { low: 0, high: Math.max(-low, high) }
}

export const scale = (range: NumberRange, by: number): NumberRange => multiply(range, exactly(by))

export const middle = ({ low, high }: NumberRange): number => (low + high) / 2

/** A number as the stated one is printed: as many decimals, its unit, and a sign where it has one. */
export function asPrinted(value: number, like: Pick<Quantity, 'decimals' | 'unit' | 'signed'>): string {
  const decimals = Math.min(12, Math.max(0, like.decimals ?? 4))
  const digits =
    Math.abs(value) !== 0 && Math.abs(value) < 10 ** -decimals ? value.toPrecision(3) : value.toFixed(decimals)
  const sign = like.signed && value > 0 ? '+' : ''
  return `${sign}${digits}${like.unit === '%' ? '%' : ''}`
}

/** Whether two numbers are so far apart at most, as a factor, whatever their signs. */
export const isWithin = (factor: number, ratio: number): boolean =>
  Math.abs(Math.log(Math.abs(ratio))) < Math.log(factor)

/** What figures of a text make together. */
export type Operation = 'sum' | 'product' | 'mean'

/** What some figures make. Rounding errors of many cancel out: two standard deviations are enough. Counts have none. */
export function combine(operation: Operation, terms: readonly Quantity[]): NumberRange | null {
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
