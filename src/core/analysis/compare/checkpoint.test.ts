import { describe, expect, it } from 'vitest'
import { mcnemar } from '../../../stats/exact-tests.js'
import { seededRandom } from '../../../stats/random.js'
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
    expect(verdict.p).toBeLessThan(1e-4)
    expect(verdict.p).toBeCloseTo(2.5e-5, 4)
  })

  it('does not call five flips to none a difference, as the exact test does not; six it does', () => {
    const five = compareCheckpoint(ASKED, ...flips(110, 5, 0))
    expect(five).toMatchObject({ answer: 'undetermined' })
    expect(five.interval?.[0]).toBeLessThan(0)
    expect(five.p).toBeCloseTo(mcnemar([0, 0, 0, 0, 0], [1, 1, 1, 1, 1]).p, 2)
    expect(compareCheckpoint(ASKED, ...flips(110, 6, 0)).answer).toBe('better')
  })

  const of = (scores: readonly number[]) => ({ value: 0.5, n: scores.length, scores })

  it('pairs a few prompts too, but does not claim five of twelve, nor ever that they are the same', () => {
    const first = Array.from({ length: 12 }, (_, i) => i / 10)
    const raised = first.map((score, i) => score + 0.1 + i / 1000)
    expect(compareCheckpoint(ASKED, of(first), of(raised))).toMatchObject({ answer: 'better' })
    const some = first.map((score, i) => (i < 5 ? score + 0.1 : score))
    expect(compareCheckpoint(ASKED, of(first), of(some))).toMatchObject({ answer: 'undetermined' })
    const near = first.map((score, i) => score + (i % 2 === 0 ? 0.001 : -0.001))
    const close = compareCheckpoint({ ...ASKED, margin: 0.1 }, of(first), of(near))
    expect(close).toMatchObject({ answer: 'undetermined', margin: 0.1, smallestMargin: null })
    expect(close.reasons.map(({ key }) => key)).toContain('compare.few-prompts')
  })

  it('has one p-value, interval and answer, however few prompts there are and whatever their scores', () => {
    const random = seededRandom(5)
    const kinds = [() => Math.round(random.next()), () => random.normal(), () => -Math.log(1 - random.next())]
    const answers = new Set<string>()
    for (let draw = 0; draw < 600; draw += 1) {
      const first = Array.from({ length: 2 + random.below(38) }, kinds[draw % 3])
      const second = first.map(score =>
        random.next() < draw / 600 ? (draw % 3 === 0 ? 1 : score + random.next()) : score,
      )
      const { p, interval, answer } = compareCheckpoint(ASKED, of(first), of(second))
      if (interval === null) continue
      const excludes = interval[0] > 0 || interval[1] < 0
      expect([(p ?? 1) < 0.05, answer !== 'undetermined']).toEqual([excludes, excludes])
      answers.add(answer)
    }
    expect([...answers].sort()).toEqual(['better', 'undetermined'])
    // Thirteen of fourteen gain a little, one loses a lot: a count of signs would say better, the mean says nothing.
    const base = Array.from({ length: 14 }, (_, i) => 0.4 + i / 100)
    const mixed = compareCheckpoint(ASKED, of(base), of(base.map((score, i) => score + (i < 13 ? 0.01 : -0.35))))
    expect(mixed.answer).toBe('undetermined')
    expect(mixed.p).toBeGreaterThan(0.4)
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
