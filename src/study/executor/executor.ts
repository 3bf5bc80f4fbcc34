/**
 * Where the programs of a study run. Four questions are enough for a pool of processes, a Ray cluster and a queue such
 * as Slurm alike; klens keeps its own record of what it handed over, so that an executor may forget everything.
 * One that cannot be reached throws a problem `unreachable`, and is asked again.
 */
export interface Executor {
  /** Which one it is and where, for people and for records: a job is only to be found where it was handed over. */
  readonly place: string
  /** True: what was handed over goes on when klens is asked to stop, as people expect of a cluster. */
  readonly goesOnAlone: boolean
  /** How soon to look again after something has happened, and how rarely when nothing does. */
  readonly lookEveryMs: readonly [first: number, most: number]
  /** Hands over a job. One that is there already under the same handle is left alone: submitting twice runs once. */
  submit(job: Attempt): Promise<void>
  stand(handle: string): Promise<JobStand>
  /** What the job has printed from this place on, perhaps not all of it at once, and where to go on reading. */
  log(handle: string, from: number | 'end'): Promise<LogPiece>
  /** Asks the job to end; returns when the executor has taken that up, not when it has ended. */
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
  /** Over what the executor gives to every program. */
  readonly environment: { readonly [name: string]: string }
  readonly resources: Resources
  /** How it is asked to end, where that matters to it. */
  readonly ending?: Ending
}

export interface Ending {
  readonly signal: 'SIGINT' | 'SIGTERM' | 'SIGUSR1' | 'SIGUSR2'
  /** How long it then has. An executor that gives less says so in its page. */
  readonly seconds: number
}

export const ENDING: Ending = { signal: 'SIGTERM', seconds: 30 }

/** A job as an executor gets it. */
export interface Attempt extends Job {
  /** Its name at the executor, another one for each attempt: letters, digits, ".", "_" and "-". */
  readonly handle: string
}

export interface Resources {
  /** Null: as the executor does without being told. */
  readonly cpus: number | null
  readonly gpus: number | null
}

export interface JobStand {
  /**
   * `lost`: the executor does not know it and it never began, so that it may be handed over again as it was. `evicted`: it
   * had begun and something other than itself ended it (a machine that died, a queue that wanted its place back); another
   * attempt is due.
   */
  readonly state: 'lost' | 'waiting' | 'running' | 'done' | 'failed' | 'stopped' | 'evicted'
  /** In the executor's words, where it failed. */
  readonly reason: string | null
}
