import { setTimeout as pause } from 'node:timers/promises'
import { Problem, sentencesOf } from '../../../logs/model/problem.js'
import type { Message } from '../../../logs/model/run.js'
import type { Language } from '../../../text/language.js'
import { render, sentences } from '../../../text/sentences.js'
import type { Job, JobQueue, JobStatus } from './executor.js'
import type { JobRecord, JobRecords } from './records.js'

/**
 * Brings jobs to their end at a queue, whatever was killed or restarted in between. What an earlier klens handed over is
 * looked for first; what the queue does not know is handed over again as it was; what was cut off gets another
 * attempt. What failed by itself is reported and left at that: started again by a person, it is tried again.
 */
interface DriveOptions {
  readonly queue: JobQueue
  readonly records: JobRecords
  /** How many at a time. */
  readonly atOnce: number
  /** Asked to stop: see `goesOnAlone`. Nothing more is handed over. */
  readonly signal?: AbortSignal
  /** The budget is spent, say: what was handed over is stopped wherever it is. */
  readonly spent?: AbortSignal
  readonly onEvent?: (event: JobEvent) => void
  /** Right before each attempt: its words may depend on what is there by then. */
  readonly prepare?: (job: Job) => Promise<Job>
  /** Of reasons. */
  readonly language?: Language
  /** How long a queue may stay out of reach: when it is asked for the first time, and once it was reached. */
  readonly patienceMs?: readonly [first: number, later: number]
}

export type JobEvent =
  | { readonly event: 'handed-over'; readonly job: Job; readonly attempt: number; readonly why: Handover }
  /** It was handed over by an earlier klens and is still on its way. */
  | { readonly event: 'attached'; readonly job: Job; readonly attempt: number }
  | { readonly event: 'running'; readonly job: Job }
  | { readonly event: 'log'; readonly job: Job; readonly text: string }
  | { readonly event: 'ended'; readonly job: Job; readonly end: JobEnd }
  /** Asked to stop, while this many go on without klens. */
  | { readonly event: 'left'; readonly jobs: number; readonly place: string }
  | { readonly event: 'unreachable'; readonly problem: readonly Message[] }
  | { readonly event: 'reached-again' }

type Handover = 'first' | 'lost' | 'evicted' | 'waited' | 'asked-again'

export interface JobEnd {
  /** `left`: klens was asked to stop, and it goes on. */
  readonly state: 'done' | 'failed' | 'stopped' | 'left'
  readonly reason: string | null
  readonly attempt: number
  /** It had ended before, and nothing was done for it now. */
  readonly isKnown: boolean
}

const say = sentences({
  'executor.elsewhere': {
    en: '{name} was submitted to {before} and has not ended; continue with that executor, or end it with klens study stop',
    zh: '{name} 已交给 {before} 且尚未结束；请继续使用该执行器，或用 klens study stop 结束它',
  },
  'executor.too-often': {
    en: '{times} attempt{times||s} {times|was|were} interrupted',
    zh: '{times} 次尝试都被中断',
  },
})

const PATIENCE_MS = [20_000, 600_000] as const
/** After so many in a row the fault is likely to be the job's own: a machine that runs out of memory, say. */
const MOST_EVICTIONS = 5
const LOOKS_AT_ONCE = 8

interface ActiveJob {
  readonly job: Job
  record: JobRecord
  /** Handed over by this klens, or found at the queue. */
  isSeen: boolean
  isRunning: boolean
  isAskedToStop: boolean
  evictions: number
  logFrom: number
}

