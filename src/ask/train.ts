import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { jsonNumber } from '../model/json.js'
import { Problem } from '../model/problem.js'
import type { Message } from '../model/run.js'
import { takeLease } from '../store/lease.js'
import { type Manifest, wholeConfig } from '../store/manifest.js'
import { cacheFolder, type Workspace } from '../store/workspace.js'
import type { Language } from '../text/language.js'
import { message } from '../text/say.js'
import type { AnyTrainConfig } from '../train/config/any.js'
import { byConstruction, ratioByConstruction } from '../train/config/by-construction.js'
import { configHash } from '../train/config/hash.js'
import type { TrainConfig } from '../train/config/schema.js'
import { introduction } from '../train/intention/introduction.js'
import type { IntentionConfig } from '../train/intention/settings.js'
import { makeSharedStarts } from '../train/intention/start.js'
import { loadLanguageCheckpoint } from '../train/intention/start-from.js'
import { intentionTraining } from '../train/intention/training.js'
import { loadStart, startingSettings } from '../train/load-start.js'
import { openTask } from '../train/open-task.js'
import { createPace } from '../train/pace.js'
import { lineageOf, SOURCE, sameTrainings } from '../train/run/lineage.js'
import type { Begin } from '../train/run/request.js'
import { type EpochReport, runTraining, type TrainingResult } from '../train/run/run-training.js'
import { selectorTraining } from '../train/run/selector-training.js'
import type { Trainable } from '../train/run/trainable.js'
import { parameterCount } from '../train/session.js'
import { type GridRequest, gridOf, type Trial } from '../train/sweep/grid.js'
import type { FromWorker, TrialOutcome } from '../train/sweep/messages.js'
import { runSweep } from '../train/sweep/run-sweep.js'
import { checkShots, queriesOf, scoreOf, type Task } from '../train/tasks/task.js'
import { readConfigFile } from './eval.js'
import { figure, inWords, list, numberWithin, refuse, request } from './fields.js'
import { resolveOne } from './names.js'
import { type Asking, question } from './question.js'
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
  workers: numberWithin({ above: 0, whole: true }),
  /** Begin anew, even where the same was trained before. */
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

/** All but `volatile` is the same every time. */
export const epoch = z.object({
  epoch: z.number(),
  phase: z.enum(['rce', 'grpo']),
  metrics: z.record(z.string(), figure),
  volatile: z.object({ time: z.number(), 'time.step': z.number(), 'throughput.samples': z.number() }),
})

export type EpochAnswer = z.infer<typeof epoch>

export const trained = z.object({
  run: z.string(),
  /** `killed`: it was asked to stop. */
  status: z.enum(['finished', 'killed']),
  /** The last one done. */
  lastEpoch: z.number(),
  checkpoints: list(z.string()),
  evaluations: list(z.object({ epoch: z.number(), metrics: z.record(z.string(), z.union([z.number(), z.string()])) })),
  volatile: z.object({ folder: z.string(), resumedAfter: z.number().nullable(), seconds: z.number() }),
})

const trials = z.object({
  runs: list(
    z.object({
      trial: z.string().nullable(),
      run: z.string().nullable(),
      status: z.enum(['finished', 'killed', 'failed', 'unknown']),
    }),
  ),
  /** How many were finished before and left out. */
  known: z.number(),
  /** Whether they were asked to stop. */
  stopped: z.boolean(),
})

const trainAnswer = z.union([trained, trials])

export type TrainedAnswer = z.infer<typeof trained>
export type TrialsAnswer = z.infer<typeof trials>

/** How one trial of many ended. */
export type TrialEnd =
  | TrainedAnswer
  | { readonly run: string; readonly status: 'finished'; readonly volatile: TrialTimes }
  | { readonly run: null; readonly status: 'failed'; readonly reason: string; readonly volatile: TrialTimes }

interface TrialTimes {
  readonly seconds: number
  readonly resumedAfter: number | null
}

/** What a training tells while it runs. `trial` is null for a single one. */
export type TrainEvent =
  | {
      readonly event: 'grid'
      readonly trials: readonly { readonly name: string; readonly epochs: number }[]
      readonly workers: number
    }
  | {
      readonly event: 'started'
      readonly trial: string | null
      readonly resumedAfter: number | null
      /** Of a single training. */
      readonly about: StartedTraining | null
    }
  | { readonly event: 'progress'; readonly done: number; readonly total: number }
  /** Of the supervised start that several trainings share. */
  | { readonly event: 'start-progress'; readonly done: number; readonly total: number }
  | { readonly event: 'epoch'; readonly trial: string | null; readonly report: EpochAnswer }
  | { readonly event: 'end'; readonly trial: string; readonly end: TrialEnd }

export interface StartedTraining extends Introduction {
  readonly id: string
  readonly name: string
  /** On resuming: settings that changed, and checkpoints that could not be read. */
  readonly changes: readonly string[]
  readonly damaged: readonly string[]
}

interface Introduction {
  readonly kind: 'selector' | 'language-model'
  /** Requests, for the language model. */
  readonly queries: number
  readonly parameters: number
  readonly baselines: readonly { readonly name: string; readonly score: number }[]
  /** Quantities that the settings fix beforehand. */
  readonly byConstruction: readonly Message[]
}

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
  const hash = createHash('sha256').update(training).digest('hex')
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

