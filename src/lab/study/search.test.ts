import { describe, expect, it } from 'vitest'
import { gaussianProcess, type SurrogatePoint } from '../../stats/gaussian-process.js'
import { seededRandom } from '../../stats/random.js'
import { placeOf, plausible, searchResult, settingsAt, suggest } from './search.js'

const hill = ([x, y]: readonly number[]): number => -((x - 0.3) ** 2) - (y - 0.7) ** 2

function searched(seed: number, trials: number, noise: number): readonly SurrogatePoint[] {
  const random = seededRandom(seed)
  const measured: SurrogatePoint[] = []
  for (let i = 0; i < trials; i += 1) {
    const at = suggest(measured, 2, random)
    measured.push({ at, value: hill(at) + noise * random.normal(), count: 1, squares: 0 })
  }
  return measured
}

describe('a search', () => {
  it('comes near the top of a noisy hill, and the same way every time', () => {
    const measured = searched(1, 15, 0.03)
    const { take, notSeparable } = searchResult(measured, plausible(measured, 2, seededRandom(2)))
    expect(hill(measured[take].at)).toBeGreaterThan(-0.02)
    expect(notSeparable).toContain(take)
    expect(searched(1, 15, 0.03).map(({ at }) => at)).toEqual(measured.map(({ at }) => at))
  })

  it('names all points where nothing but noise tells them apart', () => {
    const random = seededRandom(3)
    const measured = Array.from({ length: 12 }, (_, i) => ({
      at: [i / 11],
      value: random.normal(),
      count: 1,
      squares: 0,
    }))
    const { notSeparable } = searchResult(measured, plausible(measured, 1, random))
    expect(notSeparable.length).toBeGreaterThan(9)
  })

  it('writes settings as people do and finds their place again', () => {
    const knobs = {
      'lr.grpo': { scale: 'log', low: 1e-5, high: 1e-3 },
      'clip.high': { scale: 'linear', low: 0.1, high: 0.3 },
    } as const
    const settings = settingsAt(knobs, [0.5, 0.25])
    expect(settings).toEqual({ 'lr.grpo': 1e-4, 'clip.high': 0.15 })
    expect(placeOf(knobs, settings)?.map(each => Number(each.toFixed(6)))).toEqual([0.5, 0.25])
    expect(placeOf(knobs, { 'lr.grpo': 1 })).toBeNull()
  })
})

describe('a Gaussian process', () => {
  it('goes through exact measurements, and is unsure away from them', () => {
    const points = [0, 0.5, 1].map(x => ({ at: [x], value: Math.sin(3 * x), count: 1, squares: 0 }))
    const process = gaussianProcess(points, { lengths: [0.5], signal: 1, noise: 1e-4 })
    for (const { at, value } of points) expect(process.believe(at).mean).toBeCloseTo(value, 3)
    expect(process.believe([0.25]).spread).toBeGreaterThan(5 * process.believe([0.5]).spread)
    expect(process.spreadBetween([0.5], [0.5])).toBeCloseTo(0, 6)
  })

  it('is less sure of a point that was measured once than of one that was measured nine times', () => {
    const at = (count: number) =>
      gaussianProcess(
        [
          { at: [0], value: 0, count, squares: 0 },
          { at: [1], value: 1, count, squares: 0 },
        ],
        { lengths: [0.1], signal: 1, noise: 1 },
      )
    expect(at(9).believe([0]).spread).toBeLessThan(at(1).believe([0]).spread)
  })
})
