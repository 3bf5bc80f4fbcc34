import { exactly, type NumberRange, printedRange } from '../../../stats/rounding.js'
import type { Manifest } from '../../store/manifest.js'
import type { Curve } from './curve.js'

/**
 * How many decimals a log was printed with, read off its numbers: a console that prints three turns a rate of 1e-6 into
 * 0.000. Trailing zeros are lost in numbers, so a column may seem coarser than it was printed; ranges are then too wide
 * and a contradiction may be missed, but none is invented.
 */
export type Decimals = number | 'full'

/** Printed columns seldom have more; a float in full nearly always does. */
const MOST_PRINTED = 6
/** Float32 keeps seven digits, and a mean of micro-batches loses some. */
const RELATIVE_ERROR = 1e-6

export function decimalsOf({ values }: Curve): Decimals {
  let most = 0
  for (const value of values) {
    most = Math.max(most, decimalsIn(value))
    if (most > MOST_PRINTED) return 'full'
  }
  return most
}

export function rangeOf(value: number, decimals: Decimals): NumberRange {
  if (decimals !== 'full') return printedRange(value, decimals)
  const error = RELATIVE_ERROR * Math.abs(value)
  return error === 0 ? exactly(value) : { low: value - error, high: value + error }
}

/** Whether any metric of the run is printed in full; then a rate or a coefficient of 0.001 is just that. */
export function isPrintedInFull({ metrics }: Manifest): boolean {
  for (const { first, last, min, max } of metrics.values()) {
    if ([first, last, min, max].some(value => decimalsIn(value) > MOST_PRINTED)) return true
  }
  return false
}

function decimalsIn(value: number): number {
  if (Number.isInteger(value) || !Number.isFinite(value)) return 0
  const [digits, exponent = '0'] = String(value).split('e')
  const point = digits.indexOf('.')
  return Math.max(0, (point < 0 ? 0 : digits.length - point - 1) - Number(exponent))
}
