import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { storedMessage } from '../../logs/model/stored-message.js'
import { viewRun } from '../analysis/run-view.js'
import { listRuns, loadRun, type RunEntry } from '../store/catalogue.js'
import { loadVocabulary } from '../store/vocabulary.js'
import { cacheFolder, perWorkspace, type Workspace } from '../store/workspace.js'
import { diagnoseRuns, type RunHealth, summariseHealth } from './diagnosed-runs.js'

/**
 * What is wrong with all runs of a workspace, the newest looked at first. A diagnosis takes some hundredths of a second, too
 * long for ten thousand runs at once: each look goes on for a while, says how far it came, and what was found is kept, for
 * this process and in a cache file for the next.
 */
type Worst = RunHealth['worst']

export interface WorkspaceHealth {
  /** Runs looked at so far, of all there are. */
  readonly looked: number
  readonly total: number
  /** Runs with an error or a warning: errors first, then the newest. */
  readonly sick: readonly { readonly entry: RunEntry; readonly worst: NonNullable<Worst> }[]
}

const worstSchema = z
  .object({
    rule: z.string(),
    severity: z.enum(['error', 'warning', 'note']),
    since: z.number(),
    message: storedMessage,
  })
  .nullable()

const cacheSchema = z.object({
  version: z.string(),
  runs: z.array(z.object({ id: z.string(), stamp: z.string(), worst: worstSchema })),
})

interface Known {
  readonly stamp: string
  readonly worst: Worst
}

interface HealthMemory {
  known: Map<string, Known> | null
  savedAt: number
}

const memoryOf = perWorkspace((): HealthMemory => ({ known: null, savedAt: 0 }))

/** While there is more to look at, what is known is written down so often. */
const SAVE_EVERY_MS = 20_000

/** `version`: of klens, whose rules change with it. */
export async function workspaceHealth(
  workspace: Workspace,
  {
    version,
    most,
    signal,
  }: { readonly version: string; readonly most: number; readonly signal?: AbortSignal | undefined },
): Promise<WorkspaceHealth> {
  const memory = memoryOf(workspace)
  const path = join(cacheFolder(workspace), 'health.json')
  memory.known ??= await readKnown(path, version)
  const { known } = memory
  const words = await loadVocabulary(workspace)
  const entries = (await listRuns(workspace)).entries.toSorted((a, b) => b.loggedAt - a.loggedAt)
  const vocabulary = JSON.stringify([words.user, words.goal])
  const until = performance.now() + most
  let looked = 0
  let isNew = false
  for (const entry of entries) {
    const stamp = stampOf(entry, vocabulary)
    const isKnown = known.get(entry.id)?.stamp === stamp
    if (!isKnown && (performance.now() > until || signal?.aborted === true)) continue
    looked += 1
    if (isKnown) continue
    const run = await loadRun(workspace, entry.id)
    // A run whose data is damaged is said where it is opened.
    const found = run === null ? [] : await diagnoseRuns([viewRun(run, words)]).catch(() => [])
    known.set(entry.id, { stamp, worst: found.length === 0 ? null : summariseHealth(found[0]).worst })
    isNew = true
  }
  if (isNew && (looked === entries.length || performance.now() - memory.savedAt > SAVE_EVERY_MS)) {
    memory.savedAt = performance.now()
    await writeKnown(path, version, known, entries)
  }
  const sick = entries.flatMap(entry => {
    const worst = known.get(entry.id)?.worst ?? null
    return worst === null || worst.severity === 'note' ? [] : [{ entry, worst }]
  })
  const isError = ({ worst }: (typeof sick)[number]): number => Number(worst.severity === 'error')
  return { looked, total: entries.length, sick: sick.toSorted((a, b) => isError(b) - isError(a)) }
}

function stampOf({ scores, status, points, samples, steps, loggedAt }: RunEntry, vocabulary: string): string {
  return JSON.stringify([scores, status, points, samples, steps, loggedAt, vocabulary])
}

/** The cache is disposable: one that cannot be read is as good as none. */
async function readKnown(path: string, version: string): Promise<Map<string, Known>> {
  try {
    const { version: written, runs } = cacheSchema.parse(JSON.parse(await readFile(path, 'utf8')))
    return new Map(written === version ? runs.map(({ id, ...known }) => [id, known]) : [])
  } catch {
    return new Map()
  }
}

async function writeKnown(
  path: string,
  version: string,
  known: ReadonlyMap<string, Known>,
  entries: readonly RunEntry[],
): Promise<void> {
  const beside = `${path}.${process.pid}.tmp`
  const runs = entries.flatMap(({ id }) => {
    const found = known.get(id)
    return found === undefined ? [] : [{ id, ...found }]
  })
  try {
    await mkdir(dirname(path)).catch(() => {})
    await writeFile(beside, JSON.stringify({ version, runs } satisfies z.input<typeof cacheSchema>))
    await rename(beside, path)
  } catch {
    // A workspace that may only be read, or a full disk.
    await rm(beside, { force: true }).catch(() => {})
  }
}
