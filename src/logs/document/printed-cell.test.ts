import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCell } from './printed-cell.js'

const measured = (value: number, decimals: number | null) =>
  ({ kind: 'number', value, decimals, quality: 'measured', percent: false }) as const
const estimated = (value: number, decimals: number | null) =>
  ({ kind: 'number', value, decimals, quality: 'estimated', percent: false }) as const

describe('readCell', () => {
  it.each([
    ['0.421', 0.421, 3],
    ['2.340', 2.34, 3],
    [' 57 ', 57, 0],
    ['+0.142', 0.142, 3],
    ['−0.123', -0.123, 3],
    ['.5', 0.5, 1],
    ['5.', 5, 0],
    ['1e-5', 1e-5, null],
    ['1.2E+3', 1200, null],
    ['59,839', 59839, 0],
    ['1,234,567.89', 1234567.89, 2],
    ['０．５７', 0.57, 2],
    ['－１２', -12, 0],
    ['2.34 ⭐', 2.34, 2],
    ['-0.05 ⬇️', -0.05, 2],
    ['0.3 ↑', 0.3, 1],
  ])('reads %s as a measured number', (text, value, decimals) => {
    expect(readCell(text)).toEqual(measured(value, decimals))
  })

  it.each([
    ['nan', Number.NaN],
    ['NaN', Number.NaN],
    ['inf', Number.POSITIVE_INFINITY],
    ['-Infinity', Number.NEGATIVE_INFINITY],
    ['−∞', Number.NEGATIVE_INFINITY],
  ])('reads the word %s as a number, not as a gap', (text, value) => {
    expect(readCell(text)).toEqual(measured(value, null))
  })

  it.each([
    ['~1.85', 1.85, 2],
    ['≈ 1.85', 1.85, 2],
    ['约1.85', 1.85, 2],
    ['大约 2', 2, 0],
    ['about 1.9', 1.9, 1],
    ['approx. 1.9', 1.9, 1],
    ['1.85 (est.)', 1.85, 2],
    ['1.85（估计）', 1.85, 2],
    ['~2.00 (估计)', 2, 2],
    ['~1,200', 1200, 0],
  ])('marks %s as an estimate', (text, value, decimals) => {
    expect(readCell(text)).toEqual(estimated(value, decimals))
  })

  it('keeps a percentage as the number that was printed', () => {
    expect(readCell('57.0%')).toEqual({ ...measured(57, 1), percent: true })
    expect(readCell('-3.6 ％')).toEqual({ ...measured(-3.6, 1), percent: true })
    expect(readCell('约12%')).toEqual({ ...estimated(12, 0), percent: true })
  })

  it.each(['?', '？', '-', '--', '–', '—', '——', 'N/A', 'n/a', 'NA', 'TBD', '待评估', 'null', '~?', '? (估计)'])(
    'takes %s for a value that nobody has',
    text => {
      expect(readCell(text)).toEqual({ kind: 'missing' })
    },
  )

  it('tells an empty cell from a missing value', () => {
    expect(readCell('')).toEqual({ kind: 'empty' })
    expect(readCell(' \t　')).toEqual({ kind: 'empty' })
  })

  it.each([
    '12 ms',
    '1.85-1.90',
    '2.34 (Step 90)',
    'Step 40',
    '0x10',
    '1_000',
    '1,23',
    '10²',
    '①',
    '1 2',
    '%',
    '~',
    'est.',
    'about',
    '⭐',
    '- 3',
    'e5',
    '.',
    'infinite',
  ])('leaves %s as text', text => {
    expect(readCell(text)).toEqual({ kind: 'text', text })
  })

  it('reads back every number that JavaScript or a rounding printer writes', () => {
    fc.assert(
      fc.property(fc.double(), fc.integer({ min: 0, max: 10 }), (value, decimals) => {
        expect(readCell(String(value))).toMatchObject({ kind: 'number', value: value === 0 ? 0 : value })
        if (Math.abs(value) < 1e15) expect(readCell(value.toFixed(decimals))).toMatchObject({ decimals })
      }),
    )
  })

  it('answers for any text, and never makes a number of text without a digit', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), text => {
        const cell = readCell(text)
        if (cell.kind === 'number') expect(text).toMatch(/[\d０-９]|nan|inf|∞/i)
      }),
    )
  })

  it('does not take long for a long cell', () => {
    expect(readCell(`${' '.repeat(100_000)}x${'('.repeat(100_000)}`).kind).toBe('text')
  })
})
