import type { Quantity } from '../document/quantity.js'
import { canMeet, divide, printedRange, type Range, subtract } from '../stats/rounding.js'

/**
 * What a change from one printed number to another can be called: a difference, a percentage of either, a multiple. A
 * figure is wrong only when none of the sensible readings can have produced it.
 */
export type Operand = Pick<Quantity, 'value' | 'range' | 'unit' | 'hedge' | 'decimals'>

/** "about 3 %" is honest up to a tenth of itself, or one unit of the last digit that it prints, whichever is more. */
const ABOUT_SHARE = 0.1

/** All that the author can have meant by a number that is printed as part of a calculation. */
export function meant({ value, range, hedge, decimals }: Operand): Range {
  if (hedge === null && decimals !== 0) return range
  const round = decimals === 0 ? roundNumber(value) : range
  const widest = { low: Math.min(range.low, round.low), high: Math.max(range.high, round.high) }
  if (hedge === null) return widest
  const slack = Math.max(ABOUT_SHARE * Math.abs(value), 10 ** -(decimals ?? 0))
  return { low: Math.min(widest.low, value - slack), high: Math.max(widest.high, value + slack) }
}

/** 15,000 may be 14,960 to its author; 200 is 200. */
function roundNumber(value: number): Range {
  const zeros = Math.abs(value) < 1_000 ? 0 : (/0*$/.exec(String(value))?.[0].length ?? 0)
  return printedRange(value, zeros < 2 ? 0 : -zeros)
}

export function differenceOf(minuend: Operand, subtrahend: Operand): Range {
  return subtract(meant(minuend), meant(subtrahend))
}

/** The change in per cent of where it started; null when the start may be zero. */
export function percentOf(start: Operand, end: Operand): Range | null {
  return percentChange(start, end, start)
}

/** The same change in per cent of where it ended: not what "+x %" says, but often what is meant. */
export function percentOfEnd(start: Operand, end: Operand): Range | null {
  return percentChange(start, end, end)
}

/** Both ends are monotone in start and end, so the extremes are at the corners. */
function percentChange(start: Operand, end: Operand, base: Operand): Range | null {
  const [from, to] = [meant(start), meant(end)]
  const measure = base === start ? from : to
  if (measure.low <= 0 && measure.high >= 0) return null
  const corner = (a: number, b: number): number => (100 * (b - a)) / Math.abs(base === start ? a : b)
  const [a, b] = [corner(from.low, to.low), corner(from.low, to.high)]
  const [c, d] = [corner(from.high, to.low), corner(from.high, to.high)]
  return { low: Math.min(a, b, c, d), high: Math.max(a, b, c, d) }
}

/**
 * The difference in percentage points, where the two can be percentages: printed as such, as fractions, or as bare
 * numbers up to a hundred, since many tables leave the sign out. Null for anything else.
 */
export function pointsOf(start: Operand, end: Operand): Range | null {
  const difference = differenceOf(end, start)
  if (start.unit === '%') return difference
  if (start.unit !== null) return null
  const largest = Math.max(Math.abs(start.value), Math.abs(end.value))
  if (largest <= 1) return { low: 100 * difference.low, high: 100 * difference.high }
  return largest <= 100 ? difference : null
}

export function multipleOf(start: Operand, end: Operand): Range | null {
  return divide(meant(end), meant(start))
}

/** A printed change without a sign of its own is right in either direction. */
export function canBe(printed: Quantity, computed: Range | null, { signFree = false } = {}): boolean {
  if (computed === null) return false
  if (printed.bound !== null) return withinBound(printed, size(computed))
  if (canMeet(meant(printed), computed)) return true
  if (printed.signed && !printed.plusMinus && !signFree) return false
  return canMeet(size(meant(printed)), size(computed))
}

function withinBound({ bound, value }: Quantity, computed: Range): boolean {
  return bound === 'below' ? computed.low <= Math.abs(value) : computed.high >= Math.abs(value)
}

/** The range without its sign. */
export function size({ low, high }: Range): Range {
  if (low >= 0) return { low, high }
  if (high <= 0) return { low: -high, high: -low }
  return { low: 0, high: Math.max(-low, high) }
}

export function middle({ low, high }: Range): number {
  return (low + high) / 2
}

/** A number as a message shows it: so many digits behind the point, with a sign where it is a change. */
export function shown(value: number, decimals: number, { sign = false } = {}): string {
  const digits = Math.abs(value).toFixed(Math.min(20, Math.max(0, decimals)))
  const mark = Number(digits) === 0 ? '' : value < 0 ? '-' : sign ? '+' : ''
  return `${mark}${digits}`
}

/** As its author printed it, exponents written out. */
export function asPrinted({ value, decimals, ends, signed, plusMinus }: Quantity): string {
  const one = (number: number): string => shown(number, decimals ?? 0)
  const mark = plusMinus ? '±' : signed && value > 0 ? '+' : ''
  return mark + (ends === null ? one(value) : `${one(ends[0])}-${one(ends[1])}`)
}
