import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { EncodedPart } from './part-file.js'
import type { PointArrays, PointBuffer } from './point-buffer.js'

/**
 * Parts of long runs are encoded, compressed and hashed by a thread while the log is read on: a third of an import's work.
 * The points move there and back, and are never copied. Null where its program (`part-thread.ts`) was not built, as in
 * tests, which run the sources.
 */
export function startPartWorker(): Worker | null {
  const program = fileURLToPath(new URL('./part-thread.cjs', import.meta.url))
  return existsSync(program) ? new Worker(program, { execArgv: [] }) : null
}

export interface PartAnswer extends EncodedPart {
  readonly points: PointArrays
}

/** One part at a time. What goes wrong there is thrown here. */
export async function encodeBehind(worker: Worker, buffer: PointBuffer): Promise<EncodedPart> {
  const points = buffer.lend()
  worker.postMessage(points, memoryOf(points))
  const [{ points: returned, ...part }]: PartAnswer[] = await once(worker, 'message')
  buffer.takeBack(returned)
  return part
}

/** What moves with the points. */
export function memoryOf({ series, lines: { step, time, segment } }: PointArrays): ArrayBuffer[] {
  const columns = series.flatMap(({ value, line, quality, decimals }) => [value, line, quality, decimals])
  return [step, time, segment, ...columns].flatMap(column =>
    column?.buffer instanceof ArrayBuffer ? [column.buffer] : [],
  )
}
