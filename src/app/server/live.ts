import { randomUUID } from 'node:crypto'

/**
 * Server-sent events: one stream of what happens for every page that listens. A page that was away asks anew; the first
 * event says which server this is and how many events there have been, so that the page can tell whether it missed one.
 */

const HEARTBEAT_MS = 15_000
/** A page that does not read is dropped before what waits for it fills the memory. */
const MOST_WAITING_BYTES = 1 << 20

type Listener = ReadableStreamDefaultController<Uint8Array>

export class LiveEvents {
  /** Each with what cuts its connection. */
  readonly #listeners = new Map<Listener, () => void>()
  readonly #server = randomUUID()
  readonly #heartbeat: NodeJS.Timeout
  #count = 0

  constructor() {
    this.#heartbeat = setInterval(() => this.#write(': here\n\n'), HEARTBEAT_MS)
    this.#heartbeat.unref()
  }

  /** How many events there have been: a page that was answered before one and listens after it knows that it missed it. */
  get count(): number {
    return this.#count
  }

  stream(cutOff: () => void): ReadableStream<Uint8Array> {
    const hello = JSON.stringify({ server: this.#server, events: this.#count })
    let listener: Listener
    return new ReadableStream<Uint8Array>(
      {
        start: controller => {
          listener = controller
          listener.enqueue(Buffer.from(`retry: 1000\nevent: hello\ndata: ${hello}\n\n`))
          this.#listeners.set(listener, cutOff)
        },
        cancel: () => void this.#listeners.delete(listener),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: MOST_WAITING_BYTES }),
    )
  }

  send(event: 'runs' | 'jobs', data: unknown): void {
    this.#count += 1
    this.#write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  }

  close(): void {
    clearInterval(this.#heartbeat)
    for (const listener of this.#listeners.keys()) listener.close()
    this.#listeners.clear()
  }

  #write(text: string): void {
    const bytes = Buffer.from(text)
    for (const [listener, cutOff] of this.#listeners) {
      if ((listener.desiredSize ?? 0) > 0) listener.enqueue(bytes)
      else cutOff()
    }
  }
}
