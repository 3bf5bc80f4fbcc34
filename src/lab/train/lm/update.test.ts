import { describe, expect, it } from 'vitest'
import { type Random, seededRandom } from '../../../stats/random.js'
import { createEngine } from '../kernels/engine.js'
import { createAdamW, DEFAULT_ADAMW } from '../optimiser/adamw.js'
import { speak, type TurnOptions } from './generate.js'
import { createLanguageModel, type LanguageModel } from './language-model.js'
import { penalised, type Rollout, rolloutAdvantages, rolloutKl } from './rollouts.js'
import { type DecoderShape, initialiseDecoder } from './shape.js'
import { openSlots } from './slots.js'
import { type JudgedRollout, type UpdateOptions, updatePolicy } from './update.js'

const SHAPE: DecoderShape = {
  ...{ vocabulary: 12, width: 16, layers: 1, heads: 2, keyHeads: 1, headWidth: 8, inner: 24 },
  ...{ positions: 64, ropeTheta: 10_000, epsilon: 1e-6 },
}
const [STOP, WANTED] = [0, 7]
const TURN: TurnOptions = { decoding: { kind: 'sample', temperature: 1, topP: 1 }, stop: [STOP] }
const UPDATE: UpdateOptions = {
  objective: {
    clip: { low: 0.2, high: 0.2, dual: 3 },
    ...{ ratio: 'token', klCoefficient: 0.001, klEstimator: 'k3', entropyCoefficient: 0.001 },
  },
  ...{ aggregation: 'token-mean', longestResponse: 20, temperature: 1, learningRate: 5e-3 },
}

function createModels() {
  const engine = createEngine('float32')
  const policy = createLanguageModel(engine, SHAPE)
  const reference = createLanguageModel(engine, SHAPE, { trainable: false })
  initialiseDecoder(policy.parameters, SHAPE, seededRandom(2))
  reference.parameters.load(policy.parameters.read())
  return { policy, reference, slots: openSlots(policy, { count: 8, capacity: 40 }) }
}

/** Eight dialogues of two turns about one prompt; a turn earns the share of WANTED in it. */
function rollouts({ policy, slots }: ReturnType<typeof createModels>, random: Random): readonly Rollout[] {
  slots.clear()
  const speakers = Array.from({ length: 8 }, (_, slot) => ({
    slot,
    random: seededRandom(random.below(2 ** 31)),
    limit: 6,
  }))
  for (const { slot } of speakers) slots.append(slot, [1, 2, 3])
  const turnsOf = speakers.map((): Rollout['turns'][number][] => [])
  for (let turn = 0; turn < 2; turn++) {
    const before = speakers.map(({ slot }) => slots.tokens(slot).length)
    for (const { slot, tokens, logProbs } of speak(policy, slots, speakers, TURN)) {
      const reward = tokens.filter(token => token === WANTED).length / tokens.length
      turnsOf[slot].push({ first: before[slot], logProbs, reward })
      slots.append(slot, [4, 5])
    }
  }
  return turnsOf.map((turns, slot) => ({ tokens: [...slots.tokens(slot)], turns }))
}

const CREDIT = { score: 'mean', credit: 'equal', discount: 0.8, isScaled: true } as const

function judged(group: readonly Rollout[]): readonly JudgedRollout[] {
  const { advantages } = rolloutAdvantages(group, CREDIT)
  return group.map((rollout, i) => ({ rollout, advantages: advantages[i] }))
}

const meanReward = (group: readonly Rollout[]): number => {
  const rewards = group.flatMap(({ turns }) => turns.map(({ reward }) => reward))
  return rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length
}

function trained(steps: number): { readonly rewards: readonly number[]; readonly policy: LanguageModel } {
  const models = createModels()
  const { policy, reference } = models
  const optimiser = createAdamW(policy.parameters, { ...DEFAULT_ADAMW, weightDecay: 0 })
  const random = seededRandom(6)
  const rewards: number[] = []
  for (let step = 0; step < steps; step++) {
    const group = rollouts(models, random)
    rewards.push(meanReward(group))
    updatePolicy(policy, reference, optimiser, judged(group), UPDATE)
  }
  return { rewards, policy }
}

