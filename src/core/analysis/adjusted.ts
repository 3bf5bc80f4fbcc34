import type { Verdict } from '../../logs/model/verdict.js'
import { holm } from '../../stats/multiplicity.js'
import { chance } from '../../text/numbers.js'
import { sentences } from '../../text/sentences.js'

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

export interface Correction {
  /** A test's share of the level, in any unit. */
  readonly weightOf?: (verdict: Verdict) => number
  /** What a claim's p-value must stay below. */
  readonly level?: number
}

/** In the order of the family. A verdict without a p-value was no test and does not count. */
export function adjusted(
  family: readonly Verdict[],
  { weightOf = () => 1, level = LEVEL }: Correction = {},
): readonly Verdict[] {
  const tested = family.filter(({ p }) => p !== null)
  if (tested.length < 2) return family.map(verdict => standing(verdict, level))
  const pValues = holm(
    tested.map(({ p }) => p ?? 1),
    tested.map(weightOf),
  )
  const byVerdict = new Map(tested.map((verdict, i) => [verdict, pValues[i]]))
  return family.map(verdict => {
    const p = byVerdict.get(verdict)
    if (p === undefined) return standing(verdict, level)
    const reasons = [...verdict.reasons, say('adjusted.holm', { tests: tested.length, p: chance(p) })]
    return standing({ ...verdict, p, reasons }, level)
  })
}

/** The verdict if its claim stands at a level. One that was made without a p-value stands at the usual level only. */
function standing(verdict: Verdict, level: number): Verdict {
  const { p, answer } = verdict
  const isFull = level >= LEVEL
  if (answer === 'undetermined' || (answer === 'same' && isFull) || (p === null ? isFull : p < level)) return verdict
  // A difference that does not survive is none; whether it is small was tested apart from that, at the usual level.
  return { ...verdict, answer: answer === 'different-but-small' && isFull ? 'same' : 'undetermined', tags: [] }
}
