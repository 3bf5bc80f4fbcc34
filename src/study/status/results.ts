import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { CheckpointIdentity } from '../../model/checkpoint.js'
import { writeFileAtomically } from '../../store/atomic.js'
import { loadRun, type RunEntry } from '../../store/catalogue.js'
import { encode } from '../../store/manifest.js'
import type { LoadedRun } from '../../store/series.js'
import { cacheFolder, runFolder, type Workspace } from '../../store/workspace.js'

/**
 * What a run of a study came to: the figure it is judged by, the weights that figures belong to, what it cost. Read off
 * the manifest and the headers of checkpoints once, then remembered for as long as the run does not change: a thousand
 * manifests take longer to parse than somebody who asks for the status wants to wait.
 */
export interface RunResult {
  /** The last value of the study's metric, and how many there are; null where the run does not have it. */
  readonly figure: { readonly last: number; readonly n: number } | null
  /** Of every figure that does not depend on the machine; equal for two trainings that went the same way. */
  readonly course: string
  /** In the order of their steps; only the last where nobody wants more. */
  readonly checkpoints: readonly ResultCheckpoint[]
  /** Steps of the kept checkpoint with the best figure and of the one that `klens checkpoints` advises, where wanted. */
  readonly best: number | null
  readonly chosen: number | null
  /** That its epochs took, all together. */
  readonly seconds: number
}

export interface ResultCheckpoint extends CheckpointIdentity {
  readonly path: string
  readonly step: number
  /** Hash of the settings that the file itself says it was trained with. */
  readonly settings: string | null
}

/** What is wanted of each run beyond its last checkpoint. */
export interface ResultNeeds {
  readonly metric: string
  readonly direction: 'max' | 'min'
  readonly all: boolean
  readonly best: boolean
  readonly chosen: boolean
}

const number = z.union([z.number(), z.enum(['NaN', 'Infinity', '-Infinity']).transform(Number)])
const step = z.number().nullable()
const cachedResult = z.object({
  figure: z.object({ last: number, n: z.number() }).nullable(),
  course: z.string(),
  /** Named from the run's folder: a project may move. */
  checkpoints: z.array(
    z.object({
      step: z.number(),
      contentHash: z.string(),
      name: z.string(),
      settings: z.string().nullable(),
      run: z.string().nullable(),
    }),
  ),
  best: step,
  chosen: step,
  seconds: z.number(),
})
type CachedResult = z.infer<typeof cachedResult>
const cache = z.record(z.string(), z.object({ stamp: z.string(), result: cachedResult }))

/** By run id. */
export async function runResults(
  workspace: Workspace,
  study: string,
  entries: readonly RunEntry[],
  needs: ResultNeeds,
): Promise<ReadonlyMap<string, RunResult>> {
  const path = join(cacheFolder(workspace), `study-${study}.json`)
  const known = await readCache(path)
  const fresh: { [run: string]: { stamp: string; result: CachedResult } } = {}
  const asked = Object.values(needs).join(' ')
  let isChanged = Object.keys(known).length !== entries.length
  for (const entry of entries) {
    const stamp = `${asked} ${entry.status} ${entry.points} ${entry.endedAt}`
    const before = known[entry.id]
    if (before?.stamp === stamp) {
      fresh[entry.id] = before
      continue
    }
    const run = await loadRun(workspace, entry.id)
    if (run === null) continue
    isChanged = true
    fresh[entry.id] = { stamp, result: await resultOf(run, needs) }
  }
  if (isChanged) await writeCache(path, fresh)
  return new Map(Object.entries(fresh).map(([run, each]) => [run, located(each.result, workspace, run)]))
}

function located({ checkpoints, ...result }: CachedResult, workspace: Workspace, run: string): RunResult {
  const folder = checkpointFolder(runFolder(workspace, run))
  return { ...result, checkpoints: checkpoints.map(({ name, ...each }) => ({ ...each, path: join(folder, name) })) }
}

function checkpointFolder(run: string): string {
  return join(run, 'checkpoints')
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

async function resultOf(run: LoadedRun, needs: ResultNeeds): Promise<CachedResult> {
  const { metrics } = run.manifest
  const own = [...metrics].filter(([name]) => !OF_THE_MACHINE.test(name)).sort(([a], [b]) => (a < b ? -1 : 1))
  const course = own.map(([name, { n, last, sum, min, max }]) => [name, n, last, sum, min, max].join(' ')).join('\n')
  const record = metrics.get(needs.metric)
  const checkpoints = await checkpointsOf(checkpointFolder(run.folder), needs)
  const steps = checkpoints.map(each => each.step)
  return {
    figure: record === undefined ? null : { last: record.last, n: record.n },
    course: createHash('sha256').update(course).digest('hex'),
    checkpoints,
    best: needs.best ? await bestStep(run, needs, steps) : null,
    chosen: needs.chosen ? await chosenStep(run, needs, steps) : null,
    seconds: metrics.get('time.step')?.sum ?? 0,
  }
}

/** Weights are only opened for a run that has changed: a status of what was there before needs none of that code. */
async function checkpointsOf(folder: string, { all, best, chosen }: ResultNeeds): Promise<CachedResult['checkpoints']> {
  const { keptCheckpoints } = await import('./kept-checkpoints.js')
  return [...(await keptCheckpoints(folder, all || best || chosen ? 'all' : 'last'))]
}

/** The earliest of equal ones. */
async function bestStep(run: LoadedRun, { metric, direction }: ResultNeeds, kept: readonly number[]) {
  if (!run.manifest.metrics.has(metric)) return null
  const { readSeries } = await import('../../store/series.js')
  const points = (await readSeries(run, [metric])).get(metric)
  let best: { readonly step: number; readonly value: number } | null = null
  for (const [place, at] of Array.from(points?.steps ?? []).entries()) {
    const value = (direction === 'max' ? 1 : -1) * (points?.values[place] ?? Number.NaN)
    if (kept.includes(at) && (best === null ? !Number.isNaN(value) : value > best.value)) best = { step: at, value }
  }
  return best?.step ?? null
}

async function chosenStep(run: LoadedRun, { metric, direction }: ResultNeeds, kept: readonly number[]) {
  const [{ rankRun }, { viewRun }, { workspaceWords }] = await Promise.all([
    import('../../analysis/checkpoints/checkpoint-evidence.js'),
    import('../../analysis/run-view.js'),
    import('../../store/meaning.js'),
  ])
  const ranked = await rankRun(viewRun(run, await workspaceWords(run.workspace)), metric, direction)
  const advised = ranked?.take?.step ?? null
  return advised !== null && kept.includes(advised) ? advised : null
}
