import { mean, standardDeviation } from '../../stats/descriptive.js'
import { clamp, isTied } from './group.js'

/**
 * From what the task says about a choice to the number that is optimised. `hard` is right or wrong; `soft` is a degree
 * in [0, 1]: VQA accuracy in the original's data, the probability of the right answer elsewhere. Which one, the task says.
 */
export type RewardMode = 'hard' | 'soft' | 'hard+soft' | 'separated'

/** What a task says of a scored choice. */
export interface Judgement {
  /** 1 for right, 0 for wrong; null where the data holds no such judgement. */
  readonly hard: number | null
  readonly soft: number
}

export interface RewardOptions {
  readonly mode: RewardMode
  readonly hardWeight: number
  readonly softWeight: number
}

/**
 * With weights of 1: `hard` {0, 1}; `soft` [0, 1]; `hard+soft` [0, 2]; `separated` [0, 1] when wrong, [2, 3] when right.
 * Null where the mode needs a right-or-wrong judgement and there is none: missing, which is not a reward of 0.
 */
export function reward({ hard, soft }: Judgement, { mode, hardWeight, softWeight }: RewardOptions): number | null {
  if (mode === 'soft') return softWeight * soft
  if (hard === null) return null
  switch (mode) {
    case 'hard':
      return hardWeight * hard
    case 'hard+soft':
      return hardWeight * hard + softWeight * soft
    case 'separated':
      return SEPARATION * hardWeight * hard + softWeight * soft
  }
}

/** Leaves a gap of 1 between the worst right and the best wrong choice (the original's `separated` and `_v2` modes). */
const SEPARATION = 2

/**
 * The rewards of one query as z-scores (n − 1), clamped; all zero when they are equal. The original feeds these to its
 * objectives (clamp 3); a z-scored advantage of them is the same numbers again unless the clamp has acted.
 */
export function normalisedRewards(rewards: Float64Array, limit: number): Float64Array {
  if (rewards.length < 2 || isTied(rewards)) return new Float64Array(rewards.length)
  const centre = mean(rewards)
  const spread = standardDeviation(rewards)
  return rewards.map(value => clamp((value - centre) / spread, -limit, limit))
}

/**
 * KL in the reward: r − β·kl, one kl per beam. It is taken before the advantages and between the policy that the beams
 * came from and the reference, so it stays the same through the inner epochs and has no gradient of its own.
 */
export function penalisedRewards(rewards: Float64Array, klPerBeam: Float64Array, coefficient: number): Float64Array {
  return rewards.map((value, beam) => value - coefficient * klPerBeam[beam])
}
