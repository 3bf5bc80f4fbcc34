import { detrended, standardDeviation } from './descriptive.js'
import { type PairedMean, pairedMean } from './paired-mean.js'
import { halfWidth } from './student-estimate.js'

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
