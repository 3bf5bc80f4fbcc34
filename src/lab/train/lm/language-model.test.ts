/** What a batch may do to its sequences: nothing. */
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../stats/random.js'
import { createEngine } from '../kernels/engine.js'
import { createAdamW } from '../optimiser/adamw.js'
import { createLanguageModel, type LanguageModel } from './language-model.js'
import { chunksOf, prefixTree, type TokenSequence } from './sequences.js'
import { type DecoderShape, initialiseDecoder } from './shape.js'
import { openSlots } from './slots.js'
import { supervisedStep } from './update.js'

/** Mean of - log-probability over all scored tokens, without learning. */
function supervisedLoss(model: LanguageModel, sequences: readonly TokenSequence[]): number {
  let [sum, tokens] = [0, 0]
  for (const chunk of chunksOf(sequences)) {
    const { logProbs } = model.score(chunk)
    tokens += logProbs.length
    for (const logProb of logProbs) sum -= logProb
  }
  return sum / tokens
}

const SHAPE: DecoderShape = {
  ...{ vocabulary: 13, width: 16, layers: 2, heads: 4, keyHeads: 2, headWidth: 6, inner: 20 },
  ...{ positions: 64, ropeTheta: 10_000, epsilon: 1e-6 },
}

function createModel(precision: 'float32' | 'float64' = 'float32') {
  const model = createLanguageModel(createEngine(precision), SHAPE)
  initialiseDecoder(model.parameters, SHAPE, seededRandom(3))
  return model
}

const random = seededRandom(1)
const drawn = (length: number): readonly number[] => Array.from({ length }, () => random.below(13))
const prompt = drawn(9)
/** Two prompts, rollouts of each with turns between replies, one of them twice, one without anything asked. */
const sequences: readonly TokenSequence[] = [
  ...[20, 31, 26].map(length => [...prompt, ...drawn(length)]),
  [...prompt, 1, 2, 3],
  [...prompt, 1, 2, 3],
  drawn(40),
  drawn(5),
].map((tokens, s) => ({
  tokens,
  scored: tokens.map((_, i) => (s < 6 && i >= 6 && i % 11 < 7 ? 1 : 0)),
}))

describe('sequences in one batch', () => {
  it('share the rows of what they begin with', () => {
    const { rowTokens, rowsOfSequences, rowPositions } = prefixTree(sequences, SHAPE)
    expect(rowsOfSequences[1].slice(0, 9)).toEqual(rowsOfSequences[0].slice(0, 9))
    expect(rowsOfSequences[4]).toEqual(rowsOfSequences[3])
    expect(rowsOfSequences[6]).toEqual([])
    expect(new Set(rowsOfSequences.flat()).size).toBe(rowTokens.length)
    for (const [s, rows] of rowsOfSequences.entries()) {
      expect(rows.map(row => rowTokens[row])).toEqual(Array.from(sequences[s].tokens).slice(0, rows.length))
      expect(rows.map(row => rowPositions[row])).toEqual(rows.map((_, i) => i))
    }
  })

  it('have the scores that they have alone, to the bit', () => {
    const model = createModel()
    const { logProbs, entropies, boundaries } = model.score(sequences)
    sequences.forEach((sequence, s) => {
      const alone = model.score([sequence])
      expect([...logProbs.slice(boundaries[s], boundaries[s + 1])]).toEqual([...alone.logProbs])
      expect([...entropies.slice(boundaries[s], boundaries[s + 1])]).toEqual([...alone.entropies])
    })
  })

  it('have gradients that are the sum of those that they have alone', () => {
    const model = createModel('float64')
    const slopesOf = (count: number, first: number) => ({
      logProbs: Float64Array.from({ length: count }, (_, i) => Math.sin(first + i)),
      entropies: Float64Array.from({ length: count }, (_, i) => Math.cos(first + i)),
    })
    const whole = model.score(sequences)
    model.zeroGradients()
    model.backward(whole, slopesOf(whole.logProbs.length, 0))
    const together = new Map(model.parameters.all.map(({ name }) => [name, model.parameters.readGradient(name)]))
    model.zeroGradients()
    sequences.forEach((sequence, s) => {
      const scores = model.score([sequence])
      model.backward(scores, slopesOf(scores.logProbs.length, whole.boundaries[s]))
    })
    for (const [name, gradient] of together) {
      const alone = model.parameters.readGradient(name)
      for (const [i, value] of gradient.entries()) expect(alone[i], name).toBeCloseTo(value, 10)
    }
  })

  it('go through in parts of whole sequences', () => {
    const parts = chunksOf(sequences, 60)
    expect(parts.flat()).toEqual(sequences)
    expect(parts.length).toBeGreaterThan(2)
    expect(chunksOf(sequences, 1).length).toBe(sequences.length)
  })

  it('cannot be longer than the model has positions, nor hold tokens that it does not have', () => {
    const model = createModel()
    const long = { tokens: new Array<number>(70).fill(1), scored: new Array<number>(70).fill(1) }
    expect(() => model.score([long])).toThrow('longer than 64 positions')
    expect(() => model.score([{ tokens: [1, 13, 2], scored: [0, 1, 1] }])).toThrow('no token 13')
  })
})

describe('a model', () => {
  it('goes back only from its own last scores', () => {
    const model = createModel()
    const scores = model.score(sequences)
    const slopes = { logProbs: scores.logProbs.map(() => 1) }
    const slots = openSlots(model, { count: 1, capacity: 8 })
    slots.append(0, [1, 2])
    slots.advance([0])
    expect(() => model.backward(scores, slopes)).toThrow('its own score')
    expect(() => model.score(sequences, { reference: model })).toThrow('its own reference')
  })

  it('learns sequences by heart and needs no more memory for it as it goes on', () => {
    const model = createModel()
    const optimiser = createAdamW(model.parameters)
    const losses: number[] = []
    let memory = 0
    for (let step = 0; step < 150; step++) {
      losses.push(supervisedStep(model, optimiser, step % 2 === 0 ? sequences : sequences.slice(2), 1e-2).loss)
      if (step === 3) memory = model.engine.numbers().length
    }
    expect(losses[0]).toBeGreaterThan(2)
    expect(losses[148]).toBeLessThan(0.3)
    expect(supervisedLoss(model, sequences)).toBeLessThan(0.3)
    expect(model.engine.numbers().length).toBe(memory)
  })
})
