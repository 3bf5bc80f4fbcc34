/**
 * One update of the policy on a batch of rollouts: score its own tokens, take the loss, go back, step. The batch passes
 * through in parts; the weights of its tokens are those of the whole. A trainer that makes several updates on the same
 * rollouts (mini-batches, inner epochs) calls this for each.
 */

import {
  type Aggregation,
  addedSums,
  NO_SUMS,
  type TokenGrpoOptions,
  type TokenGrpoSums,
  tokenGrpo,
  tokenWeights,
  totalLoss,
} from '../objectives/token-grpo.js'
import type { Optimiser, OptimiserStep } from '../optimiser/adamw.js'
import type { LanguageModel } from './language-model.js'
import { ownTokens, type Rollout } from './rollouts.js'
import { chunksOf, type TokenSequence } from './sequences.js'

/** A rollout and the advantage of each of its own tokens. */
export interface JudgedRollout {
  readonly rollout: Rollout
  readonly advantages: Float64Array
}

export interface UpdateOptions {
  readonly objective: TokenGrpoOptions
  readonly aggregation: Aggregation
  /** The constant of seq-mean-token-sum-norm. */
  readonly longestResponse: number
  /** At which the tokens were drawn. */
  readonly temperature: number
  readonly learningRate: number
}

interface PolicyUpdate extends OptimiserStep {
  readonly loss: number
  readonly sums: TokenGrpoSums
}

/** Without a reference there is no KL, neither in the loss nor among the sums. */
export function updatePolicy(
  policy: LanguageModel,
  reference: LanguageModel | undefined,
  optimiser: Optimiser,
  batch: readonly JudgedRollout[],
  { objective, aggregation, longestResponse, temperature, learningRate }: UpdateOptions,
): PolicyUpdate {
  const sequences = batch.map(({ rollout, advantages }) => ({
    ...ownTokens(rollout),
    advantages,
    oldLogProbs: rollout.turns.flatMap(({ logProbs }) => logProbs),
  }))
  const weights = tokenWeights(
    sequences.map(({ count }) => count),
    aggregation,
    longestResponse,
  )
  let sums = NO_SUMS
  let done = 0
  policy.zeroGradients()
  for (const chunk of chunksOf(sequences)) {
    const scores = policy.score(chunk, { temperature, reference, forward: objective.klEstimator === 'forward' })
    const targets = {
      oldLogProbs: chunk.flatMap(({ oldLogProbs }) => oldLogProbs),
      advantages: chunk.flatMap(({ advantages }) => [...advantages]),
      weights: weights.subarray(done, done + chunk.length),
    }
    const result = tokenGrpo(scores, targets, objective)
    policy.backward(scores, result.slopes)
    sums = addedSums(sums, result.sums)
    done += chunk.length
  }
  return { ...optimiser.step(learningRate), sums, loss: totalLoss(sums, objective) }
}

/** Supervised training: the model learns to say the scored tokens, loss = - mean of their log-probabilities. */

interface SupervisedStep {
  /** Mean over the scored tokens, before the step. */
  readonly loss: number
  readonly tokens: number
  readonly gradientNorm: number
}

export function supervisedStep(
  model: LanguageModel,
  optimiser: Optimiser,
  sequences: readonly TokenSequence[],
  learningRate: number,
): SupervisedStep {
  const tokens = sequences.reduce((sum, sequence) => sum + scoredCount(sequence), 0)
  let loss = 0
  model.zeroGradients()
  for (const chunk of chunksOf(sequences)) {
    const scores = model.score(chunk)
    for (const logProb of scores.logProbs) loss -= logProb / tokens
    model.backward(scores, { logProbs: scores.logProbs.map(() => -1 / tokens) })
  }
  return { loss, tokens, gradientNorm: optimiser.step(learningRate).gradientNorm }
}

function scoredCount({ tokens, scored }: TokenSequence): number {
  let count = 0
  for (let i = 1; i < tokens.length; i++) if (scored[i]) count++
  return count
}
