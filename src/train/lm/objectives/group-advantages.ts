/**
 * How much better than its group each rollout did, as verl counts:  A = (score − mean) / (std + 1e-6), std with n − 1, or
 * without the division (Dr. GRPO, Liu et al. 2025). A rollout alone in its group is measured against 0 with spread 1.
 * In float64; verl computes this in float32, where a group of equal scores gets the round-off of its mean over 1e-6.
 */
import { mean, standardDeviation } from '../../../stats/descriptive.js'

const SPREAD_EPSILON = 1e-6

export function groupAdvantages(scores: readonly number[], isScaled: boolean): readonly number[] {
  const isAlone = scores.length === 1
  const centre = isAlone ? 0 : mean(scores)
  const spread = isAlone ? 1 : standardDeviation(scores)
  return scores.map(score => (isScaled ? (score - centre) / (spread + SPREAD_EPSILON) : score - centre))
}
