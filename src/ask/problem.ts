import { Problem } from '../model/problem.js'
import { damagedPart, StoreUnwritable, writeProblem } from '../store/disk-problem.js'
import { ManifestError } from '../store/manifest.js'
import { WORKSPACE_FOLDER } from '../store/workspace.js'
import { message } from '../text/say.js'
import { TaskError } from '../train/tasks/task-error.js'
import { TrainError } from '../train/train-error.js'
import { WeightsError } from '../weights/problem.js'

/** What other rooms throw, as the one thing that is said to a person; null for what is klens's own fault. */
export function problemFrom(error: unknown): Problem | null {
  if (error instanceof Problem) return error
  if (error instanceof ManifestError) return new Problem('damaged', message('run.damaged', { path: error.path }))
  if (error instanceof TaskError) return new Problem('unreadable', error.detail)
  if (error instanceof TrainError) return new Problem('bad-request', error.detail, { remedy: error.because })
  if (error instanceof WeightsError) return new Problem('unreadable', error.problem)
  const unwritable = error instanceof StoreUnwritable ? error.problem : writeProblem(error)
  if (unwritable !== null) {
    const { kind, path } = unwritable
    return new Problem('unwritable', message(`cli.disk-${kind}`, { path: path ?? WORKSPACE_FOLDER }))
  }
  const damaged = damagedPart(error)
  return damaged === null ? null : new Problem('damaged', message('skip.damaged', { ...damaged }))
}
