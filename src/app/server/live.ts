import { randomUUID } from 'node:crypto'

/**
 * Server-sent events: one stream of what happens for every page that listens. A page that was away asks again; the first
 * event says which server this is and how many events there have been, so that the page can tell whether it missed one.
 */

const HEARTBEAT_MS = 15_000
/** A page that does not read is dropped before what waits for it fills the memory. */
const MOST_WAITING_BYTES = 1 << 20

type Listener = ReadableStreamDefaultController<Uint8Array>

interface Listening {
  /** Cuts the connection. */
  readonly cutOff: () => void
  /** Whether it may still hear: a session can end while its page listens. */
  readonly mayHear: () => boolean
}

export class LiveEvents {
  readonly #listeners = new Map<Listener, Listening>()
  readonly #server = randomUUID()
  readonly #heartbeat: NodeJS.Timeout
  readonly #shown: (json: string) => string
  #count = 0

  /** What is said, as JSON, as those who listen may see it. */
  constructor(shown: (json: string) => string) {
    this.#shown = shown
    this.#heartbeat = setInterval(() => this.#write(': here\n\n'), HEARTBEAT_MS)
    this.#heartbeat.unref()
  }

  /** How many events there have been: a page that was answered before one and listens after it knows that it missed it. */
  get count(): number {
    return this.#count
  }

  stream(listening: Listening): ReadableStream<Uint8Array> {
    const hello = JSON.stringify({ server: this.#server, events: this.#count })
    let listener: Listener
    return new ReadableStream<Uint8Array>(
      {
        start: controller => {
          listener = controller
          listener.enqueue(Buffer.from(`retry: 1000\nevent: hello\ndata: ${hello}\n\n`))
          this.#listeners.set(listener, listening)
        },
        cancel: () => void this.#listeners.delete(listener),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: MOST_WAITING_BYTES }),
    )
  }

  send(event: 'runs' | 'jobs', data: unknown): void {
    this.#count += 1
    this.#write(`event: ${event}\ndata: ${this.#shown(JSON.stringify(data))}\n\n`)
  }

  close(): void {
    clearInterval(this.#heartbeat)
    for (const listener of this.#listeners.keys()) listener.close()
    this.#listeners.clear()
  }

  #write(text: string): void {
    const bytes = Buffer.from(text)
    for (const [listener, { cutOff, mayHear }] of this.#listeners) {
      if ((listener.desiredSize ?? 0) > 0 && mayHear()) listener.enqueue(bytes)
      else cutOff()
    }
  }
}
