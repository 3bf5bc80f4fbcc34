import { lagOne, quantile } from './descriptive.js'
import { normalCdf, normalQuantile } from './distributions.js'
import type { Interval } from './student-estimate.js'

/**
 * Does a series rise or fall? Mann-Kendall with the variance put right for autocorrelation by (1 + a)/(1 − a), a being
 * the lag-1 of the detrended ranks with its bias of about (2 + 4 a)/n put right; the slope is Theil and Sen's median
 * of all slopes.
 */
export interface Trend {
  /** Kendall's tau between position and value. */
  readonly tau: number
  readonly p: number
  readonly slope: number
  /** Sen 1968, on the corrected variance: the ordered slopes that lie z √variance/2 ranks off the middle. */
  readonly slopeInterval: Interval
  readonly autocorrelation: number
}

export function trend(positions: ArrayLike<number>, values: ArrayLike<number>): Trend {
  const n = values.length
  const slopes = new Float64Array((n * (n - 1)) / 2)
  const concordance = comparePairs(positions, values, slopes)
  const ordered = slopes.sort()
  const slope = quantile(ordered, 0.5)
  const ranks = ranksOf(Float64Array.from({ length: n }, (_, i) => values[i] - slope * positions[i]))
  const raw = lagOne(ranks)
  const autocorrelation = Math.min(Math.max(raw + (2 + 4 * raw) / n, 0), 0.9)
  const spread = (n * (n - 1) * (2 * n + 5) - tieTerm(values)) / 18
  const corrected = (spread * (1 + autocorrelation)) / (1 - autocorrelation)
  const z = concordance === 0 || corrected <= 0 ? 0 : (concordance - Math.sign(concordance)) / Math.sqrt(corrected)
  return {
    tau: concordance / ((n * (n - 1)) / 2),
    p: 2 * normalCdf(-Math.abs(z)),
    slope,
    slopeInterval: senInterval(ordered, corrected),
    autocorrelation,
  }
}

/** Fills in the slope of every pair and returns Kendall's S. By itself, because what is hot is compiled as a whole. */
function comparePairs(positions: ArrayLike<number>, values: ArrayLike<number>, slopes: Float64Array): number {
  let concordance = 0
  let pair = 0
  for (let i = 0; i < values.length; i += 1) {
    for (let j = i + 1; j < values.length; j += 1) {
      const rise = values[j] - values[i]
      concordance += Math.sign(rise)
      slopes[pair] = rise / (positions[j] - positions[i])
      pair += 1
    }
  }
  return concordance
}

/** Slopes in order, and the variance of Kendall's S. */
export function senInterval(ordered: ArrayLike<number>, varianceOfS: number, level = 0.95): Interval {
  const half = normalQuantile(1 - (1 - level) / 2) * Math.sqrt(Math.max(0, varianceOfS))
  const count = ordered.length
  const low = ordered[Math.max(Math.round((count - half) / 2) - 1, 0)]
  const high = ordered[Math.min(Math.round((count + half) / 2), count - 1)]
  return { estimate: quantile(ordered, 0.5), low, high, level }
}

/** Average ranks from 1; equal values share theirs. */
export function ranksOf(values: ArrayLike<number>): Float64Array {
  const order = Array.from(values, (_, i) => i).sort((a, b) => values[a] - values[b])
  const ranks = new Float64Array(values.length)
  for (let start = 0; start < order.length; ) {
    let end = start
    while (end + 1 < order.length && values[order[end + 1]] === values[order[start]]) end += 1
    for (let i = start; i <= end; i += 1) ranks[order[i]] = (start + end) / 2 + 1
    start = end + 1
  }
  return ranks
}

function tieTerm(values: ArrayLike<number>): number {
  const counts = new Map<number, number>()
  for (let i = 0; i < values.length; i += 1) counts.set(values[i], (counts.get(values[i]) ?? 0) + 1)
  let term = 0
  for (const count of counts.values()) term += count * (count - 1) * (2 * count + 5)
  return term
}

/**
 * The noise of a curve of which no sampling error is known, from second differences (they cancel a smooth course):
 * √(mean(D²)/6) over evenly spaced neighbours. Rough; NaN with fewer than three of them, which five points in a row give.
 */
export function jitter(positions: ArrayLike<number>, values: ArrayLike<number>): number {
  let squares = 0
  let count = 0
  for (let i = 2; i < values.length; i += 1) {
    if (positions[i] - positions[i - 1] !== positions[i - 1] - positions[i - 2]) continue
    squares += (values[i] - 2 * values[i - 1] + values[i - 2]) ** 2
    count += 1
  }
  return count < 3 ? Number.NaN : Math.sqrt(squares / count / 6)
}
