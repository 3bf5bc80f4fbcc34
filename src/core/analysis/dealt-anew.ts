import type { Answer, Verdict } from '../../logs/model/verdict.js'
import { farthestGroupP } from '../../stats/exact-tests.js'
import { HEADLINE_SHARE } from '../../stats/multiplicity.js'
import { sentences } from '../../text/sentences.js'
import { RUNS_FOR_CONFIGS } from './conventions.js'

/**
 * Claims about several settings of few runs: seeds that come out in one of two ways agree by chance, and Welch and Holm
 * then tell equal settings apart in one call of ten. So such a claim must also survive dealing all runs anew to the
 * settings, in a sweep as in a comparison of several sides.
 */

const LEVEL = 0.05
/** Two settings whose runs differ by chance alone are no family. */
const FEWEST_DEALT = 3
/** From here on runs that agree by chance are rare enough. */
const MORE_SEEDS = { seeds: RUNS_FOR_CONFIGS + 1 }
const CLAIMS: ReadonlySet<Answer> = new Set<Answer>(['better', 'worse', 'higher', 'lower'])

const say = sentences({
  'sweep.dealt': {
    en: 'not claimed: dealing the runs of all {settings} settings anew gives a difference as large in {percent} % of cases, because seeds of one setting differ as much',
    zh: '不作判定：把全部 {settings} 种配置的 run 重新随机分组，{percent}% 的情况下也会出现这么大的差异，因为同一配置的种子之间就差这么多',
  },
})

/** Verdicts on settings against a baseline; `levels`: one figure per run of each setting, those of the baseline first. */
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
