import { describe, expect, it } from 'vitest'
import { expectGradient } from '../../../../test/support/finite-differences.js'
import { seededRandom } from '../../../stats/random.js'
import { advantagesOf } from './advantages.js'
import { exactAlongPointers } from './exact.js'
import { type GrpoInput, type GrpoOptions, type GrpoSteps, grpo } from './grpo.js'

const shape = { shots: 2, candidates: 4 }

/** A group whose ratios lie on both sides of the clip range. */
function group(seed: number, beams = 6): GrpoInput & { readonly steps: GrpoSteps } {
  const random = seededRandom(seed)
  const around = (values: Float64Array, spread: number) => values.map(value => value + spread * random.normal())
  const logProbs = Float64Array.from({ length: beams }, () => -6 * random.next())
  const steps = (): Float64Array => {
    const logits = Float64Array.from({ length: beams * 8 }, () => random.normal())
    return logits.map((logit, i) => {
      const row = logits.subarray(i - (i % 4), i - (i % 4) + 4)
      return logit - Math.log(row.reduce((sum, other) => sum + Math.exp(other), 0))
    })
  }
  return {
    logProbs,
    oldLogProbs: around(logProbs, 0.4),
    referenceLogProbs: around(logProbs, 0.8),
    advantages: Float64Array.from({ length: beams }, () => random.normal()),
    steps: { ...shape, policy: steps(), reference: steps() },
  }
}

const plain: GrpoOptions = {
  clip: { low: 0.2, high: 0.2 },
  klCoefficient: 0,
  klEstimator: 'k3',
  entropyCoefficient: 0,
}

const VARIANTS: readonly Partial<GrpoOptions>[] = [
  {},
  { clip: { low: 0.1, high: 0.4 } },
  { klCoefficient: 0.3, klEstimator: 'k1' },
  { klCoefficient: 0.3, klEstimator: 'k2' },
  { klCoefficient: 0.3, klEstimator: 'k3' },
  { klCoefficient: 0.3, klEstimator: 'k3-inverse' },
  { klCoefficient: 0.3, klEstimator: 'exact' },
  { klCoefficient: 0.3, klEstimator: 'forward' },
  { klCoefficient: 0.3, klEstimator: 'k1', klIsWeighted: true },
  { klCoefficient: 0.3, klEstimator: 'k3', klIsWeighted: true },
  { entropyCoefficient: 0.05 },
  { klCoefficient: 0.3, klEstimator: 'exact', entropyCoefficient: 0.05, clip: { low: 0.2, high: 0.28 } },
]

describe('GRPO', () => {
  it.each(VARIANTS)('has the gradient of its loss with %o', variant => {
    const options = { ...plain, ...variant }
    for (const seed of [1, 2, 3]) {
      const input = group(seed)
      const { gradient } = grpo(input, options)
      expectGradient(logProbs => grpo({ ...input, logProbs }, options).loss, input.logProbs, gradient.logProbs)
      expectGradient(
        policy => grpo({ ...input, steps: { ...input.steps, policy } }, options).loss,
        input.steps.policy,
        gradient.nodeLogProbs ?? new Float64Array(input.steps.policy.length),
      )
    }
  })

  it('is the sum of its parts, each of which is logged', () => {
    const { loss, metrics } = grpo(group(4), { ...plain, klCoefficient: 0.2, entropyCoefficient: 0.1 })
    expect(metrics['kl.weighted']).toBe(0.2 * metrics['kl.ref'])
    expect(metrics['kl.coef']).toBe(0.2)
    expect(loss).toBeCloseTo(
      metrics['loss.policy'] + metrics['kl.weighted'] - 0.1 * (metrics['entropy.sequence'] ?? Number.NaN),
      12,
    )
  })

  it('logs every estimator and the exact KL beside the one that acts, whichever it is', () => {
    const [k3, exact] = (['k3', 'exact'] as const).map(
      klEstimator => grpo(group(5), { ...plain, klEstimator, klCoefficient: 0.1 }).metrics,
    )
    expect(k3['kl.ref']).toBe(k3['kl.ref.k3'])
    expect(exact['kl.ref']).toBe(exact['kl.ref.exact'])
    for (const name of ['kl.ref.k1', 'kl.ref.k2', 'kl.ref.k3', 'kl.ref.exact'] as const)
      expect(k3[name]).toBe(exact[name])
  })

  it('starts an update with ratio 1, nothing clipped, and a policy loss of minus the mean advantage', () => {
    const input = group(6)
    const { metrics } = grpo({ ...input, oldLogProbs: input.logProbs }, plain)
    expect(metrics['ratio.mean']).toBe(1)
    expect(metrics['clip.frac']).toBe(0)
    expect(metrics['kl.old']).toBe(0)
    expect(metrics['loss.policy']).toBeCloseTo(-metrics['adv.mean'], 12)
  })

  it('clips around the old policy and measures the KL to the reference', () => {
    const input = { ...group(7, 2), advantages: Float64Array.of(1, -1), steps: null }
    const moved = { ...input, oldLogProbs: input.logProbs, referenceLogProbs: input.logProbs.map(value => value - 1) }
    const { metrics } = grpo(moved, { ...plain, klCoefficient: 0.1 })
    expect(metrics['clip.frac']).toBe(0)
    expect(metrics['kl.ref.k1']).toBeCloseTo(1, 12)
  })

  it('lets go of a beam that has moved far enough, up with a gain or down with a loss, and tells which', () => {
    const logProbs = Float64Array.of(-1, -1, -1, -1)
    const oldLogProbs = Float64Array.of(-1.5, -1.5, -0.5, -0.5)
    const input = { logProbs, oldLogProbs, referenceLogProbs: logProbs, steps: null }
    const { gradient, metrics } = grpo({ ...input, advantages: Float64Array.of(1, -1, 1, -1) }, plain)
    expect([...gradient.logProbs].map(slope => slope === 0)).toEqual([true, false, false, true])
    expect(metrics['clip.frac.high']).toBe(0.25)
    expect(metrics['clip.frac.low']).toBe(0.25)
  })

  it('has a clip range of its own on either side', () => {
    const oldLogProbs = Float64Array.of(0, 0)
    const logProbs = Float64Array.of(Math.log(1.5), Math.log(0.5))
    const input = {
      logProbs,
      oldLogProbs,
      referenceLogProbs: logProbs,
      advantages: Float64Array.of(1, -1),
      steps: null,
    }
    expect(grpo(input, { ...plain, clip: { low: 0.1, high: 0.3 } }).loss).toBeCloseTo(-(1.3 - 0.9) / 2, 12)
  })

  it('without advantages is driven by the KL alone, towards the reference', () => {
    const input = { ...group(8), advantages: new Float64Array(6) }
    for (const klEstimator of ['k2', 'k3', 'k3-inverse'] as const) {
      const { gradient, metrics } = grpo(input, { ...plain, klEstimator, klCoefficient: 1 })
      expect(metrics['loss.policy']).toBeCloseTo(0, 12)
      gradient.logProbs.forEach((slope, beam) => {
        expect(Math.sign(slope)).toBe(Math.sign(input.logProbs[beam] - input.referenceLogProbs[beam]))
      })
    }
  })

  it('refuses an exact KL or an entropy bonus without step log-probs, and needs none otherwise', () => {
    const input = { ...group(9), steps: null }
    expect(() => grpo(input, { ...plain, klEstimator: 'exact' })).toThrow('need step log-probs')
    expect(() => grpo(input, { ...plain, entropyCoefficient: 0.1 })).toThrow('need step log-probs')
    const { gradient, metrics } = grpo(input, plain)
    expect(gradient.nodeLogProbs).toBeNull()
    expect(metrics).not.toHaveProperty('kl.ref.exact')
  })
})

