/** The language model against Hugging Face's Qwen3 (fixtures/make-parity.py), and against differences of its own loss. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../stats/random.js'
import { createEngine, type Precision } from '../kernels/engine.js'
import { createLanguageModel, type LanguageModel, type TokenScores } from './language-model.js'
import type { TokenSequence } from './sequences.js'
import { type DecoderShape, initialiseDecoder } from './shape.js'

interface Parity {
  readonly shape: Readonly<Record<string, number>>
  readonly sequences: readonly TokenSequence[]
  readonly temperature: number
  readonly seeds: { readonly model: number; readonly reference: number }
  readonly parameters: readonly (readonly [name: string, dimensions: readonly number[]])[]
  /** Of every position of every sequence. */
  readonly logits: readonly (readonly number[])[]
  readonly losses: { readonly supervised: ExpectedLoss; readonly regularised: ExpectedLoss & ExpectedScores }
}

interface ExpectedLoss {
  readonly loss: number
  readonly gradients: Readonly<Record<string, readonly number[]>>
}

interface ExpectedScores {
  readonly logProbs: readonly number[]
  readonly referenceLogProbs: readonly number[]
  readonly entropies: readonly number[]
  readonly divergences: readonly number[]
}

const parity: Parity = JSON.parse(readFileSync(new URL('fixtures/parity.json', import.meta.url), 'utf8'))

const SHAPE: DecoderShape = {
  vocabulary: parity.shape.vocab_size,
  width: parity.shape.hidden_size,
  layers: parity.shape.num_hidden_layers,
  heads: parity.shape.num_attention_heads,
  keyHeads: parity.shape.num_key_value_heads,
  headWidth: parity.shape.head_dim,
  inner: parity.shape.intermediate_size,
  positions: parity.shape.max_position_embeddings,
  ropeTheta: parity.shape.rope_theta,
  epsilon: parity.shape.rms_norm_eps,
}

