import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { envelopeOf, isDense, stretchSize, touching } from './envelope.js'

describe('the envelope of a line with more points than pixels', () => {
  it('loses no value: the extremes of each stretch are those of its points', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 300 }),
        fc.integer({ min: 1, max: 50 }),
        (values, size) => {
          const x = values.map((_, i) => i)
          const { stretches } = envelopeOf([{ x, y: values }], size)
          expect(Math.max(...stretches.map(({ high }) => high))).toBe(Math.max(...values))
          expect(Math.min(...stretches.map(({ low }) => low))).toBe(Math.min(...values))
          for (const { from, to, low, high } of stretches) {
            const inside = values.filter((_, i) => i >= from && i < to)
            expect([low, high]).toEqual([Math.min(...inside), Math.max(...inside)])
          }
        },
      ),
    )
  })

  it('has a gap where a whole stretch has no value', () => {
    const steps = Array.from({ length: 100 }, (_, i) => i)
    const values = steps.map(step => (step >= 40 && step < 60 ? Number.NaN : step))
    const groups = touching(envelopeOf([{ x: steps, y: values }], 10))
    expect(groups.map(group => [group[0].from, group[group.length - 1].to])).toEqual([
      [0, 40],
      [60, 100],
    ])
  })

  it('has none between neighbours that are told by their first and last point', () => {
    const stretches = [0, 1, 2, 4, 5].map(step => ({ from: step, to: step, low: 0, high: 1, mean: 0.5 }))
    const groups = touching({ size: 1.05, count: 5, stretches })
    expect(groups.map(group => group.map(({ from }) => from))).toEqual([
      [0, 1, 2],
      [4, 5],
    ])
  })

  it('covers all runs of a side', () => {
    const x = [0, 1]
    const { stretches, count } = envelopeOf(
      [
        { x, y: [1, 2] },
        { x, y: [-3, 5] },
      ],
      2,
    )
    expect(count).toBe(4)
    expect(stretches).toEqual([{ from: 0, to: 2, low: -3, high: 5, mean: 1.25 }])
  })

  it('is used only when points outnumber pixels, in stretches of a round number of steps', () => {
    const line = { x: Array.from({ length: 5000 }, (_, i) => i), y: new Array<number>(5000).fill(0) }
    expect(isDense([line], 5000)).toBe(false)
    expect(isDense([line], 700)).toBe(true)
    expect(stretchSize([line], [0, 4999], 700)).toBe(50)
  })
})
