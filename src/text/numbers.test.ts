import { describe, expect, it } from 'vitest'
import { chance, count, decimalsFor, figure, fixed, range, signed, signedFigure } from './numbers.js'

describe('a number for people', () => {
  it('has one minus sign, everywhere', () => {
    const said = [figure(-0.5), figure(-1e-7), signedFigure(-2), fixed(-1.25, 1), signed(-0.031, 3), count(-12_345)]
    expect(said).toEqual(['−0.5', '−1e−7', '−2', '−1.3', '−0.031', '−12,345'])
    expect(said.join('')).not.toContain('-')
  })

  it('has no sign when it rounds to zero', () => {
    expect([signed(-0.0001, 2), signed(0.0001, 2), fixed(-0.001, 2)]).toEqual(['0.00', '0.00', '0.00'])
  })

  it('has as many decimals as its interval can tell apart', () => {
    expect(range([-0.2203, 0.1592])).toBe('−0.220 … +0.159')
    expect(decimalsFor([-30, 50])).toBe(1)
  })

  it('is never more exact than the chance it states', () => {
    expect([chance(0.000012), chance(0.0123456), chance(1)]).toEqual(['< 0.0001', '= 0.012', '= 1'])
  })
})
