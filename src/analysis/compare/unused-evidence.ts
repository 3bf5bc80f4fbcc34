import type { Message } from '../../model/run.js'
import { numberOf } from '../../model/vocabulary/config-value.js'
import type { RunSetting } from '../../model/vocabulary/settings.js'
import { message } from '../../text/say.js'
import { isTrained } from '../conventions.js'

/** Evaluations that a comparison did not use although they cost nothing: planned but not imported, or not shared. */
export interface EvaluationPlan {
  /** Effective settings by canonical key. */
  readonly settings: ReadonlyMap<string, RunSetting>
  readonly running: boolean
  readonly evaluated: readonly number[]
}

export function unusedEvidence(plans: readonly EvaluationPlan[], used: readonly number[]): readonly Message[] {
  const found: Message[] = []
  const told = plans.map(plannedEvaluations)
  const fewest = told.every(plan => plan !== null) ? told.reduce((a, b) => (b.count < a.count ? b : a)) : null
  if (fewest !== null) {
    const more = fewest.count - used.filter(isTrained).length
    if (more > 0) found.push(message('compare.unused-planned', { every: fewest.every, until: fewest.until, more }))
  }
  const shared = new Set(used)
  const alone = plans.reduce(
    (sum, { evaluated }) => sum + evaluated.filter(step => isTrained(step) && !shared.has(step)).length,
    0,
  )
  if (alone > 0) found.push(message('compare.unused-unshared', { count: alone }))
  return found
}

/** How many evaluations the settings ask for; a run that is still going has not made them yet. */
function plannedEvaluations({ settings, running }: EvaluationPlan) {
  const every = numberOf(settings.get('eval.every')?.effective ?? null)
  const until = numberOf(settings.get('steps')?.effective ?? null)
  if (running || every === null || until === null || !(every > 0) || !(until > 0)) return null
  return { every, until, count: Math.floor(until / every) }
}
