import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { listRuns, type RunEntry } from '../../core/store/catalogue.js'
import { announcedStops } from '../../lab/study/watch/act.js'
import { request } from './fields.js'
import { type Asking, question } from './question.js'
import { entryAnswer } from './runs.js'

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
  /** Of which the stop was announced, vetoed or carried out. */
  readonly stops: readonly string[]
}

export const changes = question({
  request: request({}),
  answer: z.object({}),
  async ask(workspace, _, { signal, onProgress }: Asking<WorkspaceChange>) {
    let before: Seen | null = null
    while (signal?.aborted !== true) {
      const began = performance.now()
      const entries = await listRuns(workspace).then(
        listing => listing.entries,
        () => [],
      )
      const stops = (await announcedStops(workspace)).map(({ run }) => run)
      const now = { runs: new Map(entries.map(entry => [entry.id, entry])), stops: new Set(stops) }
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

interface Seen {
  readonly runs: ReadonlyMap<string, RunEntry>
  /** Runs whose stop is announced. */
  readonly stops: ReadonlySet<string>
}

/** An entry that was not read again is the same object. */
function differenceOf(before: Seen, now: Seen): WorkspaceChange | null {
  const changed = [...now.runs.values()].filter(entry => before.runs.get(entry.id) !== entry).map(entryAnswer)
  const removed = [...before.runs.keys()].filter(id => !now.runs.has(id))
  const stops = [...now.stops, ...before.stops].filter(id => now.stops.has(id) !== before.stops.has(id))
  if (changed.length + removed.length + stops.length === 0) return null
  return { changed, removed, total: now.runs.size, stops }
}
