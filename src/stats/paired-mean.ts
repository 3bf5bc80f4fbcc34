import { cosineMean } from './cosine-mean.js'
import { mean, variance } from './descriptive.js'
import { studentCdf, studentQuantile } from './distributions.js'
import type { Interval } from './interval.js'

/**
 * The mean of a paired difference observed at T shared steps that hang together (docs/statistics.md).
 *
 *   r* = clip(r1 + (1 + 4 r1)/T, floor, 0.9)             small-sample bias of lag 1 put right (Marriott and Pope 1954)
 *   φ  = clip((r2 + bias of lag 2)/r*, r*, 0.95)         how slowly the autocorrelation dies; r* where that is higher
 *   V  = 1 + 2 r* Σ_{k=1}^{T−1} (1 − k/T) φ^{k−1}        variance of the mean relative to independent points
 *   s² = s² (T − 1)/(T − V),  SE = √(s² V/T),  df = max(T/V − 1, 1.5)
 *
 * The floor is there because at T = 9 an unfloored estimate makes false claims 8–13 % of the time. φ is there because an
 * evaluation is a wandering policy plus the luck of sampling: that luck lowers r1, but not how slowly the rest dies, and
 * with φ = r* false claims rise to 7–9 % (docs/statistics.md). Newey-West with normal quantiles and percentile block
 * bootstraps are worse than the plain t at such lengths. From a hundred points on a slow wander under that luck can be
 * seen, and the interval is the wider one of this and of six cosine sums (`cosineMean`); at fifty it can only be suspected.
 */
export interface PairedMean {
  readonly mean: number
  readonly standardError: number
  readonly degreesOfFreedom: number
  /** The autocorrelation that was used, after correction and floor. */
  readonly autocorrelation: number
  readonly n: number
  /** Whether the slowest movements leave room for a mean of the other sign, where there are enough points to tell. */
  readonly wanders: boolean
}

/** Fewer shared evaluations have no interval: nothing can be said about how they hang together. */
export const FEWEST_EVALUATIONS = 6

const HIGHEST_AUTOCORRELATION = 0.9
/** A ratio of two noisy autocorrelations is believed up to here. */
const SLOWEST_DECAY = 0.95
const FEWEST_DEGREES = 1.5

export function pairedMean(
  differences: ArrayLike<number>,
  { floor = differences.length < 40 ? 0.3 : 0.2 }: { readonly floor?: number } = {},
): PairedMean {
  const n = differences.length
  const [raw, second] = autocorrelations(differences)
  const first = Math.min(Math.max(raw + (1 + 4 * raw) / n, floor), HIGHEST_AUTOCORRELATION)
  const decay = decayOf(raw, second, first, n)
  let inflation = 1
  let power = first
  for (let lag = 1; lag < n; lag += 1) {
    inflation += 2 * (1 - lag / n) * power
    power *= decay
  }
  const corrected = (variance(differences) * (n - 1)) / (n - inflation)
  const bySteps = {
    mean: mean(differences),
    standardError: Math.sqrt((corrected * inflation) / n),
    degreesOfFreedom: Math.max(n / inflation - 1, FEWEST_DEGREES),
  }
  if (n < SLOW_SUSPECTED) return { ...bySteps, autocorrelation: first, n, wanders: false }
  const slowly = cosineMean(differences, { terms: SLOW_TERMS })
  const [half, slowHalf] = [halfWidth(bySteps), halfWidth(slowly)]
  const wider = n >= SLOW_SEEN && slowHalf > half ? slowly : bySteps
  return { ...wider, autocorrelation: first, n, wanders: slowHalf > Math.abs(slowly.mean) }
}

/** Points from which the slowest movements are looked at, and from which they widen the interval. */
const SLOW_SUSPECTED = 40
const SLOW_SEEN = 100
const SLOW_TERMS = 6

function halfWidth({ standardError, degreesOfFreedom }: StudentEstimate, level = 0.95): number {
  return studentQuantile(1 - (1 - level) / 2, degreesOfFreedom) * standardError
}

/** Bias of lag 2 by Marriott and Pope: −((1 + ρ)² + 4 ρ²)/n. */
function decayOf(raw: number, second: number, first: number, n: number): number {
  const rho = Math.max(raw, 0)
  const corrected = second + ((1 + rho) ** 2 + 4 * rho ** 2) / n
  return Math.max(Math.min(corrected / first, SLOWEST_DECAY), first)
}

/** Lags 1 and 2 in one pass; 0 for values that do not vary. */
function autocorrelations(values: ArrayLike<number>): readonly [number, number] {
  const centre = mean(values)
  let [squares, one, two, before, beforeThat] = [0, 0, 0, 0, 0]
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i] - centre
    squares += value * value
    one += value * before
    two += value * beforeThat
    beforeThat = before
    before = value
  }
  return squares === 0 ? [0, 0] : [one / squares, two / squares]
}

export function intervalOf({ mean, standardError, degreesOfFreedom }: StudentEstimate, level = 0.95): Interval {
  const half = halfWidth({ mean, standardError, degreesOfFreedom }, level)
  return { estimate: mean, low: mean - half, high: mean + half, level }
}

/** Two-sided, against a mean of zero. A difference that never varies is certain either way. */
export function pValueOf({ mean, standardError, degreesOfFreedom }: StudentEstimate): number {
  if (standardError === 0) return mean === 0 ? 1 : 0
  return 2 * studentCdf(-Math.abs(mean / standardError), degreesOfFreedom)
}

/** Anything whose error follows a t distribution: one-run differences, Welch, paired prompts. */
export interface StudentEstimate {
  readonly mean: number
  readonly standardError: number
  readonly degreesOfFreedom: number
}
