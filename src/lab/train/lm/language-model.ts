/**
 * A small language model as objectives see it. `score` gives, for every token that is asked about, the logarithm of its
 * probability, the entropy of the distribution it was drawn from, and where a reference is given that one's
 * log-probability and the exact divergence from it; `backward` takes the slopes of a loss in these and adds to the
 * gradients of the parameters. An objective needs nothing else: no vocabulary, no kernel.
 *
 * A model remembers its last `score` only: call `backward` before it scores or generates again. Gradients add up until
 * `zeroGradients`.
 */
import type { Engine } from '../kernels/engine.js'
import { createScratch, type Matrix } from '../matrix/matrix.js'
import { createParameters, type ParameterSet } from '../matrix/parameters.js'
import { createRotationTables } from './attention.js'
import { createDecoder } from './decoder.js'
import { type Asked, createHead, type Distributions, type Head, type TokenSlopes } from './head.js'
import { type PackedPassage, packSequences } from './packed.js'
import type { Parts, Passage } from './parts.js'
import type { TokenSequence } from './sequences.js'
import { type DecoderShape, decoderTensors } from './shape.js'

/** One number for each scored token, sequence by sequence. */
export interface TokenScores {
  readonly logProbs: Float64Array
  readonly entropies: Float64Array
  readonly reference: {
    readonly logProbs: Float64Array
    /** KL(model ‖ reference) of the next token's distribution, summed over the vocabulary. */
    readonly divergences: Float64Array
    /** KL(reference ‖ model) of the same distributions, where it is asked for. */
    readonly forward?: Float64Array
  } | null
  /** Where the scored tokens of each sequence begin, and at last where they end. */
  readonly boundaries: readonly number[]
}

interface ScoreOptions {
  /** Logits are divided by it, as they were when the tokens were drawn. */
  readonly temperature?: number
  readonly reference?: LanguageModel
  /** Whether the KL from the reference is wanted too. */
  readonly forward?: boolean
}

export interface LanguageModel {
  readonly engine: Engine
  readonly shape: DecoderShape
  readonly parameters: ParameterSet
  score(sequences: readonly TokenSequence[], options?: ScoreOptions): TokenScores
  backward(scores: TokenScores, slopes: TokenSlopes): void
  zeroGradients(): void
  /** For those who walk through the model themselves: generation, and a model that this one is the reference of. */
  readonly inside: Inside
}

interface Inside {
  readonly parts: Parts
  readonly head: Head
  /** The states of what a passage asks about. */
  states(passage: Passage): Matrix
  /** The distributions of the scored tokens of a batch. */
  distributions(sequences: readonly TokenSequence[], temperature: number): Distributions
}

interface LanguageModelOptions {
  /** A reference is not trained, and needs no gradients. */
  readonly trainable?: boolean
}

export function createLanguageModel(
  engine: Engine,
  shape: DecoderShape,
  { trainable = true }: LanguageModelOptions = {},
): LanguageModel {
  const parameters = createParameters(engine, decoderTensors(shape), trainable ? [] : [''], () => [])
  const scratch = createScratch(engine)
  const parts: Parts = { engine, shape, parameters, scratch, rotationTables: createRotationTables(engine, shape) }
  const decoder = createDecoder(parts)
  const head = createHead(parts)
  let last: { readonly scores: TokenScores; readonly passage: PackedPassage; readonly asked: Asked } | undefined

  function pass(sequences: readonly TokenSequence[], temperature: number) {
    last = undefined
    const passage = packSequences(parts, sequences)
    const states = decoder.forward(passage)
    return { passage, own: head.distributions(states, passage.scoredStates, 1 / temperature) }
  }

  function checkReference(reference: LanguageModel | undefined): void {
    if (reference === undefined) return
    if (reference.engine !== engine) throw new Error('a model and its reference must share one engine')
    if (reference.parameters === parameters) throw new Error('a model that is its own reference would lose its scores')
  }

  return {
    engine,
    shape,
    parameters,

    score(sequences, { temperature = 1, reference, forward = false } = {}) {
      checkReference(reference)
      const { passage, own } = pass(sequences, temperature)
      const { boundaries, targets } = passage
      const other = reference?.inside.distributions(sequences, temperature)
      const scores: TokenScores = {
        logProbs: head.logProbs(own, targets),
        entropies: head.entropies(own),
        reference:
          other === undefined
            ? null
            : {
                logProbs: head.logProbs(other, targets),
                // The head keeps the last answer for the way back, which needs that of `divergences`.
                ...(forward && { forward: head.divergences(other, own) }),
                divergences: head.divergences(own, other),
              },
        boundaries,
      }
      last = { scores, passage, asked: { ...passage, stateCount: passage.asked.count, distributions: own, other } }
      return scores
    },

    backward(scores, slopes) {
      if (last?.scores !== scores) throw new Error('backward must follow its own score, with nothing between them')
      const { passage, asked } = last
      decoder.backward(passage, head.backward(asked, slopes))
    },

    zeroGradients: () => parameters.zeroGradients(),
    inside: {
      parts,
      head,
      states(passage) {
        last = undefined
        return decoder.forward(passage)
      },
      distributions: (sequences, temperature) => pass(sequences, temperature).own,
    },
  }
}
