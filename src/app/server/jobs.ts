import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setPriority } from 'node:os'
import { openWorkspace } from '../../core/store/workspace.js'
import type { Language } from '../../text/language.js'
import type { AnyRequest } from '../library/ask-named.js'
import { type Answered, answerHere, type Carrying, isError, type Written, written } from './answer.js'

/**
 * What takes long, beside the server, which goes on answering what does not: a comparison computes without a pause. Heavy
 * questions share another process of klens, the helper. A training is a job: it has a process of its own, goes on when the
 * page that asked is closed, and can be watched and stopped.
 */

interface ToHelper {
  readonly id: number
  /** Null: stop working on it. */
  readonly asked: {
    readonly name: string
    readonly request: AnyRequest
    readonly language: Language
    readonly importPaths: boolean
  } | null
}

type FromHelper = { readonly id: number } & ({ readonly answered: Written } | { readonly progress: unknown })

interface Waiting {
  readonly resolve: (answered: Written | null) => void
  readonly onProgress: ((progress: unknown) => void) | undefined
}

/** Starts with the first question, is started again when it dies, and ends with the server. */
export class Helper {
  readonly #command: readonly string[]
  readonly #waiting = new Map<number, Waiting>()
  #child: ChildProcess | null = null
  #count = 0

  /** The command that makes a process serve as a helper. */
  constructor(command: readonly string[]) {
    this.#command = command
  }

  /** Null where the helper died over it. */
  ask(
    name: string,
    request: AnyRequest,
    language: Language,
    { signal, onProgress, importPaths = false }: Carrying,
  ): Promise<Written | null> {
    const child = this.#running()
    this.#count += 1
    const id = this.#count
    const send = (message: ToHelper): void => {
      // One that was just killed still counts as connected; that nothing listens there is no error of the server's.
      if (child.connected) child.send(message, () => {})
    }
    return new Promise(resolve => {
      this.#waiting.set(id, { resolve, onProgress })
      signal.addEventListener('abort', () => send({ id, asked: null }), { once: true })
      send({ id, asked: { name, request, language, importPaths } })
    })
  }

  /** Another process that answers this alone, and ends with it. */
  async askApart(...asked: Parameters<Helper['ask']>): Promise<Answered | null> {
    const own = new Helper(this.#command)
    try {
      const answered = await own.ask(...asked)
      return answered && { status: answered.status, body: JSON.parse(answered.text) }
    } finally {
      own.close()
    }
  }

  close(): void {
    this.#child?.kill('SIGKILL')
  }

  #running(): ChildProcess {
    if (this.#child !== null) return this.#child
    const [file, ...words] = this.#command
    const child = fork(file, words, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], serialization: 'advanced' })
    child.on('message', (message: FromHelper) => {
      const waiting = this.#waiting.get(message.id)
      if ('progress' in message) {
        waiting?.onProgress?.(message.progress)
        return
      }
      waiting?.resolve(message.answered)
      this.#waiting.delete(message.id)
    })
    // One that computes does not hear that its last asker has gone.
    const end = (): void => void child.kill('SIGKILL')
    process.once('exit', end)
    const isGone = (): void => {
      process.removeListener('exit', end)
      this.#child = null
      for (const { resolve } of this.#waiting.values()) resolve(null)
      this.#waiting.clear()
    }
    child.once('exit', isGone)
    // Also that a message did not reach one that is dying, of which its exit tells; one that could not start has none.
    child.on('error', () => {
      if (child.pid === undefined) isGone()
    })
    this.#child = child
    return child
  }
}

/** Where both want the same core, a reader who waits for a curve comes before one who waits for a verdict. */
const NICENESS = 5

/** This process as a helper: answers until the server that started it is gone. Asked to stop, it ends its work at the next clean point. */
export async function serveAsHelper(): Promise<void> {
  setPriority(NICENESS)
  const workspace = await openWorkspace()
  const stops = new Map<number, AbortController>()
  const working = new Set<Promise<void>>()
  const stopAll = (): void => {
    for (const stop of stops.values()) stop.abort()
  }
  process.on('SIGINT', stopAll)
  process.on('message', ({ id, asked }: ToHelper) => {
    if (asked === null) {
      stops.get(id)?.abort()
      return
    }
    const { name, request, language, importPaths } = asked
    const stop = new AbortController()
    stops.set(id, stop)
    const send = (message: FromHelper): void => {
      if (process.connected) process.send?.(message)
    }
    const onProgress = (progress: unknown): void => send({ id, progress })
    const carrying = { signal: stop.signal, onProgress, importPaths }
    const work = answerHere(workspace, name, request, language, carrying).then(answered => {
      stops.delete(id)
      working.delete(work)
      send({ id, answered: written(answered) })
    })
    working.add(work)
  })
  await new Promise<void>(resolve => process.once('disconnect', resolve))
  stopAll()
  await Promise.all(working)
  await workspace.close()
}

export interface Job {
  readonly id: string
  readonly question: string
  readonly request: unknown
  /** Unix seconds. */
  readonly began: number
  readonly state: 'running' | 'done' | 'failed' | 'stopped'
  /** The last of its progress, the newest at the end. */
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

const MOST_PROGRESS = 100
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
    work: (signal: AbortSignal, onProgress: (progress: unknown) => void) => Promise<Answered>,
  ): Job {
    const id = randomUUID()
    const stop = new AbortController()
    const began = Date.now() / 1000
    const job: Job = { id, question, request, began, state: 'running', told: [], answer: null, error: null }
    const change = (more: Partial<Job>): void => {
      const held = this.#jobs.get(id)
      if (held === undefined) return
      held.job = { ...held.job, ...more }
      this.#onChange(held.job)
    }
    const onProgress = (progress: unknown): void => {
      change({ told: [...(this.#jobs.get(id)?.job.told ?? []), progress].slice(-MOST_PROGRESS) })
    }
    const ended = Promise.resolve()
      .then(() => work(stop.signal, onProgress))
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
