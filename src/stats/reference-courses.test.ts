import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { changePoint, slopeChange } from './change-point.js'
import { cosineMean } from './paired-mean.js'
import { promptDifference } from './prompt-difference.js'
import { intervalOf, pValueOf } from './student-estimate.js'
import { soonerOdds } from './time-to-level.js'
import { senInterval, trend } from './trend.js'

/** Prompts and courses against independent implementations; fixtures/make.py says how the reference was made. */
const reference = JSON.parse(readFileSync(new URL('./fixtures/reference.json', import.meta.url), 'utf8'))

describe('scores by prompt agree with scipy and statsmodels', () => {
  const { first, second, ...expected } = reference.prompts

  it('a paired t over prompts, repeats averaged within each', () => {
    const difference = promptDifference(first, second)
    expect(difference).toMatchObject({ method: 't', prompts: 40, degreesOfFreedom: expected.df })
    expect(difference.interval.low).toBeCloseTo(expected.low, 8)
    expect(difference.interval.high).toBeCloseTo(expected.high, 8)
    expect(intervalOf(difference)).toEqual(difference.interval)
    expect(pValueOf(difference)).toBeCloseTo(expected.p, 8)
  })

  it('BCa below thirty prompts', () => {
    const difference = promptDifference(first.slice(0, 20), second.slice(0, 20))
    expect(difference.method).toBe('bca')
    expect(Math.abs(difference.interval.low - expected.few[0])).toBeLessThan(0.02)
    expect(Math.abs(difference.interval.high - expected.few[1])).toBeLessThan(0.02)
  })

  it('refuses to pair unequal numbers of prompts', () => {
    expect(() => promptDifference(first, second.slice(1))).toThrow('scores of 40 and 39 prompts cannot be paired')
  })
})

describe('courses agree with scipy and numpy', () => {
  it("Sen's interval of a slope, which widens with autocorrelation", () => {
    const { values, slope, low, high, variance } = reference.sen
    const steps = [...values.keys()]
    const slopes = steps.flatMap(i => steps.slice(i + 1).map(j => (values[j] - values[i]) / (j - i)))
    const plain = senInterval(Float64Array.from(slopes).sort(), variance)
    expect(plain).toMatchObject({ estimate: slope, low, high })
    const { slopeInterval } = trend(steps, values)
    expect(slopeInterval.high - slopeInterval.low).toBeGreaterThan(high - low)
  })

  it('the equal-weighted cosine error, through a discrete cosine transform', () => {
    const { values, terms, se } = reference.cosine
    expect(cosineMean(values, { terms }).standardError).toBeCloseTo(se, 10)
    expect(cosineMean(values, { terms }).degreesOfFreedom).toBe(terms)
  })

  it('changes of level and slope: the same place and sizes, p-values within the noise of simulation', () => {
    for (const { kind, values, ...expected } of reference.change) {
      const change = kind === 'level' ? changePoint(values) : slopeChange(values)
      expect(change?.index).toBe(expected.index)
      expect(change?.before).toBeCloseTo(expected.before, 8)
      expect(change?.after).toBeCloseTo(expected.after, 8)
      for (const which of ['p', 'conservativeP'] as const) {
        const noise = 4 * Math.sqrt((expected[which] * (1 - expected[which]) + 0.001) / 1_000)
        expect(Math.abs((change?.[which] ?? 2) - expected[which])).toBeLessThan(noise)
      }
    }
  })

  it('the odds of being sooner, within the noise of simulation', () => {
    for (const { first, second, level, ...expected } of reference.sooner) {
      const odds = soonerOdds([...first.keys()], first, second, level)
      expect(Math.abs(odds.firstSooner - expected.firstSooner)).toBeLessThan(0.045)
      expect(Math.abs(odds.secondSooner - expected.secondSooner)).toBeLessThan(0.045)
    }
  })
})
