import type { Message } from '../../../logs/model/run.js'
import type { Language } from '../../../text/language.js'
import type { Outcome, StudyEvent } from '../events.js'

/**
 * What brings the trials of a study to their end: klens's own trainings in a pool of processes here (pool.ts) or as jobs of
 * a queue (queued-trainings.ts), and programs of the user's as jobs of a queue (program/run-programs.ts). All of them leave
 * out what is finished and resume what was interrupted. What was not begun has no outcome.
 */
export interface Executor<Work, Event = StudyEvent> {
  run(work: readonly Work[], running: Running<Event>): Promise<ReadonlyMap<Work, Outcome>>
}

export interface Running<Event = StudyEvent> {
  /** How many at a time; null: as many as there is place for. */
  readonly workers: number | null
  /** Asked to stop: nothing more is begun, and what does not go on without klens is stopped. */
  readonly signal: AbortSignal
  /** The budget is spent: what was begun is stopped wherever it is. */
  readonly spent: AbortSignal
  readonly language: Language
  readonly onEvent: (event: Event) => void
  readonly remark: (remark: Message) => void
}

/**
 * Where jobs run. Four questions are enough for processes of this machine, a Ray cluster and a queue such as Slurm alike;
 * klens keeps its own record of what it handed over, so that a queue may forget everything. One that cannot be reached
 * throws a problem `unreachable`, and is asked again.
 */
export interface JobQueue {
  /** Which one it is and where, for people and for records: a job is only to be found where it was handed over. */
  readonly place: string
  /** True: what was handed over goes on when klens is asked to stop, as people expect of a cluster. */
  readonly goesOnAlone: boolean
  /** How soon to look again after something has happened, and how rarely when nothing does. */
  readonly lookEveryMs: readonly [first: number, most: number]
  /** Hands over a job. One that is there already under the same handle is left alone: submitting twice runs once. */
  submit(job: Attempt): Promise<void>
  status(handle: string): Promise<JobStatus>
  /** What the job has printed from this place on, perhaps not all of it at once, and where to go on reading. */
  log(handle: string, from: number | 'end'): Promise<LogPiece>
  /** Asks the job to end; returns when the queue has taken that up, not when it has ended. */
  stop(handle: string, ending?: Ending): Promise<void>
}

export interface LogPiece {
  readonly text: string
  readonly next: number
}

/** A program to run for a trial: words for the operating system, never a line for a shell. */
export interface Job {
  /** Made from the trial's hash: letters, digits, ".", "_" and "-". */
  readonly id: string
  /** For people. */
  readonly name: string
  readonly words: readonly [program: string, ...rest: string[]]
  /** Absolute: where it runs. */
  readonly folder: string
  /** Over what the queue gives to every program. */
  readonly environment: { readonly [name: string]: string }
  readonly resources: Resources
  /** How it is asked to end, where that matters to it. */
  readonly ending?: Ending
}

export interface Ending {
  readonly signal: 'SIGINT' | 'SIGTERM' | 'SIGUSR1' | 'SIGUSR2'
  /** How long it then has. A queue that gives less says so in its page. */
  readonly seconds: number
}

export const ENDING: Ending = { signal: 'SIGTERM', seconds: 30 }

/** A job as a queue gets it. */
export interface Attempt extends Job {
  /** Its name at the queue, another one for each attempt: letters, digits, ".", "_" and "-". */
  readonly handle: string
}

export interface Resources {
  /** Null: one on this machine and on Ray, elsewhere as the queue does by default. */
  readonly cpus: number | null
  readonly gpus: number | null
}

export interface JobStatus {
  /**
   * `lost`: the queue does not know it and it never began, so that it may be handed over again as it was. `evicted`: it
   * had begun and something other than itself ended it (a machine that died, a queue that wanted its place back); another
   * attempt is due.
   */
  readonly state: 'lost' | 'waiting' | 'running' | 'done' | 'failed' | 'stopped' | 'evicted'
  /** In the queue's words, where it failed. */
  readonly reason: string | null
  /** Evicted because there was no place for it for long, which says nothing against it. */
  readonly hasOnlyWaited?: boolean
}
