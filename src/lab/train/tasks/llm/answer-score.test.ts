import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { cutAnswer, firstLine, normaliseAnswer, scoreAnswer } from './answer-score.js'

interface Original {
  readonly pairs: readonly (readonly [string, string, string, string])[]
  readonly accuracy: readonly (readonly [prediction: string, answers: readonly string[], percent: number])[]
  readonly postprocess: readonly (readonly [generated: string, answer: string])[]
}

const original: Original = JSON.parse(readFileSync(new URL('./fixtures/vqa.json', import.meta.url), 'utf8'))

describe('the code of the VQA challenge', () => {
  test('normalises answers like this', () => {
    for (const [first, normalFirst, second, normalSecond] of original.pairs) {
      expect([normaliseAnswer(first), normaliseAnswer(second)], JSON.stringify([first, second])).toEqual([
        normalFirst,
        normalSecond,
      ])
    }
  })

  // Of three annotators it gives 0.67 at most; here any match is then right.
  test.each(original.accuracy.filter(([, answers]) => answers.length > 3))(
    'scores %j like this',
    (said, answers, percent) => {
      expect(Math.round(scoreAnswer('vqa', said, answers).soft * 1e4) / 100).toBe(percent)
    },
  )

  test('scores what the original makes of generated text', () => {
    for (const [generated, answer] of original.postprocess) expect(cutAnswer(generated)).toBe(answer)
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
