import { expect, test } from 'vitest'
import { NoValue, readFormula } from './formula.js'
import { functionGym, functionTaskSchema, pythonText } from './function.js'

const task = functionTaskSchema.parse({ id: 'f1', formula: '2*a + b^2 - (c - d) / 4', test: [1, 2, 3, 7] })

test('a formula binds as on paper and in Python, and nothing but arithmetic is a formula', () => {
  expect(readFormula('2+3*4^2')?.([0, 0, 0, 0])).toBe(50)
  expect(readFormula('-a**2')?.([3, 0, 0, 0])).toBe(-9)
  expect(readFormula('2^3^2')?.([0, 0, 0, 0])).toBe(512)
  for (const text of ['', 'a b', 'process', '(a', 'a+', 'a;b', '1..2', '__import__', 'a if b', 'a***b']) {
    expect(readFormula(text)).toBeNull()
  }
})

test('where Python raises there is no value, and a power is right to the last digit', () => {
  expect(() => readFormula('a/b')?.([1, 0, 0, 0])).toThrow(NoValue)
  expect(() => readFormula('a**b')?.([-8, 1 / 3, 0, 0])).toThrow(NoValue)
  expect(() => readFormula('a**b')?.([1e200, 2, 0, 0])).toThrow(NoValue)
  expect(readFormula('a**b')?.([10, 20, 0, 0])).toBe(1e20)
  expect(readFormula('a**b')?.([2, -3, 0, 0])).toBe(0.125)
  expect(readFormula('a**b')?.([-3, 5, 0, 0])).toBe(-243)
})

test('a float is printed as Python prints it', () => {
  expect([1, -0, 1e16, 0.00001, 123456.789, Infinity, Number.NaN].map(pythonText)).toEqual(
    '1.0 -0.0 1e+16 1e-05 123456.789 inf nan'.split(' '),
  )
})

test('values can be asked for but not at the test, and the right answer pays once', () => {
  const episode = functionGym().open(task)
  expect(episode.step('[action] 1 1 1 1')).toMatchObject({ reward: 0, end: null })
  expect(episode.step('[search] test').feedback).toContain('1, 2, 3, 7')
  expect(episode.step('[action] 1 2 3 7').feedback).not.toMatch(/7\.0\.$/)
  expect(episode.step('[answer] 8')).toMatchObject({ reward: 0, end: null })
  expect(episode.step('[answer] 7')).toMatchObject({ reward: 1, end: { why: 'solved' }, terminated: true })
  expect(() => episode.step('[answer] 7')).toThrow('gym.over')
})

test('the limit truncates', () => {
  const short = functionGym({ maxSteps: 1 }).open(task)
  expect(short.step('[action] x')).toMatchObject({ end: { why: 'limit' }, terminated: false, truncated: true })
})
