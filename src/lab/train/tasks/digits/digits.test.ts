import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { refusal } from '../../../../../test/support/refusal.js'
import { checkShots, queriesOf } from '../task.js'
import { digitsTask } from './digits.js'
import { readDigits } from './images.js'
import { answer, bestExamples } from './learner.js'

describe('the data', () => {
  const digits = readDigits()

  test('is what the README says', () => {
    expect(createHash('sha256').update(digits.bytes).digest('hex')).toBe(
      'e1d88a0854e29e01d16358d2cd026aa8fc20dfc4cdb3fce004300857ea82aa70',
    )
    expect(digits.count).toBe(1797)
    expect(Math.max(...digits.pixels)).toBe(16)
    const counts = new Array<number>(10).fill(0)
    for (const label of digits.labels) counts[label] += 1
    expect(counts).toEqual([178, 182, 177, 183, 181, 182, 181, 179, 174, 180])
  })
})

describe('the learner', () => {
  test('knows nothing without examples', () => {
    expect([...answer([])]).toEqual(new Array(10).fill(0.1))
  })

  test('shifts towards the label of an example, the more the more it looks like the query', () => {
    const far = answer([{ label: 3, attention: 0.1 }])[3]
    const near = answer([{ label: 3, attention: 10 }])[3]
    expect(far).toBeGreaterThan(0.1)
    expect(near).toBeGreaterThan(far)
    expect(near).toBeCloseTo(10.1 / 11, 12)
  })

  test('gives probabilities that sum to 1', () => {
    fc.assert(
      fc.property(exampleLists(1, 8), examples => {
        expect(answer(examples).reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12)
      }),
    )
  })

  test('has no better examples than those called best, by search over all sets', () => {
    fc.assert(
      fc.property(
        exampleLists(4, 7),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 2 }),
        (all, count, label) => {
          const value = (set: readonly number[]) => answer(set.map(i => all[i]))[label]
          const best = Math.max(...sets(all.length, count).map(value))
          expect(value(bestExamples(all, label, count))).toBeCloseTo(best, 12)
        },
      ),
    )
  })
})

describe('the task', () => {
  const task = digitsTask()

  test('is the same each time, and another with another seed or pool', () => {
    const again = digitsTask()
    expect(again.dataHash).toBe(task.dataHash)
    expect(again.queries).toEqual(task.queries)
    expect(again.queryEmbeddings).toEqual(task.queryEmbeddings)
    expect(digitsTask({ seed: 1 }).dataHash).not.toBe(task.dataHash)
    expect(digitsTask({ poolSize: 32 }).dataHash).not.toBe(task.dataHash)
  })

  test('splits queries, and never asks about an image that can be shown', () => {
    expect((['train', 'val', 'test'] as const).map(split => queriesOf(task, split).length)).toEqual([650, 147, 300])
    expect(task.queryEmbeddings.rows + task.candidateEmbeddings.rows).toBe(1797)
    for (const query of task.queries) expect(new Set(query.pool).size).toBe(64)
  })

  test('embeds in unit vectors that share a direction, as CLIP does', () => {
    const { values, width, rows } = task.candidateEmbeddings
    const squares = Array.from(values.slice(0, width)).reduce((sum, value) => sum + value * value, 0)
    expect(squares).toBeCloseTo(1, 5)
    const mean = new Float64Array(width)
    for (const [i, value] of values.entries()) mean[i % width] += value / rows
    // The mean cosine of pairs.
    expect(mean.reduce((sum, value) => sum + value * value, 0)).toBeGreaterThan(0.2)
  })

  test('gives rewards that are right or wrong, with the probability of the right label', async () => {
    const outcomes = await task.score(task.queries[0], [[0, 1], [1, 0], [5]])
    expect(outcomes[0]).toEqual(outcomes[1])
    for (const outcome of outcomes) {
      if (outcome.kind !== 'scored') throw new Error('digits always scores')
      expect([0, 1]).toContain(outcome.hard)
      expect(outcome.soft).toBeGreaterThan(0)
      expect(outcome.soft).toBeLessThan(1)
    }
  })

  test.each([1, 2, 4])(
    'leaves room to learn at %d shots: best far above nearest, nearest far above random',
    async shots => {
      const [random, nearest, best] = await task.baselines({ shots, split: 'test', seed: 1 })
      expect([random.name, nearest.name, best.name]).toEqual(['random', 'nearest', 'best'])
      expect(nearest.hard - random.hard).toBeGreaterThan(0.2)
      expect(best.hard - nearest.hard).toBeGreaterThan(0.3)
      expect(nearest.soft - random.soft).toBeGreaterThan(0.15)
      expect(best.soft - nearest.soft).toBeGreaterThan(0.3)
      expect(best).toMatchObject({ scored: 300, missing: 0 })
    },
  )

  test('refuses pools it cannot fill and shots that a pool cannot give', async () => {
    expect(await refusal(() => digitsTask({ poolSize: 701 }))).toMatch(
      'task digits has 700 candidates; a pool cannot hold 701',
    )
    expect(await refusal(() => checkShots(digitsTask({ poolSize: 3 }), 4))).toMatch(
      /^task digits, record digit \d+: a pool of 3/,
    )
    expect(() => checkShots(task, 4)).not.toThrow()
  })
})

function exampleLists(minLength: number, maxLength: number) {
  const example = fc.record({
    label: fc.integer({ min: 0, max: 2 }),
    attention: fc.double({ min: 0.001, max: 100, noNaN: true }),
  })
  return fc.array(example, { minLength, maxLength })
}

function sets(size: number, count: number, from = 0): number[][] {
  if (count === 0) return [[]]
  const found: number[][] = []
  for (let first = from; first <= size - count; first += 1) {
    for (const rest of sets(size, count - 1, first + 1)) found.push([first, ...rest])
  }
  return found
}
