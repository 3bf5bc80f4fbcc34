/** Variants of the objective, each against its own formula: the weighed KL, the forward KL and CISPO. */
import { describe, expect, it } from 'vitest'
import { expectGradient } from '../../../../test/support/finite-differences.js'
import { seededRandom } from '../../../stats/random.js'
import { createEngine } from '../kernels/engine.js'
import { createLanguageModel, type TokenScores } from '../lm/language-model.js'
import { type DecoderShape, initialiseDecoder } from '../lm/shape.js'
import { clippedLoss, weightedLoss } from './clipped-loss.js'
import { klTerm, VERL_KL_LIMITS } from './kl-estimators.js'
import { type TokenGrpoOptions, tokenGrpo, tokenWeights, totalLoss } from './token-grpo.js'

const LENGTHS = [5, 3]
const WEIGHTS = tokenWeights(LENGTHS, 'token-mean', 9)

function batch(seed: number) {
  const random = seededRandom(seed)
  const drawn = (spread: number): Float64Array => Float64Array.from({ length: 8 }, () => spread * random.normal())
  const oldLogProbs = drawn(1)
  const logProbs = drawn(0.3).map((value, i) => value + oldLogProbs[i])
  const reference = {
    logProbs: drawn(0.5).map((value, i) => value + logProbs[i]),
    divergences: drawn(1).map(Math.abs),
    forward: drawn(1).map(Math.abs),
  }
  const scores: TokenScores = { logProbs, entropies: drawn(1).map(Math.abs), reference, boundaries: [0, 5, 8] }
  return { scores, reference, targets: { oldLogProbs, advantages: drawn(1), weights: WEIGHTS } }
}

const OPTIONS: TokenGrpoOptions = {
  clip: { low: 0.2, high: 0.28, dual: 3 },
  ...{ ratio: 'token', klCoefficient: 0.3, klEstimator: 'k3', entropyCoefficient: 0.05 },
}

describe('a KL weighed by policy / old policy', () => {
  it.each(['k1', 'k2', 'k3'] as const)('has the slope of r %s', klEstimator => {
    const { scores, targets } = batch(2)
    const options: TokenGrpoOptions = { ...OPTIONS, klEstimator, klIsWeighted: true }
    expectGradient(
      logProbs => totalLoss(tokenGrpo({ ...scores, logProbs }, targets, options).sums, options),
      scores.logProbs,
      tokenGrpo(scores, targets, options).slopes.logProbs,
    )
  })

  /** Logits of a policy, of an old one and of a reference over four tokens; expectations are sums over all of them. */
  const logits = [
    [0.3, -0.2, 0.9, 0],
    [0.1, 0.2, 0.5, -0.4],
    [-0.6, 0.7, 0.2, 0.1],
  ]
  const logSoftmax = (z: ArrayLike<number>): Float64Array => {
    const total = Math.log(Array.from(z).reduce((sum, value) => sum + Math.exp(value), 0))
    return Float64Array.from(z, value => value - total)
  }
  const [, old, reference] = logits.map(logSoftmax)
  const klAt = (z: Float64Array): number =>
    logSoftmax(z).reduce((sum, value, i) => sum + Math.exp(value) * (value - reference[i]), 0)

  /** The mean gradient in the logits over tokens that the old policy draws. */
  function meanGradient(estimator: 'k1' | 'k2' | 'k3', isWeighted: boolean): Float64Array {
    const policy = logSoftmax(logits[0])
    const gradient = new Float64Array(4)
    for (const [token, logProb] of policy.entries()) {
      const ratio = isWeighted ? logProb - old[token] : null
      const { slope } = klTerm(logProb - reference[token], estimator, ratio)
      for (const [i, other] of policy.entries()) {
        gradient[i] += Math.exp(old[token]) * slope * ((i === token ? 1 : 0) - Math.exp(other))
      }
    }
    return gradient
  }

  it('has the gradient of the KL in expectation, with k1 and k3', () => {
    for (const estimator of ['k1', 'k3'] as const) {
      expectGradient(klAt, Float64Array.from(logits[0]), meanGradient(estimator, true))
    }
  })

  it('has another one without the weight', () => {
    const wanted = meanGradient('k3', true)
    const length = (values: Float64Array): number => Math.hypot(...values)
    for (const estimator of ['k1', 'k3'] as const) {
      const error = meanGradient(estimator, false).map((value, i) => value - wanted[i])
      expect(length(error)).toBeGreaterThan(0.1 * length(wanted))
    }
  })

  it('stays finite where the ratio and the difference are far off', () => {
    for (const difference of [-400, 400]) {
      const { value, slope } = klTerm(difference, 'k3', 800, VERL_KL_LIMITS)
      expect([value, slope].every(Number.isFinite)).toBe(true)
    }
  })
})

