import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type BandKl,
  firstKlCoefficient,
  type KlRule,
  nextKlCoefficient,
  type ProportionalKl,
} from './kl-coefficient.js'

/** The coefficients in force at each step, when these KLs are observed after each. */
function course(rule: KlRule, kls: readonly number[], batchSize = 1): number[] {
  let state = firstKlCoefficient(rule)
  const effective = [state.effective]
  for (const kl of kls) {
    state = nextKlCoefficient(rule, state, { kl, batchSize, totalSteps: kls.length + 1 })
    effective.push(state.effective)
  }
  return effective
}

const band: BandKl = { kind: 'band', coefficient: 0.1, low: 0.01, high: 0.1, factor: 1.5, floor: 0.001, ceiling: 10 }
const proportional: ProportionalKl = { kind: 'proportional', coefficient: 0.1, target: 0.1, horizon: 10_000 }
const kls = fc.array(fc.double({ min: 0, max: 5, noNaN: true }), { minLength: 1, maxLength: 60 })

describe('the KL coefficient', () => {
  it('stays when constant', () => {
    expect(course({ kind: 'constant', coefficient: 0.1 }, [5, 0, Number.NaN])).toEqual([0.1, 0.1, 0.1, 0.1])
  })

  it('moves along its schedule from the first step to the last, whatever the KL', () => {
    const rule = { kind: 'scheduled', coefficient: 0.1, finalCoefficient: 0.5 } as const
    const expected = [0.1, 0.2, 0.3, 0.4, 0.5]
    course({ ...rule, shape: 'linear' }, [9, 9, 0, 0]).forEach((value, i) => {
      expect(value).toBeCloseTo(expected[i], 12)
    })
    expect(course({ ...rule, shape: 'step' }, [0, 0, 0, 0])).toEqual([0.1, 0.1, 0.5, 0.5, 0.5])
  })

  it.each([
    ['floor', 0.001, 0.001],
    ['ceiling', 0.5, 10],
  ])('under the band rule reaches its %s within a dozen steps of a KL that stays outside', (_, kl, stop) => {
    const steps = course(band, Array(20).fill(kl))
    expect(steps.indexOf(stop)).toBe(12)
    expect(steps.at(-1)).toBe(stop)
  })

  it('under the band rule keeps still inside the band and never leaves its stops', () => {
    expect(course(band, [0.01, 0.05, 0.1, Number.NaN])).toEqual([0.1, 0.1, 0.1, 0.1, 0.1])
    fc.assert(
      fc.property(kls, observed => {
        for (const value of course(band, observed)) {
          expect(value).toBeGreaterThanOrEqual(band.floor)
          expect(value).toBeLessThanOrEqual(band.ceiling)
        }
      }),
    )
  })

  it('under the proportional rule changes by at most a fifth of batch over horizon a step', () => {
    fc.assert(
      fc.property(kls, fc.integer({ min: 1, max: 512 }), (observed, batchSize) => {
        const steps = course(proportional, observed, batchSize)
        const most = (0.2 * batchSize) / proportional.horizon
        for (let i = 1; i < steps.length; i += 1) {
          expect(Math.abs(steps[i] / steps[i - 1] - 1)).toBeLessThanOrEqual(most + 1e-12)
        }
      }),
    )
    expect(course(proportional, [0.11], 1_000)[1]).toBeCloseTo(0.1 * (1 + 0.1 * 0.1), 12)
    expect(course(proportional, [Number.NaN, 0.1])).toEqual([0.1, 0.1, 0.1])
  })
})
