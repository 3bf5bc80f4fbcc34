import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { quantile } from './descriptive.js'
import { binomialCdf, normalCdf, normalQuantile, studentCdf, studentQuantile } from './distributions.js'
import { mcnemar } from './exact-tests.js'
import { benjaminiHochberg, holm } from './multiplicity.js'
import { pairedMean } from './paired-mean.js'
import { bcaMean } from './prompt-difference.js'
import { newcombe, wilson } from './proportion.js'
import {
  equivalence,
  interquartileMean,
  intervalOf,
  probabilityOfImprovement,
  pValueOf,
  smallestMargin,
  welch,
} from './student-estimate.js'
import { ranksOf, trend } from './trend.js'

/** Every routine against an independent implementation; fixtures/make.py says how the reference was made. */
const reference = JSON.parse(readFileSync(new URL('./fixtures/reference.json', import.meta.url), 'utf8'))

/** Relative where numbers are large, absolute where they are small. */
function expectClose(actual: number, expected: number, tolerance = 1e-8): void {
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(tolerance * Math.max(1, Math.abs(expected)))
}

describe('distributions agree with scipy', () => {
  it('t', () => {
    for (const [p, degrees, at, cdf] of reference.student) {
      expectClose(studentQuantile(p, degrees), at, 1e-7)
      expectClose(studentCdf(at * 0.7, degrees), cdf, 1e-7)
    }
  })
  it('normal', () => {
    for (const [p, at, cdf] of reference.normal) {
      expectClose(normalQuantile(p), at)
      expectClose(normalCdf(p), cdf)
    }
  })
  it('beta and binomial', () => {
    for (const [k, n, p, cdf] of reference.binomial) expectClose(binomialCdf(k, n, p), cdf)
  })
})

describe('intervals of one score agree with statsmodels', () => {
  it('Wilson, also where all or none succeeded', () => {
    for (const [x, n, low, high] of reference.wilson) {
      expectClose(wilson(x / n, n).low, low)
      expectClose(wilson(x / n, n).high, high)
    }
  })
  it('Newcombe for two shares', () => {
    for (const [a, n, b, m, low, high] of reference.newcombe) {
      const interval = newcombe({ share: a / n, n }, { share: b / m, n: m })
      expectClose(interval.low, low)
      expectClose(interval.high, high)
    }
  })
})

describe('comparisons agree with scipy and statsmodels', () => {
  it('Welch', () => {
    const { first, second, p, df, low, high } = reference.welch
    const estimate = welch(first, second)
    expectClose(estimate.degreesOfFreedom, df)
    expectClose(pValueOf(estimate), p)
    expectClose(intervalOf(estimate).low, low)
    expectClose(intervalOf(estimate).high, high)
  })
  it('interquartile mean and probability of improvement', () => {
    for (const [values, trimmed] of reference.iqm) expectClose(interquartileMean(values), trimmed)
    expectClose(probabilityOfImprovement(reference.welch.first, reference.welch.second), reference.improvement)
  })
  it('exact McNemar', () => {
    expectClose(mcnemar(reference.mcnemar.first, reference.mcnemar.second).p, reference.mcnemar.p)
  })
  it('BCa, within the noise of resampling', () => {
    const { values, low, high } = reference.bca
    const interval = bcaMean(values)
    expectClose(interval.low, low, 0.01)
    expectClose(interval.high, high, 0.01)
  })
  it("Kendall's tau, Theil and Sen's slope, ranks with ties", () => {
    const { positions, values, tau, slope } = reference.trend
    expectClose(trend(positions, values).tau, tau)
    expectClose(trend(positions, values).slope, slope)
    expect([...ranksOf(reference.ranks[0])]).toEqual(reference.ranks[1])
  })
  it('Holm and Benjamini-Hochberg', () => {
    holm(reference.holm[0]).forEach((p, i) => {
      expectClose(p, reference.holm[1][i])
    })
    benjaminiHochberg(reference.bh[0]).forEach((p, i) => {
      expectClose(p, reference.bh[1][i])
    })
  })
  it('quantiles as numpy computes them', () => {
    for (const [values, share, expected] of reference.quantile) {
      expectClose(
        quantile(
          [...values].sort((a, b) => a - b),
          share,
        ),
        expected,
      )
    }
  })
})

describe('the mean of a paired difference', () => {
  it('equals the same formula written with a covariance matrix', () => {
    for (const { d, floor, ...expected } of reference.paired_mean) {
      const estimate = pairedMean(d, { floor })
      expectClose(estimate.mean, expected.mean)
      expectClose(estimate.standardError, expected.se)
      expectClose(estimate.degreesOfFreedom, expected.df)
      expectClose(intervalOf(estimate).low, expected.low)
      expectClose(intervalOf(estimate).high, expected.high)
      expectClose(pValueOf(estimate), expected.p)
      expectClose(smallestMargin(estimate), expected.smallest)
    }
  })

  it('cannot tell the UserRL pair apart, nor show it equal: interval −0.220 … +0.159, smallest margin 9.1 %', () => {
    const estimate = pairedMean(reference.paired_mean[0].d)
    const { low, high } = intervalOf(estimate)
    expect([low, estimate.mean, high].map(value => value.toFixed(3))).toEqual(['-0.220', '-0.031', '0.159'])
    expect(pValueOf(estimate).toFixed(2)).toBe('0.68')
    const tost = equivalence(estimate, 0.05 * 1.9346)
    expect(tost.equivalent).toBe(false)
    expect(tost.p.toFixed(3)).toBe('0.196')
    expect(((100 * smallestMargin(estimate)) / 1.9346).toFixed(1)).toBe('9.1')
  })
})
