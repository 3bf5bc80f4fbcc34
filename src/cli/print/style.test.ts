import { describe, expect, it } from 'vitest'
import { alignTable, displayWidth, printable, shortNumber } from './style.js'

describe('printing', () => {
  it('makes terminal escapes, bidi marks and newlines in a name visible instead of obeying them', () => {
    expect(printable('a\u001b[31mred\u202eeverse\nb')).toBe('a\\u001b[31mred\\u202eeverse\\u000ab')
  })

  it('cuts a name of ten thousand characters, and never through a character', () => {
    expect(printable('好'.repeat(10_000), 10)).toBe(`${'好'.repeat(9)}…`)
    expect(printable('📉'.repeat(20), 4)).toBe('📉📉📉…')
  })

  it('aligns Chinese and English cells in the same columns', () => {
    const lines = alignTable(
      [
        ['名称', '12', 'x'],
        ['name', '3', 'y'],
      ],
      new Set([1]),
    )
    expect(lines).toEqual(['名称  12  x', 'name   3  y'])
    expect(displayWidth('名称')).toBe(4)
  })

  it('rounds numbers to four digits and keeps whole steps whole', () => {
    const said = [
      0,
      400,
      0.5,
      0.123456,
      -0.00012345,
      1.8180000000000001,
      1e-6,
      123456.7,
      12_345_678,
      Number.NaN,
      -Infinity,
    ]
    expect(said.map(shortNumber)).toEqual([
      '0',
      '400',
      '0.5',
      '0.1235',
      '−1.23e−4',
      '1.818',
      '1e−6',
      '123457',
      '1.23e7',
      'NaN',
      '−∞',
    ])
  })
})
