import { setTimeout as pause } from 'node:timers/promises'
import { writeFileAtomically } from '../../../core/store/atomic.js'
import { stepRange } from '../../../core/store/catalogue.js'
import { follow } from '../../../core/store/follow.js'
import type { Manifest } from '../../../core/store/manifest.js'
import type { Workspace } from '../../../core/store/workspace.js'
import { render } from '../../../text/sentences.js'
import type { Outcome, StudyEvent } from '../events.js'
import { driveJobs, type JobEnd, type JobEvent } from '../executor/drive.js'
import type { Executor, Job, JobQueue, Resources } from '../executor/executor.js'
import type { JobRecords } from '../executor/records.js'
import type { WhichCheckpoints } from '../file/sections.js'
import type { StopRule } from '../stop-rules.js'
import type { CommandTrial } from '../trial.js'
import { type KlensWords, sharedServices, withServices } from './beside.js'
import { blankTexts, commandOf, shownCommand } from './command.js'
import { aboutPath, concludeTrial, logsOf, runFacts } from './conclude.js'
import { checkpointKeeper } from './keep-checkpoints.js'
import { type RuledStop, ruledStops } from './ruled-stops.js'
import { checkpointsOf, makeTrialFolder, openConsole, trialFolder } from './trial-folder.js'

/**
 * Trials that programs of the user's train: each is handed to a queue as a job, what it prints and logs is followed while it
 * runs, and when it has ended its run is settled. What was done before is only looked at again; what was cut off goes on
 * at its newest checkpoint, with the words that the engine has for that.
 */
interface QueuedPrograms {
  readonly study: string
  /** The study's own in training. */
  readonly metric: string
  /** Whether trials are judged by it, so that one without it has failed. */
  readonly isJudgedByIt: boolean
  readonly queue: JobQueue
  readonly records: JobRecords
  readonly resources: Resources
  /** How many at a time, where it is not said. */
  readonly capacity: number
  /** By which the study ends trials. */
  readonly stopRules: readonly StopRule[]
  readonly klens: KlensWords
  /** Which checkpoints its evaluations ask for. */
  readonly evaluated: readonly WhichCheckpoints[]
}

/** How often what a program prints is fetched, and what it logs looked for. */
const LOOK_MS = 500
/** How long a checkpoint must stay as it is to be taken for whole. */
const KEEP_MS = 2000

interface FollowedTrial {
  readonly trial: CommandTrial
  readonly folder: string
  /** Whether the attempt under way goes on at a checkpoint. */
  isResumed: boolean
  /** Of the attempt under way. */
  following: { readonly end: AbortController; readonly done: Promise<void> } | null
}

export function queuedPrograms(workspace: Workspace, programs: QueuedPrograms): Executor<CommandTrial> {
  const { metric, isJudgedByIt, queue, records, capacity } = programs
  return {
    async run(trials, { workers, signal, spent, language, onEvent }) {
      const followed = new Map(
        trials.map(trial => {
          const folder = trialFolder(workspace, programs.study, { arm: trial.arm.name, seed: trial.seed, id: trial.id })
          const each: FollowedTrial = { trial, folder, isResumed: false, following: null }
          return [trial.id, each] as const
        }),
      )
      const stops = ruledStops(workspace, programs)
      const outcomes = new Map<CommandTrial, Outcome>()
      const concluding: Promise<void>[] = []

      async function conclude({ trial, folder }: FollowedTrial, end: Concluding, isKnown: boolean): Promise<void> {
        const record = await records.read(trial.id)
        const seconds = record?.end ? ([record.handedOverAt, record.end.at] as const) : null
        const { run, problems } = await concludeTrial(workspace, trial, {
          ...{ folder, seconds, metric: isJudgedByIt ? metric : null },
          ...end,
        })
        const reasons = problems.map(problem => render(problem, language))
        const state = reasons.length > 0 ? 'failed' : end.state === 'stopped' && end.ruled === null ? 'stopped' : 'done'
        outcomes.set(trial, { state, run, reasons, isKnown })
        onEvent({ event: 'program', trial: trial.name, what: 'ended', state, run, problems: reasons })
      }

      async function ended(each: FollowedTrial, { state, reason, isKnown }: JobEnd): Promise<void> {
        const ruled = await stops.of(each.folder)
        if (each.following !== null) {
          each.following.end.abort()
          await each.following.done
        }
        if (state === 'left') outcomes.set(each.trial, { state, run: null, reasons: [], isKnown })
        // A program that is asked to end may well say that it was cut off.
        else await conclude(each, { state, reason, ruled: state === 'done' ? null : ruled }, isKnown)
      }

      function onJob(event: JobEvent): void {
        const each = 'job' in event ? followed.get(event.job.id) : undefined
        if (each === undefined) return
        const { name: trial } = each.trial
        switch (event.event) {
          case 'handed-over': {
            const { attempt } = event
            onEvent({
              event: 'program',
              trial,
              what: 'begun',
              attempt,
              isResumed: each.isResumed,
              queue: queue.goesOnAlone ? queue.place : null,
            })
            followAttempt(each)
            break
          }
          case 'attached':
            onEvent({ event: 'program', trial, what: 'found' })
            followAttempt(each)
            break
          case 'ended':
            concluding.push(ended(each, event.end))
        }
      }

      /** One attempt after the other: two that follow the same log would keep each other from the store. */
      function followAttempt(each: FollowedTrial): void {
        each.following?.end.abort()
        const before = each.following?.done ?? Promise.resolve()
        each.following = followTrial(workspace, each, programs, { stops, onEvent, before })
      }

      const jobs: Job[] = []
      for (const each of followed.values()) {
        await makeTrialFolder(workspace, each.folder)
        const ruled = await stops.of(each.folder)
        if (ruled?.counts) concluding.push(conclude(each, { state: 'stopped', reason: null, ruled }, true))
        else jobs.push(await jobOf(workspace, each, programs))
      }
      /** The words of an attempt are made when it begins: by then there may be a checkpoint. */
      const prepare = async (job: Job): Promise<Job> => {
        const each = followed.get(job.id)
        if (each === undefined) return job
        await stops.forget(each.folder)
        return jobOf(workspace, each, programs)
      }
      try {
        await driveJobs(jobs, { queue, records, atOnce: workers ?? capacity, signal, spent, onEvent: onJob, prepare })
      } finally {
        for (const { following } of followed.values()) following?.end.abort()
        await Promise.all(concluding)
      }
      return outcomes
    },
  }
}

