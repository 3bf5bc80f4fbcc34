import { availableParallelism } from 'node:os'
import type { Workspace } from '../../core/store/workspace.js'
import {
  epochAnswer,
  type Introduction,
  type TrainEvent,
  type TrainedAnswer,
  trainedAnswer,
} from '../../lab/study/events.js'
import { type AnyTrainConfig, byConstruction } from '../../lab/train/config/any.js'
import type { IntentionConfig } from '../../lab/train/config/language-settings.js'
import type { TrainConfig } from '../../lab/train/config/selector-settings.js'
import { introduction, openGymSetup } from '../../lab/train/intention/gym-setup.js'
import { intentionTraining } from '../../lab/train/intention/training.js'
import { loadLanguageCheckpoint, loadStart } from '../../lab/train/load-start.js'
import { openTask } from '../../lab/train/open-task.js'
import { runTraining } from '../../lab/train/run/run-training.js'
import { selectorTraining } from '../../lab/train/run/selector-training.js'
import type { Begin, Trainable } from '../../lab/train/run/trainable.js'
import { parameterCount } from '../../lab/train/session.js'
import { checkShots, queriesOf, scoreOf, type Task } from '../../lab/train/tasks/task.js'
import type { Asking } from './question.js'
import { version } from './version.js'

/** One training in this process: what its config makes of it, and the run that comes of it. */

interface AskedTraining {
  /** A checkpoint to start from. */
  readonly from?: string | undefined
  /** A folder for every epoch in the files of Lever-Plus. */
  readonly out?: string | undefined
  /** Threads that it may use; default: all. */
  readonly workers?: number | null | undefined
  /** Whether to tell what simple rivals score, which may have to be paid for. */
  readonly baselines: boolean
}

export async function trainOne(
  workspace: Workspace,
  { training, introduce }: ToTrain,
  begin: Begin,
  { baselines }: Pick<AskedTraining, 'baselines'>,
  { signal, onProgress }: Asking<TrainEvent>,
): Promise<TrainedAnswer> {
  const began = performance.now()
  let resumedAfter: number | null = null
  const result = await runTraining(workspace, training, {
    begin,
    code: version(),
    ...(signal !== undefined && { signal }),
    observer: {
      async started({ id, name, resumedAfter: after, changes, damaged }) {
        resumedAfter = after
        const introduced = await introduce(baselines && after === null)
        onProgress?.({
          event: 'started',
          trial: null,
          resumedAfter,
          about: { id, name, ...introduced, changes, damaged },
        })
      },
      progress: (done, total) => onProgress?.({ event: 'progress', done, total }),
      epoch: report => onProgress?.({ event: 'epoch', trial: null, report: epochAnswer(report) }),
    },
  })
  return trainedAnswer(result, { resumedAfter, seconds: (performance.now() - began) / 1000 })
}

/** A training, and what is to be told of it once it has a run; `rivals`: whether simple ones are scored for it. */
interface ToTrain {
  readonly training: Trainable
  introduce(rivals: boolean): Promise<Introduction> | Introduction
}

export function toTrain(
  workspace: Workspace,
  config: AnyTrainConfig,
  asked: AskedTraining,
  remark: Asking['remark'],
): Promise<ToTrain> {
  return config.task === 'intention'
    ? intentionToTrain(workspace, config, asked, remark)
    : selectorToTrain(workspace, config, asked, remark)
}

async function selectorToTrain(
  workspace: Workspace,
  config: TrainConfig,
  asked: AskedTraining,
  remark: Asking['remark'],
): Promise<ToTrain> {
  const task = await openTask(config, workspace, process.env)
  checkShots(task, config.policy.shots)
  for (const said of task.remarks) remark?.(said)
  const from = asked.from === undefined ? null : await loadStart(asked.from, config, task)
  return {
    training: selectorTraining({ config, task, from, out: asked.out }),
    introduce: async rivals => ({
      kind: 'selector',
      queries: queriesOf(task, 'train').length,
      parameters: parameterCount(task, config),
      baselines: rivals ? await baselinesOf(task, config) : [],
      byConstruction: byConstruction(config),
    }),
  }
}

async function intentionToTrain(
  workspace: Workspace,
  config: IntentionConfig,
  { from: path, workers }: AskedTraining,
  remark: Asking['remark'],
): Promise<ToTrain> {
  const from = path === undefined ? null : await loadLanguageCheckpoint(path, config)
  const setup = await openGymSetup(config, workspace, process.env)
  for (const said of setup.remarks) remark?.(said)
  const threads = (workers ?? availableParallelism()) > 1 ? 2 : 1
  return {
    training: intentionTraining(config, workspace, setup, { from, threads }),
    introduce: () => ({
      kind: 'language-model',
      ...introduction(config, setup),
      byConstruction: byConstruction(config),
    }),
  }
}

async function baselinesOf(task: Task, { policy }: TrainConfig): Promise<Introduction['baselines']> {
  const baselines = await task.baselines({ shots: policy.shots, split: 'val', seed: 1 })
  return baselines.map(({ name, hard, soft }) => ({ name, score: scoreOf(task, { hard, soft }) }))
}
