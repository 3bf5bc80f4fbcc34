import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type AxisScale,
  decimalsFor,
  extentOf,
  fixedText,
  logRange,
  pixelAt,
  progressRange,
  stepText,
  valueAt,
  valueRange,
} from './scale.js'

const value = fc.double({ min: -1e12, max: 1e12, noNaN: true })

function words({ ticks }: { readonly ticks: AxisScale['ticks'] }): readonly string[] {
  return ticks.map(({ text }) => text)
}

describe('an axis', () => {
  it('holds all values between round ends, with few ticks that all read differently', () => {
    fc.assert(
      fc.property(value, value, fc.integer({ min: 3, max: 9 }), (one, other, about) => {
        const extent = extentOf([one, other])
        const { domain, ticks } = valueRange(extent, about)
        const slack = (domain[1] - domain[0]) * 1e-6
        expect(domain[0]).toBeLessThanOrEqual(extent[0] + slack)
        expect(domain[1]).toBeGreaterThanOrEqual(extent[1] - slack)
        expect(ticks.length).toBeGreaterThan(1)
        expect(ticks.length).toBeLessThanOrEqual(about + 3)
      }),
    )
    const range = valueRange([0.5975, 0.92], 8)
    expect(words(range)).toEqual(['0.55', '0.60', '0.65', '0.70', '0.75', '0.80', '0.85', '0.90', '0.95'])
  })

  it('does not run past a value that is itself a tick', () => {
    expect(valueRange([0, 1], 4).domain[1]).toBe(1)
    expect(valueRange([-0.4, 0], 4).domain[1]).toBe(0)
  })

  it('of steps ends where the steps end', () => {
    const range = progressRange([1, 465], 9)
    expect(range.domain).toEqual([1, 465])
    expect(words(range)).toEqual(['100', '200', '300', '400'])
    expect(words(progressRange([3, 5], 9))).toEqual(['3', '4', '5'])
    expect(progressRange([7, 7], 9).domain).toEqual([6, 8])
    expect(words(progressRange([0, 12e6], 5))).toEqual(['0', '5M', '10M'])
  })

  it('of time has ticks at whole minutes, hours and days', () => {
    const ticks = (seconds: number): readonly string[] => words(progressRange([0, seconds], 6, 'seconds'))
    expect(ticks(100)).toEqual(['0 s', '30 s', '1 min', '1 min 30'])
    expect(ticks(9000)).toEqual(['0 min', '30 min', '1 h', '1 h 30', '2 h', '2 h 30'])
    expect(ticks(86_400)).toEqual(['0 h', '6 h', '12 h', '18 h', '24 h'])
    expect(ticks(30 * 86_400)).toEqual(['0 d', '5 d', '10 d', '15 d', '20 d', '25 d', '30 d'])
  })

  it('says zero plainly among powers of ten', () => {
    expect(words(valueRange([0, 1e-5], 2))).toEqual(['0', '5e−6', '1e−5'])
  })

  it('of powers of ten holds all values and has round ticks', () => {
    expect(logRange([0.0067, 3.4], 8)).toMatchObject({ domain: [0.005, 5] })
    expect(words(logRange([0.03, 3], 8))).toEqual(['0.02', '0.05', '0.1', '0.2', '0.5', '1', '2', '5'])
    expect(words(logRange([1e-9, 1], 4))).toEqual(['1e−9', '1e−6', '0.001', '1'])
    const positive = fc.double({ min: 1e-12, max: 1e12, noNaN: true })
    fc.assert(
      fc.property(positive, positive, fc.integer({ min: 3, max: 9 }), (one, other, about) => {
        const extent = extentOf([one, other])
        const { domain, ticks } = logRange(extent, about)
        expect(domain[0]).toBeLessThanOrEqual(extent[0] * 1.000001)
        expect(domain[1]).toBeGreaterThanOrEqual(extent[1] * 0.999999)
        expect(ticks.length).toBeLessThanOrEqual(about + 3)
      }),
    )
  })

  it('finds the value under a pixel again', () => {
    for (const kind of ['linear', 'log'] as const) {
      const scale: AxisScale = { kind, domain: [0.1, 100], range: [300, 20], ticks: [] }
      for (const one of [0.1, 0.5, 7, 100]) expect(valueAt(scale, pixelAt(scale, one))).toBeCloseTo(one, 9)
      expect([pixelAt(scale, 0.1), pixelAt(scale, 100)]).toEqual([300, 20])
    }
  })

  it('survives one value, none, and absurd ones', () => {
    expect(extentOf([Number.NaN, Number.POSITIVE_INFINITY, null])).toEqual([0, 1])
    for (const absurd of [0, 5, -5, 1e-300, 1e308, -1e308]) {
      const { domain, ticks } = valueRange(extentOf([absurd]), 6)
      expect([...domain, ...ticks.map(tick => tick.value)].every(Number.isFinite)).toBe(true)
      expect(domain[1]).toBeGreaterThan(domain[0])
    }
    expect(valueRange(extentOf([-1e308, 1e308]), 6).ticks.every(tick => Number.isFinite(tick.value))).toBe(true)
  })
})

describe('numbers in a chart', () => {
  it('have a real minus sign, and zero has none', () => {
    expect(words(valueRange([-0.05, 0.05], 2))).toEqual(['−0.05', '0.00', '0.05'])
    expect(fixedText(-0.0000001, 3)).toBe('−1e−7')
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
