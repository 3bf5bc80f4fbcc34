import { expect, it } from 'vitest'
import { seededRandom } from './random.js'

it('goes on with the same numbers from a state that was written down, in the middle of a pair of normals too', () => {
  const random = seededRandom(7)
  for (let draws = 0; draws < 5; draws += 1) random.normal()
  const written = JSON.stringify(random.state())
  const rest = Array.from({ length: 20 }, (_, i) => (i % 3 === 0 ? random.next() : random.normal()))
  const other = seededRandom(1)
  other.restore(JSON.parse(written))
  expect(Array.from({ length: 20 }, (_, i) => (i % 3 === 0 ? other.next() : other.normal()))).toEqual(rest)
  expect(JSON.parse(written).spare).not.toBeNull()
})
