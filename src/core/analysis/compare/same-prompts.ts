import type { Message } from '../../../logs/model/run.js'
import { detrended, variance } from '../../../stats/descriptive.js'
import type { StudentEstimate } from '../../../stats/student-estimate.js'
import { sentences } from '../../../text/sentences.js'

/**
 * Curves alone. All evaluations of a run ask the same prompts, so their sampling noise is an offset that does not shrink
 * with more evaluations, and where nothing tells how many prompts there are it cannot be computed. It is not small: the
 * error of the mean counts as at least this share of the variance of one evaluation's difference. Chosen on 112 pairs of one
 * setting of a lab, of which curves told apart up to a third at eighty evaluations; docs/statistics.md has it on others.
 */
const LEAST_SHARE = 0.21

const say = sentences({
  'compare.same-prompts': {
    en: 'more evaluations of the same prompts cannot narrow this: log per-prompt scores, or how many prompts there are',
    zh: '同一批样本再多验证几次也不会更准：请记录逐样本得分，或样本数',
  },
})

export interface OnSamePrompts<Estimate extends StudentEstimate> {
  readonly estimate: Estimate
  /** Why it is wider than the curves show; none where it is not. */
  readonly reasons: readonly Message[]
}

/** Around their line, because a gap that grows is no noise. */
export function onUnknownPrompts<Estimate extends StudentEstimate>(
  estimate: Estimate,
  differences: Float64Array,
): OnSamePrompts<Estimate> {
  const least = Math.sqrt(LEAST_SHARE * variance(detrended(differences)))
  if (!(estimate.standardError < least)) return { estimate, reasons: [] }
  return { estimate: { ...estimate, standardError: least }, reasons: [say('compare.same-prompts', {})] }
}
