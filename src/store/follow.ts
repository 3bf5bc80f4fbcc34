import { setTimeout as pause } from 'node:timers/promises'
import { discover, type FoundRun } from '../sources/discover.js'
import type { Hints, SourceFile } from '../sources/source.js'
import { walk } from '../sources/walk.js'
import { finish, readNew } from './ingest.js'
import { LeaseHeld } from './lease.js'
import type { Manifest } from './manifest.js'
import { withNewSamples } from './new-samples.js'
import { RunWriter } from './run-writer.js'
import type { Workspace } from './workspace.js'

/**
 * Reads logs as they grow. Sizes are polled, because watching does not work on the network file systems that training
 * logs lie on. What arrives is in the live file at once, so it survives a kill of the follower.
 */

const POLL_MS = 1_000

export interface FollowOptions {
  readonly hints?: Hints
  readonly signal: AbortSignal
  readonly onStart?: (runs: number) => void
  readonly onGrowth?: (manifest: Manifest) => void
}

interface Followed {
  found: FoundRun
  readonly writer: RunWriter
}

/** Until the signal, or until all runs have ended. The runs must have been imported before. */
export async function follow(workspace: Workspace, paths: readonly string[], options: FollowOptions): Promise<void> {
  const { hints = {}, signal, onStart, onGrowth } = options
  const { runs } = await discover(paths, hints)
  let followed: Followed[] = []
  try {
    for (const found of runs.filter(({ source }) => source.grows || source.role === 'samples')) {
      const writer = await openUnlessBusy(workspace, found)
      if (writer === null) continue
      followed.push({ found, writer })
      if (hasEnded(writer)) continue
      await writer.goLive()
    }
    followed = await letGo(workspace, followed, ({ writer }) => hasEnded(writer))
    onStart?.(followed.length)
    while (followed.length > 0 && !signal.aborted) {
      for (const run of followed) {
        const grown = (await lookAgain(run.found)) ?? (await withNewSamples(run.found, hints))
        if (grown === null) continue
        run.found = grown
        await readNew(run.writer, grown, { hints, report: () => {}, signal: undefined })
        await run.writer.goLive()
        onGrowth?.(run.writer.state.manifest())
      }
      followed = await letGo(workspace, followed, ({ writer }) => hasEnded(writer))
      await pause(POLL_MS, undefined, { signal }).catch(() => {})
    }
  } finally {
    await letGo(workspace, followed, () => true)
  }
}

/** A run that another process writes, or follows already, was reported by the import before. */
async function openUnlessBusy(workspace: Workspace, { id, name, source }: FoundRun): Promise<RunWriter | null> {
  try {
    return await RunWriter.open(workspace, { id, name, source: source.id }, 'follow')
  } catch (error) {
    if (error instanceof LeaseHeld) return null
    throw error
  }
}

function hasEnded(writer: RunWriter): boolean {
  const { status } = writer.state.manifest()
  return status === 'finished' || status === 'failed'
}

/** Closes the runs that are done and returns the others. */
async function letGo(
  workspace: Workspace,
  followed: readonly Followed[],
  isDone: (run: Followed) => boolean,
): Promise<Followed[]> {
  const rest: Followed[] = []
  for (const run of followed) {
    if (!isDone(run)) {
      rest.push(run)
      continue
    }
    await finish(workspace, run.writer)
    await run.writer.close()
  }
  return rest
}

/**
 * The run with its files as they are now, or null when nothing has changed. A file that is gone, or that something else
 * was written over, stays as it was.
 */
async function lookAgain(found: FoundRun): Promise<FoundRun | null> {
  let changed = false
  const logs = await Promise.all(
    found.logs.map(async log => {
      const [file] = await walk([log.file.path], () => {})
      if (file === undefined || (file.size === log.file.size && file.modifiedMs === log.file.modifiedMs)) return log
      if (!startsAlike(log.file, file) && !log.source.recognise(file)) return log
      changed = true
      return { ...log, file }
    }),
  )
  return changed ? { ...found, logs } : null
}

function startsAlike(before: SourceFile, now: SourceFile): boolean {
  return Buffer.compare(before.head, now.head.subarray(0, before.head.length)) === 0
}
