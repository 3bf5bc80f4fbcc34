import { storeProblem } from '../../../core/store/disk-problem.js'
import type { Workspace } from '../../../core/store/workspace.js'
import type { RunEvent } from '../../../logs/model/events.js'
import type { Lineage } from '../../../logs/model/lineage.js'
import type { RunStatus } from '../../../logs/model/run.js'
import { message } from '../../../text/say.js'
import { yieldingToEventLoop } from '../event-loop.js'
import type { Phase } from '../training-state.js'
import { lineageOf } from './lineage.js'
import { type OpenRun, openRun } from './open-run.js'
import type { Begin, EpochTimes, EvaluatedEpoch, Trainable, Underway } from './trainable.js'

/**
 * A training that is kept: a run in the store that grows epoch by epoch, and checkpoints from which it can go on. After
 * each epoch its metrics are journalled first and its checkpoint is written then, so whatever a kill leaves, the
 * metrics reach at least as far: the next process starts at the checkpoint and leaves alone what the store has.
 */
interface TrainingObserver {
  started?(run: StartedRun): void | Promise<void>
  /** Queries of the epoch that is being trained, or steps of a training that has no epochs. */
  progress?(done: number, total: number): void
  epoch?(epoch: EpochReport): void
}

interface StartedRun {
  readonly id: string
  readonly name: string
  /** Null for a new run; 0 where the interrupted one had not finished an epoch. */
  readonly resumedAfter: number | null
  readonly damaged: readonly string[]
  readonly changes: readonly string[]
}

export interface EpochReport {
  readonly epoch: number
  readonly phase: Phase
  readonly metrics: { readonly [name: string]: number }
  readonly volatile: EpochTimes
}

export interface TrainingResult {
  readonly run: string
  readonly name: string
  readonly folder: string
  /** `killed`: it was asked to stop. */
  readonly status: 'finished' | 'killed'
  /** The last epoch done. */
  readonly epoch: number
  readonly checkpoints: readonly string[]
  readonly evaluations: readonly EvaluatedEpoch[]
}

interface TrainingOptions {
  readonly begin: Begin
  /** Version of klens. */
  readonly code: string
  readonly observer?: TrainingObserver
  readonly signal?: AbortSignal
}

export async function runTraining(
  workspace: Workspace,
  training: Trainable,
  { begin, code, observer = {}, signal }: TrainingOptions,
): Promise<TrainingResult> {
  const lineage = lineageOf(training, code)
  try {
    const run = await openRun(workspace, training, begin, lineage)
    return await trainInto(run, training, lineage, { observer, signal })
  } catch (error) {
    throw storeProblem(error, workspace.root) ?? error
  }
}

interface Surroundings {
  readonly observer: TrainingObserver
  readonly signal: AbortSignal | undefined
}

async function trainInto(
  run: OpenRun,
  training: Trainable,
  lineage: Lineage,
  { observer, signal }: Surroundings,
): Promise<TrainingResult> {
  const { id, name, writer, folder, point, continued, changes, damaged } = run
  const { settings = null, data = null, code = null } = lineage
  const about = { run: id, seed: training.seed, configHash: settings, dataHash: data, klens: code }
  const place = { folder, about, changes }
  const underway = point === null ? training.begin(place) : point.resume(place)
  let epoch = point?.step ?? 0
  let status: RunStatus = 'failed'
  try {
    await writer.write(beginning(run, training, lineage), null)
    await writer.goLive()
    await observer.started?.({ id, name, resumedAfter: continued ? epoch : null, damaged, changes })
    signal?.throwIfAborted()
    const yieldToEventLoop = yieldingToEventLoop((done, total) => observer.progress?.(done, total), signal)
    let began = performance.now()
    for await (const made of underway.steps(yieldToEventLoop)) {
      const volatile = timesOf(training.samplesPerStep, (performance.now() - began) / 1000)
      if (made.step > run.storedEpoch) await writer.write(made.events(volatile), null)
      await made.keep()
      await noteReference(run, underway)
      epoch = made.step
      observer.epoch?.({ epoch, phase: made.phase, metrics: made.metrics, volatile })
      if (!made.isLast) signal?.throwIfAborted()
      began = performance.now()
    }
    status = 'finished'
  } catch (error) {
    status = signal?.aborted ? 'killed' : 'failed'
    if (status === 'failed') {
      await end(run, status).catch(() => {})
      throw error
    }
  }
  await end(run, status)
  const checkpoints = await underway.checkpoints()
  return { run: id, name, folder, status, epoch, checkpoints, evaluations: underway.evaluations }
}

/** The reference is settled when GRPO begins: the weights that there were then. */
async function noteReference({ writer, id: run }: OpenRun, { reference }: Underway): Promise<void> {
  const { lineage } = writer.state.manifest()
  if (reference === null || lineage.reference?.contentHash === reference.contentHash) return
  await writer.write([{ type: 'lineage', lineage: { reference: { ...reference, run } } }], null)
}

function beginning(
  { name, point, continued, changes, damaged }: OpenRun,
  { settings }: Trainable,
  { parent, ...lineage }: Lineage,
): RunEvent[] {
  const after = point?.step ?? 0
  const { code = '' } = lineage
  const warnings = [
    ...(changes.length > 0 ? [message('train.changed', { changes: changes.join(', ') })] : []),
    ...damaged.map(file => message('train.damaged', { file, epoch: after })),
  ]
  return [
    { type: 'about', about: { name, versions: { klens: code }, ...(!continued && { startedAt: Date.now() / 1000 }) } },
    { type: 'config', config: settings },
    // A run that goes on began where it began.
    { type: 'lineage', lineage: continued ? lineage : { parent, ...lineage } },
    { type: 'status', status: 'running' },
    ...(continued ? [{ type: 'restart' } as const] : []),
    ...warnings.map(warning => ({ type: 'warning', message: warning }) as const),
  ]
}

/** Closing gives the run free even where the disk cannot take its last words. */
async function end({ writer }: OpenRun, status: RunStatus): Promise<void> {
  try {
    await writer.write([{ type: 'status', status }], null)
  } finally {
    await writer.close()
  }
}

function timesOf(samples: number, seconds: number): EpochTimes {
  return { time: Date.now() / 1000, 'time.step': seconds, 'throughput.samples': samples / seconds }
}
