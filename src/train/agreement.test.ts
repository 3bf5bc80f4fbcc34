import { expect, test } from 'vitest'
import { agreementOf } from './evaluate.js'

const asked = (choices: { readonly [id: string]: readonly number[] }) =>
  Object.entries(choices).map(([id, choice]) => ({ id, choice }))

test('agreement counts identical choices in order, and shared examples in any order', () => {
  const first = asked({ a: [1, 2], b: [3, 4], c: [5, 6], d: [7, 8] })
  const second = asked({ a: [1, 2], b: [4, 3], c: [5, 9], d: [0, 1] })
  expect(agreementOf(first, second)).toEqual({
    n: 4,
    share: 0.25,
    overlap: (1 + 1 + 0.5 + 0) / 4,
    positions: [0.5, 0.25],
  })
})

test('agreement is over the queries that both were asked, and there is none without one', () => {
  expect(agreementOf(asked({ a: [1], b: [2] }), asked({ b: [2], c: [3] }))).toEqual({
    n: 1,
    share: 1,
    overlap: 1,
    positions: [1],
  })
  expect(agreementOf(asked({ a: [1] }), asked({ b: [1] }))).toBeNull()
})
