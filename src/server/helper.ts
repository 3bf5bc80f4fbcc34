import { type ChildProcess, fork } from 'node:child_process'
import { setPriority } from 'node:os'
import { openWorkspace } from '../store/workspace.js'
import type { Language } from '../text/language.js'
import { type Answered, answerHere } from './answer.js'

/**
 * Another process of klens that answers what takes long, so that the server goes on answering what does not: a comparison
 * computes without a pause. It starts with the first such question, is started again when it dies, and ends with the server.
 */

interface Asked {
  readonly id: number
  readonly name: string
  readonly request: { readonly [member: string]: unknown }
  readonly language: Language
}

type ToHelper = Asked | { readonly id: number; readonly stop: true }

interface FromHelper {
  readonly id: number
  readonly answered: Answered
}

export class Helper {
  readonly #command: readonly string[]
  readonly #waiting = new Map<number, (answered: Answered | null) => void>()
  #child: ChildProcess | null = null
  #asked = 0

  /** The command that makes a process serve as a helper. */
  constructor(command: readonly string[]) {
    this.#command = command
  }

  /** Null where the helper died over it. */
  ask(name: string, request: Asked['request'], language: Language, signal: AbortSignal): Promise<Answered | null> {
    const child = this.#running()
    this.#asked += 1
    const id = this.#asked
    const tell = (said: ToHelper): void => {
      if (child.connected) child.send(said)
    }
    return new Promise(resolve => {
      this.#waiting.set(id, resolve)
      signal.addEventListener('abort', () => tell({ id, stop: true }), { once: true })
      tell({ id, name, request, language })
    })
  }

  close(): void {
    this.#child?.kill('SIGKILL')
  }

  #running(): ChildProcess {
    if (this.#child !== null) return this.#child
    const [file, ...words] = this.#command
    const child = fork(file, words, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    child.on('message', ({ id, answered }: FromHelper) => {
      this.#waiting.get(id)?.(answered)
      this.#waiting.delete(id)
    })
    const isGone = (): void => {
      this.#child = null
      for (const resolve of this.#waiting.values()) resolve(null)
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

/** This process as a helper: answers until whoever started it is gone. A Ctrl-C is left to its starter to act on. */
export async function serveAsHelper(): Promise<void> {
  setPriority(NICENESS)
  const workspace = await openWorkspace()
  const stops = new Map<number, AbortController>()
  process.on('SIGINT', () => {})
  process.on('message', (told: ToHelper) => {
    if ('stop' in told) {
      stops.get(told.id)?.abort()
      return
    }
    const { id, name, request, language } = told
    const stop = new AbortController()
    stops.set(id, stop)
    void answerHere(workspace, name, request, language, stop.signal).then(answered => {
      stops.delete(id)
      if (process.connected) process.send?.({ id, answered } satisfies FromHelper)
    })
  })
  await new Promise<void>(resolve => process.once('disconnect', resolve))
  await workspace.close()
}
