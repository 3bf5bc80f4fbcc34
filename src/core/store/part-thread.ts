import { parentPort } from 'node:worker_threads'
import { encodePart } from './part-file.js'
import { type PointArrays, PointBuffer } from './point-buffer.js'

/** The program of the thread that encodes parts (`part-worker.ts`). */
parentPort?.on('message', (points: PointArrays) => parentPort?.postMessage(encodePart(PointBuffer.of(points))))
