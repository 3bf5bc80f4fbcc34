/**
 * One update of the policy on a batch of rollouts: score its own tokens, take the loss, go back, step. The batch passes
 * through in parts; the weights of its tokens are those of the whole. A trainer that makes several updates on the same
 * rollouts (mini-batches, inner epochs) calls this for each.
 */
import type { Optimiser, OptimiserStep } from '../optimiser/adamw.js'
import { chunksOf } from './chunks.js'
import type { LanguageModel } from './language-model.js'
import { type Aggregation, tokenWeights } from './objectives/aggregation.js'
import {
  addedSums,
  NO_SUMS,
  type TokenGrpoOptions,
  type TokenGrpoSums,
  tokenGrpo,
  totalLoss,
} from './objectives/token-grpo.js'
import { ownTokens, type Rollout } from './rollouts.js'

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

export interface PolicyUpdate extends OptimiserStep {
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
    const scores = policy.score(chunk, { temperature, reference })
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
