import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../stats/random.js'
import { rankCheckpoints } from './ranking.js'

const UNKNOWN = { scores: new Map(), prompts: null }

function curve(steps: readonly number[], values: readonly number[]) {
  return { steps: Float64Array.from(steps), values: Float64Array.from(values) }
}

describe('ranking checkpoints', () => {
  it('names the set, not the maximum, and says that the best is the last', () => {
    const userRl = curve(
      [5, 10, 15, 20, 25, 30, 35, 40, 45],
      [1.818, 2.14, 1.84, 1.83, 1.75, 1.788, 2.04, 2.003, 2.202],
    )
    const ranked = rankCheckpoints(userRl, 'max', UNKNOWN)
    expect(ranked?.best).toMatchObject({ step: 45, value: 2.202 })
    expect(ranked?.best.shrunken).toBeLessThan(2.202)
    expect(ranked?.indistinguishable).toContain(10)
    expect(ranked?.reasons.map(({ key }) => key)).toContain('checkpoints.best-is-last')
  })

  it('turns round for a loss, and takes the noise from evenly spaced epochs only', () => {
    const planSix = curve(
      [1, 2, 3, 4, 5, 22, 49, 50],
      [5.15333, 5.15152, 5.15363, 5.15676, 5.15958, 5.21149, 5.2274, 5.23428],
    )
    const ranked = rankCheckpoints(planSix, 'min', UNKNOWN)
    expect(ranked?.best.step).toBe(2)
    expect(ranked?.best.interval?.[0]).toBeLessThan(ranked?.best.interval?.[1] ?? 0)
    expect(ranked?.indistinguishable).toEqual([1, 2, 3])
  })

  it('prefers the scores of prompts to their number, and their number to the jitter', () => {
    const values = curve([1, 2, 3, 4, 5], [0.5, 0.6, 0.55, 0.6, 0.58])
    const graded = Array.from({ length: 200 }, (_, i) => (i % 2 === 0 ? 0.55 : 0.65))
    const key = (noise: Parameters<typeof rankCheckpoints>[2]) => rankCheckpoints(values, 'max', noise)?.reasons[0].key
    expect(key({ scores: new Map([[2, graded]]), prompts: 200 })).toBe('checkpoints.error-from-scores')
    expect(key({ scores: new Map(), prompts: 200 })).toBe('checkpoints.error-from-n')
    expect(key(UNKNOWN)).toBe('checkpoints.error-from-jitter')
  })

  it('scores the chosen on prompts that had no say in the choice', () => {
    const random = seededRandom(3)
    const scores = new Map(
      Array.from({ length: 20 }, (_, step) => [step, Array.from({ length: 200 }, () => (random.next() < 0.6 ? 1 : 0))]),
    )
    const means = [...scores.values()].map(row => row.reduce<number>((sum, score) => sum + score, 0) / row.length)
    const ranked = rankCheckpoints(curve([...scores.keys()], means), 'max', { scores, prompts: 200 })
    expect(ranked?.best.value).toBeGreaterThan(0.62)
    expect(ranked?.best.heldOut).toBeCloseTo(0.6, 1)
  })

  it('gives points without a verdict when nothing tells the error, and nothing at all for nothing', () => {
    const ranked = rankCheckpoints(curve([1, 2], [0.4, 57]), 'max', UNKNOWN)
    expect(ranked?.best).toEqual({ step: 2, value: 57, shrunken: null, interval: null, heldOut: null })
    expect(rankCheckpoints(curve([1], [Number.NaN]), 'max', UNKNOWN)).toBeNull()
  })
})
