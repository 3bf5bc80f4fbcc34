import { detrended, variance } from '../../../stats/descriptive.js'
import type { StudentEstimate } from '../../../stats/student-estimate.js'

/**
 * Curves alone. All evaluations of a run ask the same prompts, so their sampling noise is an offset that does not shrink
 * with more evaluations, and where nothing tells how many prompts there are it cannot be computed. It is not small: the
 * error of the mean counts as at least this share of the variance of one evaluation's difference. Chosen on 112 pairs of one
 * setting of a lab, of which curves told apart up to a third at eighty evaluations; docs/statistics.md has it on others.
 */
const LEAST_SHARE = 0.21

/** Around their line, because a gap that grows is no noise. */
export function onUnknownPrompts<Estimate extends StudentEstimate>(
  estimate: Estimate,
  differences: Float64Array,
): Estimate {
  const least = Math.sqrt(LEAST_SHARE * variance(detrended(differences)))
  return estimate.standardError < least ? { ...estimate, standardError: least } : estimate
}
