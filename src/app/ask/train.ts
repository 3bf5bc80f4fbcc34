import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { takeLease } from '../../core/store/lease.js'
import { type Manifest, wholeConfig } from '../../core/store/manifest.js'
import { cacheFolder, type Workspace } from '../../core/store/workspace.js'
import { trainingPool } from '../../lab/study/executor/pool.js'
import type { AnyTrainConfig } from '../../lab/train/config/any.js'
import { configHash } from '../../lab/train/config/hash.js'
import { startingSettings } from '../../lab/train/load-start.js'
import { lineageOf, SOURCE, sameTrainings } from '../../lab/train/run/lineage.js'
import type { Begin } from '../../lab/train/run/trainable.js'
import { type GridRequest, gridOf, type PlannedTraining } from '../../lab/train/sweep/grid.js'
import type { FromWorker, ToWorker } from '../../lab/train/sweep/messages.js'
import { trainAssigned } from '../../lab/train/sweep/worker.js'
import { sha256 } from '../../logs/model/id.js'
import { Problem } from '../../logs/model/problem.js'
import { message } from '../../text/say.js'
import { readConfigFile } from './eval.js'
import { list, numberWithin, refuse, request } from './fields.js'
import { thisHost } from './machine.js'
import { resolveOne } from './names.js'
import { type Asking, question } from './question.js'
import { toTrain, trainOne } from './train-one.js'
import { type TrainEvent, type TrainedAnswer, type TrialsAnswer, trainAnswer } from './training-answers.js'
import { version } from './version.js'

/** Train a policy, or one for each combination of settings; every training is a run in the workspace. */

const trainRequest = request({
  /** Path of a config file. */
  config: z.string().optional(),
  task: z.string().optional(),
  /** `1`, or `1,2,3`. */
  seed: z.string().optional(),
  name: z.string().optional(),
  /** `key=value`. */
  set: list(z.string()).default([]),
  /** `key=value,value`: a training for each. */
  over: list(z.string()).optional(),
  /** Trainings at a time; threads of a single one. */
  workers: numberWithin({ above: 0, whole: true }),
  /** Begin again, even where the same was trained before. */
  fresh: z.boolean().default(false),
  /** A checkpoint to start from. */
  from: z.string().optional(),
  /** A folder for every epoch in the files of Lever-Plus. */
  out: z.string().optional(),
  /** A run to continue, perhaps with other settings. */
  resume: z.string().optional(),
  allowChanges: z.boolean().default(false),
  /** Leave out what is finished, and wait for another process that trains it: for queues that may start a job twice. */
  once: z.boolean().default(false),
  /** Whether to tell what simple rivals score, which may have to be paid for. */
  baselines: z.boolean().default(false),
}).superRefine(({ resume, fresh, from, over, seed, allowChanges, out, once }, context) => {
  const several = over !== undefined || seed?.includes(',') === true
  const clashes: readonly (readonly [clash: boolean, first: string, second: string])[] = [
    [resume !== undefined && fresh, '--resume', '--fresh'],
    [resume !== undefined && from !== undefined, '--resume', '--from'],
    [resume !== undefined && several, '--resume', over === undefined ? '--seed 1,2' : '--over'],
    [allowChanges && fresh, '--allow-changes', '--fresh'],
    [out !== undefined && several, '--out', over === undefined ? '--seed 1,2' : '--over'],
    [once && fresh, '--once', '--fresh'],
    [once && resume !== undefined, '--once', '--resume'],
  ]
  for (const [clash, first, second] of clashes) if (clash) refuse(context, '', 'train.not-together', { first, second })
})

type TrainRequest = z.output<typeof trainRequest>

export const train = question({
  request: trainRequest,
  answer: trainAnswer,
  async ask(workspace, asked, asking: Asking<TrainEvent>) {
    const { grid, begin } = await plannedTrainings(workspace, asked, asking)
    const planned = gridOf(grid)
    if (planned.kind === 'problems') {
      throw new Problem('bad-request', message('train.problems', { problems: planned.problems }))
    }
    const [first, ...more] = planned.trials
    if (planned.trials.some(({ config }) => config.task === 'intention')) refuseSelectorsOwn(asked)
    if (more.length > 0 || asked.over !== undefined) return trainMany(workspace, planned.trials, asked, asking)
    return asked.once
      ? trainOnce(workspace, first.config, asked, asking)
      : trainOne(workspace, await toTrain(workspace, first.config, asked, asking.remark), begin, asked, asking)
  },
})

