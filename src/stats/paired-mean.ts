import { detrended, mean, standardDeviation, variance } from './descriptive.js'
import { halfWidth } from './student-estimate.js'

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

/**
 * The mean of a long autocorrelated series without a model of the autocorrelation: its long-run variance is the mean
 * square of the first B cosine-weighted sums, and the error follows t with B degrees of freedom (Müller 2004; Lazarus,
 * Lewis, Stock and Watson 2018, "equal-weighted cosine").
 *
 *   Λ_j = √(2/T) Σ_t d_t cos(π j (t − ½)/T),  SE² = Σ_j Λ_j²/(B T)
 *
 * Few terms look at the slowest movements only: they see a wander that hides under sampling noise, where the first few
 * autocorrelations show next to nothing.
 */
export function cosineMean(
  differences: ArrayLike<number>,
  { terms }: { readonly terms: number },
): { readonly mean: number; readonly standardError: number; readonly degreesOfFreedom: number } {
  const n = differences.length
  const centre = mean(differences)
  let squares = 0
  for (const weights of cosines(n, terms)) {
    let sum = 0
    for (let t = 0; t < n; t += 1) sum += (differences[t] - centre) * weights[t]
    squares += (2 / n) * sum ** 2
  }
  return { mean: centre, standardError: Math.sqrt(squares / terms / n), degreesOfFreedom: terms }
}

/** Those that were used last: a simulation weighs hundreds of series of one length. */
let lastCosines: readonly Float64Array[] = []

function cosines(n: number, terms: number): readonly Float64Array[] {
  if (lastCosines.length === terms && lastCosines[0]?.length === n) return lastCosines
  lastCosines = Array.from({ length: terms }, (_, j) => {
    // Of equally spaced angles by rotation: a call for each would take longer than all the rest.
    const turn = (Math.PI * (j + 1)) / n
    const [c, s] = [Math.cos(turn), Math.sin(turn)]
    const weights = new Float64Array(n)
    let [x, y] = [Math.cos(turn / 2), Math.sin(turn / 2)]
    for (let t = 0; t < n; t += 1) {
      weights[t] = x
      const turned = x * c - y * s
      y = x * s + y * c
      x = turned
    }
    return weights
  })
  return lastCosines
}

/**
 * The mean of a difference that may grow or shrink over the evaluations. Around its mean a gap that grows looks like
 * strong autocorrelation, and the larger it became the less was said. Where its line keeps one sign over all evaluations
 * and is steeper than four errors of its slope, the error of the mean is that of the deviations from the line, times 1.25
 * and with one degree of freedom less:
 *
 *   error of the slope = SE √(12/(T² − 1)) per evaluation, SE being that of the deviations' mean (`pairedMean`)
 *
 * A line that crosses zero leaves the sign open, and keeps the wider error. Of equal pairs no more are called than before
 * up to an autocorrelation of 0.6 (docs/statistics.md).
 */
export interface GapMean extends PairedMean {
  /** Standard deviation of the differences around their line; null where the error is that around their mean. */
  readonly aroundLine: number | null
}

const STEEP = 4
const CAUTION = 1.25

export function gapMean(differences: ArrayLike<number>): GapMean {
  const n = differences.length
  const level = { ...pairedMean(differences), aroundLine: null }
  const deviations = detrended(differences)
  const around = pairedMean(deviations)
  const [first, last] = [0, n - 1].map(i => differences[i] - deviations[i])
  const slopeError = around.standardError * Math.sqrt(12 / (n ** 2 - 1))
  const isSteep = Math.abs(last - first) / (n - 1) > STEEP * slopeError
  if (!isSteep || !(first * last > 0) || !(around.standardError > ROUNDING * level.standardError)) return level
  const line = {
    ...around,
    mean: level.mean,
    standardError: CAUTION * around.standardError,
    degreesOfFreedom: Math.max(around.degreesOfFreedom - 1, 1),
    aroundLine: standardDeviation(deviations),
  }
  return halfWidth(line) < halfWidth(level) ? line : level
}

/** A share of the error that is what is left of rounding: a gap that lies on a line tells of no noise. */
const ROUNDING = 1e-9
