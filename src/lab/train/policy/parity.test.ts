/** The policy and AdamW against the original's own numbers, computed by its unmodified code in float64. */
import { describe, expect, it } from 'vitest'
import {
  flatten,
  type ParityCase,
  type ParityQuery,
  parityCases,
  regenerate,
  shapeOf,
  type Tensor,
} from '../../../../test/support/parity.js'
import { createEngine, type Precision } from '../kernels/engine.js'
import { createAdamW } from '../optimiser/adamw.js'
import { createPolicy, type Policy } from './policy.js'
import { BACKBONE } from './shape.js'

interface Loss {
  readonly loss: number
  readonly gradient: Float64Array
}

/** loss = sum over beams of softmax(reward) x -log p of the whole beam */
function rceLoss(logProbs: Float64Array, { beam_rewards_normalised: rewards }: ParityQuery): Loss {
  const weights = rewards.map(reward => Math.exp(reward))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const gradient = Float64Array.from(weights, weight => -weight / total)
  return { loss: gradient.reduce((sum, slope, i) => sum + slope * logProbs[i], 0), gradient }
}

/** PPO clip over z-scored rewards, plus kl_beta x mean(r - 1 - log r) */
function grpoLoss(logProbs: Float64Array, query: ParityQuery, { config }: ParityCase): Loss {
  const { beam_rewards_normalised: rewards, old_log_probs: old } = query
  const n = rewards.length
  const mean = rewards.reduce((sum, reward) => sum + reward, 0) / n
  const deviation = Math.sqrt(rewards.reduce((sum, reward) => sum + (reward - mean) ** 2, 0) / (n - 1))
  const gradient = new Float64Array(n)
  let loss = 0
  rewards.forEach((reward, i) => {
    const limit = config.advantage_clip
    const advantage = Math.min(limit, Math.max(-limit, (reward - mean) / Math.max(deviation, 0.1)))
    const logRatio = logProbs[i] - old[i]
    const ratio = Math.exp(logRatio)
    const clipped = Math.min(1 + config.clip_epsilon, Math.max(1 - config.clip_epsilon, ratio))
    const free = ratio * advantage <= clipped * advantage
    loss += (-Math.min(ratio * advantage, clipped * advantage) + config.kl_beta * (ratio - 1 - logRatio)) / n
    gradient[i] = ((free ? -advantage * ratio : 0) + config.kl_beta * (ratio - 1)) / n
  })
  return { loss, gradient }
}

const lengthOf = (list: ArrayLike<number>): number => {
  let squares = 0
  for (let i = 0; i < list.length; i++) squares += list[i] * list[i]
  return Math.sqrt(squares)
}

/** Every number where the fixture lists them, else norms, two sums and sampled entries; relative to the tensor's length. */
function difference(found: ArrayLike<number>, expected: Tensor): number {
  if (typeof expected === 'number' || !('l2' in expected)) {
    const list = flatten(expected)
    expect(found.length).toBe(list.length)
    return lengthOf(list.map((value, i) => found[i] - value)) / Math.max(lengthOf(list), 1e-12)
  }
  const { n, l2, l1, sum, signed_sum, at } = expected
  expect(found.length).toBe(n)
  let [total, absolute, signed] = [0, 0, 0]
  for (let i = 0; i < n; i++) {
    const value = found[i]
    total += value
    absolute += Math.abs(value)
    signed += Math.imul(i, 2_654_435_761) >>> 0 < 0x80000000 ? value : -value
  }
  return Math.max(
    Math.abs(lengthOf(found) - l2) / l2,
    Math.abs(absolute - l1) / l1,
    Math.abs(total - sum) / l1,
    Math.abs(signed - signed_sum) / l1,
    ...Object.entries(at).map(([i, value]) => Math.abs(found[Number(i)] - value) / l2),
  )
}

const TOLERANCE: Readonly<Record<Precision, number>> = { float64: 1e-9, float32: 1e-5 }

const trials = parityCases().flatMap(parity => {
  const drawn = regenerate(parity)
  return (['float64', 'float32'] as const).map(precision => ({
    parity,
    drawn,
    precision,
    title: `${parity.name} size, ${shapeOf(parity).form} form, ${precision}`,
  }))
})

