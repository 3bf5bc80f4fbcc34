import { type PlannedCondition, planEvaluations } from '../evaluations/plan-evaluations.js'
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

/** From texts that were kept. */
export function planStudyText(file: {
  readonly path: string
  readonly text: string
  readonly base: ReadStudy['base']
}) {
  return planned({ ...readStudy(file.path, file.text), base: file.base })
}

function planned(study: ReadStudy): PlannedStudy {
  const arms = plannedArms(study)
  const conditions = planEvaluations(study, arms)
  return { ...study, arms, conditions, trials: trialsOf(study.name, arms, study.file.seeds) }
}
