import { describe, expect, it } from 'vitest'
import { farthestGroupP, rankSumP } from './exact-tests.js'

/** Expected values: scipy.stats.mannwhitneyu 1.16 (exact without ties) and scipy.stats.permutation_test on rank sums. */
describe('the rank-sum test', () => {
  it('gives three against three no chance below 0.1, and four against four 0.029', () => {
    expect(rankSumP([1, 2, 3], [4, 5, 6])).toBeCloseTo(0.1, 12)
    expect(rankSumP([1, 2, 3, 4], [5, 6, 7, 8])).toBeCloseTo(2 / 70, 12)
  })

  it('agrees with scipy without ties', () => {
    expect(rankSumP([1.1, 2.4, 3.3, 0.2, 5.9], [2.0, 4.1, 6.5, 7.7])).toBeCloseTo(0.1904761904761905, 12)
  })

  it('deals tied ranks as often as they come', () => {
    expect(rankSumP([1, 1, 2], [1, 1, 2])).toBe(1)
    expect(rankSumP([10, 20, 20, 30], [40, 40, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY])).toBeCloseTo(
      2 / 70,
      12,
    )
  })

  it('says nothing about values that are all equal', () => {
    expect(rankSumP([5, 5, 5, 5], [5, 5, 5, 5])).toBe(1)
    expect(rankSumP(Array(30).fill(1), Array(30).fill(1))).toBe(1)
  })

  it('uses the normal approximation for many values', () => {
    const first = Array.from({ length: 25 }, (_, i) => i)
    const second = Array.from({ length: 25 }, (_, i) => i + 8.5)
    expect(rankSumP(first, second)).toBeCloseTo(0.0006380505703199592, 12)
  })
})

describe('the farthest of several groups', () => {
  it('is no wonder where seeds of one setting differ as much', () => {
    const groups = [
      [1, 1.01, 0.99],
      [0, 0.01, -0.01],
      [0, 1, 1],
      [0, 0, 1],
      [1, 0, 1],
    ]
    expect(farthestGroupP(groups)).toBeGreaterThan(0.05)
  })

  it('is one where every setting agrees within itself, though one is loud', () => {
    const groups = [
      [1, 1.01, 0.99],
      [0, 0.01, -0.01],
      [0.02, -0.02, 0],
      [1, 1.02, 1.01],
      [-4, 3, 1],
    ]
    expect(farthestGroupP(groups)).toBeLessThan(0.02)
  })

  it('says nothing about values that are all equal', () => {
    expect(
      farthestGroupP([
        [1, 1, 1],
        [1, 1, 1],
        [1, 1],
      ]),
    ).toBe(1)
  })
})
