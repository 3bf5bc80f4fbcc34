import { commandArms } from '../engine/plan-command.js'
import { openStudy, type ReadStudy } from '../file/read.js'
import { type PlannedArm, plannedArms, type StudyTrial, trialsOf } from './trials.js'

/** A study file together with what it comes to. */
export interface PlannedStudy extends ReadStudy {
  readonly arms: readonly PlannedArm[]
  readonly trials: readonly StudyTrial[]
}

export async function planStudy(path: string): Promise<PlannedStudy> {
  const study = await openStudy(path)
  const { engine } = study.file
  const arms = engine === 'builtin' ? plannedArms(study) : await commandArms(study, engine)
  return { ...study, arms, trials: trialsOf(study.name, arms, study.file.seeds) }
}
