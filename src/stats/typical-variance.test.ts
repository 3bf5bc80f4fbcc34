import { describe, expect, it } from 'vitest'
import { mean } from './descriptive.js'
import { seededRandom } from './random.js'
import { typicalVariance } from './typical-variance.js'

describe('the variance of a typical setting', () => {
  it.each([
    [2, 3],
    [3, 1],
    [3, 4],
    [3, 7],
    [5, 10],
  ])('is right on average for %i runs in each of %i settings', (runs, settings) => {
    const random = seededRandom(runs * 100 + settings)
    const draw = (): number =>
      typicalVariance(Array.from({ length: settings }, () => Array.from({ length: runs }, random.normal))) ?? 0
    expect(mean(Array.from({ length: 4_000 }, draw))).toBeCloseTo(1, 1)
  })

  it('is not moved by one setting whose runs are no replicates', () => {
    const tight = [0.5, 0.51, 0.52]
    expect(typicalVariance([tight, tight, tight, [0.1, 0.9, 0.5]])).toBeLessThan(0.0002)
  })

  it('takes two runs of one setting', () => {
    expect(typicalVariance([[1], [2]])).toBeNull()
  })
})
