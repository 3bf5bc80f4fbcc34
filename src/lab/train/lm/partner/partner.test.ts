import { afterAll, describe, expect, it } from 'vitest'
import { seededRandom } from '../../../../stats/random.js'
import { createEngine } from '../../kernels/engine.js'
import { createAdamW } from '../../optimiser/adamw.js'
import { createLanguageModel } from '../language-model.js'
import type { Rollout } from '../rollouts.js'
import { type DecoderShape, initialiseDecoder } from '../shape.js'
import { type UpdateOptions, updatePolicy } from '../update.js'
import { openVoices, type Voices } from '../voices.js'
import { type Partner, startPartner } from './partner.js'

const SHAPE: DecoderShape = {
  ...{ vocabulary: 24, width: 32, layers: 2, heads: 2, keyHeads: 1, headWidth: 16, inner: 48 },
  ...{ positions: 64, ropeTheta: 10_000, epsilon: 1e-6 },
}
const SIZE = { count: 12, capacity: 48 }
const UPDATE: UpdateOptions = {
  objective: {
    clip: { low: 0.2, high: 0.2, dual: 3 },
    ...{ ratio: 'token', klCoefficient: 0.01, klEstimator: 'k3', entropyCoefficient: 0.001 },
  },
  ...{ aggregation: 'token-mean', longestResponse: 40, temperature: 1, learningRate: 5e-3 },
}
const partners: Partner[] = []
afterAll(() => Promise.all(partners.map(partner => partner.stop())))

function createPlayers(threads: 1 | 2) {
  const engine = createEngine('float32')
  const policy = createLanguageModel(engine, SHAPE)
  const reference = createLanguageModel(engine, SHAPE, { trainable: false })
  initialiseDecoder(policy.parameters, SHAPE, seededRandom(4))
  reference.parameters.load(policy.parameters.read())
  const partner = threads === 2 ? startPartner(policy, SIZE) : null
  if (threads === 2 && partner === null) throw new Error('the partner was not built; run "npm run build"')
  if (partner !== null) partners.push(partner)
  return {
    policy,
    reference,
    partner,
    voices: openVoices(policy, SIZE, partner),
    optimiser: createAdamW(policy.parameters),
  }
}

/** Three turns of groups of four, some of which are cut by the boundary between the threads. */
function dialogues(voices: Voices, count: number, step: number): readonly Rollout[] {
  voices.begin(count)
  const firstOf = (slot: number): number => slot - (slot % 4)
  const slots = Array.from({ length: count }, (_, slot) => slot)
  const firsts = slots.filter(slot => firstOf(slot) === slot)
  for (const slot of firsts) voices.append(slot, [1 + slot, 2, 3, 4])
  voices.prepare(firsts)
  for (const slot of slots) if (firstOf(slot) !== slot) voices.fork(firstOf(slot), slot)
  const speakers = slots.map(slot => ({ slot, random: seededRandom(100 * step + slot), limit: 8 }))
  const turnsOf = slots.map((): Rollout['turns'][number][] => [])
  for (let turn = 0; turn < 3; turn++) {
    const before = speakers.map(({ slot }) => voices.tokens(slot).length)
    const said = voices.speak(speakers, { decoding: { kind: 'sample', temperature: 1, topP: 1 }, stop: [0] })
    for (const [i, { slot, logProbs }] of said.entries()) {
      turnsOf[slot].push({ first: before[i], logProbs, reward: 0 })
      voices.append(slot, [5, 6])
    }
  }
  return slots.map(slot => ({ tokens: [...voices.tokens(slot)], turns: turnsOf[slot] }))
}

function trained(threads: 1 | 2, count: number) {
  const { policy, reference, partner, voices, optimiser } = createPlayers(threads)
  const said: (readonly Rollout[])[] = []
  const updates = Array.from({ length: 4 }, (_, step) => {
    const rollouts = dialogues(voices, count, step)
    said.push(rollouts)
    const batch = rollouts.map((rollout, i) => ({
      rollout,
      advantages: Float64Array.from(rollout.turns.flatMap(({ logProbs }) => logProbs.map(() => (i % 3) - 1))),
    }))
    const update = updatePolicy(policy, reference, optimiser, batch, UPDATE, partner)
    // A reference that moves is seen by both threads.
    if (step === 1) reference.parameters.load(policy.parameters.read())
    return update
  })
  return { said, updates, parameters: policy.parameters.read() }
}

describe('a training with a partner', () => {
  it.each([12, 10, 5, 1])('says, learns and ends with the same bytes as alone, with %i dialogues', count => {
    const [alone, together] = [trained(1, count), trained(2, count)]
    expect(together.said).toEqual(alone.said)
    expect(together.updates).toEqual(alone.updates)
    expect(together.parameters).toEqual(alone.parameters)
  })

  it('fails with the reason of the other thread', () => {
    const { partner } = createPlayers(2)
    const join = partner?.speak({
      changes: [],
      speakers: [{ slot: 3, random: seededRandom(1).state(), limit: 2 }],
      options: { decoding: { kind: 'greedy' }, stop: [] },
    })
    expect(() => join?.()).toThrow(/second thread .* failed.*slot 3 has nothing new to compute/s)
  })
})
