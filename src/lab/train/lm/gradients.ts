/** From a part of a batch to its gradients: score its own tokens, take the loss, go back. */
import { addedSums, NO_SUMS, type TokenGrpoOptions, type TokenGrpoSums, tokenGrpo } from '../objectives/token-grpo.js'
import type { LanguageModel } from './language-model.js'
import { chunksOf, type TokenSequence } from './sequences.js'

/** A part of a batch as plain data, ready to be scored: its gradients and sums add up with those of the other parts. */
export interface GradientWork {
  readonly sequences: readonly JudgedSequence[]
  /** For each sequence what one of its tokens weighs in the whole batch. */
  readonly weights: Float64Array
  readonly objective: TokenGrpoOptions
  readonly temperature: number
  readonly withReference: boolean
}

interface JudgedSequence extends TokenSequence {
  readonly advantages: Float64Array
  readonly oldLogProbs: readonly number[]
}

/** Scores one chunk after the other and goes back through it. */
export function addGradients(
  policy: LanguageModel,
  reference: LanguageModel | undefined,
  { sequences, weights, objective, temperature, withReference }: GradientWork,
): TokenGrpoSums {
  let sums = NO_SUMS
  let done = 0
  for (const chunk of chunksOf(sequences)) {
    const scores = policy.score(chunk, { temperature, reference: withReference ? reference : undefined })
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
  return sums
}
