import type { Answer, Verdict } from '../../logs/model/verdict.js'
import { farthestGroupP } from '../../stats/exact-tests.js'
import { HEADLINE_SHARE, headlinesFirst } from '../../stats/multiplicity.js'
import { chance } from '../../text/numbers.js'
import { sentences } from '../../text/sentences.js'
import { RUNS_FOR_CONFIGS } from './conventions.js'

/**
 * Several verdicts asked in one call: the more there are, the likelier one of them claims something by chance. A claim
 * stands if its p-value survives the correction for what is asked, with its headlines first (stats/multiplicity.ts);
 * the interval stays that of the single question.
 */

const LEVEL = 0.05

const say = sentences({
  'adjusted.holm': {
    en: 'p {p}, Holm-corrected for {tests} {tests|test|tests} (headlines have {headlines} of the {all} %)',
    zh: '校正后 p {p}（此处 {tests} 个检验，Holm；主结论占 {all}% 中的 {headlines}%）',
  },
  'sweep.dealt': {
    en: 'not claimed: permuting the runs of all {settings} settings gives a difference as large in {percent} % of cases, because seeds of one setting differ as much',
    zh: '不作判定：把全部 {settings} 种配置的 run 重新随机分组，{percent}% 的情况下也会出现这么大的差异，因为同一配置的种子之间就差这么多',
  },
})

export interface Correction {
  /** The others are asked beside the headlines. */
  readonly isHeadline: (verdict: Verdict) => boolean
  /** The part of the level that the others have; what the headlines leave, unless given. */
  readonly besideShare?: number
  /** What the p-value of a claim must stay below. */
  readonly levelOf?: (verdict: Verdict) => number
}

/** In the order of the family. A verdict without a p-value was no test and does not count. */
export function adjusted(
  family: readonly Verdict[],
  { isHeadline, besideShare, levelOf = () => LEVEL }: Correction,
): readonly Verdict[] {
  const tested = family.filter(({ p }) => p !== null)
  // Two checkpoints on the same prompts are asked nothing else, here or in any other verb.
  if (tested.length === 1 && tested[0].question === 'checkpoint')
    return family.map(verdict => standing(verdict, levelOf(verdict)))
  const [first, others] = [tested.filter(isHeadline), tested.filter(verdict => !isHeadline(verdict))]
  // Tests at levels of their own are brought to one: half the level is twice the p-value.
  const shareOf = (verdict: Verdict): number => Math.max(levelOf(verdict) / LEVEL, Number.MIN_VALUE)
  const atOneLevel = (verdict: Verdict): number => (verdict.p ?? 1) / shareOf(verdict)
  const { headlines, beside } = headlinesFirst(first.map(atOneLevel), others.map(atOneLevel), besideShare)
  const byVerdict = new Map(
    [...first, ...others].map((verdict, i) => [verdict, [...headlines, ...beside][i] * shareOf(verdict)]),
  )
  return family.map(verdict => {
    const corrected = byVerdict.get(verdict)
    if (corrected === undefined) return standing(verdict, levelOf(verdict))
    const p = Math.max(verdict.p ?? 1, corrected)
    const params = { p: chance(p), tests: tested.length, headlines: 100 * LEVEL * HEADLINE_SHARE, all: 100 * LEVEL }
    return standing({ ...verdict, p, reasons: [...verdict.reasons, say('adjusted.holm', params)] }, levelOf(verdict))
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

/** Two settings whose runs differ by chance alone are no family. */
const FEWEST_DEALT = 3
/** From here on runs that agree by chance are rare enough. */
const MORE_SEEDS = { seeds: RUNS_FOR_CONFIGS + 1 }
const CLAIMS: ReadonlySet<Answer> = new Set<Answer>(['better', 'worse', 'higher', 'lower'])

/**
 * Verdicts on several settings against a baseline; `levels`: one figure per run of each, those of the baseline first. Seeds
 * that come out in one of two ways agree by chance, and Welch and Holm then tell equal settings apart in one call of ten: so
 * a claim must also survive dealing all runs again to the settings, in a sweep as in a comparison of several sides.
 */
export function dealtAnew(verdicts: readonly Verdict[], levels: readonly (readonly number[])[]): readonly Verdict[] {
  const groups = levels.filter(({ length }) => length >= RUNS_FOR_CONFIGS)
  const isClaim = ({ scope, answer }: Verdict): boolean => scope === 'configs' && CLAIMS.has(answer)
  if (groups.length < FEWEST_DEALT || groups[0] !== levels[0] || !verdicts.some(isClaim)) return verdicts
  const chance = farthestGroupP(groups)
  const p = Math.min(1, chance / HEADLINE_SHARE)
  const reason = say('sweep.dealt', { settings: groups.length, percent: Math.round(100 * chance) })
  return verdicts.map((verdict): Verdict => {
    if (!isClaim(verdict)) return verdict
    const counted = { ...verdict, p: Math.max(verdict.p ?? 0, p) }
    if (p < LEVEL) return counted
    const reasons = [...verdict.reasons, reason]
    return { ...counted, answer: 'undetermined', tags: [], reasons, toSettle: MORE_SEEDS }
  })
}
