import { expect, test } from 'vitest'
import { message } from '../../../text/say.js'
import { averageOutcome } from './baselines.js'
import { missing } from './task.js'

const of = { name: 'random', shots: 2, split: 'test' } as const

test('averages over what was scored, and counts what is missing beside it', () => {
  const failed = missing(message('lever.scoring-failed', {}))
  const result = averageOutcome(of, [{ kind: 'scored', hard: 1, soft: 0.5 }, failed, failed])
  expect(result).toMatchObject({ hard: 1, soft: 0.5, scored: 1, missing: 2 })
})

test('says NaN, not 0, where nothing was scored or nothing was judged', () => {
  expect(averageOutcome(of, []).soft).toBeNaN()
  expect(averageOutcome(of, [{ kind: 'scored', hard: null, soft: 0.2 }])).toMatchObject({ hard: Number.NaN, soft: 0.2 })
})
