import { detrended, lagOne, variance } from './descriptive.js'
import { fCdf, fQuantile } from './distributions.js'
import type { Interval } from './interval.js'

/** How much a curve wobbles, and whether one wobbles more than another (facts 1.8). */

export interface SpreadRatio {
  /** First over second: detrended standard deviations. */
  readonly ratio: Interval
  readonly p: number
  readonly degreesOfFreedom: number
}

/**
 * Ratio of the detrended spreads of two curves, with F on deflated degrees of freedom: ν = (T − 2)(1 − r²)/(1 + r²),
 * r = clip(r1 + (2 + 4 r1)/T, 0.3, 0.9), r1 averaged over both. A plain F test would call 8–16 % of equal pairs.
 */
export function spreadRatio(first: ArrayLike<number>, second: ArrayLike<number>, level = 0.95): SpreadRatio {
  const a = detrended(first)
  const b = detrended(second)
  const n = Math.min(a.length, b.length)
  const raw = (lagOne(a) + lagOne(b)) / 2
  const r = Math.min(Math.max(raw + (2 + 4 * raw) / n, 0.3), 0.9)
  const degreesOfFreedom = (n - 2) * ((1 - r ** 2) / (1 + r ** 2))
  const squared = variance(a) / variance(b)
  const tail = (1 - level) / 2
  const below = fCdf(squared, degreesOfFreedom, degreesOfFreedom)
  return {
    ratio: {
      estimate: Math.sqrt(squared),
      low: Math.sqrt(squared / fQuantile(1 - tail, degreesOfFreedom, degreesOfFreedom)),
      high: Math.sqrt(squared / fQuantile(tail, degreesOfFreedom, degreesOfFreedom)),
      level,
    },
    p: 2 * Math.min(below, 1 - below),
    degreesOfFreedom,
  }
}

/** The deepest fall from a peak to a later point, for a curve where higher is better. */
export function maxDrawdown(values: ArrayLike<number>): { readonly depth: number; readonly peak: number } {
  let peak = Number.NEGATIVE_INFINITY
  let worst = { depth: 0, peak: Number.NaN }
  for (let i = 0; i < values.length; i += 1) {
    peak = Math.max(peak, values[i])
    if (peak - values[i] > worst.depth) worst = { depth: peak - values[i], peak }
  }
  return worst
}

/** Mean of the worst changes from one evaluation to the next (CVaR): the worst 5 %, or a quarter of them when few. */
export function worstChanges(values: ArrayLike<number>): number {
  const changes = Array.from({ length: values.length - 1 }, (_, i) => values[i + 1] - values[i]).sort((a, b) => a - b)
  const count = Math.max(1, Math.ceil((changes.length < 40 ? 0.25 : 0.05) * changes.length))
  return changes.slice(0, count).reduce((sum, change) => sum + change, 0) / count
}
