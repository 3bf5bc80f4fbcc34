import { expect, it } from 'vitest'
import type { Curve } from './curve.js'
import { lasting, lastingToTheEnd, whereLasting } from './lasting.js'

function curve(values: readonly number[]): Curve {
  return { metric: 'x', steps: Float64Array.from(values, (_, i) => i + 1), values: Float64Array.from(values) }
}

const repeated = (value: number, times: number): number[] => Array<number>(times).fill(value)
const high = (value: number): boolean => value > 1

it('dates a clean onset to the very point', () => {
  expect(lasting(curve([...repeated(0, 30), ...repeated(2, 30)]), high)).toEqual([{ from: 30, to: 60 }])
})

it('does not take single outliers for a state', () => {
  const values = repeated(0, 60).map((value, i) => (i % 10 === 5 ? 9 : value))
  expect(lasting(curve(values), high)).toEqual([])
})

it('is not ended by a stray exception', () => {
  const values = [...repeated(0, 20), ...repeated(2, 40)].map((value, i) => (i === 45 ? 0 : value))
  expect(lasting(curve(values), high)).toEqual([{ from: 20, to: 60 }])
})

it('counts from the first stretch to the last, but to the end only what reaches it', () => {
  const values = [...repeated(2, 20), ...repeated(0, 20), ...repeated(2, 10), ...repeated(0, 20)]
  expect(whereLasting(curve(values), high)).toEqual({ from: 0, to: 50 })
  expect(lastingToTheEnd(curve(values), high)).toBeUndefined()
  expect(lastingToTheEnd(curve(values.slice(0, 50)), high)).toEqual({ from: 40, to: 50 })
})

it('wants a twentieth of the run, and at least five points', () => {
  expect(lasting(curve([...repeated(0, 20), ...repeated(2, 4)]), high)).toEqual([])
  expect(lasting(curve([...repeated(0, 20), ...repeated(2, 5)]), high)).toHaveLength(1)
  expect(lasting(curve([...repeated(0, 200), ...repeated(2, 9)]), high)).toEqual([])
})