function* mulberry32(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    yield ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The fixture's parameters, by its rule. */
function drawn(seed: number): Map<string, Float64Array> {
  const draw = mulberry32(seed)
  return new Map(
    parity.parameters.map(([name, dimensions]) => {
      const [offset, scale] = name.includes('norm') ? [1, 0.3] : [0, 0.4]
      const length = dimensions.reduce((product, size) => product * size, 1)
      return [name, Float64Array.from({ length }, () => Math.fround(offset + scale * (2 * draw.next().value - 1)))]
    }),
  )
}

/** The largest difference, as a share of the largest expected entry. */
function difference(found: ArrayLike<number>, expected: readonly number[]): number {
  expect(found.length).toBe(expected.length)
  const largest = Math.max(...expected.map(Math.abs))
  return Math.max(...expected.map((value, i) => Math.abs(found[i] - value))) / largest
}

function supervised({ logProbs }: TokenScores) {
  const count = logProbs.length
  return {
    loss: -logProbs.reduce((sum, value) => sum + value, 0) / count,
    slopes: { logProbs: new Float64Array(count).fill(-1 / count) },
  }
}

function regularised({ logProbs, entropies, reference }: TokenScores) {
  const count = logProbs.length
  const weights = logProbs.map((_, i) => ((-1) ** i * (i + 1)) / count)
  const sumOf = (values: ArrayLike<number>): number => Array.from(values).reduce((sum, value) => sum + value, 0)
  const divergences = reference?.divergences ?? []
  return {
    loss:
      sumOf(logProbs.map((value, i) => weights[i] * value)) +
      (0.7 * sumOf(divergences) - 0.3 * sumOf(entropies)) / count,
    slopes: {
      logProbs: weights,
      entropies: new Float64Array(count).fill(-0.3 / count),
      divergences: new Float64Array(count).fill(0.7 / count),
    },
  }
}

const TOLERANCE: Readonly<Record<Precision, number>> = { float64: 1e-8, float32: 1e-4 }

describe.each(['float64', 'float32'] as const)("Hugging Face's Qwen3 in %s", precision => {
  const tolerance = TOLERANCE[precision]
  const engine = createEngine(precision)
  const model = createLanguageModel(engine, SHAPE)
  const reference = createLanguageModel(engine, SHAPE, { trainable: false })
  model.parameters.load(drawn(parity.seeds.model))
  reference.parameters.load(drawn(parity.seeds.reference))

  it('has the same parameters by name and shape', () => {
    expect(model.parameters.all.map(({ name, dimensions }) => [name, dimensions]).sort()).toEqual(
      parity.parameters.toSorted(),
    )
  })

  it('gives the same logits at every position', () => {
    parity.sequences.forEach(({ tokens }, s) => {
      const everywhere = Array.from({ length: tokens.length + 1 }, () => 1)
      const longer = [...Array.from(tokens), 0]
      const { logits } = model.inside.distributions([{ tokens: longer, scored: everywhere }], 1)
      const found = engine.numbers().subarray(logits.start, logits.start + logits.rows * logits.columns)
      expect(difference(found, parity.logits[s])).toBeLessThan(tolerance)
    })
  })

  it('gives the same log-probabilities, entropies and exact divergences, at a temperature', () => {
    const { temperature, sequences } = parity
    const scores = model.score(sequences, { temperature, reference })
    const expected = parity.losses.regularised
    expect(difference(scores.logProbs, expected.logProbs)).toBeLessThan(tolerance)
    expect(difference(scores.entropies, expected.entropies)).toBeLessThan(tolerance)
    expect(difference(scores.reference?.logProbs ?? [], expected.referenceLogProbs)).toBeLessThan(tolerance)
    expect(difference(scores.reference?.divergences ?? [], expected.divergences)).toBeLessThan(tolerance)
    expect(scores.boundaries).toEqual([0, 5, 12, 13])
  })

  it.each(['supervised', 'regularised'] as const)('gives the same %s loss and every gradient', name => {
    const expected = parity.losses[name]
    const { temperature, sequences } = parity
    const scores = name === 'supervised' ? model.score(sequences) : model.score(sequences, { temperature, reference })
    const { loss, slopes } = name === 'supervised' ? supervised(scores) : regularised(scores)
    expect(Math.abs(loss - expected.loss) / Math.abs(expected.loss)).toBeLessThan(tolerance)
    model.zeroGradients()
    model.backward(scores, slopes)
    for (const [parameter, gradient] of Object.entries(expected.gradients)) {
      expect(difference(model.parameters.readGradient(parameter), gradient), parameter).toBeLessThan(tolerance)
    }
  })
})

describe('a gradient is the slope of the loss', () => {
  const engine = createEngine('float64')
  const shape: DecoderShape = { ...SHAPE, vocabulary: 11, width: 6, heads: 3, keyHeads: 1, headWidth: 4, inner: 7 }
  const model = createLanguageModel(engine, shape)
  const reference = createLanguageModel(engine, shape, { trainable: false })
  const random = seededRandom(11)
  initialiseDecoder(model.parameters, shape, random)
  initialiseDecoder(reference.parameters, shape, random)
  // Longer than one block of attention.
  const sequences = [5, 37].map(length => ({
    tokens: Array.from({ length }, () => random.below(11)),
    scored: Array.from({ length }, () => random.below(2)),
  }))
  const loss = (of: LanguageModel) => {
    const scores = of.score(sequences, { temperature: 1.3, reference })
    return { scores, ...regularised(scores) }
  }

  it.each(model.parameters.all.map(({ name }) => name))('for %s', name => {
    const { start, length } = model.parameters.get(name)
    model.zeroGradients()
    const { scores, slopes } = loss(model)
    model.backward(scores, slopes)
    const gradient = model.parameters.readGradient(name)
    for (let k = 0; k < 4; k++) {
      const i = random.below(length)
      const value = engine.numbers()[start + i]
      const [up, down] = [1e-5, -1e-5].map(step => {
        engine.numbers()[start + i] = value + step
        return loss(model).loss
      })
      engine.numbers()[start + i] = value
      expect(gradient[i]).toBeCloseTo((up - down) / 2e-5, 7)
    }
  })
})
