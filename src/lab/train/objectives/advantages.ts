import { mean, standardDeviation } from '../../../stats/descriptive.js'
import { clamp, isTied, rankScores } from './group.js'

/**
 * How much better than its group each beam did. A group that cannot say (one beam, all rewards equal, a reward that is
 * no number) is marked here, because its zeros would look like a policy that has nothing left to learn.
 */
export type AdvantageKind = 'z-score' | 'rank' | 'centred' | 'leave-one-out'

interface AdvantageOptions {
  readonly kind: AdvantageKind
  /** The smallest standard deviation a z-score divides by, so that a group of near-ties is not blown up. */
  readonly minimum_std: number
  /** Advantages are clamped to ± this. */
  readonly clip: number
}

type Degeneracy = 'single' | 'tied' | 'not-finite'

interface Advantages {
  /** All zero where the group is degenerate: the KL and entropy terms still act if the trainer keeps the group. */
  readonly values: Float64Array
  readonly degenerate: Degeneracy | null
  /** How many the clip has moved. */
  readonly clipped: number
}

export function advantagesOf(rewards: Float64Array, { kind, minimum_std, clip }: AdvantageOptions): Advantages {
  const degenerate = degeneracy(rewards)
  if (degenerate !== null) return { values: new Float64Array(rewards.length), degenerate, clipped: 0 }
  const raw = unclipped(rewards, kind, minimum_std)
  const values = raw.map(value => clamp(value, -clip, clip))
  return { values, degenerate, clipped: raw.filter((value, beam) => value !== values[beam]).length }
}

function unclipped(rewards: Float64Array, kind: AdvantageKind, minimum_std: number): Float64Array {
  const n = rewards.length
  const centre = mean(rewards)
  switch (kind) {
    // (r − mean) / max(std, minimum), std with n − 1. |A| ≤ (n − 1)/√n whatever the rewards.
    case 'z-score': {
      const spread = Math.max(standardDeviation(rewards), minimum_std)
      return rewards.map(value => (value - centre) / spread)
    }
    // 1 − 2·rank/(n − 1): only the order counts.
    case 'rank':
      return rankScores(rewards)
    // r − mean: Dr. GRPO (Liu et al. 2025), whose point is that dividing by the std favours easy and hard queries.
    case 'centred':
      return rewards.map(value => value - centre)
    // r − mean of the others = (r − mean) · n/(n − 1): RLOO (Ahmadian et al. 2024).
    case 'leave-one-out':
      return rewards.map(value => ((value - centre) * n) / (n - 1))
  }
}

function degeneracy(rewards: Float64Array): Degeneracy | null {
  if (rewards.some(value => !Number.isFinite(value))) return 'not-finite'
  if (rewards.length < 2) return 'single'
  return isTied(rewards) ? 'tied' : null
}

/** verl adds this to the standard deviation instead of keeping it above a minimum. */
export const SPREAD_EPSILON = 1e-6

/**
 * As verl counts, for whole dialogues of one request: A = (score − mean) / (std + 1e-6), std with n − 1, or without the
 * division (Dr. GRPO). Nothing is clipped, and no group is degenerate: a rollout alone in its group is measured against 0
 * with spread 1. In float64; verl computes this in float32, where a group of equal scores gets the round-off of its mean
 * over 1e-6.
 */
export function verlAdvantages(scores: readonly number[], isScaled: boolean): readonly number[] {
  const isAlone = scores.length === 1
  const centre = isAlone ? 0 : mean(scores)
  const spread = isAlone ? 1 : standardDeviation(scores)
  return scores.map(score => (isScaled ? (score - centre) / (spread + SPREAD_EPSILON) : score - centre))
}