describe('a policy of four logits trained by GRPO, two inner epochs a group', () => {
  it.each(['k2', 'k3', 'exact'] as const)(
    'stays the nearer to its reference the larger the coefficient, by %s',
    estimator => {
      const divergences = [0, 0.3, 3, 100].map(coefficient => trainedDivergence(coefficient, estimator))
      for (let i = 1; i < divergences.length; i += 1) expect(divergences[i]).toBeLessThan(divergences[i - 1])
      expect(divergences[0]).toBeGreaterThan(0.5)
      expect(divergences[3]).toBeLessThan(1e-3)
    },
  )
})

/** The exact KL to the reference after training on rewards that favour one pick. */
function trainedDivergence(klCoefficient: number, klEstimator: GrpoOptions['klEstimator']): number {
  const random = seededRandom(1)
  const reference = logSoftmax(Float64Array.of(0.5, 0, -0.5, 0.2))
  let logits = Float64Array.from(reference)
  // Small enough for a coefficient of 100, whose curvature it must not overshoot.
  const rate = 0.3 / (1 + klCoefficient)
  for (let query = 0; query < 400; query += 1) {
    const old = logSoftmax(logits)
    const picks = Array.from({ length: 8 }, () => sample(old, random.next()))
    const rewards = Float64Array.from(picks, pick => (pick === 2 ? 1 : 0.2 * random.next()))
    const { values: advantages } = advantagesOf(rewards, { kind: 'centred', minimum_std: 0.1, clip: 5 })
    for (let inner = 0; inner < 2; inner += 1) {
      const policy = logSoftmax(logits)
      const of = (logProbs: Float64Array) => Float64Array.from(picks, pick => logProbs[pick])
      const rows = (logProbs: Float64Array) => Float64Array.from(picks.flatMap(() => [...logProbs]))
      const { gradient } = grpo(
        {
          logProbs: of(policy),
          oldLogProbs: of(old),
          referenceLogProbs: of(reference),
          advantages,
          steps: { shots: 1, candidates: 4, policy: rows(policy), reference: rows(reference) },
        },
        { ...plain, klCoefficient, klEstimator },
      )
      const slope = new Float64Array(4)
      for (const [beam, pick] of picks.entries()) slope[pick] += gradient.logProbs[beam]
      gradient.nodeLogProbs?.forEach((value, i) => {
        slope[i % 4] += value
      })
      const total = slope.reduce((sum, value) => sum + value, 0)
      logits = logits.map((logit, pick) => logit - rate * (slope[pick] - Math.exp(policy[pick]) * total))
    }
  }
  return exactAlongPointers(logSoftmax(logits), reference, { shots: 1, candidates: 4 }).kl[0]
}

function logSoftmax(logits: Float64Array): Float64Array {
  const logTotal = Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit), 0))
  return logits.map(logit => logit - logTotal)
}

function sample(logProbs: Float64Array, uniform: number): number {
  let left = uniform
  const pick = logProbs.findIndex(logProb => {
    left -= Math.exp(logProb)
    return left < 0
  })
  return pick < 0 ? logProbs.length - 1 : pick
}
