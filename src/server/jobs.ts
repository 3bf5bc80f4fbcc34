import { randomUUID } from 'node:crypto'
import { type Answered, isError } from './answer.js'

/** Questions that take long, such as a training: they go on when whoever asked has left, and can be watched and stopped. */

export interface Job {
  readonly id: string
  readonly question: string
  readonly request: unknown
  /** Unix seconds. */
  readonly began: number
  readonly state: 'running' | 'done' | 'failed' | 'stopped'
  /** The last of what it told, the newest at the end. */
  readonly told: readonly unknown[]
  readonly answer: unknown
  readonly error: string | null
}

/** What was asked to stop has not failed, whatever it was in the middle of. */
function endOf(answered: Answered, wasStopped: boolean): Pick<Job, 'state'> & Partial<Job> {
  if (wasStopped) return { state: 'stopped', answer: isError(answered) ? null : answered.body }
  if (isError(answered)) return { state: 'failed', error: answered.body.error.message }
  return { state: 'done', answer: answered.body }
}

const MOST_TOLD = 100
/** Ended ones, so that a page can show how they ended. */
const MOST_KEPT = 50

export class Jobs {
  readonly #jobs = new Map<string, { job: Job; readonly stop: AbortController; readonly ended: Promise<void> }>()
  readonly #onChange: (job: Job) => void

  constructor(onChange: (job: Job) => void) {
    this.#onChange = onChange
  }

  list(): readonly Job[] {
    return [...this.#jobs.values()].map(({ job }) => job)
  }

  get running(): number {
    return this.list().filter(({ state }) => state === 'running').length
  }

  begin(
    question: string,
    request: unknown,
    work: (signal: AbortSignal, tell: (said: unknown) => void) => Promise<Answered>,
  ): Job {
    const id = randomUUID()
    const stop = new AbortController()
    const job: Job = {
      id,
      question,
      request,
      began: Date.now() / 1000,
      state: 'running',
      told: [],
      answer: null,
      error: null,
    }
    const change = (more: Partial<Job>): void => {
      const held = this.#jobs.get(id)
      if (held === undefined) return
      held.job = { ...held.job, ...more }
      this.#onChange(held.job)
    }
    const tell = (said: unknown): void => {
      const told = [...(this.#jobs.get(id)?.job.told ?? []), said].slice(-MOST_TOLD)
      change({ told })
    }
    const ended = Promise.resolve()
      .then(() => work(stop.signal, tell))
      .then(answered => change(endOf(answered, stop.signal.aborted)))
    this.#jobs.set(id, { job, stop, ended })
    this.#forgetOld()
    return job
  }

  /** Whether there was such a job. */
  stop(id: string): boolean {
    const held = this.#jobs.get(id)
    held?.stop.abort()
    return held !== undefined
  }

  async stopAll(): Promise<void> {
    for (const { stop } of this.#jobs.values()) stop.abort()
    await Promise.all([...this.#jobs.values()].map(({ ended }) => ended))
  }

  #forgetOld(): void {
    const over = this.list().filter(({ state }) => state !== 'running')
    for (const { id } of over.slice(0, Math.max(0, over.length - MOST_KEPT))) this.#jobs.delete(id)
  }
}
