import { setImmediate as breathe } from 'node:timers/promises'

/**
 * Lets a long computation breathe: between queries it hands the thread back now and then, so that Ctrl-C is heard, the
 * lease on the run stays alive and progress is painted. To be awaited after each query; throws once it is asked to stop.
 */
export type YieldToEventLoop = (done: number, total: number) => Promise<void>

/** Often enough for a hand at the keyboard, and seldom enough to cost nothing. */
const BREATH_MS = 50

export const NEVER_YIELD: YieldToEventLoop = async () => {}

export function yieldingToEventLoop(
  onProgress: (done: number, total: number) => void,
  signal?: AbortSignal,
): YieldToEventLoop {
  let last = performance.now()
  return async (done, total) => {
    const now = performance.now()
    if (now - last < BREATH_MS) return
    last = now
    onProgress(done, total)
    await breathe()
    signal?.throwIfAborted()
  }
}
