import type { Verdict } from '../../logs/model/verdict.js'
import { holm } from '../../stats/multiplicity.js'
import { chance } from '../../text/numbers.js'
import { type Message, sentences } from '../../text/sentences.js'

/**
 * Several verdicts asked at once: the more there are, the likelier one of them claims something by chance.
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
  /** What the p-value of a claim must stay below. */
  readonly levelOf?: (verdict: Verdict) => number
  /** How the correction is said. */
  readonly reasonOf?: (found: { readonly tests: number; readonly p: string }) => Message
}

/** In the order of the family. A verdict without a p-value was no test and does not count. */
export function adjusted(
  family: readonly Verdict[],
  { weightOf = () => 1, levelOf = () => LEVEL, reasonOf = found => say('adjusted.holm', found) }: Correction = {},
): readonly Verdict[] {
  const tested = family.filter(({ p }) => p !== null)
  if (tested.length < 2) return family.map(verdict => standing(verdict, levelOf(verdict)))
  // Tests at levels of their own are brought to one: half the level is twice the p-value.
  const shares = tested.map(verdict => levelOf(verdict) / LEVEL)
  const pValues = holm(
    tested.map(({ p }, i) => (p ?? 1) / Math.max(shares[i], Number.MIN_VALUE)),
    tested.map(weightOf),
  )
  const byVerdict = new Map(
    tested.map((verdict, i) => [verdict, Math.max(verdict.p ?? 1, pValues[i] * shares[i])] as const),
  )
  return family.map(verdict => {
    const p = byVerdict.get(verdict)
    if (p === undefined) return standing(verdict, levelOf(verdict))
    const reasons = [...verdict.reasons, reasonOf({ tests: tested.length, p: chance(p) })]
    return standing({ ...verdict, p, reasons }, levelOf(verdict))
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
