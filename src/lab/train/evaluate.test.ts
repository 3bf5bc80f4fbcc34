import { expect, it, test } from 'vitest'
import { agreementOf, choiceSpread, isBlind } from './evaluate.js'

const asked = (queries: number, examplesOf: (query: number) => readonly number[], pool: number) =>
  Array.from({ length: queries }, (_, query) => {
    return { id: String(query), choice: examplesOf(query), examples: examplesOf(query), pool }
  })

it('counts sequences and examples, and how evenly examples are chosen', () => {
  const spread = choiceSpread(asked(40, query => [query % 4, 9], 32))
  expect(spread).toMatchObject({ queries: 40, distinct: 4, examples: 5, pool: { least: 32, most: 32 } })
  expect(spread.entropy).toBeCloseTo(0.5 * Math.log(2) + 4 * 0.125 * Math.log(8), 12)
})

it('is blind with two choices over 200 queries, and not with eleven, nor with two over ten', () => {
  expect(isBlind(choiceSpread(asked(200, query => [query % 2, 1 - (query % 2)], 2)))).toBe(true)
  expect(isBlind(choiceSpread(asked(200, query => [query % 11], 64)))).toBe(false)
  expect(isBlind(choiceSpread(asked(10, query => [query % 2], 2)))).toBe(false)
})

const choicesOf = (choices: { readonly [id: string]: readonly number[] }) =>
  Object.entries(choices).map(([id, choice]) => ({ id, choice }))

test('agreement counts identical choices in order, and shared examples in any order', () => {
  const first = choicesOf({ a: [1, 2], b: [3, 4], c: [5, 6], d: [7, 8] })
  const second = choicesOf({ a: [1, 2], b: [4, 3], c: [5, 9], d: [0, 1] })
  expect(agreementOf(first, second)).toEqual({
    n: 4,
    share: 0.25,
    overlap: (1 + 1 + 0.5 + 0) / 4,
    positions: [0.5, 0.25],
  })
})

test('agreement is over the queries that both were asked, and there is none without one', () => {
  expect(agreementOf(choicesOf({ a: [1], b: [2] }), choicesOf({ b: [2], c: [3] }))).toEqual({
    n: 1,
    share: 1,
    overlap: 1,
    positions: [1],
  })
  expect(agreementOf(choicesOf({ a: [1] }), choicesOf({ b: [1] }))).toBeNull()
})
