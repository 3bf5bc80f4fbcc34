import { Worker } from 'node:worker_threads'
import type { CellResult } from './study.js'

/** Cells on all cores: each worker asks for the next when it has finished one. */

export interface Task {
  readonly study: string
  readonly index: number
  readonly repetitions: number
}

export async function runAll(
  tasks: readonly Task[],
  workers: number,
  onResult: (result: CellResult, done: number) => void,
): Promise<CellResult[]> {
  const results = new Array<CellResult>(tasks.length)
  let next = 0
  let done = 0
  const serve = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL('./worker.js', import.meta.url))
      let current = -1
      const feed = (): void => {
        if (next === tasks.length) {
          worker.terminate().then(() => resolve(), reject)
          return
        }
        current = next
        next += 1
        worker.postMessage(tasks[current])
      }
      worker.on('message', (result: CellResult) => {
        results[current] = result
        done += 1
        onResult(result, done)
        feed()
      })
      worker.on('error', reject)
      feed()
    })
  await Promise.all(Array.from({ length: workers }, serve))
  return results
}
