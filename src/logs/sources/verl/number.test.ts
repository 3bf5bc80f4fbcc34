import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findNumber, newFoundNumber, PRINTED_IN_FULL } from './step-line.js'

const found = newFoundNumber()

function numberIn(text: string): number | undefined {
  const bytes = Buffer.from(text)
  return findNumber(bytes, 0, bytes.length, found) ? found.value : undefined
}

test('reads every double exactly as it was printed', () => {
  const double = fc.double().filter(value => !Object.is(value, -0))
  fc.assert(
    fc.property(double, value => {
      expect(numberIn(String(value))).toBe(value)
    }),
    { numRuns: 2000 },
  )
})

test('reads fixed-point numbers exactly and knows their decimals', () => {
  const numbers = fc.tuple(fc.double({ min: -1e12, max: 1e12, noNaN: true }), fc.integer({ min: 1, max: 20 }))
  fc.assert(
    fc.property(numbers, ([value, decimals]) => {
      const text = value.toFixed(decimals)
      expect(numberIn(text)).toBe(Number(text))
      expect(found.decimals).toBe(decimals)
      expect(found.end).toBe(text.length)
    }),
    { numRuns: 2000 },
  )
})

test.each([
  ['nan', Number.NaN],
  ['inf', Number.POSITIVE_INFINITY],
  ['-inf', Number.NEGATIVE_INFINITY],
  ['1e-06', 1e-6],
  ['-8.163164312320433e-06', -8.163164312320433e-6],
  ['np.float64(0.1)', 0.1],
  ['np.float32(-1e-06)', -1e-6],
  ['np.float64(nan)', Number.NaN],
  ['np.int64(12)', 12],
  ['tensor(0.1234)', 0.1234],
  ["tensor(-0.5, device='cuda:0')", -0.5],
  ['True', 1],
  ['False', 0],
  ['.5', 0.5],
  ['5.', 5],
])('reads %s', (text, value) => {
  expect(numberIn(text)).toBe(value)
})

test.each(['', '-', '.', 'n/a', '1.2.3', '0.1e', '12s', '87.47s', 'np.float64(', 'None', '0x10', '1e5x', 'tensor()'])(
  'finds no number in "%s"',
  text => {
    expect(numberIn(text)).toBeUndefined()
  },
)

test('knows a zero that only a fixed format prints', () => {
  numberIn('484245.000')
  expect(found).toMatchObject({ decimals: 3, padded: true })
  numberIn('484245.0')
  expect(found).toMatchObject({ decimals: 1, padded: false })
  numberIn('1e-06')
  expect(found.decimals).toBe(PRINTED_IN_FULL)
})
