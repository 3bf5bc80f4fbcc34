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
  tokenWeights,
  totalLoss,
} from '../objectives/token-grpo.js'
import type { Optimiser, OptimiserStep } from '../optimiser/adamw.js'
import { addGradients, type GradientWork } from './gradients.js'
import type { LanguageModel } from './language-model.js'
import type { Partner } from './partner/partner.js'
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

/**
 * Without a reference there is no KL, neither in the loss nor among the sums. A batch is gone through in two halves, whose
 * gradients are then added, whether a partner takes the second one or not: so the numbers are the same with either.
 */
export function updatePolicy(
  policy: LanguageModel,
  reference: LanguageModel | undefined,
  optimiser: Optimiser,
  batch: readonly JudgedRollout[],
  { objective, aggregation, longestResponse, temperature, learningRate }: UpdateOptions,
  partner: Partner | null = null,
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
  const half = middleOf(sequences)
  const work = (from: number, to: number): GradientWork => ({
    ...{ sequences: sequences.slice(from, to), weights: weights.subarray(from, to) },
    ...{ objective, temperature, withReference: reference !== undefined },
  })
  const ofSecond = secondHalf(policy, reference, work(half, sequences.length), partner)
  policy.zeroGradients()
  const ofFirst = addGradients(policy, reference, work(0, half))
  const sums = addedSums(ofFirst, ofSecond())
  return { ...optimiser.step(learningRate), sums, loss: totalLoss(sums, objective) }
}

/** Begun before the first half; what is returned adds its gradients and answers its sums. */
function secondHalf(
  policy: LanguageModel,
  reference: LanguageModel | undefined,
  work: GradientWork,
  partner: Partner | null,
): () => TokenGrpoSums {
  if (work.sequences.length === 0) return () => NO_SUMS
  if (partner !== null) return partner.gradients(reference, work)
  const { parameters } = policy
  policy.zeroGradients()
  const sums = addGradients(policy, reference, work)
  const gradients = new Float64Array(parameters.trainableCount)
  parameters.copyGradients(gradients)
  return () => {
    parameters.addToGradients(gradients)
    return sums
  }
}

/** How many sequences hold the first half of all tokens, or a little more. */
function middleOf(sequences: readonly TokenSequence[]): number {
  const total = sequences.reduce((sum, { tokens }) => sum + tokens.length, 0)
  let before = 0
  return (
    sequences.findIndex(({ tokens }) => {
      before += tokens.length
      return 2 * before >= total
    }) + 1
  )
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
