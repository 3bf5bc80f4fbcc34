import type { LoadedRun } from './loaded-run.js'
import { perWorkspace, type Workspace } from './workspace.js'

/**
 * Runs that were read and are answered from memory before they are kept: the answer need not wait for the disk. A kill in
 * between loses nothing but the time to read their logs again. Whoever looks for runs on disk has them kept first.
 */
interface UnkeptRun {
  readonly run: LoadedRun
  readonly keep: () => Promise<void>
}

const unkeptOf = perWorkspace(() => ({ runs: [] as UnkeptRun[], keeping: Promise.resolve() }))

export function unkeptRuns(workspace: Workspace): readonly LoadedRun[] {
  return unkeptOf(workspace).runs.map(({ run }) => run)
}

export function keepLater(workspace: Workspace, run: UnkeptRun): void {
  unkeptOf(workspace).runs.push(run)
  workspace.duck.files.beforeReading = () => keepUnkept(workspace)
}

/** Done when those are on disk that are no longer unkept. */
export async function untilKept(workspace: Workspace): Promise<void> {
  await unkeptOf(workspace).keeping.catch(() => {})
}

/** Some at once: most of the time goes into waiting for the disk. */
const AT_ONCE = 4

/** Throws what kept the first from being kept that was not; the others are kept all the same. */
export function keepUnkept(workspace: Workspace): Promise<void> {
  const unkept = unkeptOf(workspace)
  const waiting = unkept.runs.splice(0)
  if (waiting.length > 0) unkept.keeping = unkept.keeping.catch(() => {}).then(() => keepAll(waiting))
  return unkept.keeping
}

async function keepAll(waiting: UnkeptRun[]): Promise<void> {
  const failures: unknown[] = []
  const keepSome = async (): Promise<void> => {
    for (let run = waiting.shift(); run !== undefined; run = waiting.shift()) {
      await run.keep().catch(error => failures.push(error))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, keepSome))
  if (failures.length > 0) throw failures[0]
}
