import { describe, expect, it } from 'vitest'
import { mean, standardDeviation } from './descriptive.js'
import {
  clusteredMean,
  clusteredStandardError,
  clusterSums,
  majorityScore,
  meanOverTasks,
  passAtK,
  shareInterval,
} from './item-mean.js'

const VALUES = [1, 0, 1, 1, 0, 1, 0, 0, 1, 1, 0.5, 0]
const ALONE = VALUES.map((_, i) => String(i))

describe('a mean over items', () => {
  it('has the usual standard error where every item stands for itself, by either formula', () => {
    const usual = standardDeviation(VALUES) / Math.sqrt(VALUES.length)
    expect(clusteredStandardError(clusterSums(VALUES, ALONE))).toBeCloseTo(usual, 12)
    expect(clusteredMean(VALUES, ALONE)).toMatchObject({ mean: mean(VALUES), degreesOfFreedom: VALUES.length - 1 })
    expect(clusteredMean(VALUES, ALONE).standardError).toBeCloseTo(usual, 12)
  })

  it('has one error by both formulas for clusters of one size, and a wider one to test by for unequal ones', () => {
    const equal = VALUES.map((_, i) => String(Math.floor(i / 3)))
    expect(clusteredMean(VALUES, equal).standardError).toBeCloseTo(
      clusteredStandardError(clusterSums(VALUES, equal)),
      12,
    )
    const unequal = VALUES.map((_, i) => (i < 6 ? 'large' : String(i)))
    expect(clusteredMean(VALUES, unequal).standardError).toBeGreaterThan(
      clusteredStandardError(clusterSums(VALUES, unequal)),
    )
    expect(clusteredMean(VALUES, unequal).degreesOfFreedom).toBeLessThan(1.5)
  })

  it('over tasks counts items that stand in several of them once', () => {
    const task = (prefix: string) => {
      const ids = ALONE.map(id => `${prefix}${id}`)
      return { estimate: clusteredMean(VALUES, ids), sums: clusterSums(VALUES, ids) }
    }
    const apart = meanOverTasks([task('a'), task('b')])
    const same = meanOverTasks([task('a'), task('a')])
    expect(apart.standardError).toBeCloseTo(clusteredMean(VALUES, ALONE).standardError / Math.SQRT2, 12)
    expect(same.standardError / apart.standardError).toBeGreaterThan(1.35)
  })
})

describe('several attempts at an item', () => {
  it('pass at k as often as the subsets of k that hold a right answer', () => {
    const subsets = (n: number, k: number): number[][] =>
      k === 0 ? [[]] : n < k ? [] : [...subsets(n - 1, k), ...subsets(n - 1, k - 1).map(set => [...set, n - 1])]
    for (const [n, correct, k] of [
      [6, 2, 3],
      [5, 0, 2],
      [5, 5, 1],
      [4, 1, 4],
    ] as const) {
      const all = subsets(n, k)
      const right = all.filter(set => set.some(i => i < correct)).length
      expect(passAtK(n, correct, k)).toBeCloseTo(right / all.length, 12)
    }
  })

  it('are right by majority if the most frequent answer is, and in part where several are as frequent', () => {
    expect(majorityScore(['7', '8', '7'], [1, 0, 1])).toBe(1)
    expect(majorityScore(['7', '8', '8'], [1, 0, 0])).toBe(0)
    expect(majorityScore(['7', '8'], [1, 0])).toBe(0.5)
  })

  it('have an interval with a width even where all items agree', () => {
    const { low, high } = shareInterval(
      ALONE.map(() => 1),
      ALONE,
    )
    expect(high).toBe(1)
    expect(low).toBeLessThan(0.95)
  })
})
