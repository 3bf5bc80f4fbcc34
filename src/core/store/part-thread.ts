import { parentPort } from 'node:worker_threads'
import { encodePart } from './part-file.js'
import { memoryOf, type PartAnswer } from './part-worker.js'
import { type PointArrays, PointBuffer } from './point-buffer.js'

/** The program of the thread that encodes parts (`part-worker.ts`). */
parentPort?.on('message', (points: PointArrays) => {
  const { bytes, checksum } = encodePart(PointBuffer.of(points))
  const memory = bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : []
  parentPort?.postMessage({ bytes, checksum, points } satisfies PartAnswer, [...memory, ...memoryOf(points)])
})