describe('the forward KL', () => {
  it('weighs what its coefficient and the token weigh', () => {
    const { scores, reference, targets } = batch(4)
    const options: TokenGrpoOptions = { ...OPTIONS, klEstimator: 'forward' }
    expectGradient(
      forward =>
        totalLoss(tokenGrpo({ ...scores, reference: { ...reference, forward } }, targets, options).sums, options),
      reference.forward,
      tokenGrpo(scores, targets, options).slopes.forward ?? new Float64Array(),
    )
  })

  it('of a language model is KL(reference ‖ model) summed over the vocabulary, with its gradient', () => {
    const shape: DecoderShape = {
      ...{ vocabulary: 11, width: 8, layers: 1, heads: 2, keyHeads: 1, headWidth: 4, inner: 12 },
      ...{ positions: 16, ropeTheta: 10_000, epsilon: 1e-6 },
    }
    const engine = createEngine('float64')
    const [model, reference] = [3, 4].map(seed => {
      const made = createLanguageModel(engine, shape)
      initialiseDecoder(made.parameters, shape, seededRandom(seed))
      return made
    })
    const sequences = [{ tokens: [1, 5, 2, 8, 3], scored: [0, 0, 1, 1, 1] }]
    const forwardOf = (): Float64Array =>
      model.score(sequences, { temperature: 0.7, reference, forward: true }).reference?.forward ?? new Float64Array()
    const slopes = Float64Array.of(0.5, -1, 2)
    const loss = (): number => forwardOf().reduce((sum, value, i) => sum + slopes[i] * value, 0)
    const swapped = reference.score(sequences, { temperature: 0.7, reference: model })
    expect([...forwardOf()].map((value, i) => value - (swapped.reference?.divergences[i] ?? 1))).toEqual([0, 0, 0])

    model.zeroGradients()
    const scores = model.score(sequences, { temperature: 0.7, reference, forward: true })
    model.backward(scores, { logProbs: new Float64Array(3), forward: slopes })
    const [values, step] = [model.parameters.read(), 1e-6]
    for (const { name, length } of model.parameters.all) {
      const gradient = model.parameters.readGradient(name)
      for (const at of [0, Math.floor(length / 2), length - 1]) {
        const [up, down] = [step, -step].map(move => {
          const changed = Float64Array.from(values.get(name) ?? [])
          changed[at] += move
          model.parameters.load(new Map([...values, [name, changed]]))
          return loss()
        })
        expect(Math.abs(gradient[at] - (up - down) / (2 * step)), `${name} ${at}`).toBeLessThan(1e-7)
      }
      model.parameters.load(values)
    }
  })
})

describe("CISPO's loss", () => {
  const clip = { low: 0.2, high: 0.28 }

  it('has the slope of −w A log π with w held fixed', () => {
    const { scores, targets } = batch(6)
    const options: TokenGrpoOptions = { ...OPTIONS, surrogate: 'cispo', klCoefficient: 0 }
    const fixed = scores.logProbs.map((value, i) =>
      Math.min(1.28, Math.max(0.8, Math.exp(value - targets.oldLogProbs[i]))),
    )
    const loss = (logProbs: Float64Array): number =>
      logProbs.reduce((sum, value, i) => sum - (fixed[i] * targets.advantages[i] * value) / logProbs.length, 0)
    const { slopes, sums } = tokenGrpo(scores, targets, options)
    expectGradient(loss, scores.logProbs, slopes.logProbs)
    expect(sums.policy).toBeCloseTo(loss(scores.logProbs), 12)
    expect(sums.clipped).toBeGreaterThan(0)
  })

  it('keeps a gradient where the clip of PPO takes it, and is the same on the policy that drew the token', () => {
    expect(clippedLoss(Math.log(2), 1, clip).slope).toBe(0)
    expect(weightedLoss(-1, Math.log(2), 1, clip)).toMatchObject({ slope: -1.28, clipped: 'ratio' })
    expect(weightedLoss(-1, 0, 0.7, clip).slope).toBe(clippedLoss(0, 0.7, clip).slope)
  })
})
