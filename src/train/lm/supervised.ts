/** Supervised training: the model learns to say the scored tokens, loss = - mean of their log-probabilities. */
import type { Optimiser } from '../optimiser/adamw.js'
import { chunksOf } from './chunks.js'
import type { LanguageModel } from './language-model.js'
import type { TokenSequence } from './prefix-tree.js'

export interface SupervisedStep {
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

/** Mean of - log-probability over all scored tokens, without learning. */
export function supervisedLoss(model: LanguageModel, sequences: readonly TokenSequence[]): number {
  let [sum, tokens] = [0, 0]
  for (const chunk of chunksOf(sequences)) {
    const { logProbs } = model.score(chunk)
    tokens += logProbs.length
    for (const logProb of logProbs) sum -= logProb
  }
  return sum / tokens
}

function scoredCount({ tokens, scored }: TokenSequence): number {
  let count = 0
  for (let i = 1; i < tokens.length; i++) if (scored[i]) count++
  return count
}
