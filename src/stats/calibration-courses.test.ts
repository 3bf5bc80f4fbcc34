import { describe, expect, it } from 'vitest'
import { bestOf, bestOnSharedPrompts, heldOutBest } from './best-of-several.js'
import { changePoint, slopeChange } from './change-point.js'
import { mean, standardDeviation } from './descriptive.js'
import { cosineMean } from './paired-mean.js'
import { type Random, seededRandom } from './random.js'
import { varianceOfComparison } from './sample-size.js'
import { intervalOf } from './student-estimate.js'

/** AR(1) noise of spread one. */
function noise(random: Random, n: number, rho: number): Float64Array {
  let state = random.normal()
  return Float64Array.from({ length: n }, () => {
    const value = state
    state = rho * state + Math.sqrt(1 - rho ** 2) * random.normal()
    return value
  })
}

function rate(repetitions: number, happens: (random: Random) => boolean): number {
  const random = seededRandom(7)
  let count = 0
  for (let i = 0; i < repetitions; i += 1) if (happens(random)) count += 1
  return count / repetitions
}

describe('a change of slope', () => {
  it('is found where a rise turns into a fall, with both slopes and a date that covers the corner', () => {
    const random = seededRandom(5)
    const curve = noise(random, 93, 0.3).map((value, i) => value + 0.2 * i - 0.45 * Math.max(0, i - 30))
    const change = slopeChange(curve, { draws: 300 })
    expect(change?.p).toBeLessThan(0.05)
    expect(change?.conservativeP).toBeLessThan(0.05)
    expect(change?.before).toBeCloseTo(0.2, 1)
    expect(change?.after).toBeCloseTo(-0.25, 1)
    expect(change?.location?.first).toBeLessThanOrEqual(30)
    expect(change?.location?.last).toBeGreaterThanOrEqual(30)
  })

  it('is not seen in a straight rise, which a change of level would explain', () => {
    const curve = noise(seededRandom(6), 40, 0.2).map((value, i) => value + 0.15 * i)
    expect(slopeChange(curve, { draws: 300 })?.p).toBeGreaterThan(0.05)
    expect(changePoint(curve, { draws: 300 })?.p).toBeLessThan(0.05)
  })

  it('is not dated on fewer than twelve points, nor where none is shown', () => {
    expect(slopeChange([1, 2, 3, 4, 5, 4, 3, 2, 1])).toBeNull()
    expect(slopeChange(noise(seededRandom(1), 30, 0), { draws: 200 })?.location).toBeNull()
  })

  it('is certain on a curve without noise, and absent from one that never varies', () => {
    const corner = Array.from({ length: 20 }, (_, i) => Math.min(i, 12))
    expect(slopeChange(corner, { draws: 200 })).toMatchObject({ index: 12, location: { first: 12, last: 12 } })
    expect(changePoint(new Array(20).fill(3), { draws: 200 })?.p).toBe(1)
  })
})

describe('the best on shared prompts', () => {
  it('keeps the truly best in at least 95 % of cases, in a smaller set than one error for all would give', () => {
    const repetitions = 150
    const random = seededRandom(3)
    let missed = 0
    let paired = 0
    let unpaired = 0
    for (let i = 0; i < repetitions; i += 1) {
      const ease = Array.from({ length: 80 }, random.normal)
      const scores = [0, 0.15, 0.3].map(gain => ease.map(level => level + gain + 0.5 * random.normal()))
      const kept = bestOnSharedPrompts(scores, { resamples: 300 })
      if (!kept.includes(2)) missed += 1
      paired += kept.length / repetitions
      const error = standardDeviation(scores[2]) / Math.sqrt(80)
      unpaired +=
        bestOf(
          scores.map(each => mean(each)),
          error,
        ).indistinguishable.length / repetitions
    }
    expect(missed / repetitions).toBeLessThanOrEqual(0.05 + 0.05)
    expect(paired).toBeLessThan(unpaired)
  })
})

describe('the score on held-out prompts', () => {
  it('carries no luck of the choice, where the reported best does', () => {
    const random = seededRandom(7)
    let [held, reported] = [0, 0]
    for (let i = 0; i < 60; i += 1) {
      const ease = Array.from({ length: 80 }, random.normal)
      const scores = Array.from({ length: 9 }, () => ease.map(level => level + random.normal()))
      const centre = mean(ease)
      held += (heldOutBest(scores, { halvings: 40 }) - centre) / 60
      reported += (Math.max(...scores.map(each => mean(each))) - centre) / 60
    }
    expect(reported).toBeGreaterThan(0.1)
    expect(Math.abs(held)).toBeLessThan(0.03)
  })
})

describe('small tools', () => {
  it('the cosine interval keeps to about 5 % where an AR(1) interval is fragile', () => {
    const wrong = rate(2_000, random => {
      const { low, high } = intervalOf(cosineMean(noise(random, 93, 0.6), { terms: 6 }))
      return low > 0 || high < 0
    })
    expect(wrong).toBeLessThanOrEqual(0.07)
  })

  it('more prompts do not replace seeds', () => {
    expect(varianceOfComparison(0.1, 1, 4, 100)).toBeCloseTo(0.01, 9)
    expect(varianceOfComparison(0.1, 1, 4, 1e9)).toBeCloseTo(0.005, 8)
  })
})
