import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AdvantageKind, advantagesOf } from './advantages.js'

const KINDS: readonly AdvantageKind[] = ['z-score', 'rank', 'centred', 'leave-one-out']
const options = (kind: AdvantageKind, clip = 1_000) => ({ kind, minimum_std: 1e-9, clip })
const of = (rewards: readonly number[], kind: AdvantageKind, clip?: number) =>
  advantagesOf(Float64Array.from(rewards), options(kind, clip))

/** Rewards with ties, as tasks give them. */
const rewards = fc.array(
  fc.integer({ min: -40, max: 40 }).map(value => value / 16),
  { minLength: 2, maxLength: 24 },
)

describe('advantages', () => {
  it.each(KINDS)('of kind %s add up to zero over a group', kind => {
    fc.assert(
      fc.property(rewards, group => {
        const sum = of(group, kind).values.reduce((total, value) => total + value, 0)
        expect(Math.abs(sum)).toBeLessThan(1e-9)
      }),
    )
  })

  it.each(KINDS)('of kind %s keep the order of the rewards and are equal where those are', kind => {
    fc.assert(
      fc.property(rewards, group => {
        const { values } = of(group, kind)
        for (let i = 1; i < group.length; i += 1) {
          expect(Math.sign(values[i] - values[i - 1])).toBe(Math.sign(group[i] - group[i - 1]))
        }
      }),
    )
  })

  it('of kind z-score never exceed (n − 1)/√n, and one winner among equals reaches it', () => {
    fc.assert(
      fc.property(rewards, group => {
        const bound = (group.length - 1) / Math.sqrt(group.length)
        for (const value of of(group, 'z-score').values) expect(Math.abs(value)).toBeLessThanOrEqual(bound + 1e-9)
      }),
    )
    expect(of([1, 0, 0, 0, 0, 0, 0, 0], 'z-score').values[0]).toBeCloseTo(7 / Math.sqrt(8), 12)
  })

  it('divide by the minimum std where the group is closer together than that', () => {
    const { values } = advantagesOf(Float64Array.of(0, 0.01), { kind: 'z-score', minimum_std: 0.1, clip: 5 })
    expect(values[1]).toBeCloseTo(0.05, 12)
  })

  it('centred only are the rewards minus their mean; leave-one-out minus the mean of the others', () => {
    expect([...of([1, 2, 6], 'centred').values]).toEqual([-2, -1, 3])
    expect([...of([1, 2, 6], 'leave-one-out').values]).toEqual([-3, -1.5, 4.5])
  })

  it('are clipped on both sides, and say how many were', () => {
    expect(of([0, 5, 10], 'centred', 2)).toEqual({ values: Float64Array.of(-2, 0, 2), degenerate: null, clipped: 2 })
  })

  it.each([
    ['single', [0.7]],
    ['tied', [0.1 + 0.2, 0.3, 0.3]],
    ['not-finite', [1, Number.NaN, 0]],
    ['not-finite', [1, Number.POSITIVE_INFINITY]],
  ] as const)('of a group that is %s are zero, and the group says why', (degenerate, group) => {
    for (const kind of KINDS) {
      expect(of(group, kind)).toEqual({ values: new Float64Array(group.length), degenerate, clipped: 0 })
    }
  })
})
