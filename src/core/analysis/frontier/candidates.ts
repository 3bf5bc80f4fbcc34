import { studentCdf } from '../../../stats/distributions.js'
import { type StudentEstimate, welch } from '../../../stats/student-estimate.js'
import { RUNS_FOR_CONFIGS } from '../conventions.js'
import type { FrontierSetting } from './setting.js'

/** Which settings may be the best: all that no other is shown to beat. */

/** The truly best one is left out in at most so many cases. */
export const CANDIDATE_ERROR = 0.025

/** `settings` that no rival is shown to beat. */
export function mayBeBest(
  settings: readonly FrontierSetting[],
  rivals: readonly FrontierSetting[],
  sign: 1 | -1,
): readonly FrontierSetting[] {
  const tested = rivals.filter(isReplicated)
  const error = CANDIDATE_ERROR / Math.max(1, tested.length - 1)
  return settings.filter(
    setting =>
      !isReplicated(setting) ||
      tested.every(rival => rival === setting || chanceNotAbove(scoreDifference(setting, rival, sign)) >= error),
  )
}

/** By its mean score; null for none. */
export function bestByScore(settings: readonly FrontierSetting[], sign: 1 | -1): FrontierSetting | null {
  return settings.reduce<FrontierSetting | null>(
    (first, next) => (first === null || scoreDifference(first, next, sign).mean > 0 ? next : first),
    null,
  )
}

export function isReplicated({ runs }: FrontierSetting): boolean {
  return runs.length >= RUNS_FOR_CONFIGS
}

/** Second minus first, in the direction that is good. */
export function scoreDifference(first: FrontierSetting, second: FrontierSetting, sign: 1 | -1): StudentEstimate {
  const [a, b] = [first, second].map(({ runs }) => runs.map(({ score }) => sign * score))
  if (Math.min(a.length, b.length) < 2) {
    const means = [a, b].map(values => values.reduce((sum, value) => sum + value / values.length, 0))
    return { mean: means[1] - means[0], standardError: Number.NaN, degreesOfFreedom: 1 }
  }
  return welch(a, b)
}

/** One-sided: how likely so high a mean is where the true one is not above zero. */
export function chanceNotAbove({ mean: found, standardError, degreesOfFreedom }: StudentEstimate): number {
  if (standardError === 0) return found > 0 ? 0 : 1
  return studentCdf(-found / standardError, degreesOfFreedom)
}
