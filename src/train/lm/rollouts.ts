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
} from '../../model/dialogue.js'
import { groupAdvantages } from './objectives/group-advantages.js'
import type { TokenSequence } from './prefix-tree.js'

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

export interface CreditOptions {
  readonly score: TrajectoryScore
  readonly credit: TurnCredit
  /** γ of discounted scores and of returns. */
  readonly discount: number
  /** Whether advantages are divided by the group's standard deviation. */
  readonly isScaled: boolean
}

export interface GroupAdvantages {
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
  const ofRollouts = groupAdvantages(scores, isScaled)
  const advantages = group.map(({ turns }, i) => {
    const lengths = turns.map(({ logProbs }) => logProbs.length)
    const ofTurns = sharedAdvantages(ofRollouts[i], turnCredits(rewards[i], credit, discount), lengths)
    return Float64Array.from(turns.flatMap((_, turn) => new Array<number>(lengths[turn]).fill(ofTurns[turn])))
  })
  return { scores, advantages }
}
