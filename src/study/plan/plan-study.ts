import { isJsonObject } from '../../model/json.js'
import type { Workspace } from '../../store/workspace.js'
import { type PlannedCondition, planEvaluations } from '../evaluations/plan-evaluations.js'
import type { FrozenStudy } from '../file/frozen.js'
import { openStudy, type ReadStudy, readStudy } from '../file/read.js'
import { rememberedConfigs } from './remembered-configs.js'
import { type PlannedArm, plannedArms, type StudyTrial, trialsOf } from './trials.js'

/** A study file together with what it comes to. */
export interface PlannedStudy extends ReadStudy {
  readonly arms: readonly PlannedArm[]
  readonly trials: readonly StudyTrial[]
  /** What the checkpoints of an arm are to be evaluated under, by arm. */
  readonly conditions: ReadonlyMap<string, readonly PlannedCondition[]>
}

export async function planStudy(path: string): Promise<PlannedStudy> {
  const study = await openStudy(path)
  return planned(study, plannedArms(study))
}

/** The same for somebody who only looks: arms whose settings were found to hold before are not checked again. */
export async function planToLook(workspace: Workspace, path: string): Promise<PlannedStudy> {
  const study = await openStudy(path)
  const configs = await rememberedConfigs(workspace, path)
  const arms = plannedArms(study, configs.read)
  await configs.save()
  return planned(study, arms)
}

/** As it was before its first result, without a look at any file: for whoever may read the workspace and nothing else. */
export function planFrozen(name: string, { text, design }: FrozenStudy): PlannedStudy {
  const study = { ...readStudy(`${name}.yaml`, text), name }
  const frozen = isJsonObject(design) ? design.base : null
  const base = typeof study.file.base === 'string' ? { name: study.file.base, text: String(frozen) } : null
  const whole = { ...study, base }
  return planned(whole, plannedArms(whole))
}

function planned(study: ReadStudy, arms: readonly PlannedArm[]): PlannedStudy {
  const conditions = planEvaluations(study, arms)
  return { ...study, arms, conditions, trials: trialsOf(study.name, arms, study.file.seeds) }
}
