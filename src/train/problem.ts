import { Problem } from '../model/problem.js'
import type { Message } from '../model/run.js'
import { StoreUnwritable, writeProblem } from '../store/disk-problem.js'
import { message } from '../text/say.js'
import { WeightsError } from '../weights/problem.js'
import { TaskError } from './tasks/task-error.js'
import { TrainError } from './train-error.js'

/** Why a training failed, as sentences for the user; null for what is klens's own fault. */
export function trainingProblem(error: unknown): readonly Message[] | null {
  if (error instanceof TrainError) return error.because === null ? [error.detail] : [error.detail, error.because]
  if (error instanceof Problem) return [error.sentence]
  if (error instanceof TaskError) return [error.detail]
  if (error instanceof WeightsError) return [error.problem]
  const problem = error instanceof StoreUnwritable ? error.problem : writeProblem(error)
  return problem === null ? null : [message(`cli.disk-${problem.kind}`, { path: problem.path ?? '.klens' })]
}
