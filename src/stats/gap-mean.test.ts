import { describe, expect, it } from 'vitest'
import { gapMean, pairedMean } from './paired-mean.js'
import { fillWithNoise, seededRandom } from './random.js'
import { halfWidth, pValueOf } from './student-estimate.js'

describe('the mean of a gap that grows', () => {
  const noise = (seed: number, n: number, rho = 0.3) => fillWithNoise(seededRandom(seed), new Float64Array(n), rho)
  const gap = (from: number, to: number, n = 16) =>
    noise(5, n).map((value, i) => from + ((to - from) * i) / (n - 1) + 0.01 * value)

  it('has the error of what lies off its line, where that keeps one sign', () => {
    const grown = gap(0.02, 0.3)
    const found = gapMean(grown)
    expect(found.mean).toBe(pairedMean(grown).mean)
    expect(found.aroundLine).toBeGreaterThan(0)
    expect(halfWidth(found)).toBeLessThan(halfWidth(pairedMean(grown)) / 5)
    expect(pValueOf(found)).toBeLessThan(0.05)
    expect(pValueOf(pairedMean(grown))).toBeGreaterThan(0.2)
  })

  it('keeps the wider error where the line crosses zero, is not steep, or leaves nothing over', () => {
    const line = Array.from({ length: 12 }, (_, i) => 1 + i)
    for (const kept of [gap(-0.1, 0.2), gap(0.1, 0.105), line]) {
      expect(gapMean(kept)).toEqual({ ...pairedMean(kept), aroundLine: null })
    }
  })

  it.each([9, 20, 50])(
    'calls no more of %i equal evaluations different than before, up to an autocorrelation of 0.6',
    n => {
      for (const rho of [0, 0.3, 0.6]) {
        const draws = Array.from({ length: 500 }, (_, seed) => noise(1000 * n + seed, n, rho))
        const calls = (of: typeof gapMean | typeof pairedMean) => draws.filter(draw => pValueOf(of(draw)) < 0.05).length
        expect(calls(gapMean) - calls(pairedMean)).toBeLessThanOrEqual(2)
      }
    },
  )
})
