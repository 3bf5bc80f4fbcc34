import { describe, expect, it } from 'vitest'
import { INTERIM_ANALYSES, spendingBounds } from './group-sequential.js'
import { seededRandom } from './random.js'
import { ENOUGH_EVIDENCE, signMartingale } from './sign-martingale.js'

describe('bounds of several looks', () => {
  const PLAN = [5, 6, 8, 10, 12, 14, 17, 20].map(runs => runs / 20)

  it('are those of the simulated plan of twenty seeds', () => {
    const claims = spendingBounds({ shares: PLAN, alpha: 0.05, sides: 2 })
    const expected = [0.0031, 0.0028, 0.0053, 0.0078, 0.011, 0.0147, 0.0232, 0.0322]
    for (const [i, bound] of claims.entries()) expect(Math.abs(bound - expected[i])).toBeLessThan(0.001)
    const same = spendingBounds({ shares: PLAN, alpha: 0.05, sides: 1 })
    const expectedSame = [0.0032, 0.003, 0.0056, 0.0084, 0.0119, 0.016, 0.0251, 0.0352]
    for (const [i, bound] of same.entries()) expect(Math.abs(bound - expectedSame[i])).toBeLessThan(0.0015)
  })

  it('are the stored levels of the interim analyses, to the digits stored', () => {
    const bounds = spendingBounds({ shares: INTERIM_ANALYSES.map(({ share }) => share), alpha: 0.05, sides: 2 })
    const digits = [5, 4, 4, 3]
    for (const [i, { level }] of INTERIM_ANALYSES.entries()) {
      expect(Math.abs(bounds[i] - level)).toBeLessThanOrEqual(0.6 * 10 ** -digits[i])
    }
  })

  it('are the plain level for a single look', () => {
    expect(spendingBounds({ shares: [1], alpha: 0.05, sides: 2 })[0]).toBeCloseTo(0.05, 4)
    expect(spendingBounds({ shares: [1], alpha: 0.05, sides: 1 })[0]).toBeCloseTo(0.05, 4)
  })

  it('keep what they promise for a motion that goes nowhere', () => {
    const random = seededRandom(9)
    const bounds = spendingBounds({ shares: PLAN, alpha: 0.05, sides: 2 })
    let crossed = 0
    const paths = 20_000
    for (let path = 0; path < paths; path += 1) {
      let [place, before] = [0, 0]
      for (const [i, share] of PLAN.entries()) {
        place += Math.sqrt(share - before) * random.normal()
        before = share
        const p = 2 * tail(Math.abs(place) / Math.sqrt(share))
        if (p < bounds[i]) {
          crossed += 1
          break
        }
      }
    }
    expect(crossed / paths).toBeGreaterThan(0.045)
    expect(crossed / paths).toBeLessThan(0.055)
  })
})

/** Abramowitz and Stegun 26.2.17. */
function tail(z: number): number {
  const t = 1 / (1 + 0.231_641_9 * z)
  const series =
    t * (0.319_381_53 + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))))
  return (Math.exp(-0.5 * z * z) / Math.sqrt(2 * Math.PI)) * series
}

describe('flips of prompts', () => {
  it('are worth nothing without any, and much when all go one way', () => {
    expect(signMartingale(0, 0)).toBeCloseTo(1, 10)
    expect(signMartingale(1, 0)).toBeCloseTo(1, 10)
    // 2^4 · B(9, 5)/B(5, 5), by hand: 16 · (8! 4! 9!)/(13! 4! 4!).
    expect(signMartingale(4, 0)).toBeCloseTo((16 * 40_320 * 362_880) / (6_227_020_800 * 24), 8)
  })

  it('ever speak falsely in at most one of twenty, looked at after every prompt', () => {
    const random = seededRandom(10)
    let wrong = 0
    const rounds = 2_000
    for (let round = 0; round < rounds; round += 1) {
      let [b, c] = [0, 0]
      for (let prompt = 0; prompt < 1_000; prompt += 1) {
        if (random.next() >= 0.3) continue
        if (random.next() < 0.5) b += 1
        else c += 1
        if (signMartingale(b, c) >= ENOUGH_EVIDENCE) {
          wrong += 1
          break
        }
      }
    }
    expect(wrong / rounds).toBeLessThan(0.05)
  })
})
