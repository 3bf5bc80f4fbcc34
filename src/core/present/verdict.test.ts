import { describe, expect, it } from 'vitest'
import type { VerdictAnswer } from '../../logs/model/verdict.js'
import { speakerIn } from './speaker.js'
import { verdictBlock } from './verdict.js'

const CLAIM: VerdictAnswer = {
  question: 'level',
  metric: 'score',
  baseline: 'a',
  other: 'b',
  scope: 'configs',
  answer: 'better',
  estimate: 0.06,
  interval: [0.02, 0.1],
  p: 0.01,
  margin: null,
  smallestMargin: 0.1,
  level: 0.5,
  tags: ['these-prompts'],
  reasons: ['for these prompts only'],
  reasonKeys: ['compare.these-prompts'],
  toSettle: {},
  method: null,
}

describe('the first line of a verdict', () => {
  const lines = (verdict: VerdictAnswer) =>
    (['en', 'zh'] as const).map(language => verdictBlock(verdict, speakerIn(language)).sentence)

  it('says that it holds for these prompts only, where their sampling noise is not counted', () => {
    expect(lines(CLAIM)).toEqual(['b is better than a, on this eval set only', 'b 优于 a，仅限这批验证样本'])
    expect(lines({ ...CLAIM, answer: 'same' })[0]).toBe('b and a differ by less than the margin, on this eval set only')
  })

  it('says no such thing where it is, or where nothing is claimed', () => {
    expect(lines({ ...CLAIM, tags: [], reasonKeys: ['compare.prompts-guessed'] })[0]).toBe('b is better than a')
    expect(lines({ ...CLAIM, answer: 'undetermined', tags: [] })[0]).not.toContain('only')
  })
})
