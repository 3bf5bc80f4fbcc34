import type { Verdict } from '../model/verdict.js'
import { holm } from '../stats/multiplicity.js'
import { chance } from '../text/numbers.js'
import { sentences } from '../text/sentences.js'

/**
 * Several verdicts of one kind asked at once: the more there are, the likelier one of them claims something by chance.
 * A claim stands if it survives Holm's correction for their number; the interval stays that of the single question.
 */

const LEVEL = 0.05

const say = sentences({
  'adjusted.holm': {
    en: 'p {p} after correction for {tests} such tests (Holm)',
    zh: '对 {tests} 个同类检验做 Holm 校正后 p {p}',
  },
})

/** In the order of the family. A verdict without a p-value was no test and does not count. */
export function adjusted(
  family: readonly Verdict[],
  weightOf: (verdict: Verdict) => number = () => 1,
): readonly Verdict[] {
  const tested = family.filter(({ p }) => p !== null)
  if (tested.length < 2) return family
  const pValues = holm(
    tested.map(({ p }) => p ?? 1),
    tested.map(weightOf),
  )
  const byVerdict = new Map(tested.map((verdict, i) => [verdict, pValues[i]]))
  return family.map(verdict => {
    const p = byVerdict.get(verdict)
    return p === undefined ? verdict : withAdjusted(verdict, p, tested.length)
  })
}

function withAdjusted(verdict: Verdict, p: number, tests: number): Verdict {
  const reasons = [...verdict.reasons, say('adjusted.holm', { tests, p: chance(p) })]
  if (p < LEVEL || verdict.answer === 'undetermined' || verdict.answer === 'same') return { ...verdict, p, reasons }
  // A difference that does not survive is none; whether it is small was tested apart from that.
  const answer = verdict.answer === 'different-but-small' ? 'same' : 'undetermined'
  return { ...verdict, p, reasons, answer, tags: [] }
}
