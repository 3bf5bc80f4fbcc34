import { expect, it } from 'vitest'
import { choiceSpread, isBlind } from './evaluate.js'

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
