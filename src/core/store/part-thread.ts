import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { type EncodedPart, encodePart } from './part-file.js'
import type { PointArrays, PointBuffer } from './point-buffer.js'

/**
 * Parts of long runs are encoded, compressed and hashed in a thread of their own while the log is read on: that is half as
 * much work as reading. The points move there and back, and are never copied. The thread's program is `part-worker.ts`, which
 * scripts/bundle.mjs makes a file of; where there is none (in tests, which run the sources) all is done in place.
 */

/** Below, starting the thread (20 ms) and waiting for it costs more than it saves. */
const FEW_POINTS = 1 << 19
/** A thread that has nothing to do is let go. */
const IDLE_MS = 2_000

/** What the thread answers to points. */
export interface PartAnswer extends EncodedPart {
  readonly points: PointArrays
}

let thread: Worker | null = null
let idle: NodeJS.Timeout | undefined
/** Two runs that are written at once wait for each other here. */
let last: Promise<unknown> = Promise.resolve()

export function encodedPart(buffer: PointBuffer): Promise<EncodedPart> {
  const program = fileURLToPath(new URL('./part-worker.cjs', import.meta.url))
  const isHere = buffer.length < FEW_POINTS || !existsSync(program)
  if (isHere) return Promise.resolve(encodePart(buffer))
  const part = last.then(() => encodedBy(program, buffer))
  last = part.catch(() => {})
  return part
}

async function encodedBy(program: string, buffer: PointBuffer): Promise<EncodedPart> {
  clearTimeout(idle)
  thread ??= new Worker(program, { execArgv: [] })
  try {
    const { points, ...part } = await answerOf(thread, buffer)
    buffer.takeBack(points)
    idle = setTimeout(letGo, IDLE_MS).unref()
    return part
  } catch (error) {
    letGo()
    throw error
  }
}

function answerOf(worker: Worker, buffer: PointBuffer): Promise<PartAnswer> {
  const { points, memory } = buffer.lend()
  // It keeps the process alive only as long as something is waited for.
  worker.ref()
  worker.postMessage(points, memory)
  return new Promise<PartAnswer>((resolve, reject) => {
    const settle = (): void => {
      worker.off('message', resolve).off('error', reject).off('message', settle).off('error', settle).unref()
    }
    worker.on('message', resolve).on('error', reject).on('message', settle).on('error', settle)
  })
}

function letGo(): void {
  void thread?.terminate()
  thread = null
}
