import { type Discovery, discover } from '../sources/discover.js'
import type { Hints } from '../sources/source.js'
import { stampAt } from './look.js'

/**
 * Searches paths for runs, again and again. A search opens every file, so there is another only when a folder has changed,
 * or a file that was no log yet; these are asked for their dates alone.
 */

/** Searching whole folders, which happens only when something has changed. */
const LARGEST_SEARCH_SHARE = 0.05
/** A folder in which nothing was made for an hour is asked about every fourth time. */
const OLD_FOLDER_MS = 3_600_000
const OLD_FOLDER_TURNS = 4
/** File systems that note dates in full seconds hide what was written within the second of the search. */
const COARSE_DATE_MS = 2_000
/** Asking for dates takes at most this share of the time, however many folders there are. */
const LARGEST_SHARE = 0.005

interface SearchPace {
  readonly pollMs: number
  /** How often is asked whether a folder has changed. */
  readonly searchMs: number
}

interface Searcher {
  now(): Promise<Discovery>
  isAllowed(): boolean
  /** Has a folder changed, or a file that was no log yet? */
  isDue(): Promise<boolean>
}

export function searcher(paths: readonly string[], hints: Hints, { searchMs, pollMs }: SearchPace): Searcher {
  let folders: ReadonlyMap<string, number> = new Map()
  let others = new Map<string, string | null>()
  let allowedAt = 0
  let askAt = 0
  let turn = 0
  const isAllowed = (): boolean => performance.now() >= allowedAt

  return {
    isAllowed,
    async now() {
      const began = performance.now()
      const beganAt = Date.now()
      const found = await discover(paths, hints)
      folders = new Map(
        [...found.folders].map(([folder, modifiedMs]) => [
          folder,
          beganAt - modifiedMs < COARSE_DATE_MS ? Number.NaN : modifiedMs,
        ]),
      )
      others = new Map()
      for (const { path } of found.skipped) others.set(path, await stampAt(path))
      const now = performance.now()
      allowedAt = now + Math.max(pollMs, (now - began) / LARGEST_SEARCH_SHARE)
      askAt = Math.max(allowedAt, now + searchMs)
      return found
    },
    async isDue() {
      const began = performance.now()
      if (began < askAt) return false
      turn += 1
      const isTurnOf = (modifiedMs: number): boolean =>
        turn % OLD_FOLDER_TURNS === 0 || !(Date.now() - modifiedMs > OLD_FOLDER_MS)
      for (const [folder, modifiedMs] of folders) {
        if (isTurnOf(modifiedMs) && (await folderDate(folder)) !== modifiedMs) return true
      }
      for (const [path, stamp] of others) if ((await stampAt(path)) !== stamp) return true
      const now = performance.now()
      askAt = now + Math.max(searchMs, (now - began) / LARGEST_SHARE)
      return false
    },
  }
}

async function folderDate(folder: string): Promise<number | null> {
  const stamp = await stampAt(folder)
  return stamp === null ? null : Number(stamp.split(' ')[1])
}
