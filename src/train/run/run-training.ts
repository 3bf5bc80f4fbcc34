import type { RunEvent } from '../../model/events.js'
import type { Lineage } from '../../model/lineage.js'
import type { RunStatus } from '../../model/run.js'
import { storeProblem } from '../../store/disk-problem.js'
import type { Workspace } from '../../store/workspace.js'
import { message } from '../../text/say.js'
import type { TrainConfig } from '../config/schema.js'
import { createPace } from '../pace.js'
import { type EpochTimes, epochEvents, flatConfig } from '../run-events.js'
import { queriesOf } from '../tasks/task.js'
import { train } from '../train.js'
import type { Phase, Start } from '../training-state.js'
import { type CheckpointKeeper, checkpointKeeper } from './keep-checkpoints.js'
import { lineageOf } from './lineage.js'
import { type OpenRun, openRun } from './open-run.js'
import { type OriginalFiles, openOriginalFiles } from './original-files.js'
import type { TrainingRequest } from './request.js'
import { checkpointsIn, type EvaluatedEpoch } from './resume-point.js'

/**
 * A training that is kept: a run in the store that grows epoch by epoch, and checkpoints from which it can go on. After
 * each epoch its metrics are journalled first and its checkpoint is written then, so whatever a kill leaves, the
 * metrics reach at least as far: the next process starts at the checkpoint and leaves alone what the store has.
 */
export interface TrainingObserver {
  started?(run: StartedRun): void | Promise<void>
  /** Queries of the epoch that is being trained. */
  progress?(done: number, total: number): void
  epoch?(epoch: EpochReport): void
}

export interface StartedRun {
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

export interface TrainingOptions {
  /** Version of klens. */
  readonly code: string
  readonly observer?: TrainingObserver
  /** A folder for every epoch as Lever-Plus writes it. */
  readonly out?: string | undefined
  readonly signal?: AbortSignal
}

export async function runTraining(
  workspace: Workspace,
  request: TrainingRequest,
  { code, observer = {}, signal, out }: TrainingOptions,
): Promise<TrainingResult> {
  const lineage = lineageOf(request, code)
  try {
    const run = await openRun(workspace, request, lineage)
    const files = out === undefined ? null : await openOriginalFiles(out, request.config)
    return await trainInto(run, request, lineage, { observer, signal, files })
  } catch (error) {
    throw storeProblem(error, workspace.root) ?? error
  }
}

interface Surroundings {
  readonly observer: TrainingObserver
  readonly signal: AbortSignal | undefined
  readonly files: OriginalFiles | null
}

async function trainInto(
  run: OpenRun,
  { config, task, from }: TrainingRequest,
  lineage: Lineage,
  { observer, signal, files }: Surroundings,
): Promise<TrainingResult> {
  const { id, name, writer, folder, point, continued, changes, damaged } = run
  const { settings = null, data = null, code = null } = lineage
  const about = { run: id, seed: config.seed, configHash: settings, dataHash: data, klens: code }
  const keeper = checkpointKeeper({ folder, config, about, from: from?.contentHash ?? null, point, changes })
  const start: Start = point?.start ?? (from === null ? { kind: 'fresh' } : { kind: 'weights', values: from.values })
  let epoch = point?.start.state.epoch ?? 0
  let status: RunStatus = 'failed'
  try {
    await writer.write(beginning(run, config, lineage), null)
    await writer.goLive()
    await observer.started?.({ id, name, resumedAfter: continued ? epoch : null, damaged, changes })
    signal?.throwIfAborted()
    const pace = createPace((done, total) => observer.progress?.(done, total), signal)
    const queries = queriesOf(task, 'train').length
    let began = performance.now()
    for await (const made of train(task, config, { start, pace, onUpdate: files?.update })) {
      const volatile = timesOf(queries, (performance.now() - began) / 1000)
      if (made.epoch > run.storedEpoch) await writer.write(epochEvents(made, volatile), null)
      // Files first: an epoch that was not kept is trained again and writes them again, one that was kept is not.
      await files?.write(made)
      await keeper.save(made)
      await noteReference(run, keeper)
      epoch = made.epoch
      observer.epoch?.({ epoch, phase: made.phase, metrics: made.metrics, volatile })
      if (made.ends !== 'training') signal?.throwIfAborted()
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
  const checkpoints = (await checkpointsIn(folder)).map(each => each.name)
  return { run: id, name, folder, status, epoch, checkpoints, evaluations: keeper.evaluations }
}

/** The reference is settled when GRPO begins: the weights that there were then. */
async function noteReference({ writer, id: run }: OpenRun, { reference }: CheckpointKeeper): Promise<void> {
  const { lineage } = writer.state.manifest()
  if (reference === null || lineage.reference?.contentHash === reference.contentHash) return
  await writer.write([{ type: 'lineage', lineage: { reference: { ...reference, run } } }], null)
}

function beginning(
  { name, point, continued, changes, damaged }: OpenRun,
  config: TrainConfig,
  { parent, ...lineage }: Lineage,
): RunEvent[] {
  const after = point?.start.state.epoch ?? 0
  const { code = '' } = lineage
  const warnings = [
    ...(changes.length > 0 ? [message('train.changed', { changes: changes.join(', ') })] : []),
    ...damaged.map(file => message('train.damaged', { file, epoch: after })),
  ]
  return [
    { type: 'about', about: { name, versions: { klens: code }, ...(!continued && { startedAt: Date.now() / 1000 }) } },
    { type: 'config', config: flatConfig(config) },
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

function timesOf(queries: number, seconds: number): EpochTimes {
  return { time: Date.now() / 1000, 'time.step': seconds, 'throughput.samples': queries / seconds }
}
