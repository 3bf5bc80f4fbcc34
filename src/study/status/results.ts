import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { Problem } from '../../model/problem.js'
import { writeFileAtomically } from '../../store/atomic.js'
import { loadRun, type RunEntry } from '../../store/catalogue.js'
import { encode, type Manifest } from '../../store/manifest.js'
import { cacheFolder, runFolder, type Workspace } from '../../store/workspace.js'
import { checkpointsIn } from '../../train/run/resume-point.js'
import { withWeights } from '../../weights/open.js'

/**
 * What a run of a study came to: the figure it is judged by, the weights that the figure belongs to, what it cost. Read
 * off the manifest and the header of the last checkpoint once, then remembered for as long as the run does not change:
 * a thousand manifests take longer to parse than somebody who asks for the status wants to wait.
 */
export interface RunResult {
  /** The last value of the study's metric, and how many there are; null where the run does not have it. */
  readonly figure: { readonly last: number; readonly n: number } | null
  /** Of every figure that does not depend on the machine; equal for two trainings that went the same way. */
  readonly course: string
  readonly checkpoint: ResultCheckpoint | null
  /** That its epochs took, all together. */
  readonly seconds: number
}

export type ResultCheckpoint = z.infer<typeof checkpoint>

const number = z.union([z.number(), z.enum(['NaN', 'Infinity', '-Infinity']).transform(Number)])
const checkpoint = z.object({
  step: z.number(),
  contentHash: z.string(),
  path: z.string(),
  /** Hash of the settings that the file itself says it was trained with. */
  settings: z.string().nullable(),
})
const result = z.object({
  figure: z.object({ last: number, n: z.number() }).nullable(),
  course: z.string(),
  checkpoint: checkpoint.nullable(),
  seconds: z.number(),
})
const cache = z.record(z.string(), z.object({ stamp: z.string(), result }))

/** By run id. */
export async function runResults(
  workspace: Workspace,
  study: string,
  entries: readonly RunEntry[],
  metric: string,
): Promise<ReadonlyMap<string, RunResult>> {
  const path = join(cacheFolder(workspace), `study-${study}.json`)
  const known = await readCache(path)
  const fresh: { [run: string]: { stamp: string; result: RunResult } } = {}
  let isChanged = Object.keys(known).length !== entries.length
  for (const entry of entries) {
    const stamp = `${metric} ${entry.status} ${entry.points} ${entry.endedAt}`
    const before = known[entry.id]
    if (before?.stamp === stamp) {
      fresh[entry.id] = before
      continue
    }
    const run = await loadRun(workspace, entry.id)
    if (run === null) continue
    isChanged = true
    fresh[entry.id] = {
      stamp,
      result: await resultOf(run.manifest, metric, join(runFolder(workspace, entry.id), 'checkpoints')),
    }
  }
  if (isChanged) await writeCache(path, fresh)
  return new Map(Object.entries(fresh).map(([run, each]) => [run, each.result]))
}

/** Disposable: one that cannot be read is as good as none. */
async function readCache(path: string): Promise<z.infer<typeof cache>> {
  try {
    return cache.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch {
    return {}
  }
}

async function writeCache(path: string, results: object): Promise<void> {
  try {
    await mkdir(join(path, '..'), { recursive: true })
    await writeFileAtomically(path, encode(results))
  } catch {
    // A workspace that may only be read: the answer is right all the same.
  }
}

const OF_THE_MACHINE = /^(?:time|throughput)\b/

async function resultOf({ metrics }: Manifest, metric: string, folder: string): Promise<RunResult> {
  const own = [...metrics].filter(([name]) => !OF_THE_MACHINE.test(name)).sort(([a], [b]) => (a < b ? -1 : 1))
  const course = own.map(([name, { n, last, sum, min, max }]) => [name, n, last, sum, min, max].join(' ')).join('\n')
  const record = metrics.get(metric)
  return {
    figure: record === undefined ? null : { last: record.last, n: record.n },
    course: createHash('sha256').update(course).digest('hex'),
    checkpoint: await lastCheckpoint(folder),
    seconds: metrics.get('time.step')?.sum ?? 0,
  }
}

async function lastCheckpoint(folder: string): Promise<ResultCheckpoint | null> {
  try {
    const last = (await checkpointsIn(folder)).at(-1)
    if (last === undefined) return null
    const path = join(folder, last.name)
    return await withWeights(path, async ({ about: { contentHash, configHash } }) =>
      typeof contentHash === 'string'
        ? { step: last.epoch, contentHash, path, settings: typeof configHash === 'string' ? configHash : null }
        : null,
    )
  } catch (error) {
    // Gone, or torn: the figure stands, but no file proves it.
    if (error instanceof Problem || (error instanceof Error && 'code' in error)) return null
    throw error
  }
}
