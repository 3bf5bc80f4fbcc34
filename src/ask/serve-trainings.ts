import type { FromWorker, ToWorker } from '../train/sweep/messages.js'
import { trainAssigned } from '../train/sweep/worker.js'

/**
 * This process as one of the workers of a sweep: trains what it is told, one training after the other, and tells how it
 * goes. It stops at the next clean point when it is told to, or when whoever started it is gone; Ctrl-C in a terminal
 * reaches it too, and is left to its starter to act on.
 */
export function serveTrainings(): Promise<void> {
  const stopping = new AbortController()
  const stop = (): void => stopping.abort()
  process.on('SIGINT', () => {})
  process.on('SIGTERM', stop)
  process.on('message', (told: ToWorker) => {
    if (told.type === 'stop') stop()
    else {
      void trainAssigned(told.assignment, process.env, tell, stopping.signal).then(outcome =>
        tell({ type: 'end', outcome }),
      )
    }
  })
  return new Promise(resolve => {
    process.once('disconnect', () => {
      stop()
      resolve()
    })
  })
}

function tell(said: FromWorker): void {
  if (process.connected) process.send?.(said)
}
