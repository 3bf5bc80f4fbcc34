import { detrended, mean, median } from './descriptive.js'
import { studentCdf, studentQuantile } from './distributions.js'
import { pairedMean } from './paired-mean.js'
import type { Interval } from './student-estimate.js'

/** How much a curve wobbles, and whether one wobbles more than another. */

export interface SpreadRatio {
  /** First over second: mean absolute deviations around a straight course. */
  readonly ratio: Interval
  readonly p: number
  readonly degreesOfFreedom: number
}

/**
 * Ratio of the spreads of two curves at the same steps: a_t and b_t are the absolute deviations of the residuals around
 * each one's line from their median, and the error of log(ā/b̄) is that of the mean of
 *
 *   ψ_t = a_t/ā − b_t/b̄
 *
 * by the autocorrelation-adjusted interval of a paired mean (`pairedMean`). An F test on deflated degrees of freedom
 * takes the noise for normal: with skew, outliers, heavy tails or noise that shrinks with training it called 10–76 % of
 * equal pairs; this calls at most 5 % of them, and with fewer than twenty points hardly speaks at all.
 */
export function spreadRatio(first: ArrayLike<number>, second: ArrayLike<number>, level = 0.95): SpreadRatio {
  const [a, b] = [deviations(first), deviations(second)]
  const [size, other] = [mean(a), mean(b)]
  const { standardError, degreesOfFreedom } = pairedMean(a.map((deviation, t) => deviation / size - b[t] / other))
  const log = Math.log(size / other)
  const half = studentQuantile(1 - (1 - level) / 2, degreesOfFreedom) * standardError
  return {
    ratio: { estimate: size / other, low: Math.exp(log - half), high: Math.exp(log + half), level },
    p: standardError > 0 ? 2 * studentCdf(-Math.abs(log / standardError), degreesOfFreedom) : 1,
    degreesOfFreedom,
  }
}

function deviations(values: ArrayLike<number>): Float64Array {
  const residuals = detrended(values)
  const centre = median(residuals)
  return residuals.map(residual => Math.abs(residual - centre))
}
