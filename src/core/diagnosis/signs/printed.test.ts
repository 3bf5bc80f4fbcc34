import { expect, it } from 'vitest'
import type { Curve } from './curve.js'
import { decimalsOf, rangeOf } from './printed.js'

function curve(values: readonly number[]): Curve {
  return { metric: 'x', steps: Float64Array.from(values, (_, i) => i + 1), values: Float64Array.from(values) }
}

it.each([
  { values: [0.0162, 0.01721], decimals: 5 },
  { values: [0, 0], decimals: 0 },
  { values: [9e-5, 0.5], decimals: 5 },
  { values: [0.1, 0.10000000149], decimals: 'full' },
  { values: [1e-9], decimals: 'full' },
])('reads off $values that they have $decimals decimals', ({ values, decimals }) => {
  expect(decimalsOf(curve(values))).toBe(decimals)
})

it('gives a printed number the range that rounds to it, and one in full hardly any', () => {
  expect(rangeOf(0.003, 3)).toEqual({ low: 0.0025, high: 0.0035 })
  const { low, high } = rangeOf(0.1234567, 'full')
  expect(high - low).toBeLessThan(1e-6)
})
