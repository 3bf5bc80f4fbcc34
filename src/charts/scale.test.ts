import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decimalsFor, extentOf, fixedText, stepScale, stepText, tickText, valueScale, withSign } from './scale.js'

const value = fc.double({ min: -1e12, max: 1e12, noNaN: true })

describe('an axis', () => {
  it('holds all values between round ends, with few ticks that all read differently', () => {
    fc.assert(
      fc.property(value, value, fc.integer({ min: 3, max: 9 }), (one, other, about) => {
        const extent = extentOf([one, other])
        const { min, max, ticks, interval } = valueScale(extent, about)
        const slack = interval * 1e-6
        expect(min).toBeLessThanOrEqual(extent[0] + slack)
        expect(max).toBeGreaterThanOrEqual(extent[1] - slack)
        expect(ticks.length).toBeGreaterThan(1)
        expect(ticks.length).toBeLessThanOrEqual(about + 3)
      }),
    )
    const { ticks, interval } = valueScale([0.5975, 0.92], 8)
    expect(ticks.map(tick => tickText(tick, interval))).toEqual([
      '0.55',
      '0.60',
      '0.65',
      '0.70',
      '0.75',
      '0.80',
      '0.85',
      '0.90',
      '0.95',
    ])
  })

  it('does not run past a value that is itself a tick', () => {
    expect(valueScale([0, 1], 4).max).toBe(1)
    expect(valueScale([-0.4, 0], 4).max).toBe(0)
  })

  it('of steps ends where the steps end', () => {
    expect(stepScale([1, 465], 9)).toMatchObject({ min: 1, max: 465, ticks: [100, 200, 300, 400] })
    expect(stepScale([3, 5], 9).ticks).toEqual([3, 4, 5])
    expect(stepScale([7, 7], 9)).toMatchObject({ min: 6, max: 8 })
  })

  it('survives one value, none, and absurd ones', () => {
    expect(extentOf([Number.NaN, Number.POSITIVE_INFINITY])).toEqual([0, 1])
    for (const absurd of [0, 5, -5, 1e-300, 1e308, -1e308]) {
      const { min, max, ticks } = valueScale(extentOf([absurd]), 6)
      expect([min, max, ...ticks].every(Number.isFinite)).toBe(true)
      expect(max).toBeGreaterThan(min)
    }
    expect(valueScale(extentOf([-1e308, 1e308]), 6).ticks.every(Number.isFinite)).toBe(true)
  })
})

describe('numbers in a chart', () => {
  it('have a real minus sign, and zero has none', () => {
    expect(tickText(-0.05, 0.05)).toBe('−0.05')
    expect(tickText(-0, 0.05)).toBe('0.00')
    expect(tickText(-1e-18, 0.05)).toBe('0.00')
    expect(withSign(-0.031, 3)).toBe('−0.031')
    expect(withSign(0.159, 3)).toBe('+0.159')
    expect(stepText(12_345)).toBe('12,345')
  })

  it('have decimals enough to tell cells apart, and no more', () => {
    expect(decimalsFor(0.16)).toBe(3)
    expect(decimalsFor(30)).toBe(1)
    expect(decimalsFor(0)).toBe(3)
    expect(fixedText(Number.NaN, 3)).toBe('NaN')
    expect(fixedText(0.00001, 3)).toBe('1e−5')
  })
})
