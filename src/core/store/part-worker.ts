import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { EncodedPart } from './part-file.js'
import type { PointBuffer } from './point-buffer.js'

/**
 * Parts of long runs are encoded, compressed and hashed by a thread while the log is read on: a third of an import's work.
 * Both look at the same memory. Null where its program (`part-thread.ts`) was not built, as in tests, which run the sources.
 */
export function startPartWorker(): Worker | null {
  const program = fileURLToPath(new URL('./part-thread.cjs', import.meta.url))
  return existsSync(program) ? new Worker(program, { execArgv: [] }) : null
}

/** One part at a time. What goes wrong there is thrown here. */
export async function encodeBehind(worker: Worker, buffer: PointBuffer): Promise<EncodedPart> {
  worker.postMessage(buffer.shared())
  const [part]: EncodedPart[] = await once(worker, 'message')
  return part
}
