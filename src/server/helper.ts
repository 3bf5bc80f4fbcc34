import { type ChildProcess, fork } from 'node:child_process'
import { setPriority } from 'node:os'
import { openWorkspace } from '../store/workspace.js'
import type { Language } from '../text/language.js'
import { type Answered, answerHere, type Written, written } from './answer.js'

/**
 * Another process of klens that answers what takes long, so that the server goes on answering what does not: a comparison
 * computes without a pause. It starts with the first such question, is started again when it dies, and ends with the server.
 * A job has one of its own, which tells how far it has come.
 */

interface Asked {
  readonly id: number
  readonly name: string
  readonly request: { readonly [member: string]: unknown }
  readonly language: Language
}

type ToHelper = Asked | { readonly id: number; readonly stop: true }

type FromHelper = { readonly id: number } & ({ readonly answered: Written } | { readonly told: unknown })

interface Waiting {
  readonly resolve: (answered: Written | null) => void
  readonly tell: ((said: unknown) => void) | undefined
}

export class Helper {
  readonly #command: readonly string[]
  readonly #waiting = new Map<number, Waiting>()
  #child: ChildProcess | null = null
  #asked = 0

  /** The command that makes a process serve as a helper. */
  constructor(command: readonly string[]) {
    this.#command = command
  }

  /** Null where the helper died over it. */
  ask(
    name: string,
    request: Asked['request'],
    language: Language,
    signal: AbortSignal,
    tell?: (said: unknown) => void,
  ): Promise<Written | null> {
    const child = this.#running()
    this.#asked += 1
    const id = this.#asked
    const send = (said: ToHelper): void => {
      // One that was just killed still counts as connected; nobody listens there, which is no error of the server's.
      if (child.connected) child.send(said, () => {})
    }
    return new Promise(resolve => {
      this.#waiting.set(id, { resolve, tell })
      signal.addEventListener('abort', () => send({ id, stop: true }), { once: true })
      send({ id, name, request, language })
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
    child.on('message', (said: FromHelper) => {
      const waiting = this.#waiting.get(said.id)
      if ('told' in said) {
        waiting?.tell?.(said.told)
        return
      }
      waiting?.resolve(said.answered)
      this.#waiting.delete(said.id)
    })
    const isGone = (): void => {
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

/** Where both want the same core, whoever waits for a curve comes before whoever waits for a verdict. */
const NICENESS = 5

/** This process as a helper: answers until whoever started it is gone. Told to stop, it ends what it works on at the next clean point. */
export async function serveAsHelper(): Promise<void> {
  setPriority(NICENESS)
  const workspace = await openWorkspace()
  const stops = new Map<number, AbortController>()
  const working = new Set<Promise<void>>()
  const stopAll = (): void => {
    for (const stop of stops.values()) stop.abort()
  }
  process.on('SIGINT', stopAll)
  process.on('message', (told: ToHelper) => {
    if ('stop' in told) {
      stops.get(told.id)?.abort()
      return
    }
    const { id, name, request, language } = told
    const stop = new AbortController()
    stops.set(id, stop)
    const say = (said: FromHelper): void => {
      if (process.connected) process.send?.(said)
    }
    const tell = (told: unknown): void => say({ id, told })
    const work = answerHere(workspace, name, request, language, stop.signal, tell).then(answered => {
      stops.delete(id)
      working.delete(work)
      say({ id, answered: written(answered) })
    })
    working.add(work)
  })
  await new Promise<void>(resolve => process.once('disconnect', resolve))
  stopAll()
  await Promise.all(working)
  await workspace.close()
}
