/**
 * Arithmetic with printed numbers. A printed 0.0146 stands for any number in [0.01455, 0.01465]; what is computed from
 * printed numbers is a range as well. Two figures contradict each other only when their ranges cannot meet, so nothing
 * is called wrong that correct rounding could have produced.
 */
export interface NumberRange {
  readonly low: number
  readonly high: number
}

/** What a number printed with so many decimals can have been. */
export function printedRange(value: number, decimals: number): NumberRange {
  const half = 0.5 * 10 ** -decimals
  return { low: value - half, high: value + half }
}

export function exactly(value: number): NumberRange {
  return { low: value, high: value }
}

export function add(a: NumberRange, b: NumberRange): NumberRange {
  return { low: a.low + b.low, high: a.high + b.high }
}

export function subtract(a: NumberRange, b: NumberRange): NumberRange {
  return { low: a.low - b.high, high: a.high - b.low }
}

export function multiply(a: NumberRange, b: NumberRange): NumberRange {
  return hull([a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high])
}

/** Null where the divisor's range holds zero: nothing can be said. */
export function divide(a: NumberRange, b: NumberRange): NumberRange | null {
  if (b.low <= 0 && b.high >= 0) return null
  return hull([a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high])
}

/** Printed ends are inclusive, and doubles are not decimals: a hair of slack keeps 0.1 + 0.2 equal to 0.3. */
export function canMeet(a: NumberRange, b: NumberRange): boolean {
  const slack = 1e-9 * Math.max(Math.abs(a.low), Math.abs(a.high), Math.abs(b.low), Math.abs(b.high))
  return a.low <= b.high + slack && b.low <= a.high + slack
}

/** The least range that holds them all. */
export function hull(values: readonly number[]): NumberRange {
  return { low: Math.min(...values), high: Math.max(...values) }
}

/**
 * GRIM (Brown and Heathers 2017): a mean of n scores that are multiples of a grain can only be a multiple of grain / n.
 * A printed mean that no such multiple rounds to is impossible: n, the grain or the mean is not what was said.
 */
export function meanIsPossible(
  mean: number,
  decimals: number,
  n: number,
  { grain = 1 }: { readonly grain?: number } = {},
): boolean {
  const unit = grain / n
  const half = 0.5 * 10 ** -decimals
  const slack = 1e-9 * Math.max(1, Math.abs(mean))
  const nearest = Math.round(mean / unit) * unit
  return Math.abs(nearest - mean) <= half + slack
}
