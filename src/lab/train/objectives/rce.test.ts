import { describe, expect, it } from 'vitest'
import { expectGradient } from '../../../../test/support/finite-differences.js'
import { type RceWeights, rce } from './rce.js'

const logProbs = Float64Array.of(-3.2, -7.1, -0.4, -5.5)
const rewards = Float64Array.of(0.3, 1.9, 0.3, 1.1)
const WEIGHTS: readonly RceWeights[] = ['raw', 'normalised', 'rank', 'best', 'first']

describe('reward-weighted cross-entropy', () => {
  it.each(WEIGHTS)('has the gradient of its loss with %s weights', weights => {
    for (const temperature of [2, 0.5]) {
      const loss = (values: Float64Array): number =>
        rce({ logProbs: values, rewards, shots: 2 }, { weights, temperature }).loss
      const { gradient } = rce({ logProbs, rewards, shots: 2 }, { weights, temperature })
      expectGradient(loss, logProbs, gradient.logProbs)
    }
  })

  it('moves from all beams to the best as the temperature falls', () => {
    const at = (temperature: number) => rce({ logProbs, rewards, shots: 2 }, { weights: 'raw', temperature })
    expect(at(1e6).metrics['rce.effective_beams']).toBeCloseTo(4, 4)
    expect(at(1e-3).metrics['rce.effective_beams']).toBeCloseTo(1, 9)
    expect(at(1e-3).loss).toBeCloseTo(7.1, 9)
  })

  it('takes the best-rewarded beam, or the first stored, and averages over its steps', () => {
    const top = (weights: RceWeights) => rce({ logProbs, rewards, shots: 2 }, { weights, temperature: 1 }).loss
    expect(top('best')).toBeCloseTo(7.1 / 2, 12)
    expect(top('first')).toBeCloseTo(3.2 / 2, 12)
  })

  it('weighs by rank alone, whatever the size of the rewards', () => {
    const loss = (scale: number) =>
      rce({ logProbs, rewards: rewards.map(r => r * scale), shots: 2 }, { weights: 'rank', temperature: 1 }).loss
    expect(loss(1)).toBe(loss(100))
  })

  it('imitates all beams alike where rewards are equal, and does not overflow where they are huge', () => {
    const equal = rce({ logProbs, rewards: new Float64Array(4), shots: 2 }, { weights: 'normalised', temperature: 1 })
    expect([...equal.gradient.logProbs]).toEqual([-0.25, -0.25, -0.25, -0.25])
    const huge = rce({ logProbs, rewards: rewards.map(r => r * 1e5), shots: 2 }, { weights: 'raw', temperature: 0.5 })
    expect(huge.loss).toBeCloseTo(7.1, 12)
  })
})
