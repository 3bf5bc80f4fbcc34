import { parentPort } from 'node:worker_threads'
import { encodePart } from './part-file.js'
import type { PartAnswer } from './part-thread.js'
import { type PointArrays, PointBuffer } from './point-buffer.js'

/** The program of the thread that encodes parts (`part-thread.ts`). */
parentPort?.on('message', (points: PointArrays) => {
  const buffer = PointBuffer.of(points)
  const { bytes, checksum } = encodePart(buffer)
  const memory = [...buffer.lend().memory, ...(bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : [])]
  parentPort?.postMessage({ bytes, checksum, points } satisfies PartAnswer, memory)
})