describe.each(trials)('the original at $title', ({ parity, drawn, precision }) => {
  const tolerance = TOLERANCE[precision]
  const { parameters, queries } = drawn

  function policyWith(frozen: readonly string[]): Policy {
    const policy = createPolicy(createEngine(precision), shapeOf(parity), { frozen })
    policy.parameters.load(parameters)
    return policy
  }

  it('gives the same parameters, log-probabilities and greedy picks', () => {
    for (const [name, tensor] of Object.entries(parity.params ?? {})) {
      expect(difference(parameters.get(name) ?? [], tensor)).toBeLessThan(1e-15)
    }
    const policy = policyWith([])
    queries.forEach((query, i) => {
      const expected = parity.expected.queries[i]
      const { logProbs } = policy.evaluate(query, query.beam_labels)
      for (const [beam, value] of expected.log_probs_per_beam.entries()) {
        expect(Math.abs(logProbs[beam] - value)).toBeLessThan(tolerance)
      }
      expect(policy.greedy(query)).toEqual(expected.greedy_predictions)
    })
  })

  it.each(['rce', 'grpo'] as const)('gives the same loss, gradients and gradient norm for %s', objective => {
    const policy = policyWith([])
    queries.forEach((query, i) => {
      const expected = parity.expected.queries[i]
      const evaluation = policy.evaluate(query, query.beam_labels)
      const rce = objective === 'rce'
      const { loss, gradient } = rce
        ? rceLoss(evaluation.logProbs, query)
        : grpoLoss(evaluation.logProbs, query, parity)
      expect(
        Math.abs(loss - (rce ? expected['rce_loss_T1.0_normalised_reward'] : expected.grpo_all_beams.loss)),
      ).toBeLessThan(tolerance)
      policy.zeroGradients()
      policy.backward(evaluation, { logProbs: gradient })
      const gradients = rce ? expected.rce_T1_grads : expected.grpo_all_beams_grads
      expect(Object.keys(gradients).sort()).toEqual(policy.parameters.all.map(({ name }) => name).sort())
      let squares = 0
      for (const [name, tensor] of Object.entries(gradients)) {
        const found = policy.parameters.readGradient(name)
        expect(difference(found, tensor), name).toBeLessThan(tolerance)
        for (const value of found) squares += value * value
      }
      const norm = rce ? expected.rce_T1_grad_norm : expected.grpo_all_beams_grad_norm
      expect(Math.abs(Math.sqrt(squares) - norm) / norm).toBeLessThan(tolerance)
    })
  })

  it.each(['rce', 'grpo', 'grpo_frozen'] as const)(
    'has the same parameters after three steps of AdamW for %s',
    name => {
      const policy = policyWith(name === 'grpo_frozen' ? BACKBONE : [])
      const optimiser = createAdamW(policy.parameters)
      const { query_order } = parity.expected.adamw
      const expected = parity.expected.adamw[name]
      query_order.forEach((index, step) => {
        const query = queries[index]
        const evaluation = policy.evaluate(query, query.beam_labels)
        const { loss, gradient } =
          name === 'rce' ? rceLoss(evaluation.logProbs, query) : grpoLoss(evaluation.logProbs, query, parity)
        policy.zeroGradients()
        policy.backward(evaluation, { logProbs: gradient })
        const { gradientNorm } = optimiser.step(1e-3)
        expect(Math.abs(loss - expected.losses[step])).toBeLessThan(tolerance)
        const norm = expected.grad_norms_before_clip[step]
        expect(Math.abs(gradientNorm - norm) / norm).toBeLessThan(tolerance)
      })
      const after = policy.parameters.read()
      expect(Object.keys(expected.params_after)).toEqual(policy.parameters.trainable.map(parameter => parameter.name))
      for (const [key, tensor] of Object.entries(expected.params_after)) {
        expect(difference(after.get(key) ?? [], tensor), key).toBeLessThan(tolerance)
      }
      for (const { name: key, trainable } of policy.parameters.all) {
        if (trainable) continue
        const before = parameters.get(key) ?? new Float64Array()
        const now = after.get(key) ?? []
        expect(now.length).toBe(before.length)
        expect(lengthOf(before.map((value, i) => now[i] - value)) / Math.max(lengthOf(before), 1e-12)).toBeLessThan(
          1e-7,
        )
      }
    },
  )
})
