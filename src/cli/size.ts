import type { Size } from '../analysis/conventions.js'
import { type Context, UserError } from './context.js'
import { printable } from './print/style.js'

/** A size on the command line: `0.02` in the metric's own unit, or `5%` of the baseline. */
export function sizeFrom(context: Context, option: string, text: string | undefined): Size | null {
  if (text === undefined) return null
  const size = numberIn(text.replace(/%$/, ''))
  if (size === null || size <= 0) {
    throw new UserError(context.say('plan.bad-size', { option, value: printable(text) }))
  }
  return text.endsWith('%') ? { share: size / 100 } : { absolute: size }
}

export interface Range {
  readonly above?: number
  readonly below?: number
  readonly whole?: boolean
}

/** A plain number within a range; null where the option was not given. */
export function numberFrom(context: Context, option: string, text: string | undefined, range: Range): number | null {
  if (text === undefined) return null
  const { above = Number.NEGATIVE_INFINITY, below = Number.POSITIVE_INFINITY, whole = false } = range
  const value = numberIn(text)
  if (value === null || value <= above || value >= below || (whole && !Number.isInteger(value))) {
    throw new UserError(context.say('plan.bad-number', { option, value: printable(text), range: rangeText(range) }))
  }
  return value
}

function numberIn(text: string): number | null {
  const value = Number(text)
  return text.trim() === '' || !Number.isFinite(value) ? null : value
}

function rangeText({ above, below, whole = false }: Range): string {
  const ends = [...(above === undefined ? [] : [`> ${above}`]), ...(below === undefined ? [] : [`< ${below}`])].join(
    ', ',
  )
  return whole ? `${ends} (1, 2, 3, …)` : ends
}