/** How its job ended, and whether a stop rule ended it. */
interface Concluding {
  readonly state: 'done' | 'failed' | 'stopped'
  readonly reason: string | null
  readonly ruled: RuledStop | null
}

async function jobOf(
  workspace: Workspace,
  each: FollowedTrial,
  { study, resources, klens }: QueuedPrograms,
): Promise<Job> {
  const { trial, folder } = each
  const { engine, settings } = trial.program
  const checkpoint = (await checkpointsOf(folder, engine.checkpoints)).at(-1)?.path ?? null
  each.isResumed = checkpoint !== null
  const input = { study, arm: trial.arm.name, seed: trial.seed, settings }
  const command = commandOf(engine, input, { folder, checkpoint })
  const about = { trial: trial.name, id: trial.id, seed: trial.seed, settings, command: shownCommand(command) }
  await writeFileAtomically(aboutPath(folder), `${JSON.stringify(about, null, 2)}\n`)
  const textFor = blankTexts(engine, input, { folder, checkpoint })
  const beside = { shared: sharedServices(engine.services, textFor), before: [], own: [] }
  const started = await withServices(workspace, study, klens, folder, command, beside)
  return { id: trial.id, name: trial.name, ...started, resources, ending: engine.stop }
}

/** Until its program has ended: its console comes into the folder, its metrics into the workspace, and checkpoints are kept. */
function followTrial(
  workspace: Workspace,
  { trial, folder }: FollowedTrial,
  { queue, records, evaluated }: QueuedPrograms,
  {
    stops,
    onEvent,
    before,
  }: {
    readonly stops: ReturnType<typeof ruledStops>
    readonly onEvent: (event: StudyEvent) => void
    readonly before: Promise<void>
  },
): NonNullable<FollowedTrial['following']> {
  const end = new AbortController()
  const { signal } = end

  async function copyConsole(): Promise<void> {
    const record = await records.read(trial.id)
    if (record === null) return
    const { handle } = record
    const console = await openConsole(folder, handle, from => queue.log(handle, from))
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
      if (step !== undefined) onEvent({ event: 'program', trial: trial.name, what: 'step', run: manifest.id, step })
      stops.look(trial, folder, manifest.id)
    }
    await follow(workspace, paths, { signal, told: runFacts(trial), onGrowth })
  }

  async function keepCheckpoints(): Promise<void> {
    const keeper = checkpointKeeper(folder, trial.program.engine.checkpoints, evaluated)
    while (evaluated.length > 0 && !signal.aborted) {
      await keeper.look()
      await pause(KEEP_MS, undefined, { signal }).catch(() => {})
    }
    await keeper.end()
  }

  // What cannot be followed is read when the program has ended, and what is wrong is said then.
  const done = before.then(() => Promise.allSettled([copyConsole(), followMetrics(), keepCheckpoints()])).then(() => {})
  return { end, done }
}