async function trainOne(
  workspace: Workspace,
  { training, introduce }: ToTrain,
  begin: Begin,
  asked: TrainRequest,
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
        const introduced = await introduce(asked.baselines && after === null)
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

function toTrain(
  workspace: Workspace,
  config: AnyTrainConfig,
  asked: TrainRequest,
  remark: Asking['remark'],
): Promise<ToTrain> {
  return config.task === 'intention'
    ? intentionToTrain(workspace, config, asked.from)
    : selectorToTrain(workspace, config, asked, remark)
}

async function selectorToTrain(
  workspace: Workspace,
  config: TrainConfig,
  asked: TrainRequest,
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
  path: string | undefined,
): Promise<ToTrain> {
  const from = path === undefined ? null : await loadLanguageCheckpoint(path, config)
  return {
    training: intentionTraining(config, workspace, from),
    introduce: () => ({ kind: 'language-model', ...introduction(config), byConstruction: ratioByConstruction(config) }),
  }
}

async function baselinesOf(task: Task, { policy }: TrainConfig): Promise<StartedTraining['baselines']> {
  const baselines = await task.baselines({ shots: policy.shots, split: 'val', seed: 1 })
  return baselines.map(({ name, hard, soft }) => ({ name, score: scoreOf(task, { hard, soft }) }))
}

function epochAnswer({ epoch, phase, metrics, volatile }: EpochReport): EpochAnswer {
  const written = Object.entries(metrics).map(([name, value]) => [name, jsonNumber(value)] as const)
  return { epoch, phase, metrics: Object.fromEntries(written), volatile }
}

function trainedAnswer(
  { run, status, epoch, checkpoints, evaluations, folder }: TrainingResult,
  times: TrialTimes,
): TrainedAnswer {
  return { run, status, lastEpoch: epoch, checkpoints, evaluations, volatile: { folder, ...times } }
}

interface Running {
  readonly began: number
  resumedAfter: number | null
}

/** Each in a process of its own: klens itself, told to serve; wherever its files lie, and bundled or not. */
export async function trainMany(
  workspace: Workspace,
  planned: readonly Trial[],
  { workers, fresh, lang }: Pick<TrainRequest, 'workers' | 'fresh' | 'lang'>,
  { signal = new AbortController().signal, onProgress }: Asking<TrainEvent>,
): Promise<TrialsAnswer> {
  const running = new Map<Trial, Running>()
  const atOnce = Math.min(workers ?? availableParallelism(), planned.length)
  const nameOf = ({ name }: Trial): string => name ?? ''
  onProgress?.({
    event: 'grid',
    trials: planned.map(trial => ({
      name: nameOf(trial),
      epochs: epochsOf(trial.config),
    })),
    workers: atOnce,
  })
  const observe = (trial: Trial, said: FromWorker): void => {
    const state = running.get(trial) ?? { began: performance.now(), resumedAfter: null }
    running.set(trial, state)
    const name = nameOf(trial)
    switch (said.type) {
      case 'started':
        state.resumedAfter = said.resumedAfter
        onProgress?.({ event: 'started', trial: name, resumedAfter: said.resumedAfter, about: null })
        break
      case 'epoch':
        onProgress?.({ event: 'epoch', trial: name, report: epochAnswer(said.report) })
        break
      case 'end':
        onProgress?.({ event: 'end', trial: name, end: trialEnd(said.outcome, state, lang) })
    }
  }
  if (atOnce > 1) await makeStarts(workspace, planned, { signal, onProgress })
  const outcomes = await runSweep(workspace, planned, {
    workers: atOnce,
    command: [process.argv[1], 'train', '--worker'],
    fresh,
    code: version(),
    signal,
    observe,
    isLoud: Boolean(process.env.KLENS_DEBUG),
  })
  return {
    runs: planned.map(trial => ({ trial: trial.name, ...outcomeOf(outcomes.get(trial)) })),
    known: [...outcomes.values()].filter(({ kind }) => kind === 'known').length,
    stopped: signal.aborted,
  }
}

/** The supervised starts that several of them share, which each would make for itself. */
export async function makeStarts(
  workspace: Workspace,
  planned: readonly Trial[],
  { signal, onProgress }: Asking<TrainEvent>,
): Promise<void> {
  const configs = planned.flatMap(({ config, from }) => (config.task === 'intention' && from === null ? [config] : []))
  const pace = createPace((done, total) => onProgress?.({ event: 'start-progress', done, total }), signal)
  await makeSharedStarts(workspace, configs, pace).catch(error => {
    // Asked to stop: then none of them is begun, and the answer says so.
    if (!signal?.aborted) throw error
  })
}

/** What its progress is counted in. */
export function epochsOf(config: AnyTrainConfig): number {
  // Before the first step of the language model there is an evaluation.
  return config.task === 'intention' ? config.steps + 1 : config.epochs.rce + config.epochs.grpo
}

function outcomeOf(outcome: TrialOutcome | undefined): Pick<TrialsAnswer['runs'][number], 'run' | 'status'> {
  switch (outcome?.kind) {
    case 'trained':
      return { run: outcome.result.run, status: outcome.result.status }
    case 'known':
      return { run: outcome.run, status: 'finished' }
    case 'failed':
      return { run: null, status: 'failed' }
    default:
      return { run: null, status: 'unknown' }
  }
}

function trialEnd(outcome: TrialOutcome, { began, resumedAfter }: Running, language: Language): TrialEnd {
  const volatile = { seconds: (performance.now() - began) / 1000, resumedAfter }
  switch (outcome.kind) {
    case 'trained':
      return trainedAnswer(outcome.result, volatile)
    case 'known':
      return { run: outcome.run, status: 'finished', volatile }
    case 'failed':
      return { run: null, status: 'failed', reason: inWords(outcome.reasons, language).join(' '), volatile }
  }
}
