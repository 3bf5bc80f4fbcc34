import type { Workspace } from '../../store/workspace.js'
import { type PlannedCondition, planEvaluations } from '../evaluations/plan-evaluations.js'
import { primaryConditions } from '../evaluations/primary.js'
import { openStudy, type ReadStudy } from '../file/read.js'
import { rememberedConfigs } from './remembered-configs.js'
import { type PlannedArm, plannedArms, type StudyTrial, trialsOf } from './trials.js'

/** A study file together with what it comes to. */
export interface PlannedStudy extends ReadStudy {
  readonly arms: readonly PlannedArm[]
  readonly trials: readonly StudyTrial[]
  /** What the checkpoints of an arm are to be evaluated under, by arm. */
  readonly conditions: ReadonlyMap<string, readonly PlannedCondition[]>
  /** The one of them that decides, by arm; null where the validation in training does. */
  readonly primary: ReadonlyMap<string, PlannedCondition> | null
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

function planned(study: ReadStudy, arms: readonly PlannedArm[]): PlannedStudy {
  const conditions = planEvaluations(study, arms)
  const primary = primaryConditions(study, conditions)
  return { ...study, arms, conditions, primary, trials: trialsOf(study.name, arms, study.file.seeds) }
}
