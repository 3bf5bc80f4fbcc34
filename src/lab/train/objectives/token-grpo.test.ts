import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectGradient } from '../../../../test/support/finite-differences.js'
import { seededRandom } from '../../../stats/random.js'
import type { TokenScores } from '../lm/language-model.js'
import { clippedLoss } from './clipped-loss.js'
import { TOKEN_KL_ESTIMATORS } from './kl-estimators.js'
import {
  AGGREGATIONS,
  addedSums,
  NO_SUMS,
  type TokenGrpoOptions,
  tokenGrpo,
  tokenWeights,
  totalLoss,
} from './token-grpo.js'

const LENGTHS = [4, 1, 0, 7]
const BOUNDARIES = [0, 4, 5, 5, 12]

function batch(seed: number) {
  const random = seededRandom(seed)
  const drawn = (spread: number): Float64Array => Float64Array.from({ length: 12 }, () => spread * random.normal())
  const old = drawn(1)
  const logProbs = drawn(0.3).map((value, i) => value + old[i])
  const scores: TokenScores = {
    logProbs,
    entropies: drawn(1).map(Math.abs),
    reference: { logProbs: drawn(0.5).map((value, i) => value + logProbs[i]), divergences: drawn(1).map(Math.abs) },
    boundaries: BOUNDARIES,
  }
  return { scores, old, advantages: drawn(1) }
}

const OPTIONS: TokenGrpoOptions = {
  clip: { low: 0.2, high: 0.28, dual: 1.3 },
  ratio: 'token',
  klCoefficient: 0.3,
  klEstimator: 'k3',
  entropyCoefficient: 0.05,
}

describe('the loss over tokens', () => {
  it.each([...TOKEN_KL_ESTIMATORS.filter(name => !name.endsWith('+')), 'exact'] as const)(
    'has the slope that it says, in log-probabilities, entropies and divergences, with %s',
    klEstimator => {
      for (const aggregation of AGGREGATIONS) {
        const { scores, old, advantages } = batch(3)
        const options = { ...OPTIONS, klEstimator }
        const targets = { oldLogProbs: old, advantages, weights: tokenWeights(LENGTHS, aggregation, 9) }
        const lossOf = (changed: Partial<TokenScores>): number =>
          totalLoss(tokenGrpo({ ...scores, ...changed }, targets, options).sums, options)
        const { slopes } = tokenGrpo(scores, targets, options)
        const { reference } = scores
        if (reference === null) throw new Error('the batch has a reference')
        expectGradient(logProbs => lossOf({ logProbs }), scores.logProbs, slopes.logProbs)
        expectGradient(entropies => lossOf({ entropies }), scores.entropies, slopes.entropies ?? new Float64Array())
        expectGradient(
          divergences => lossOf({ reference: { ...reference, divergences } }),
          reference.divergences,
          slopes.divergences ?? new Float64Array(),
        )
      }
    },
  )

  it("has GSPO's slope with one ratio and one advantage for a sequence", () => {
    const { scores, old } = batch(5)
    const advantages = Float64Array.from({ length: 12 }, (_, i) => (i < 4 ? 0.7 : i < 5 ? -1.1 : 0.4))
    const options: TokenGrpoOptions = { ...OPTIONS, ratio: 'sequence', klCoefficient: 0 }
    const targets = { oldLogProbs: old, advantages, weights: tokenWeights(LENGTHS, 'seq-mean-token-mean', 9) }
    const { slopes, sums } = tokenGrpo(scores, targets, options)
    expect(sums.clipped + sums.clippedDual).toBeLessThan(12)
    expectGradient(
      logProbs => totalLoss(tokenGrpo({ ...scores, logProbs }, targets, options).sums, options),
      scores.logProbs,
      slopes.logProbs,
    )
  })

  it('is the sum of its parts, when a batch is gone through in parts', () => {
    const { scores, old, advantages } = batch(8)
    const weights = tokenWeights(LENGTHS, 'seq-mean-token-mean', 9)
    const whole = tokenGrpo(scores, { oldLogProbs: old, advantages, weights }, OPTIONS)
    const part = (sequence: number, from: number, to: number) =>
      tokenGrpo(
        {
          logProbs: scores.logProbs.slice(from, to),
          entropies: scores.entropies.slice(from, to),
          reference: scores.reference && {
            logProbs: scores.reference.logProbs.slice(from, to),
            divergences: scores.reference.divergences.slice(from, to),
          },
          boundaries: [0, to - from],
        },
        {
          oldLogProbs: old.slice(from, to),
          advantages: advantages.slice(from, to),
          weights: weights.slice(sequence, sequence + 1),
        },
        OPTIONS,
      )
    const parts = [part(0, 0, 4), part(1, 4, 5), part(2, 5, 5), part(3, 5, 12)]
    const sums = parts.map(each => each.sums).reduce(addedSums, NO_SUMS)
    for (const [name, value] of Object.entries(whole.sums)) expect(Reflect.get(sums, name)).toBeCloseTo(value, 12)
    expect(parts.flatMap(({ slopes }) => [...slopes.logProbs])).toEqual([...whole.slopes.logProbs])
  })

  it('refuses a KL without a reference', () => {
    const { scores, old, advantages } = batch(1)
    const targets = { oldLogProbs: old, advantages, weights: tokenWeights(LENGTHS, 'token-mean', 9) }
    expect(() => tokenGrpo({ ...scores, reference: null }, targets, OPTIONS)).toThrow('reference')
  })
})

describe('weights of tokens', () => {
  it('make every mean a mean: they add up to one', () => {
    const counts = fc.array(fc.nat(9), { minLength: 1, maxLength: 8 }).filter(list => list.some(count => count > 0))
    fc.assert(
      fc.property(counts, list => {
        for (const aggregation of ['token-mean', 'seq-mean-token-mean'] as const) {
          const weights = tokenWeights(list, aggregation, 100)
          expect(list.reduce((sum, count, i) => sum + count * weights[i], 0)).toBeCloseTo(1, 12)
        }
      }),
    )
  })
})

describe('the clipped loss', () => {
  const clip = { low: 0.2, high: 0.28, dual: 3 }

  it('stops where the ratio has gone too far in the direction of the advantage, and only there', () => {
    expect(clippedLoss(Math.log(1.3), 1, clip)).toMatchObject({ loss: -1.28, slope: 0, clipped: 'ratio' })
    expect(clippedLoss(Math.log(0.7), 1, clip).clipped).toBe('no')
    expect(clippedLoss(Math.log(0.7), -1, clip)).toMatchObject({ loss: 0.8, slope: 0, clipped: 'ratio' })
    expect(clippedLoss(Math.log(1.3), -1, clip).clipped).toBe('no')
  })

  it('holds a bad token that has become many times as probable', () => {
    expect(clippedLoss(Math.log(5), -2, clip)).toMatchObject({ loss: 6, slope: 0, clipped: 'dual' })
    expect(clippedLoss(Math.log(5), -2, { ...clip, dual: Number.POSITIVE_INFINITY }).loss).toBeCloseTo(10, 12)
  })

  it('is - A with slope - A on the policy that drew the token', () => {
    for (const advantage of [-1.5, 0.25]) {
      const { loss, slope, clipped } = clippedLoss(0, advantage, clip)
      expect([loss, slope, clipped]).toEqual([-advantage, -advantage, 'no'])
    }
  })
})
