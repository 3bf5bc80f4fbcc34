/**
 * How far a value may lie from what was measured, by the digits that it was printed with. Consoles print a few decimals
 * or a few significant digits; a number of more digits was not rounded for people.
 */
const MOST_PRINTED = 6

/** For the values of one metric: where none has more than a few decimals, that is how many were printed, of a zero too. */
export function printedPrecision(values: Iterable<number>): (value: number) => number {
  let decimals = 0
  for (const value of values) if (Number.isFinite(value)) decimals = Math.max(decimals, decimalsOf(value))
  const fixed = decimals <= MOST_PRINTED ? 0.5 * 10 ** -decimals : 0
  return value =>
    value !== 0 && Number.isFinite(value) && significantDigits(value) <= MOST_PRINTED
      ? Math.max(fixed, 0.5 * 10 ** -decimalsOf(value))
      : fixed
}

/** A float32 in float64. */
export const SINGLE_PRECISION = 1.2e-7

/** Digits that are known of a value. A number that was a float32 has seven, however many its text has. */
export function knownDigits(value: number): number {
  const digits = significantDigits(value)
  return Math.fround(value) === value ? Math.min(digits, 7) : digits
}

/** Of the shortest text that is this number: 0.0120 has two. */
function significantDigits(value: number): number {
  const [mantissa = ''] = Math.abs(value).toExponential().split('e')
  return value === 0 ? 0 : mantissa.replace('.', '').length
}

/** Decimals of the shortest text: 0.0125 and 1.25e-2 have four, 1200 has none. */
function decimalsOf(value: number): number {
  if (value === 0) return 0
  const exponent = Number(Math.abs(value).toExponential().split('e')[1])
  return Math.max(0, significantDigits(value) - 1 - exponent)
}
