import { commandArms } from '../engine/plan-command.js'
import { type PlannedCondition, planEvaluations } from '../evaluations/plan-evaluations.js'
import { sectionFor } from '../executor/section.js'
import { openStudy, type ReadStudy } from '../file/read.js'
import { type PlannedArm, plannedArms, type StudyTrial, trialsOf } from './trials.js'

/** A study file together with what it comes to. */
export interface PlannedStudy extends ReadStudy {
  readonly arms: readonly PlannedArm[]
  readonly trials: readonly StudyTrial[]
  /** What the checkpoints of an arm are to be evaluated under, by arm. */
  readonly conditions: ReadonlyMap<string, readonly PlannedCondition[]>
}

/** `executor`: another one than the file says, as it was typed. */
export async function planStudy(path: string, executor?: string): Promise<PlannedStudy> {
  const written = await openStudy(path)
  const study = { ...written, file: { ...written.file, executor: sectionFor(executor, written.file.executor) } }
  const { engine, seeds } = study.file
  if (engine !== 'builtin') {
    const arms = await commandArms(study, engine)
    return {
      ...study,
      arms,
      conditions: new Map(arms.map(({ name }) => [name, []])),
      trials: trialsOf(study.name, arms, seeds),
    }
  }
  const arms = plannedArms(study)
  const conditions = planEvaluations(study, arms)
  return { ...study, arms, conditions, trials: trialsOf(study.name, arms, seeds) }
}
