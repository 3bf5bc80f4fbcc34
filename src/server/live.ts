import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { HEADERS } from './reply.js'

/**
 * Server-sent events: one stream of what happens for every page that listens. A page that was away is not told what it
 * missed but asks anew; the first event says which server this is and how often it has told something, so that it knows.
 */

const HEARTBEAT_MS = 15_000
/** A page that does not read is let go before what waits for it fills the memory. */
const MOST_WAITING_BYTES = 1 << 20

export class LiveEvents {
  readonly #listeners = new Set<ServerResponse>()
  readonly #server = randomUUID()
  readonly #heartbeat: NodeJS.Timeout
  #told = 0

  constructor() {
    this.#heartbeat = setInterval(() => this.#write(': here\n\n'), HEARTBEAT_MS)
    this.#heartbeat.unref()
  }

  /** How many events there have been: who was answered before one, and began to listen after it, knows that it missed it. */
  get told(): number {
    return this.#told
  }

  add(response: ServerResponse): void {
    response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    response.write(`retry: 1000\nevent: hello\ndata: ${JSON.stringify({ server: this.#server, told: this.#told })}\n\n`)
    this.#listeners.add(response)
    response.once('close', () => this.#listeners.delete(response))
  }

  tell(event: 'runs' | 'jobs', data: unknown): void {
    this.#told += 1
    this.#write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  }

  close(): void {
    clearInterval(this.#heartbeat)
    for (const response of this.#listeners) response.end()
  }

  #write(text: string): void {
    for (const response of this.#listeners) {
      if (response.writableLength > MOST_WAITING_BYTES) response.destroy()
      else response.write(text)
    }
  }
}
