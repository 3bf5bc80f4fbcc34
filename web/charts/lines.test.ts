import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lineOf, meanOf, movingMean, seriesNamed, viewIn, viewText } from './lines.js'

describe('a smoothed line', () => {
  it('stays within what it is the mean of, and keeps gaps', () => {
    fc.assert(
      fc.property(
        fc.array(fc.option(fc.double({ min: -1e6, max: 1e6, noNaN: true })), { maxLength: 60 }),
        fc.integer({ min: 2, max: 20 }),
        (values, over) => {
          const smooth = movingMean(values, over)
          const finite = values.filter(value => value !== null)
          const slack = 1e-6
          for (const [i, value] of smooth.entries()) {
            if (values[i] === null) expect(value).toBeNaN()
            else {
              expect(value).toBeGreaterThanOrEqual(Math.min(...finite) - slack)
              expect(value).toBeLessThanOrEqual(Math.max(...finite) + slack)
            }
          }
        },
      ),
    )
  })

  it('has the raw one behind it', () => {
    const sent = { run: 'a', metric: 'm', asked: ['m'], canonical: null, goal: null, unit: null, total: 4 } as const
    const exact = { ...sent, shown: 'exact', x: [1, 2, 3, 4], y: [1, 'NaN', 3, 5] } as const
    expect(lineOf(exact, 1)).toEqual({ line: { x: [1, 2, 3, 4], y: [1, Number.NaN, 3, 5] } })
    expect(lineOf(exact, 3)).toEqual({
      line: { x: [1, 2, 3, 4], y: [1, Number.NaN, 4, 4] },
      smoothed: { raw: { x: [1, 2, 3, 4], y: [1, Number.NaN, 3, 5] }, over: 3 },
    })
  })
})

it('a window survives the address', () => {
  expect(viewIn(viewText([100.5, 4e6]))).toEqual([100.5, 4e6])
  expect(viewIn('5:1')).toBeUndefined()
  expect(viewIn('nonsense')).toBeUndefined()
})

it('comes back to the same window of ten million steps from one ten thousand times as narrow', () => {
  const around = ([from, to]: readonly [number, number], factor: number): readonly [number, number] => {
    const [middle, half] = [(from + to) / 2, (factor * (to - from)) / 2]
    return viewIn(viewText([middle - half, middle + half])) ?? [0, 0]
  }
  let view: readonly [number, number] = [0, 9_999_999]
  for (let cycle = 0; cycle < 8; cycle += 1) {
    for (let turn = 0; turn < 14; turn += 1) view = around(view, 0.5)
    for (let turn = 0; turn < 14; turn += 1) view = around(view, 2)
  }
  expect(view[0]).toBeCloseTo(0, 0)
  expect(view[1]).toBeCloseTo(9_999_999, 0)
})

it('replicates are drawn as their mean at the steps that all of them have', () => {
  const sent = { metric: 'm', asked: ['m'], canonical: null, goal: null, unit: null, total: 3, shown: 'exact' } as const
  const members = [
    { ...sent, run: 'a', x: [1, 2, 3], y: [1, 2, 3] },
    { ...sent, run: 'b', x: [2, 3, 4], y: [4, 5, 6] },
  ]
  expect(meanOf(members)).toMatchObject({ line: { x: [2, 3], y: [3, 4] }, runs: [{ x: [1, 2, 3] }, { x: [2, 3, 4] }] })
})

it('replicates that are told as ranges are drawn as the mean of their stretches, one standard deviation around it', () => {
  const sent = {
    metric: 'm',
    asked: ['m'],
    canonical: null,
    goal: null,
    unit: null,
    total: 8,
    shown: 'ranges',
    size: 4,
  } as const
  const stretches = { from: [0, 4], to: [3, 7] }
  const members = [
    { ...sent, run: 'a', ...stretches, low: [1, 2], high: [3, 4], mean: [2, 3] },
    { ...sent, run: 'b', ...stretches, low: [0, 3], high: [2, 9], mean: [4, 5] },
  ]
  const long = { ...members[0], from: [0, 4, 8], to: [3, 7, 11], mean: [2, 3, 4] }
  // Cut at other places, they are put together in parts of the axis that hold a stretch of each.
  const other = { ...members[1], from: [0, 5, 9], to: [4, 8, 12], mean: [4, 5, 6] }
  const together = meanOf([long, other])
  expect(together?.line).toEqual({ x: [4, 12], y: [3.5, 5] })
  expect(together?.band.high[1]).toBeCloseTo(5 + Math.SQRT2)
  expect(meanOf(members)).toBeNull()
})

it('a panel shows the series that bears its name, else the one that the server meant by it, else one that means it', () => {
  const reward = { run: 'a', metric: 'val.reward', asked: ['val.reward'], canonical: 'val.score' }
  const score = { run: 'a', metric: 'val.score', asked: ['val.score'], canonical: 'val.score' }
  const gold = { run: 'a', metric: 'eval/gold', asked: ['val.score'], canonical: 'val.reward.part' }
  expect(seriesNamed([reward, score], 'a', 'val.score')).toBe(score)
  expect(seriesNamed([reward, gold], 'a', 'val.score')).toBe(gold)
  expect(seriesNamed([reward], 'a', 'val.score')).toBe(reward)
  expect(seriesNamed([reward, score], 'b', 'val.score')).toBeUndefined()
})
