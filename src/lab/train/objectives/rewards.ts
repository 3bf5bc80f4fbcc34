import { mean, standardDeviation } from '../../../stats/descriptive.js'
import { clamp, isTied } from './group.js'

/**
 * From what the task says about a choice to the number that is optimised. `hard` is right or wrong; `soft` is a degree
 * in [0, 1]: VQA accuracy in the original's data, the probability of the right answer elsewhere. Which one, the task says.
 */
export const REWARD_MODES = [
  'hard',
  'soft',
  'hard+soft',
  'separated',
  'hard+probability',
  'hard+probability-separated',
  'hard+probability+relevance',
  'legacy',
] as const

export type RewardMode = (typeof REWARD_MODES)[number]

/** As the original's command line calls them; its `hybrid` raises there. `hard_plus_soft_v2` is the formula of `separated`. */
export const ORIGINAL_REWARD_MODES: { readonly [name: string]: RewardMode | undefined } = {
  hard_only: 'hard',
  soft_only: 'soft',
  hard_plus_soft_v2: 'separated',
  hard01_plus_gtprob: 'hard+probability',
  hard01_plus_gtprob_separated: 'hard+probability-separated',
  hard_plus_gtprob_plus_rel: 'hard+probability+relevance',
}

/** What a task says of a scored choice. */
interface Judgement {
  /** 1 for right, 0 for wrong; null where the data holds no such judgement. */
  readonly hard: number | null
  readonly soft: number
  /** Of the right answer. */
  readonly probability?: number | null
  readonly relevance?: number | null
  /** By the proposer of the choice, and its log-probability there. */
  readonly beamScore?: number | null
  readonly logProbability?: number | null
}

export interface RewardOptions {
  readonly mode: RewardMode
  readonly hard_weight: number
  readonly soft_weight: number
  readonly relevance_weight: number
  /** Weights of quality and judgement in `legacy`. */
  readonly alpha: number
  readonly beta: number
  readonly quality: 'beam-score' | 'log-probability'
  readonly correctness: 'zero-one' | 'plus-minus'
}

/**
 * With weights of 1: `hard` {0, 1}; `soft` [0, 1]; `hard+soft` [0, 2]; `separated` [0, 1] when wrong, [2, 3] when right;
 * the modes of a probability likewise, with it in place of the degree. Null where the mode needs what the data does not
 * say: missing, which is not a reward of 0 (the original takes 0 there).
 */
export function reward(judgement: Judgement, options: RewardOptions): number | null {
  const { hard, soft, probability = null, relevance = null } = judgement
  const { mode, hard_weight, soft_weight, relevance_weight } = options
  if (mode === 'soft') return soft_weight * soft
  if (hard === null) return null
  switch (mode) {
    case 'hard':
      return hard_weight * hard
    case 'hard+soft':
      return hard_weight * hard + soft_weight * soft
    case 'separated':
      return SEPARATION * hard_weight * hard + soft_weight * soft
    case 'hard+probability':
      return probability === null ? null : hard_weight * hard + soft_weight * probability
    case 'hard+probability-separated':
      return probability === null ? null : SEPARATION * hard_weight * hard + soft_weight * probability
    // Relevance consoles a wrong answer only.
    case 'hard+probability+relevance': {
      const consolation = hard > 0 ? 0 : relevance
      if (probability === null || consolation === null) return null
      return hard_weight * hard + soft_weight * probability + relevance_weight * consolation
    }
    case 'legacy':
      return legacyReward(hard, judgement, options)
  }
}

/** What of the data a mode lacks for a judgement that it cannot pay, as Lever-Plus's files call it; null: a word on right and wrong. */
export function lackedField(judgement: Judgement, { mode, quality }: RewardOptions): string | null {
  if (judgement.hard === null) return null
  if (mode === 'legacy') return quality === 'beam-score' ? 'beam_score' : 'logprob_score'
  return (judgement.probability ?? null) === null ? 'vqa_gt_prob' : 'vqa_rel_score'
}

/** α · quality + β · judgement, clamped. A log-probability counts negated there: the less likely, the better. */
function legacyReward(
  hard: number,
  { beamScore = null, logProbability = null }: Judgement,
  { alpha, beta, quality, correctness }: RewardOptions,
): number | null {
  const value = quality === 'beam-score' ? beamScore : logProbability === null ? null : -logProbability
  if (value === null) return null
  return clamp(alpha * value + beta * (correctness === 'zero-one' ? hard : 2 * hard - 1), -LEGACY_LIMIT, LEGACY_LIMIT)
}

const LEGACY_LIMIT = 5

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