describe('an update of the policy', () => {
  it('is exactly on-policy at first: every ratio is 1, nothing is clipped, the KL to where it started is 0', () => {
    const models = createModels()
    const { policy, reference } = models
    const group = rollouts(models, seededRandom(1))
    const { sums, gradientNorm, loss } = updatePolicy(
      ...[policy, reference, createAdamW(policy.parameters), judged(group), UPDATE],
    )
    expect(sums.ratio).toBe(sums.tokens)
    expect([sums.clipped, sums.clippedDual, sums.movedByK1]).toEqual([0, 0, 0])
    expect([sums.klByK1, sums.klByK3, sums.klExact]).toEqual([0, 0, 0])
    expect(sums.tokens).toBe(group.flatMap(({ turns }) => turns.flatMap(({ logProbs }) => logProbs)).length)
    expect(gradientNorm).toBeGreaterThan(0)
    expect(loss).toBeCloseTo(sums.policy - 0.001 * sums.entropy, 12)
  })

  it('moves away from it when the same rollouts are used again', () => {
    const models = createModels()
    const { policy, reference } = models
    const batch = judged(rollouts(models, seededRandom(1)))
    const optimiser = createAdamW(policy.parameters)
    for (let epoch = 0; epoch < 4; epoch++) updatePolicy(policy, reference, optimiser, batch, UPDATE)
    const { sums } = updatePolicy(policy, reference, optimiser, batch, UPDATE)
    expect(sums.ratio).not.toBe(sums.tokens)
    expect(sums.klExact).toBeGreaterThan(0)
  })

  it('teaches the model what is rewarded, the same way each time', () => {
    const { rewards, policy } = trained(40)
    const [early, late] = [rewards.slice(0, 5), rewards.slice(-5)].map(part => part.reduce((a, b) => a + b) / 5)
    expect(early).toBeLessThan(0.25)
    expect(late).toBeGreaterThan(0.6)
    const again = trained(40)
    expect(again.rewards).toEqual(rewards)
    expect(again.policy.parameters.read()).toEqual(policy.parameters.read())
  })
})

describe('a KL in the reward', () => {
  it('is paid by the turn whose tokens have it', () => {
    const rollout: Rollout = {
      tokens: [1, 2, 3, 4, 5, 6],
      turns: [
        { first: 1, logProbs: [-1, -1], reward: 1 },
        { first: 4, logProbs: [-1, -1], reward: 0.5 },
      ],
    }
    const { turns } = penalised(rollout, [1, 2, 4, 8], 0.1)
    expect(turns.map(({ reward }) => reward)).toEqual([1 - 0.1 * 3, 0.5 - 0.1 * 12])
  })

  it('is nothing for a policy that is its reference, and the same by all estimators in sign for one that is not', () => {
    const models = createModels()
    const { policy, reference } = models
    const group = rollouts(models, seededRandom(1))
    const before = rolloutKl(policy, reference, group, { estimator: 'k1', temperature: 1 })
    expect(before.map(kl => kl.length)).toEqual(
      group.map(({ turns }) => turns.flatMap(({ logProbs }) => logProbs).length),
    )
    expect(new Set(before.flatMap(kl => [...kl]))).toEqual(new Set([0]))
    const optimiser = createAdamW(policy.parameters)
    for (let epoch = 0; epoch < 8; epoch++) updatePolicy(policy, reference, optimiser, judged(group), UPDATE)
    const fresh = rollouts(models, seededRandom(2))
    for (const estimator of ['k1', 'k2', 'k3', 'exact'] as const) {
      const kl = rolloutKl(policy, reference, fresh, { estimator, temperature: 1 }).flatMap(each => [...each])
      expect(
        kl.reduce((sum, value) => sum + value, 0),
        estimator,
      ).toBeGreaterThan(0)
    }
  })
})
