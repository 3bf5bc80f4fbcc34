import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bestBeams } from '../schedules/curriculum.js'
import { type AdvantageKind, advantagesOf } from './advantages.js'
import { grpo } from './grpo.js'
import { type RceWeights, rce } from './rce.js'
import { normalisedRewards } from './rewards.js'

/** The reference trainer's own numbers, computed by its unmodified code in float64. */

interface GrpoParts {
  readonly loss: number
  readonly ppo_loss: number
  readonly kl_loss: number
  readonly kl: number
  readonly mean_ratio: number
  readonly mean_advantage: number
  readonly std_advantage: number
  readonly max_advantage: number
}

interface Group {
  readonly rewards: readonly number[]
  readonly normalised: readonly number[]
  readonly oldLogProbs: readonly number[]
  readonly logProbs: readonly number[]
  readonly zScore: readonly number[]
  readonly zScoreOfNormalised: readonly number[]
  readonly zScoreOfHundredth: readonly number[]
  readonly rank: readonly number[]
  readonly rce: readonly { readonly temperature: number; readonly weights: RceWeights; readonly loss: number }[]
  readonly grpo: GrpoParts
  readonly grpoTop3: GrpoParts
}

interface Parity {
  readonly clip_epsilon: number
  readonly kl_beta: number
  readonly advantage_clip: number
  readonly shots: number
  readonly groups: readonly Group[]
}

const parity: Parity = JSON.parse(readFileSync(new URL('./fixtures/parity.json', import.meta.url), 'utf8'))

const floats = (values: readonly number[]): Float64Array => Float64Array.from(values)

function advantages(rewards: Float64Array, kind: AdvantageKind): Float64Array {
  return advantagesOf(rewards, { kind, minimum_std: 0.1, clip: parity.advantage_clip }).values
}

function expectClose(found: ArrayLike<number>, expected: ArrayLike<number>, tolerance = 1e-9): void {
  expect(found.length).toBe(expected.length)
  for (let i = 0; i < expected.length; i += 1) expect(Math.abs(found[i] - expected[i])).toBeLessThan(tolerance)
}

describe.each(parity.groups.map((group, i) => ({ group, name: `group ${i}` })))(
  'the reference on $name',
  ({ group }) => {
    it('normalises rewards as its data set does', () => {
      expectClose(normalisedRewards(floats(group.rewards), 3), group.normalised)
    })

    it('computes the same z-scored advantages, of raw rewards, of normalised ones and with the std clamped', () => {
      expectClose(advantages(floats(group.rewards), 'z-score'), group.zScore)
      expectClose(advantages(floats(group.normalised), 'z-score'), group.zScoreOfNormalised)
      const hundredth = floats(group.rewards.map(value => value * 0.01))
      expectClose(advantages(hundredth, 'z-score'), group.zScoreOfHundredth)
    })

    it('computes the same rank advantages, up to the float32 in which it keeps them', () => {
      expectClose(advantages(floats(group.rewards), 'rank'), group.rank, 2 ** -24)
    })

    it.each(group.rce)('computes the same RCE loss at temperature $temperature with $weights weights', expected => {
      const input = { logProbs: floats(group.logProbs), rewards: floats(group.rewards), shots: parity.shots }
      expectClose([rce(input, expected).loss], [expected.loss])
    })

    it.each([
      { beams: 'all beams', k: null, expected: group.grpo },
      { beams: 'the best three', k: 3, expected: group.grpoTop3 },
    ])('computes the same parts of the GRPO loss on $beams', ({ k, expected }) => {
      const beams = bestBeams(floats(group.normalised), k)
      const chosen = (values: readonly number[]): Float64Array => floats(beams.map(beam => values[beam]))
      const old = chosen(group.oldLogProbs)
      const { loss, metrics } = grpo(
        {
          logProbs: chosen(group.logProbs),
          oldLogProbs: old,
          referenceLogProbs: old,
          advantages: advantages(chosen(group.normalised), 'z-score'),
          steps: null,
        },
        {
          clip: { low: parity.clip_epsilon, high: parity.clip_epsilon },
          klCoefficient: parity.kl_beta,
          klEstimator: 'k3-inverse',
          entropyCoefficient: 0,
        },
      )
      expectClose(
        [
          loss,
          metrics['loss.policy'],
          metrics['kl.weighted'],
          metrics['kl.ref'],
          metrics['ratio.mean'],
          metrics['adv.mean'],
          metrics['adv.std'],
          metrics['adv.max'],
        ],
        [
          expected.loss,
          expected.ppo_loss,
          expected.kl_loss,
          expected.kl,
          expected.mean_ratio,
          expected.mean_advantage,
          expected.std_advantage,
          expected.max_advantage,
        ],
        1e-12,
      )
    })
  },
)
