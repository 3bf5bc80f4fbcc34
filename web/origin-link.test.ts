import { expect, it } from 'vitest'
import { originIn, originText } from './origin-link.js'

it('writes a point into an address and reads it again, whatever the metric is called', () => {
  for (const point of [
    { run: 'abc', metric: 'val/score@1:2', step: 40 },
    { run: 'abc', metric: 'a b', step: 1.5, to: 90 },
  ]) {
    expect(originIn(originText(point))).toEqual(point)
  }
  expect(originIn('nothing')).toBeNull()
  expect(originIn('run@x@metric')).toBeNull()
})