/** By job id. What was not begun, because klens was asked to stop before, has no end. */
export async function driveJobs(
  jobs: readonly Job[],
  {
    queue,
    records,
    atOnce,
    signal: asked,
    spent,
    onEvent,
    prepare,
    language = 'en',
    patienceMs = PATIENCE_MS,
  }: DriveOptions,
): Promise<ReadonlyMap<string, JobEnd>> {
  const signal = AbortSignal.any([asked, spent].filter(each => each !== undefined))
  const ends = new Map<string, JobEnd>()
  const underway = new Set<ActiveJob>()
  const waiting: { readonly job: Job; readonly before: JobRecord | null }[] = []
  const reach = patient(patienceMs, signal, onEvent)

  const conclude = (job: Job, end: JobEnd): void => {
    ends.set(job.id, end)
    onEvent?.({ event: 'ended', job, end })
  }
  const inWords = (said: readonly Message[]): string => said.map(each => render(each, language)).join(' ')

  for (const job of jobs) {
    const record = await records.read(job.id)
    if (record === null || (record.end !== null && record.end.state !== 'done')) waiting.push({ job, before: record })
    else if (record.end !== null) {
      conclude(job, { state: 'done', reason: null, attempt: record.attempt, isKnown: true })
    } else if (record.place !== queue.place) {
      throw new Problem('busy', say('executor.elsewhere', { name: job.name, before: record.place }))
    } else underway.add(beginning(job, record))
  }

  async function handOver(each: ActiveJob, why: Handover): Promise<void> {
    const { job, record } = each
    try {
      const prepared = (await prepare?.(job)) ?? job
      await reach(() => queue.submit({ ...prepared, handle: record.handle }))
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'bad-request') throw error
      // The others may well be in order.
      await end(each, 'failed', inWords(sentencesOf(error)))
      return
    }
    each.isSeen = true
    onEvent?.({ event: 'handed-over', job, attempt: record.attempt, why })
  }

  async function end(each: ActiveJob, state: 'done' | 'failed' | 'stopped', reason: string | null): Promise<void> {
    underway.delete(each)
    await records.end(each.record, { state, reason })
    conclude(each.job, { state, reason, attempt: each.record.attempt, isKnown: false })
  }

  async function look(each: ActiveJob): Promise<boolean> {
    const { job, record } = each
    const { state, reason, hasOnlyWaited = false } = await reach(() => queue.status(record.handle))
    if (state !== 'lost' && !each.isSeen) {
      each.isSeen = true
      // What it printed before is known, or was printed while no klens followed it.
      if (onEvent !== undefined) each.logFrom = (await reach(() => queue.log(record.handle, 'end'))).next
      onEvent?.({ event: 'attached', job, attempt: record.attempt })
    }
    await tellLog(each, state)
    switch (state) {
      case 'waiting':
        return false
      case 'running': {
        const isNew = !each.isRunning
        each.isRunning = true
        if (isNew) onEvent?.({ event: 'running', job })
        return isNew
      }
      case 'lost':
        if (signal.aborted) underway.delete(each)
        else await handOver(each, each.isSeen ? 'lost' : 'first')
        return true
      case 'evicted':
        if (!hasOnlyWaited) each.evictions += 1
        if (each.evictions >= MOST_EVICTIONS) {
          await end(each, 'failed', inWords([say('executor.too-often', { times: each.evictions })]))
          return true
        }
        each.record = await records.end(record, { state, reason })
        if (signal.aborted) underway.delete(each)
        else await another(each, hasOnlyWaited ? 'waited' : 'evicted')
        return true
      default:
        await end(each, state, reason)
        return true
    }
  }

  async function another(each: ActiveJob, why: Handover): Promise<void> {
    each.record = await records.begin(each.job, queue.place, each.record.attempt + 1)
    each.isRunning = false
    each.logFrom = 0
    await handOver(each, why)
  }

  async function tellLog(each: ActiveJob, state: JobStatus['state']): Promise<void> {
    if (onEvent === undefined || state === 'lost' || state === 'waiting') return
    for (;;) {
      const { text, next } = await reach(() => queue.log(each.record.handle, each.logFrom))
      each.logFrom = next
      if (text !== '') onEvent({ event: 'log', job: each.job, text })
      // What runs is asked again soon enough.
      if (text === '' || state === 'running') return
    }
  }

  const [first, most] = queue.lookEveryMs
  let wait = first
  while (underway.size > 0 || (waiting.length > 0 && !signal.aborted)) {
    if (signal.aborted) {
      if (queue.goesOnAlone && !spent?.aborted) break
      for (const each of underway) {
        if (each.isAskedToStop) continue
        each.isAskedToStop = true
        await reach(() => queue.stop(each.record.handle, each.job.ending))
      }
    }
    let hasChanged = false
    for (const some of chunks([...underway], LOOKS_AT_ONCE)) {
      const changes = await Promise.all(some.map(look))
      hasChanged ||= changes.includes(true)
    }
    while (underway.size < atOnce && waiting.length > 0 && !signal.aborted) {
      const next = waiting.shift()
      if (next === undefined) break
      const { job, before } = next
      const record = await records.begin(job, queue.place, (before?.attempt ?? 0) + 1)
      const each = beginning(job, record)
      underway.add(each)
      await handOver(each, before === null ? 'first' : 'asked-again')
      hasChanged = true
    }
    wait = hasChanged ? first : Math.min(most, wait * 1.5)
    if (underway.size > 0) await pauseUnlessAsked(wait, signal)
  }
  if (underway.size > 0) onEvent?.({ event: 'left', jobs: underway.size, place: queue.place })
  for (const { job, record } of underway) {
    conclude(job, { state: 'left', reason: null, attempt: record.attempt, isKnown: false })
  }
  return ends
}

function beginning(job: Job, record: JobRecord): ActiveJob {
  return { job, record, isSeen: false, isRunning: false, isAskedToStop: false, evictions: 0, logFrom: 0 }
}

const ASK_AGAIN_MS = 1000

type Reach = <Result>(ask: () => Promise<Result>) => Promise<Result>

/** Asks again for a while where the queue is out of reach, and says so once. */
function patient(
  [first, later]: readonly [number, number],
  signal: AbortSignal,
  onEvent: DriveOptions['onEvent'],
): Reach {
  let wasReached = false
  let missedSince: number | null = null
  return async ask => {
    for (;;) {
      try {
        const result = await ask()
        if (missedSince !== null) onEvent?.({ event: 'reached-again' })
        wasReached = true
        missedSince = null
        return result
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== 'unreachable') throw error
        const now = performance.now()
        if (missedSince === null) onEvent?.({ event: 'unreachable', problem: sentencesOf(error) })
        missedSince ??= now
        if (signal.aborted || now - missedSince >= (wasReached ? later : first)) throw error
        await pauseUnlessAsked(ASK_AGAIN_MS, signal)
      }
    }
  }
}

/** Cut short by the request to stop, not by one that came before. */
async function pauseUnlessAsked(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) await pause(ms)
  else await pause(ms, undefined, { signal }).catch(() => {})
}

function chunks<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size))
}
