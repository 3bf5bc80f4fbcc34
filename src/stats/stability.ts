import { mean, median, variance } from './descriptive.js'
import { pairedMean } from './paired-mean.js'
import { halfWidth, type Interval, intervalOf, pValueOf, type StudentEstimate } from './student-estimate.js'

/** How much a curve wobbles, and whether one wobbles more than another. */

/** Neighbours on either side that an evaluation is set against: two lie on a line, four on a cubic. */
export type Reach = 1 | 2

/**
 * What each evaluation but the outermost deviates from the curve through its neighbours (Lagrange's formula at the given
 * places), as a multiple that has the spread of one evaluation where these are independent. A learning curve is straight
 * over three evaluations; around one line over all of them its bend passed for noise, and of two equal runs one of which
 * learnt three times as fast 50–98 % were told apart.
 */
export function neighbourDeviations(values: ArrayLike<number>, places: ArrayLike<number>, reach: Reach): Float64Array {
  const deviations = new Float64Array(Math.max(0, values.length - 2 * reach))
  for (let i = 0; i < deviations.length; i += 1) {
    const at = i + reach
    let [between, squares] = [0, 0]
    for (let j = at - reach; j <= at + reach; j += 1) {
      if (j === at) continue
      const weight = weightOf(j, at, places, reach)
      between += weight * values[j]
      squares += weight ** 2
    }
    deviations[i] = (values[at] - between) / Math.sqrt(1 + squares)
  }
  return deviations
}

function weightOf(j: number, at: number, places: ArrayLike<number>, reach: Reach): number {
  let weight = 1
  for (let k = at - reach; k <= at + reach; k += 1) {
    if (k !== at && k !== j) weight = (weight * (places[at] - places[k])) / (places[j] - places[k])
  }
  return weight
}

/** Mean absolute deviation from the median of the deviations. */
export function meanDeviation(deviations: Float64Array): number {
  return mean(absolute(deviations))
}

function absolute(deviations: Float64Array): Float64Array {
  const centre = median(deviations)
  return deviations.map(deviation => Math.abs(deviation - centre))
}

export interface SpreadRatio {
  /** First over second: mean absolute deviations from the line through the two neighbours. */
  readonly ratio: Interval
  readonly p: number
  readonly degreesOfFreedom: number
  /** Whether phases of larger noise, as every run may have them, would make equal runs differ as much. */
  readonly clusters: boolean
}

/**
 * Ratio of the spreads of two curves at the same places. With a_t and b_t the absolute deviations, the error of log(ā/b̄)
 * is that of the mean of
 *
 *   ψ_t = a_t/ā − b_t/b̄
 *
 * by the autocorrelation-adjusted interval of a paired mean (`pairedMean`). An F test takes the noise for normal: with
 * skew, outliers, heavy tails or noise that shrinks with training it called 10–76 % of equal pairs; this calls at most 5 %.
 *
 * Noise may also come in phases (GARCH): then two runs do differ over these evaluations, though not in the long run. From
 * a hundred evaluations on that can be seen, and the interval is the wider one of this and of `clusteredError`; before,
 * it can only be suspected (docs/statistics.md).
 */
export function spreadRatio(
  first: ArrayLike<number>,
  second: ArrayLike<number>,
  places: ArrayLike<number> = Array.from(first, (_, i) => i),
): SpreadRatio {
  const [a, b] = [first, second].map(values => absolute(neighbourDeviations(values, places, 1)))
  const [size, other] = [mean(a), mean(b)]
  const log = Math.log(size / other)
  const steady = { ...pairedMean(a.map((deviation, t) => deviation / size - b[t] / other)), mean: log }
  const clustered = { ...clusteredError(a, b), mean: log }
  const isWider = first.length >= CLUSTERS_SEEN && halfWidth(clustered) > halfWidth(steady)
  const estimate = isWider ? clustered : steady
  const { low, high, level } = intervalOf(estimate)
  return {
    ratio: { estimate: size / other, low: Math.exp(low), high: Math.exp(high), level },
    p: pValueOf(estimate),
    degreesOfFreedom: estimate.degreesOfFreedom,
    clusters: !(Math.abs(log) > halfWidth(clustered)),
  }
}

/** Evaluations from which phases of larger noise can be told from a run that is noisier throughout. */
const CLUSTERS_SEEN = 100
const BLOCKS = 5
/** Of the noise of one evaluation on that of the next, where it comes in phases: these last some twenty evaluations. */
const MEMORY = 0.95
/** Share of what blocks differ by that such phases make up; the rest is chance. */
const SHARE = 0.7

/**
 * The error of the mean log ratio over five blocks of evaluations whose neighbours hang together as phases make them:
 * c = share · memory^(T/5) from block to block, V = 1 + 2 Σ (1 − k/5) c^k, SE² = s²/5 · V (5 − 1)/(5 − V), 4 degrees.
 */
function clusteredError(a: Float64Array, b: Float64Array): Omit<StudentEstimate, 'mean'> {
  const logs = Array.from({ length: BLOCKS }, (_, j) => {
    const [from, to] = [j, j + 1].map(edge => Math.round((edge * a.length) / BLOCKS))
    return Math.log(mean(a.subarray(from, to)) / mean(b.subarray(from, to)))
  })
  const neighbours = SHARE * MEMORY ** (a.length / BLOCKS)
  let inflation = 1
  for (let lag = 1; lag < BLOCKS; lag += 1) inflation += 2 * (1 - lag / BLOCKS) * neighbours ** lag
  const spread = variance(logs)
  const corrected = Number.isFinite(spread) ? (spread * (BLOCKS - 1)) / (BLOCKS - inflation) : Number.POSITIVE_INFINITY
  return { standardError: Math.sqrt((corrected * inflation) / BLOCKS), degreesOfFreedom: BLOCKS - 1 }
}
