import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newDecimal, readDecimal } from './decimal.js'

const found = newDecimal()

function numberIn(text: string): number | undefined {
  const bytes = Buffer.from(`<${text}>`)
  return readDecimal(bytes, 1, bytes.length, found) && found.end === bytes.length - 1 ? found.value : undefined
}

test('rounds as Number does, whatever digits and exponent are printed', () => {
  const digits = fc.bigInt({ min: 0n, max: 10n ** 34n }).map(String)
  const printed = fc.tuple(
    fc.constantFrom('', '-', '+'),
    digits,
    fc.nat(33),
    fc.option(fc.integer({ min: -50, max: 30 })),
  )
  fc.assert(
    fc.property(printed, ([sign, all, decimals, exponent]) => {
      const whole = all.slice(0, Math.max(0, all.length - decimals))
      const text = `${sign}${whole}.${all.slice(whole.length)}${exponent === null ? '' : `e${exponent}`}`
      expect(numberIn(text)).toBe(Number(text))
      expect(found.decimals).toBe(all.length - whole.length)
      expect(found.exponential).toBe(exponent !== null)
    }),
    { numRuns: 5000 },
  )
})

test('rounds as Number does where a decimal lies in the middle between two doubles, or next to it', () => {
  const double = fc.double({ min: 2 ** -20, max: 2 ** 53, noNaN: true })
  fc.assert(
    fc.property(double, fc.integer({ min: -1, max: 1 }), (value, nudge) => {
      const text = middleAbove(value, nudge)
      expect(numberIn(text)).toBe(Number(text))
    }),
    { numRuns: 5000 },
  )
})

test('reads no number where there is none', () => {
  for (const text of ['', '-', '.', 'nan', 'e5', '-e5']) expect(numberIn(text)).toBeUndefined()
  for (const text of ['1e', '1e+', '1.2.3', '1-2', '1_000']) expect(numberIn(text)).toBeUndefined()
})

test('keeps the sign of zero', () => {
  expect(numberIn('-0.0')).toBe(-0)
  expect(numberIn('0')).toBe(0)
})

/** The middle between a double and the next, to 17 decimals, the last of them nudged. */
function middleAbove(value: number, nudge: number): string {
  const next = new Float64Array([value])
  const bits = new BigUint64Array(next.buffer)
  bits[0] += 1n
  const scale = 2n ** 80n
  const sum = BigInt(value * 2 ** 80) + BigInt(next[0] * 2 ** 80)
  const decimals = 17
  const scaled = (sum * 10n ** BigInt(decimals)) / (2n * scale) + BigInt(nudge)
  const text = String(scaled).padStart(decimals + 1, '0')
  return `${text.slice(0, -decimals)}.${text.slice(-decimals)}`
}
