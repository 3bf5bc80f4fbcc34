import { expect, test } from 'vitest'
import { readFormula } from './formula.js'
import { functionGym, functionTaskSchema } from './function.js'

const task = functionTaskSchema.parse({ id: 'f1', formula: '2*a + b^2 - (c - d) / 4', test: [1, 2, 3, 7] })

test('a formula binds as on paper, and nothing but arithmetic is a formula', () => {
  expect(readFormula('2+3*4^2')?.([0, 0, 0, 0])).toBe(50)
  expect(readFormula('-a^2')?.([3, 0, 0, 0])).toBe(-9)
  expect(readFormula('2^3^2')?.([0, 0, 0, 0])).toBe(512)
  for (const text of ['', 'a b', 'process', '(a', 'a+', 'a;b', '1..2']) expect(readFormula(text)).toBeNull()
})

test('values can be asked for, the test can be looked up, and the right answer pays once', () => {
  const episode = functionGym().open(task)
  expect(episode.step('[action] 1 1 1 1')).toMatchObject({ feedback: '3', reward: 0, end: null })
  expect(episode.step('[search] test').feedback).toBe('1 2 3 7')
  expect(episode.step('[answer] 7')).toMatchObject({ reward: 1, end: { why: 'solved' }, terminated: true })
  expect(() => episode.step('[answer] 7')).toThrow('gym.function.over')
})

test('a wrong answer ends the episode without reward; so does the limit, as truncated', () => {
  expect(functionGym().open(task).step('[answer] 8')).toMatchObject({ reward: 0, end: { why: 'finished' } })
  const short = functionGym({ maxSteps: 1 }).open(task)
  expect(short.step('[action] x')).toMatchObject({ end: { why: 'limit' }, terminated: false, truncated: true })
})
