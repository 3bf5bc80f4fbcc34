import { isJsonObject } from '../../model/json.js'
import { type PlannedCondition, planEvaluations } from '../evaluations/plan-evaluations.js'
import type { FrozenStudy } from '../file/frozen.js'
import { openStudy, type ReadStudy, readStudy } from '../file/read.js'
import { type PlannedArm, plannedArms, type StudyTrial, trialsOf } from './trials.js'

/** A study file together with what it comes to. */
export interface PlannedStudy extends ReadStudy {
  readonly arms: readonly PlannedArm[]
  readonly trials: readonly StudyTrial[]
  /** What the checkpoints of an arm are to be evaluated under, by arm. */
  readonly conditions: ReadonlyMap<string, readonly PlannedCondition[]>
}

export async function planStudy(path: string): Promise<PlannedStudy> {
  return planned(await openStudy(path))
}

/** As it was before its first result, without a look at any file: for whoever may read the workspace and nothing else. */
export function planFrozen(name: string, { text, design }: FrozenStudy): PlannedStudy {
  const study = { ...readStudy(`${name}.yaml`, text), name }
  const { base } = study.file
  if (typeof base !== 'string') return planned(study)
  const frozen = isJsonObject(design) ? design.base : null
  return planned({ ...study, base: { name: base, text: String(frozen) } })
}

function planned(study: ReadStudy): PlannedStudy {
  const arms = plannedArms(study)
  const conditions = planEvaluations(study, arms)
  return { ...study, arms, conditions, trials: trialsOf(study.name, arms, study.file.seeds) }
}
