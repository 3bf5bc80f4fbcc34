import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { listRuns, type RunEntry } from '../store/catalogue.js'
import { request } from './fields.js'
import { type Asking, question } from './question.js'
import { entryAnswer } from './run.js'

/**
 * What happens in the workspace, until it is asked to stop. The list of runs is looked at again and again, like every
 * question does: 10,000 runs cost 0.03 s of CPU, and unlike notices of the file system it also works on network disks. The
 * larger the workspace, the longer the pause. A workspace that goes away is told as one without runs, and comes back.
 */

const PAUSE_MS = 1000
/** Of its time, at most so much goes into looking; but on a busy machine a look takes long only because others have their turn. */
const SHARE = 0.05
const LONGEST_PAUSE_MS = 5000

export interface WorkspaceChange {
  readonly changed: readonly ReturnType<typeof entryAnswer>[]
  readonly removed: readonly string[]
  readonly total: number
}

export const changes = question({
  request: request({}),
  answer: z.object({}),
  async ask(workspace, _, { signal, onProgress }: Asking<WorkspaceChange>) {
    let before: ReadonlyMap<string, RunEntry> | null = null
    while (signal?.aborted !== true) {
      const began = performance.now()
      const entries = await listRuns(workspace).then(
        listing => listing.entries,
        () => [],
      )
      const now = new Map(entries.map(entry => [entry.id, entry]))
      const told = before === null ? null : differenceOf(before, now)
      if (told !== null) onProgress?.(told)
      before = now
      const took = performance.now() - began
      await pause(Math.min(LONGEST_PAUSE_MS, Math.max(PAUSE_MS, took / SHARE)), undefined, {
        ...(signal && { signal }),
      }).catch(() => {})
    }
    return {}
  },
})

/** An entry that was not read anew is the same object. */
function differenceOf(
  before: ReadonlyMap<string, RunEntry>,
  now: ReadonlyMap<string, RunEntry>,
): WorkspaceChange | null {
  const changed = [...now.values()].filter(entry => before.get(entry.id) !== entry).map(entryAnswer)
  const removed = [...before.keys()].filter(id => !now.has(id))
  return changed.length + removed.length === 0 ? null : { changed, removed, total: now.size }
}
