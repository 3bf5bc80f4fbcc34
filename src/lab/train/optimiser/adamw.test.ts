import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../stats/random.js'
import { createEngine } from '../kernels/engine.js'
import { initialise } from '../policy/initialise.js'
import { createPolicy, type Policy } from '../policy/policy.js'
import { DEFAULT_SHAPE } from '../policy/shape.js'
import { createAdamW, DEFAULT_ADAMW, type Optimiser } from './adamw.js'

const random = seededRandom(1)
const QUERY = {
  query: Float32Array.from({ length: 12 }, () => random.normal()),
  candidates: Float32Array.from({ length: 60 }, () => random.normal()),
}
const BEAMS = [
  [0, 1],
  [3, 2],
]

function policyOf(): Policy {
  const policy = createPolicy(createEngine('float32'), { ...DEFAULT_SHAPE, form: 'gated', width: 12, hidden: 8 })
  initialise(policy.parameters, seededRandom(6))
  return policy
}

function train(policy: Policy, optimiser: Optimiser, steps: number, slope = 1): number {
  let norm = 0
  for (let step = 0; step < steps; step++) {
    policy.zeroGradients()
    policy.backward(policy.evaluate(QUERY, BEAMS), { logProbs: Float64Array.of(-slope, slope) })
    norm = optimiser.step(1e-2).gradientNorm
  }
  return norm
}

describe('AdamW', () => {
  it('makes what is rewarded more probable', () => {
    const policy = policyOf()
    const [before] = policy.evaluate(QUERY, BEAMS).logProbs
    train(policy, createAdamW(policy.parameters), 20)
    expect(policy.evaluate(QUERY, BEAMS).logProbs[0]).toBeGreaterThan(before)
  })

  it('continues bit for bit from a saved state', () => {
    const [whole, split] = [policyOf(), policyOf()]
    train(whole, createAdamW(whole.parameters), 7)
    const first = createAdamW(split.parameters)
    train(split, first, 3)
    const saved = { parameters: split.parameters.read(), optimiser: first.state() }
    const resumed = policyOf()
    resumed.parameters.load(saved.parameters)
    const second = createAdamW(resumed.parameters)
    second.restore(saved.optimiser)
    train(resumed, second, 4)
    expect(resumed.parameters.read()).toEqual(whole.parameters.read())
  })

  it('moves by the clipped gradient, and not at all when the gradient is not finite', () => {
    const policy = policyOf()
    policy.backward(policy.evaluate(QUERY, BEAMS), { logProbs: Float64Array.of(50, 0) })
    const clipped = createAdamW(policy.parameters, { ...DEFAULT_ADAMW, clipNorm: 0.5 }).step(1e-3)
    expect(clipped.gradientNorm).toBeGreaterThan(0.5)
    expect(clipped.clipScale * clipped.gradientNorm).toBeCloseTo(0.5, 5)
    const before = policy.parameters.read()
    policy.zeroGradients()
    policy.backward(policy.evaluate(QUERY, BEAMS), { logProbs: Float64Array.of(Number.NaN, 0) })
    expect(createAdamW(policy.parameters).step(1e-3).applied).toBe(false)
    expect(policy.parameters.read()).toEqual(before)
  })

  it('lets moments end at zero and never in subnormal numbers', () => {
    const policy = policyOf()
    const optimiser = createAdamW(policy.parameters)
    train(policy, optimiser, 2)
    train(policy, optimiser, 1200, 0)
    const { first, second } = optimiser.state()
    const smallestNormal = 2 ** -126
    for (const values of [...first.values(), ...second.values()]) {
      for (const value of values) expect(value === 0 || Math.abs(value) >= smallestNormal).toBe(true)
    }
    expect([...first.values()].every(values => values.every(value => Math.abs(value) < 1e-28))).toBe(true)
  })

  it('refuses a state that belongs to other parameters', () => {
    const policy = policyOf()
    const optimiser = createAdamW(policy.parameters)
    const state = { ...optimiser.state(), first: new Map() }
    expect(() => optimiser.restore(state)).toThrow('no numbers for "input_proj.weight"')
  })
})
