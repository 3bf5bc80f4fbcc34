import { mean, standardDeviation } from '../../stats/descriptive.js'
import { clamp, isTied } from './group.js'
import { rankScores } from './ranks.js'

/**
 * How much better than its group each beam did. A group that cannot say (one beam, all rewards equal, a reward that is
 * no number) is told apart here, because its zeros would look like a policy that has nothing left to learn.
 */
export type AdvantageKind = 'z-score' | 'rank' | 'centred' | 'leave-one-out'

export interface AdvantageOptions {
  readonly kind: AdvantageKind
  /** The smallest standard deviation a z-score divides by, so that a group of near-ties is not blown up. */
  readonly minimumStd: number
  /** Advantages are clamped to ± this. */
  readonly clip: number
}

export type Degeneracy = 'single' | 'tied' | 'not-finite'

export interface Advantages {
  /** All zero where the group is degenerate: the KL and entropy terms still act if the trainer keeps the group. */
  readonly values: Float64Array
  readonly degenerate: Degeneracy | null
  /** How many the clip has moved. */
  readonly clipped: number
}

export function advantagesOf(rewards: Float64Array, { kind, minimumStd, clip }: AdvantageOptions): Advantages {
  const degenerate = degeneracy(rewards)
  if (degenerate !== null) return { values: new Float64Array(rewards.length), degenerate, clipped: 0 }
  const raw = unclipped(rewards, kind, minimumStd)
  const values = raw.map(value => clamp(value, -clip, clip))
  return { values, degenerate, clipped: raw.filter((value, beam) => value !== values[beam]).length }
}

function unclipped(rewards: Float64Array, kind: AdvantageKind, minimumStd: number): Float64Array {
  const n = rewards.length
  const centre = mean(rewards)
  switch (kind) {
    // (r − mean) / max(std, minimum), std with n − 1. |A| ≤ (n − 1)/√n whatever the rewards.
    case 'z-score': {
      const spread = Math.max(standardDeviation(rewards), minimumStd)
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
