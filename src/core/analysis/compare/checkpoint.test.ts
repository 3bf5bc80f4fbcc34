import { describe, expect, it } from 'vitest'
import { compareCheckpoint } from './checkpoint.js'

const ASKED = {
  question: 'checkpoint',
  metric: 'acc',
  goal: 'max',
  baseline: 'A@40',
  other: 'B@45',
  margin: null,
} as const

/** 200 prompts, right or wrong: `right` of the first are, `gained` become right and `lost` become wrong. */
function flips(right: number, gained: number, lost: number) {
  const first = Array.from({ length: 200 }, (_, i) => (i < right ? 1 : 0))
  const second = first.map((score, i) => (i < lost ? 0 : i >= right && i < right + gained ? 1 : score))
  const of = (scores: readonly number[]) => ({
    value: scores.filter(score => score === 1).length / 200,
    n: 200,
    scores,
  })
  return [of(first), of(second)] as const
}

describe('comparing two checkpoints', () => {
  it('counts flips prompt by prompt', () => {
    const verdict = compareCheckpoint(ASKED, ...flips(110, 30, 5))
    expect(verdict).toMatchObject({ scope: 'checkpoints', answer: 'better', estimate: 0.125 })
    expect(verdict.p).toBeCloseTo(2.5e-5, 5)
  })

  it('does not call five flips to none a difference: the exact test has the last word', () => {
    const verdict = compareCheckpoint(ASKED, ...flips(110, 5, 0))
    expect(verdict.interval?.[0]).toBeGreaterThan(0)
    expect(verdict).toMatchObject({ answer: 'undetermined', p: 0.0625 })
  })

  it('pairs a few prompts too, but claims only what the exact test bears out, and never that they are the same', () => {
    const of = (scores: readonly number[]) => ({ value: 0.5, n: scores.length, scores })
    const first = Array.from({ length: 12 }, (_, i) => i / 10)
    const raised = first.map((score, i) => score + 0.1 + i / 1000)
    expect(compareCheckpoint(ASKED, of(first), of(raised))).toMatchObject({ answer: 'better' })
    const some = first.map((score, i) => (i < 5 ? score + 0.1 : score))
    expect(compareCheckpoint(ASKED, of(first), of(some))).toMatchObject({ answer: 'undetermined', p: 0.0625 })
    const near = first.map((score, i) => score + (i % 2 === 0 ? 0.001 : -0.001))
    expect(compareCheckpoint({ ...ASKED, margin: 0.1 }, of(first), of(near)).answer).toBe('undetermined')
  })

  it('says how many prompts would show the difference that was seen', () => {
    const { toSettle } = compareCheckpoint(ASKED, ...flips(110, 8, 5))
    expect(toSettle.prompts).toBeGreaterThan(1_000)
  })

  it('falls back to the unpaired interval when only the number of prompts is known', () => {
    const [first, second] = flips(110, 30, 5).map(({ value, n }) => ({ value, n, scores: null }))
    const verdict = compareCheckpoint(ASKED, first, second)
    expect(verdict.answer).toBe('better')
    expect(verdict.reasons[0].key).toBe('compare.pairing-unknown')
    expect(compareCheckpoint({ ...ASKED, margin: 0.5 }, first, second).answer).toBe('different-but-small')
  })

  it('says nothing about a score without n, nor about a mean that is no share', () => {
    const alone = { value: 0.5, n: null, scores: null }
    expect(compareCheckpoint(ASKED, alone, { ...alone, value: 0.7 })).toMatchObject({
      answer: 'undetermined',
      interval: null,
    })
    const reward = { value: 2.1, n: 40, scores: null }
    expect(compareCheckpoint(ASKED, reward, { ...reward, value: 1.9 }).reasons[0].key).toBe('compare.no-share')
  })
})
