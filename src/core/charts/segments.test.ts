import { describe, expect, it } from 'vitest'
import { segmentsOf } from './envelope.js'

function segments(x: readonly number[], y: readonly number[] = x): readonly (readonly number[])[] {
  return segmentsOf({ x, y }).map(segment => segment.map(point => point.x))
}

describe('gaps in a line', () => {
  it('are where a value is not finite', () => {
    expect(segments([1, 2, 3, 4], [1, Number.NaN, Number.POSITIVE_INFINITY, 4])).toEqual([[1], [4]])
  })

  it('are where a step was left out of a regular rhythm', () => {
    expect(segments([5, 10, 15, 30, 35, 40])).toEqual([
      [5, 10, 15],
      [30, 35, 40],
    ])
    expect(segments([5, 10, 20, 30, 35, 40, 45])).toEqual([[5, 10], [20], [30, 35, 40, 45]])
  })

  it('are not where the rhythm itself changes, or where there is none', () => {
    expect(segments([5, 10, 15, 20, 25, 30, 40, 50, 60, 70, 80])).toHaveLength(1)
    expect(segments([1, 2, 4, 8, 16, 32, 64])).toHaveLength(1)
    expect(segments([0, 17, 31, 52, 66, 90])).toHaveLength(1)
    expect(segments([1, 100])).toHaveLength(1)
  })

  it('do not count at the ends, where nothing is joined', () => {
    expect(segments([1, 2, 3], [Number.NaN, 2, 3])).toEqual([[2, 3]])
    expect(segments([1, 2, 3], [1, Number.NaN, 3])).toEqual([[1], [3]])
  })
})
