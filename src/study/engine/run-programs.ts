import { setTimeout as pause } from 'node:timers/promises'
import type { Message } from '../../model/run.js'
import { writeFileAtomically } from '../../store/atomic.js'
import { stepRange } from '../../store/catalogue.js'
import { follow } from '../../store/follow.js'
import type { Manifest } from '../../store/manifest.js'
import type { Workspace } from '../../store/workspace.js'
import { driveJobs, type JobEnd, type JobEvent } from '../executor/drive.js'
import type { Executor, Job, Resources } from '../executor/executor.js'
import type { JobRecords } from '../executor/records.js'
import type { CommandTrial } from '../plan/trials.js'
import { commandOf, shownCommand } from './command.js'
import { aboutPath, type Concluded, concludeTrial, logsOf, type ProgramEnd, toldOf } from './conclude.js'
import { openConsole } from './console.js'
import { type RuledStop, ruledStops, type StopWatch } from './ruled-stops.js'
import { checkpointsOf, makeTrialFolder, trialFolder } from './trial-folder.js'

/**
 * Trials that programs of the user's train: each is handed to the executor as a job, what it prints and logs is followed
 * while it runs, and when it has ended its run is settled. What was done before is only looked at again; what was cut
 * off goes on at its newest checkpoint, with the words that the engine has for that.
 */
export interface ProgramRunning {
  readonly workspace: Workspace
  readonly study: string
  /** The study's own, by which trials are judged. */
  readonly metric: string
  readonly executor: Executor
  readonly records: JobRecords
  readonly atOnce: number
  readonly resources: Resources
  readonly stopWatch: StopWatch | null
  readonly signal: AbortSignal
  readonly hear: (event: ProgramEvent) => void
}

export type ProgramEvent = { readonly event: 'program'; readonly trial: string } & (
  | { readonly what: 'begun'; readonly attempt: number; readonly isResumed: boolean }
  | { readonly what: 'found' }
  | { readonly what: 'step'; readonly run: string; readonly step: number }
  | {
      readonly what: 'ended'
      readonly state: ProgramOutcome['state']
      readonly run: string | null
      readonly problems: readonly Message[]
    }
)

export interface ProgramOutcome extends Concluded {
  /** `left`: it goes on without klens. */
  readonly state: 'done' | 'failed' | 'stopped' | 'left'
  /** It had ended before. */
  readonly isKnown: boolean
}

/** How often what a program prints is fetched, and what it logs looked for. */
const LOOK_MS = 500

interface Watched {
  readonly trial: CommandTrial
  readonly folder: string
  /** Of the attempt under way. */
  following: { readonly end: AbortController; readonly done: Promise<void> } | null
}

/** By trial id; what was not begun has no outcome. */
export async function runPrograms(
  trials: readonly CommandTrial[],
  running: ProgramRunning,
): Promise<ReadonlyMap<string, ProgramOutcome>> {
  const { workspace, study, executor, records, atOnce, resources, signal, hear } = running
  const watched = new Map(
    trials.map(trial => {
      const { id, seed } = trial
      const folder = trialFolder(workspace, study, { arm: trial.arm.name, seed, id })
      return [id, { trial, folder, following: null } satisfies Watched as Watched] as const
    }),
  )
  const stops = ruledStops(running)
  const outcomes = new Map<string, ProgramOutcome>()
  const settled: Promise<void>[] = []

  async function settle({ trial, folder }: Watched, end: ProgramEnd, isKnown: boolean): Promise<void> {
    const record = await records.read(trial.id)
    const seconds = record?.end ? ([record.handedOverAt, record.end.at] as const) : null
    const concluded = await concludeTrial(workspace, trial, { folder, metric: running.metric, end, seconds })
    const state = concluded.problems.length > 0 ? 'failed' : end.kind === 'stopped' ? 'stopped' : 'done'
    outcomes.set(trial.id, { ...concluded, state, isKnown })
    hear({ event: 'program', trial: trial.name, what: 'ended', state, ...concluded })
  }

  async function ended(each: Watched, { state, reason, isKnown }: JobEnd): Promise<void> {
    const ruled = await stops.of(each.folder)
    if (each.following !== null) {
      each.following.end.abort()
      await each.following.done
    }
    if (state === 'left') {
      outcomes.set(each.trial.id, { run: null, problems: [], state, isKnown })
      return
    }
    await settle(each, endOf(state, reason, ruled), isKnown)
  }

  function onJob(event: JobEvent): void {
    if (!('job' in event)) return
    const each = watched.get(event.job.id)
    if (each === undefined) return
    const { name } = each.trial
    if (event.event === 'handed-over' || event.event === 'attached') {
      if (event.event === 'attached') hear({ event: 'program', trial: name, what: 'found' })
      // One attempt after the other: two that follow the same log would keep each other from the store.
      each.following?.end.abort()
      each.following = followTrial(each, running, stops, each.following?.done ?? Promise.resolve())
    }
    if (event.event === 'ended') settled.push(ended(each, event.end))
  }

  const jobs: Job[] = []
  for (const each of watched.values()) {
    await makeTrialFolder(workspace, each.folder)
    const ruled = await stops.of(each.folder)
    if (ruled?.counts) settled.push(settle(each, { kind: 'ruled', ...ruled }, true))
    else jobs.push(await jobOf(each, study, resources))
  }
  /** The words of an attempt are made when it begins: by then there may be a checkpoint. */
  const starting: Executor = {
    ...executor,
    async submit(attempt) {
      const each = watched.get(attempt.id)
      if (each === undefined) return executor.submit(attempt)
      await stops.forget(each.folder)
      const checkpoint = await newestCheckpoint(each)
      const job = await jobOf(each, study, resources)
      await executor.submit({ ...job, handle: attempt.handle })
      const { number, isResumed } = { number: Number(attempt.handle.split('-').at(-1)), isResumed: checkpoint !== null }
      hear({ event: 'program', trial: each.trial.name, what: 'begun', attempt: number, isResumed })
    },
  }
  try {
    await driveJobs(jobs, { executor: starting, records, atOnce, signal, hear: onJob })
  } finally {
    for (const { following } of watched.values()) following?.end.abort()
    await Promise.all(settled)
  }
  return outcomes
}

