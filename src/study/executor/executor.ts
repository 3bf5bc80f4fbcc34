/**
 * Where the programs of a study run. Four questions are enough for a pool of processes, a Ray cluster and a queue such
 * as Slurm alike; klens keeps its own record of what it handed over, so that an executor may forget everything.
 */
export interface Executor {
  /** Hands over a job. One that is there already under the same id is left alone: submitting twice runs once. */
  submit(job: Job): Promise<void>
  stand(id: string): Promise<JobStand>
  /** What the job has printed from this byte on, and where to go on reading. */
  log(id: string, from: number): Promise<{ readonly text: string; readonly next: number }>
  /** Asks the job to end; returns when the executor has taken that up, not when it has ended. */
  stop(id: string): Promise<void>
}

/** A program to run for a trial: words for the operating system, never a line for a shell. */
export interface Job {
  /** Made from the trial's hash. */
  readonly id: string
  /** For people. */
  readonly name: string
  readonly words: readonly [program: string, ...rest: string[]]
  /** Absolute: where it runs. */
  readonly folder: string
  /** Over what the executor gives to every program. */
  readonly environment: { readonly [name: string]: string }
  readonly resources: Resources
}

export interface Resources {
  /** Null: as the executor does without being told. */
  readonly cpus: number | null
  readonly gpus: number | null
}

export interface JobStand {
  /** `lost`: the executor does not know it, because it was never handed over or because the executor was restarted. */
  readonly state: 'lost' | 'waiting' | 'running' | 'done' | 'failed' | 'stopped'
  /** In the executor's words, where it failed. */
  readonly reason: string | null
}