/** Several side by side on this machine. */
async function trainMany(
  workspace: Workspace,
  trainings: readonly PlannedTraining[],
  { workers, fresh, lang }: Pick<TrainRequest, 'workers' | 'fresh' | 'lang'>,
  { signal = new AbortController().signal, onProgress, remark }: Asking<TrainEvent>,
): Promise<TrialsAnswer> {
  const outcomes = await trainingPool(workspace, thisHost(), { fresh }).run(trainings, {
    workers,
    signal,
    spent: new AbortController().signal,
    language: lang,
    onEvent: event => onProgress?.(event),
    remark: said => remark?.(said),
  })
  const STATUS = { done: 'finished', stopped: 'killed', failed: 'failed', left: 'unknown' } as const
  return {
    runs: trainings.map(training => {
      const outcome = outcomes.get(training)
      return {
        trial: training.name,
        run: outcome?.run ?? null,
        status: outcome === undefined ? 'unknown' : STATUS[outcome.state],
      }
    }),
    known: [...outcomes.values()].filter(({ isKnown }) => isKnown).length,
    stopped: signal.aborted,
  }
}

/** Lever-Plus has no file for a language model. */
function refuseSelectorsOwn({ out }: TrainRequest): void {
  const given = out !== undefined ? '--out' : null
  if (given !== null)
    throw new Problem('bad-request', message('train.not-together', { first: given, second: '--task intention' }))
}

async function plannedTrainings(
  workspace: Workspace,
  { config, task, seed, name, set, over, resume, from, fresh, allowChanges }: TrainRequest,
  asking: Asking<TrainEvent>,
): Promise<{ readonly grid: GridRequest; readonly begin: Begin }> {
  const file = config === undefined ? null : await readConfigFile(config)
  const continued = resume === undefined ? null : await runToContinue(workspace, resume, asking)
  // A run that goes on does so with its own settings, but for those that are given; a file gives all of them.
  const base = continued !== null && file === null ? wholeConfig(continued) : await startingSettings(from)
  const grid = {
    base,
    ...(file !== null && { file }),
    sets: [
      ...(task === undefined ? [] : [`task=${task}`]),
      ...(name === undefined ? [] : [`name=${JSON.stringify(name)}`]),
      ...set,
    ],
    ...(seed !== undefined && { seed }),
    ...(over !== undefined && { over }),
    ...(from !== undefined && { from }),
  }
  if (continued !== null) return { grid, begin: { kind: 'continue', run: continued.id, allowChanges } }
  return { grid, begin: { kind: fresh ? 'new' : 'auto' } }
}

async function runToContinue(workspace: Workspace, name: string, asking: Asking<TrainEvent>): Promise<Manifest> {
  const { manifest } = await resolveOne(workspace, name, asking)
  if (manifest.source === SOURCE) return manifest
  throw new Problem('bad-request', message('train.not-ours', { run: name }))
}

const ASK_AGAIN_MS = 1000

/** Whoever comes second waits until the first has ended, and then finds it finished or goes on where it was. */
async function trainOnce(
  workspace: Workspace,
  config: AnyTrainConfig,
  asked: TrainRequest,
  asking: Asking<TrainEvent>,
): Promise<TrainedAnswer | TrialsAnswer> {
  const { name } = config
  const training = JSON.stringify([configHash(config), name, asked.from ?? null])
  const hash = sha256(training)
  const folder = join(cacheFolder(workspace), 'once', hash.slice(0, 24))
  await mkdir(folder, { recursive: true })
  for (;;) {
    try {
      const lease = await takeLease(folder, 'train')
      try {
        const prepared = await toTrain(workspace, config, asked, asking.remark)
        const known = await sameTrainings(workspace, lineageOf(prepared.training, version()), name)
        const finished = known.find(({ status }) => status === 'finished')
        if (finished !== undefined) {
          return { runs: [{ trial: name, run: finished.id, status: 'finished' }], known: 1, stopped: false }
        }
        return await trainOne(workspace, prepared, { kind: 'auto' }, asked, asking)
      } finally {
        await lease.release()
      }
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'busy') || asking.signal?.aborted) throw error
    }
    await pause(ASK_AGAIN_MS)
  }
}

/**
 * This process as one of the workers of a sweep: trains what it is told, one training after the other, and tells how it
 * goes. It stops at the next clean point when it is told to, or when whoever started it is gone; Ctrl-C in a terminal
 * reaches it too, and is left to its starter to act on.
 */
export function serveTrainings(): Promise<void> {
  const stopping = new AbortController()
  const stop = (): void => stopping.abort()
  process.on('SIGINT', () => {})
  process.on('SIGTERM', stop)
  process.on('message', (told: ToWorker) => {
    if (told.type === 'stop') stop()
    else {
      void trainAssigned(told.assignment, process.env, tell, stopping.signal).then(outcome =>
        tell({ type: 'end', outcome }),
      )
    }
  })
  return new Promise(resolve => {
    process.once('disconnect', () => {
      stop()
      resolve()
    })
  })
}

function tell(said: FromWorker): void {
  if (process.connected) process.send?.(said)
}
