import { problemOf } from '../../../core/store/disk-problem.js'
import { type Workspace, workspaceAt } from '../../../core/store/workspace.js'
import { sentencesOf } from '../../../logs/model/problem.js'
import { message } from '../../../text/say.js'
import { canonicalJson } from '../config/hash.js'
import type { TrainConfig } from '../config/selector-settings.js'
import { openGymSetup } from '../intention/gym-setup.js'
import { intentionTraining } from '../intention/training.js'
import { loadLanguageCheckpoint, loadStart } from '../load-start.js'
import { type Environment, openTask } from '../open-task.js'
import { lineageOf, sameTrainings } from '../run/lineage.js'
import { runTraining } from '../run/run-training.js'
import { selectorTraining } from '../run/selector-training.js'
import type { Trainable } from '../run/trainable.js'
import type { Task } from '../tasks/task.js'
import type { PlannedTraining } from './grid.js'
import type { Assignment, FromWorker, TrialOutcome } from './messages.js'

/** One training of a sweep, in whatever process it was given to; tells how it goes. */
export async function trainAssigned(
  { trial, root, fresh, code }: Assignment,
  environment: Environment,
  tell: (said: FromWorker) => void,
  signal: AbortSignal,
): Promise<TrialOutcome> {
  try {
    const workspace = workspaceAt(root)
    const training = await trainingOf(trial, workspace, environment)
    const lineage = lineageOf(training, code)
    const known = fresh ? [] : await sameTrainings(workspace, lineage, trial.name)
    const finished = known.find(({ status }) => status === 'finished')
    if (finished !== undefined) return { kind: 'known', run: finished.id }
    const pausing = new AbortController()
    const result = await runTraining(workspace, training, {
      begin: { kind: fresh ? 'new' : 'auto' },
      code,
      signal: AbortSignal.any([signal, pausing.signal]),
      observer: {
        started: ({ id, resumedAfter }) => tell({ type: 'started', run: id, resumedAfter }),
        epoch: report => {
          tell({ type: 'epoch', report })
          if (report.epoch >= (trial.pauseAfter ?? Number.POSITIVE_INFINITY)) pausing.abort()
        },
      },
    })
    return { kind: 'trained', result }
  } catch (error) {
    const problem = problemOf(error)
    if (problem !== null) return { kind: 'failed', reasons: sentencesOf(problem) }
    const said = error instanceof Error ? error.message : String(error)
    return { kind: 'failed', reasons: [message('cli.internal', { message: said })] }
  }
}

async function trainingOf(
  { config, from: path }: PlannedTraining,
  workspace: Workspace,
  environment: Environment,
): Promise<Trainable> {
  if (config.task === 'intention') {
    const from = path === null ? null : await loadLanguageCheckpoint(path, config)
    return intentionTraining(config, workspace, await openGymSetup(config, workspace, environment), { from })
  }
  const task = await taskOf(config, workspace, environment)
  return selectorTraining({ config, task, from: path === null ? null : await loadStart(path, config, task) })
}

let opened: { readonly key: string; readonly task: Task } | null = null

/** Trials mostly share their data, which is then read once. */
async function taskOf(config: TrainConfig, workspace: Workspace, environment: Environment): Promise<Task> {
  const { task: name, data, llm } = config
  const key = canonicalJson({ name, data, llm })
  if (opened?.key !== key) opened = { key, task: await openTask(config, workspace, environment) }
  return opened.task
}
