import { parentPort } from 'node:worker_threads'
import { encodePart } from './part-file.js'
import { type PointArrays, PointBuffer } from './point-buffer.js'

/** The program of the thread that encodes parts (`part-worker.ts`). */
parentPort?.on('message', (points: PointArrays) => {
  const part = encodePart(PointBuffer.of(points))
  const { buffer } = part.bytes
  parentPort?.postMessage(part, buffer instanceof ArrayBuffer ? [buffer] : [])
})
