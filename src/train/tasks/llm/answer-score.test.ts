import { describe, expect, test } from 'vitest'
import { firstLine, normaliseAnswer, scoreAnswer } from './answer-score.js'

describe('answers are compared', () => {
  test.each([
    ['The  Cup.', 'cup'],
    ["don't", 'dont'],
    ['two dogs!', '2 dogs'],
    ['1,000', '1000'],
    ['3.5 km', '3.5 km'],
    ['red/blue', 'red blue'],
    ['constructor', 'constructor'],
    ['猫。', '猫'],
    ['a', ''],
  ])('%j like %j', (given, plain) => {
    expect(normaliseAnswer(given)).toBe(normaliseAnswer(plain))
  })

  test('but 3.5 is not 35', () => {
    expect(normaliseAnswer('3.5')).not.toBe(normaliseAnswer('35'))
  })
})

describe('VQA accuracy', () => {
  const answers = (right: number) => [...Array(right).fill('cup'), ...Array(10 - right).fill('mug')]

  // Leaving one out of ten, r agreeing: (r · min(1, (r − 1)/3) + (10 − r) · min(1, r/3)) / 10.
  test.each([
    [0, 0],
    [1, 0.3],
    [2, 0.6],
    [3, 0.9],
    [4, 1],
    [10, 1],
  ])('of an answer that %d of ten gave is %d', (right, accuracy) => {
    const { hard, soft } = scoreAnswer('vqa', 'a cup', answers(right))
    expect(soft).toBeCloseTo(accuracy, 12)
    expect(hard).toBe(accuracy > 0.5 ? 1 : 0)
  })

  test('with a single annotator is an exact match', () => {
    expect(scoreAnswer('vqa', 'Cup', ['cup'])).toEqual({ hard: 1, soft: 1 })
  })
})

test('exact match takes any of the right answers', () => {
  expect(scoreAnswer('exact', 'mug', ['cup', 'cup', 'cup', 'mug'])).toEqual({ hard: 1, soft: 1 })
  expect(scoreAnswer('exact', 'glass', ['cup'])).toEqual({ hard: 0, soft: 0 })
})

test('the answer is the first line that says something', () => {
  expect(firstLine('\n cup\nQuestion: next?')).toBe(' cup')
  expect(firstLine('')).toBe('')
})
