/**
 * Ctrl-C asks the work to stop at the next clean point; a second Ctrl-C stops at once. Only for work that comes up for
 * air: a process that listens for Ctrl-C but computes without a pause could not be stopped at all.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const stop = (): void => {
    controller.abort()
    process.once('SIGINT', () => process.exit(130))
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  try {
    const result = await work(controller.signal)
    if (controller.signal.aborted) process.exitCode = 130
    return result
  } catch (error) {
    if (!controller.signal.aborted) throw error
    throw new Interrupted()
  } finally {
    process.removeListener('SIGINT', stop)
    process.removeListener('SIGTERM', stop)
  }
}

export class Interrupted extends Error {}
