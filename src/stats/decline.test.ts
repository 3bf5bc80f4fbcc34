import { describe, expect, it } from 'vitest'
import { decline } from './decline.js'
import { seededRandom } from './random.js'

const random = seededRandom(20_260_101)

/** A course with AR(1) noise of spread one. */
function noisy(n: number, autocorrelation: number, course: (share: number) => number): number[] {
  let noise = random.normal()
  return Array.from({ length: n }, (_, i) => {
    const value = course(i / n) + noise
    noise = autocorrelation * noise + Math.sqrt(1 - autocorrelation ** 2) * random.normal()
    return value
  })
}

function share(times: number, draw: () => number[]): number {
  let found = 0
  for (let i = 0; i < times; i += 1) if ((decline(draw(), { draws: 300 })?.p ?? 1) < 0.01) found += 1
  return found / times
}

describe('decline', () => {
  it.each([
    [12, 'flat', () => 0],
    [20, 'flat', () => 0],
    [81, 'flat', () => 0],
    [20, 'rising', (at: number) => 5 * at],
    [81, 'rising and levelling off', (at: number) => 8 * (1 - Math.exp(-4 * at))],
  ])('cries wolf on few of %i-point curves that are %s, with the autocorrelation of real ones', (n, _, course) => {
    expect(share(150, () => noisy(n, 0.25, course))).toBeLessThanOrEqual(0.02)
  })

  it('sees eight evaluations in ten that fall by three times their noise over the second half', () => {
    expect(share(60, () => noisy(81, 0.25, at => (at < 0.5 ? 6 * at : 6 - 6 * at)))).toBeGreaterThan(0.8)
  })

  it('tells from where and by how much', () => {
    const found = decline([...Array(30).fill(2), ...Array(30).fill(1)].map((level, i) => level + 0.01 * (i % 3)))
    expect(found).toMatchObject({ window: 10 })
    expect(found?.p).toBeLessThan(0.01)
    expect(found?.before).toBeCloseTo(2.01, 2)
    expect(found?.after).toBeCloseTo(1.01, 2)
  })

  it('says nothing about fewer than twelve points', () => {
    expect(decline([5, 4, 3, 2, 1, 1, 1, 1, 1, 1, 1])).toBeNull()
  })
})
