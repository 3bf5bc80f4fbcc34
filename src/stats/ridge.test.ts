import { expect, test } from 'vitest'
import { seededRandom } from './random.js'
import { ridgeWeights, rowDot, type SparseRow } from './ridge.js'

const random = seededRandom(1)
const rows = Array.from({ length: 40 }, (): SparseRow => {
  const indices = Array.from({ length: 6 }, () => random.below(30))
  return { indices, values: indices.map(() => random.normal()) }
})
const labels = rows.map(() => random.normal())

test('no move of a weight makes the penalised sum of squares smaller', () => {
  const penalty = 0.7
  const weights = ridgeWeights(rows, labels, { size: 30, penalty })
  const loss = (at: Float64Array): number =>
    rows.reduce((sum, row, i) => sum + (labels[i] - rowDot(row, at)) ** 2, 0) +
    penalty * at.reduce((sum, value) => sum + value ** 2, 0)
  for (let i = 0; i < 30; i += 1) {
    for (const move of [-1e-4, 1e-4]) expect(loss(weights.with(i, weights[i] + move))).toBeGreaterThan(loss(weights))
  }
})

test('finds the weights that made the labels, when there is no noise and hardly a penalty', () => {
  const truth = Float64Array.from({ length: 30 }, () => random.normal())
  const found = ridgeWeights(
    rows,
    rows.map(row => rowDot(row, truth)),
    { size: 30, penalty: 1e-9 },
  )
  for (const [i, value] of truth.entries()) expect(found[i]).toBeCloseTo(value, 4)
})

test('answers zeros where nothing is known', () => {
  expect([...ridgeWeights([], [], { size: 3, penalty: 1 })]).toEqual([0, 0, 0])
})