function endOf(state: 'done' | 'failed' | 'stopped', reason: string | null, ruled: RuledStop | null): ProgramEnd {
  // A program that is asked to end may well say that it was cut off.
  if (ruled !== null && state !== 'done') return { kind: 'ruled', ...ruled }
  return state === 'failed' ? { kind: 'failed', reason: reason ?? '' } : { kind: state }
}

async function newestCheckpoint({ trial, folder }: Watched): Promise<string | null> {
  return (await checkpointsOf(folder, trial.program.engine.checkpoints)).at(-1)?.path ?? null
}

async function jobOf(each: Watched, study: string, resources: Resources): Promise<Job> {
  const { trial, folder } = each
  const { engine, settings } = trial.program
  const checkpoint = await newestCheckpoint(each)
  const told = { study, arm: trial.arm.name, seed: trial.seed, settings }
  const command = commandOf(engine, told, { folder, checkpoint })
  const about = { trial: trial.name, id: trial.id, seed: trial.seed, settings, command: shownCommand(command) }
  await writeFileAtomically(aboutPath(folder), `${JSON.stringify(about, null, 2)}\n`)
  return { id: trial.id, name: trial.name, ...command, resources, ending: engine.stop }
}

/** Until it is told that the program has ended: its console comes into the folder, its metrics into the workspace. */
function followTrial(
  { trial, folder }: Watched,
  { workspace, executor, records, hear }: ProgramRunning,
  stops: ReturnType<typeof ruledStops>,
  before: Promise<void>,
): NonNullable<Watched['following']> {
  const end = new AbortController()
  const { signal } = end

  async function copyConsole(): Promise<void> {
    const record = await records.read(trial.id)
    if (record === null) return
    const { handle } = record
    const console = await openConsole(folder, handle, from => executor.log(handle, from))
    for (;;) {
      const isLast = signal.aborted
      while (await console.pull());
      if (isLast) return
      await pause(LOOK_MS, undefined, { signal }).catch(() => {})
    }
  }

  async function followMetrics(): Promise<void> {
    const { metrics } = trial.program.engine
    let paths = await logsOf(folder, metrics)
    while (paths.length === 0 && !signal.aborted) {
      await pause(LOOK_MS, undefined, { signal }).catch(() => {})
      paths = await logsOf(folder, metrics)
    }
    if (signal.aborted) return
    const onGrowth = (manifest: Manifest): void => {
      const step = stepRange(manifest)?.[1]
      if (step !== undefined) hear({ event: 'program', trial: trial.name, what: 'step', run: manifest.id, step })
      stops.look(trial, folder, manifest.id)
    }
    await follow(workspace, paths, { signal, told: toldOf(trial), onGrowth })
  }

  // What cannot be followed is read when the program has ended, and what is wrong is told then.
  const done = before.then(() => Promise.allSettled([copyConsole(), followMetrics()])).then(() => {})
  return { end, done }
}
