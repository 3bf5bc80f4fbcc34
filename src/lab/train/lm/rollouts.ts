/**
 * Dialogues that a model has had, as training sees them: all tokens, and which of them are the model's own, turn by turn,
 * with what each turn earned.
 */

import {
  sharedAdvantages,
  type TrajectoryScore,
  type TurnCredit,
  trajectoryScore,
  turnCredits,
} from '../../../logs/model/dialogue.js'
import { mean, standardDeviation } from '../../../stats/descriptive.js'
import { SPREAD_EPSILON, verlAdvantages } from '../objectives/advantages.js'
import { type KlEstimator, klEstimate, VERL_KL_LIMITS } from '../objectives/kl-estimators.js'
import type { LanguageModel } from './language-model.js'
import { chunksOf, type TokenSequence } from './sequences.js'

export interface RolloutTurn {
  /** The first of its tokens among those of the rollout. */
  readonly first: number
  /** Of each of its tokens, when it was drawn. */
  readonly logProbs: readonly number[]
  readonly reward: number
}

export interface Rollout {
  readonly tokens: readonly number[]
  readonly turns: readonly RolloutTurn[]
}

export function rewardOf({ turns }: Rollout): number {
  return turns.reduce((sum, { reward }) => sum + reward, 0)
}

/** What the model is asked about: its own tokens. */
export function ownTokens({ tokens, turns }: Rollout): TokenSequence & { readonly count: number } {
  const scored = new Uint8Array(tokens.length)
  let count = 0
  for (const { first, logProbs } of turns) {
    scored.fill(1, first, first + logProbs.length)
    count += logProbs.length
  }
  return { tokens, scored, count }
}

interface CreditOptions {
  readonly score: TrajectoryScore
  readonly credit: TurnCredit | 'turnwise'
  /** γ of discounted scores and of returns. */
  readonly discount: number
  /** Whether advantages are divided by the group's standard deviation. */
  readonly isScaled: boolean
}

interface GroupAdvantages {
  /** Of each rollout. */
  readonly scores: readonly number[]
  /** Of each own token of each rollout, in its order. */
  readonly advantages: readonly Float64Array[]
}

/** Rollouts of one prompt, judged against each other. */
export function rolloutAdvantages(
  group: readonly Rollout[],
  { score, credit, discount, isScaled }: CreditOptions,
): GroupAdvantages {
  const rewards = group.map(({ turns }) => turns.map(({ reward }) => reward))
  const scores = rewards.map(each => trajectoryScore(each, score, discount))
  const ofRollouts = verlAdvantages(scores, isScaled)
  const turnwise = credit === 'turnwise' ? turnwiseAdvantages(rewards, discount, isScaled) : null
  const advantages = group.map(({ turns }, i) => {
    const lengths = turns.map(({ logProbs }) => logProbs.length)
    const ofTurns =
      turnwise?.[i] ??
      sharedAdvantages(
        ofRollouts[i],
        turnCredits(rewards[i], credit === 'turnwise' ? 'equal' : credit, discount),
        lengths,
      )
    return Float64Array.from(turns.flatMap((_, turn) => new Array<number>(lengths[turn]).fill(ofTurns[turn])))
  })
  return { scores, advantages }
}

/**
 * Each turn by itself: its discounted return against what the group's other dialogues have at the same turn, where one that
 * is over has nothing more to come. UserRL's credits share out the advantage of a whole dialogue, so that in a poor one the
 * turn that found something is blamed the most.
 */
function turnwiseAdvantages(
  rewards: readonly (readonly number[])[],
  discount: number,
  isScaled: boolean,
): readonly (readonly number[])[] {
  const returns = rewards.map(each => turnCredits(each, 'return', discount))
  const longest = Math.max(...returns.map(each => each.length))
  const centres = Array.from({ length: longest }, (_, turn) => mean(returns.map(each => each[turn] ?? 0)))
  const centred = returns.map(each => each.map((value, turn) => value - centres[turn]))
  const all = centred.flat()
  const spread = isScaled && all.length > 1 ? standardDeviation(all) + SPREAD_EPSILON : 1
  return centred.map(each => each.map(value => value / spread))
}

/**
 * A KL in the reward instead of the loss: each turn pays the coefficient times the KL of its own tokens, before anything
 * is scored (verl's `use_kl_in_reward`, carried over to turns).
 */

/** For each rollout the KL of the model to the reference at each of its own tokens. */
export function rolloutKl(
  model: LanguageModel,
  reference: LanguageModel,
  rollouts: readonly Rollout[],
  { estimator, temperature }: { readonly estimator: KlEstimator | 'exact'; readonly temperature: number },
): readonly Float64Array[] {
  return chunksOf(rollouts.map(ownTokens)).flatMap(chunk => {
    const { logProbs, reference: other, boundaries } = model.score(chunk, { temperature, reference })
    const kl =
      estimator === 'exact'
        ? other?.divergences
        : other?.logProbs.map((value, i) => klEstimate(logProbs[i] - value, estimator, VERL_KL_LIMITS))
    return chunk.map((_, i) => (kl ?? new Float64Array()).slice(boundaries[i], boundaries[i + 1]))
  })
}

/** `kl` has a number for each own token of the rollout. */
export function penalised(rollout: Rollout, kl: ArrayLike<number>, coefficient: number): Rollout {
  let at = 0
  const turns = rollout.turns.map(turn => {
    let sum = 0
    for (let i = 0; i < turn.logProbs.length; i++) sum += kl[at++]
    return { ...turn, reward: turn.reward - coefficient * sum }
  })
  return { ...rollout, turns }
}
