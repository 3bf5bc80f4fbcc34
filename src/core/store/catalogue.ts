import { lstatSync, type Stats } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { evaluatedName } from '../../logs/model/evaluation.js'
import { type JsonNumber, jsonNumber } from '../../logs/model/json.js'
import type { Lineage } from '../../logs/model/lineage.js'
import { Problem } from '../../logs/model/problem.js'
import type { RunStatus } from '../../logs/model/run.js'
import { groupBy } from '../../logs/model/util/group-by.js'
import type { ScoreSeries } from '../../logs/model/vocabulary/roles.js'
import { unreadable } from './disk-problem.js'
import { readEvaluatedMetrics } from './evaluations.js'
import { type LiveBatch, livePath, readLiveFile } from './live-file.js'
import { type FileRecord, type Manifest, shownName } from './manifest.js'
import { readKeptManifest } from './manifest-file.js'
import { RunState } from './run-state.js'
import { trainingMarks } from './same-training.js'
import type { LoadedRun } from './series.js'
import { unkeptRuns, untilKept } from './unkept.js'
import { goalOf, loadVocabulary, metricsNamed, vocabularyFiles, type WorkspaceVocabulary } from './vocabulary.js'
import { cacheFolder, perWorkspace, type RunPlace, runFolder, type Workspace } from './workspace.js'

/**
 * The list of runs. Manifests hold every metric's summary and the whole config, too much to parse for ten thousand runs
 * at every question, so what a list needs is remembered: by the open workspace, and for the next process in a cache file.
 * Each listing looks at every manifest's date and size and reads those that have changed, so a process that runs for
 * days sees what others write.
 */

export interface RunEntry {
  readonly id: string
  readonly name: string
  readonly source: string
  readonly status: RunStatus
  /** First and last step, null for a run without steps. */
  readonly steps: readonly [number, number] | null
  readonly metrics: number
  readonly points: number
  readonly tags: readonly string[]
  readonly note: string
  /** Rows of scored samples. */
  readonly samples: number
  /** When its log was last written, as far as that is known, else when it was imported. Unix seconds, as below. */
  readonly loggedAt: number
  readonly startedAt: number | null
  readonly endedAt: number | null
  /** What the run is judged by on each data set, else its training reward; behind them the optimised reward as validated. */
  readonly scores: readonly RunScore[]
  /** What the run's first log looks like from outside, and what its values add up to; runs that share it may be copies. */
  readonly fingerprint: string
  readonly live: boolean
  readonly lineage: Lineage
  readonly identity: string | null
  /** Ids of further logs of the same training, and marks by which such logs are found, as one text: a list of runs needs none. */
  readonly joined: readonly string[]
  readonly marks: string
  /** How its first log begins, and where it lay when it was read. */
  readonly log: Pick<FileRecord, 'path' | 'size' | 'headBytes' | 'headHash' | 'tailHash'> | null
}

export interface RunScore {
  readonly metric: string
  readonly last: JsonNumber
  /** The best so far; null where more is neither better nor worse. */
  readonly best: JsonNumber | null
  readonly isYardstick: boolean
}

/** What is remembered of a run, and the look of its files when that was read. */
interface KnownEntry {
  readonly stamp: string
  readonly entry: RunEntry
}

interface Listing {
  readonly entries: readonly RunEntry[]
  /** Manifests that cannot be read. */
  readonly damaged: readonly string[]
}

/** Null until the cache file has been read. */
const memoryOf = perWorkspace((): { known: ReadonlyMap<string, KnownEntry> | null } => ({ known: null }))

/** So long may a listing keep the process from anything else it does. */
const LONGEST_HOLD_MS = 10

/**
 * Files are looked at one after the other and not in the thread pool, which for ten thousand small ones takes four times
 * as long (0.12 s of CPU instead of 0.03); others have their turn in between.
 */
export async function listRuns(workspace: Workspace): Promise<Listing> {
  await untilKept(workspace)
  const memory = memoryOf(workspace)
  const cachePath = join(cacheFolder(workspace), 'runs.json')
  const before = memory.known ?? (await readCache(cachePath))
  const words = await loadVocabulary(workspace)
  // Another alias or goal makes other scores.
  const vocabulary = vocabularyFiles(workspace).map(look)
  const known = new Map<string, KnownEntry>()
  const damaged: string[] = []
  let isChanged = false
  let heldSince = performance.now()
  // Put together here: for ten thousand runs, joining paths takes half as long as looking at the files.
  const folder = join(workspace.root, 'runs')
  for (const id of await runIds(workspace)) {
    if (performance.now() - heldSince > LONGEST_HOLD_MS) {
      await setImmediate()
      heldSince = performance.now()
    }
    const path = `${folder}${sep}${id}`
    try {
      const file = look(`${path}${sep}run.json`)
      if (file === undefined) continue
      const last = before.get(id)
      // Looked at before it is read: what is added in between shows at the next listing.
      const stamp = stampOf(...vocabulary, file, last?.entry.live === false ? undefined : look(livePath(path)))
      if (last?.stamp === stamp) {
        known.set(id, last)
        continue
      }
      const run = await loadRun(workspace, id)
      if (run === null) continue
      known.set(id, { stamp, entry: entryOf(run.manifest, words, file.mtimeMs / 1000) })
      isChanged = true
    } catch (error) {
      if (!isFaultOfOneRun(error)) throw error
      damaged.push(`${path}${sep}run.json`)
    }
  }
  if (isChanged || known.size !== before.size) await writeCache(cachePath, [...known.values()])
  memory.known = known
  const kept = Array.from(known.values(), ({ entry }) => entry)
  const unkept = unkeptRuns(workspace).map(({ manifest }) => entryOf(manifest, words, Date.now() / 1000))
  const entries = unkept.length === 0 ? kept : [...kept, ...unkept].sort((a, b) => (a.id < b.id ? -1 : 1))
  return { entries, damaged }
}

/** Damaged, of a newer klens, or in a folder that may not be entered: the others are listed all the same. */
function isFaultOfOneRun(error: unknown): boolean {
  if (error instanceof Problem) return error.code === 'damaged' || error.code === 'unreadable'
  return error instanceof Error && 'code' in error && error.code === 'EACCES'
}

function look(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false })
}

/** The way in which the score of an entry is chosen: a cache that an earlier klens wrote holds other ones. */
const SCORE_RULE = 'scores with best'

/** Two manifests in a row never share an inode, because the second is written while the first is there. */
function stampOf(...files: readonly (Stats | undefined)[]): string {
  return [
    SCORE_RULE,
    ...files.map(file => (file === undefined ? '' : `${file.mtimeMs} ${file.size} ${file.ino}`)),
  ].join()
}

/** A run with what its live file adds, or null where there is none. */
export async function loadRun(workspace: Workspace, id: string): Promise<LoadedRun | null> {
  const unkept = unkeptRuns(workspace).find(({ manifest }) => manifest.id === id)
  if (unkept !== undefined) return unkept
  await untilKept(workspace)
  const kept = readKeptManifest(workspace, id)
  if (kept === null) return null
  const folder = runFolder(workspace, id)
  const manifest = await withEvaluated({ workspace, folder }, kept)
  if (manifest.liveFolded === null) return { workspace, folder, manifest, live: null }
  const state = new RunState(manifest)
  for (const { file, events } of await readableLiveFile(folder, manifest.liveFolded)) {
    for (const event of events) state.accept(event, file)
  }
  return { workspace, folder, manifest: state.manifest(), live: state.buffer }
}

async function readableLiveFile(folder: string, from: number): Promise<readonly LiveBatch[]> {
  try {
    return await readLiveFile(folder, from)
  } catch (cause) {
    throw unreadable(livePath(folder), cause)
  }
}

/** Of evaluations that klens 0.1 made the manifest does not tell what they measure. */
async function withEvaluated(place: RunPlace, manifest: Manifest): Promise<Manifest> {
  const { evaluated, evaluations, source, metrics } = manifest
  if (evaluated !== null || evaluations === 0 || !MADE_HERE.has(source)) return manifest
  // A file that is gone or torn is said when it is asked for.
  const told = await readEvaluatedMetrics(place).catch(() => [])
  const others = told.filter(({ metric }) => !metrics.has(metric))
  return { ...manifest, evaluated: new Map(others.map(each => [evaluatedName(each), each])) }
}

const MADE_HERE = new Set(['klens', 'checkpoint'])

export async function runIds(workspace: Workspace): Promise<string[]> {
  try {
    return (await readdir(join(workspace.root, 'runs'))).sort()
  } catch (error) {
    // One that is there and may not be read is no empty one.
    if (error instanceof Error && 'code' in error && error.code === 'EACCES') throw error
    return []
  }
}

/**
 * First and last step over the metrics that count in the run's own steps. Hugging Face puts every metric on an axis of
 * its own making, `train/global_step`; so the axis that most metrics share is the run's own.
 */
export function stepRange({ metrics }: Manifest): readonly [number, number] | null {
  const byAxis = groupBy(metrics.values(), ({ axis }) => axis)
  const own = [...byAxis.values()].sort((a, b) => b.length - a.length)[0] ?? []
  let first = Number.POSITIVE_INFINITY
  let last = Number.NEGATIVE_INFINITY
  for (const { firstStep, lastStep } of own) {
    if (firstStep < first) first = firstStep
    if (lastStep > last) last = lastStep
  }
  return first <= last ? [first, last] : null
}

export function pointCount({ metrics }: Manifest): number {
  let points = 0
  for (const { stored } of metrics.values()) points += stored
  return points
}

export function fingerprintOf({ files, metrics }: Manifest): string {
  const log = files.find(({ role }) => role === 'log')
  // The runs of one database all look alike from outside.
  let sum = 0
  for (const metric of metrics.values()) sum += metric.sum
  return log === undefined ? '' : `${log.headHash}:${log.size}:${sum}`
}

function scoresOf(manifest: Manifest, words: WorkspaceVocabulary): readonly RunScore[] {
  const measured = (series: readonly Pick<ScoreSeries, 'metric' | 'goal'>[], isYardstick: boolean) =>
    series.flatMap(({ metric, goal }): readonly RunScore[] => {
      const record = manifest.metrics.get(metric)
      if (record === undefined || record.n === 0) return []
      const best = goal === null || record.finite === 0 ? null : jsonNumber(goal === 'max' ? record.max : record.min)
      return [{ metric, last: jsonNumber(record.last), best, isYardstick }]
    })
  const { yardsticks, optimised } = goalOf(manifest, words)
  const judges = measured(yardsticks, true)
  if (judges.length > 0) return [...judges, ...measured(optimised, false)]
  const others = ['val.score', 'score.mean'].flatMap(name => metricsNamed(manifest, name, words))
  return measured(
    others.map(metric => ({ metric, goal: 'max' })),
    true,
  ).slice(0, 1)
}

/** A log that tells its own times keeps its place among others, whenever its file was copied; one that grows is of now. */
function loggedAt({ about, status, files }: Manifest): number | null {
  const told = about.endedAt ?? (status === 'running' ? undefined : about.startedAt)
  const written = files.filter(({ role }) => role !== 'config').map(({ modifiedMs }) => modifiedMs / 1000)
  return told ?? (written.length > 0 ? Math.max(...written) : (about.startedAt ?? null))
}

function logEntry({ path, size, headBytes, headHash, tailHash }: FileRecord): RunEntry['log'] {
  return { path, size, headBytes, headHash, tailHash }
}

function entryOf(manifest: Manifest, words: WorkspaceVocabulary, writtenAt: number): RunEntry {
  const log = manifest.files.find(({ role }) => role === 'log')
  return {
    id: manifest.id,
    name: shownName(manifest),
    source: manifest.source,
    status: manifest.status,
    steps: stepRange(manifest),
    metrics: manifest.metrics.size,
    points: pointCount(manifest),
    tags: manifest.tags,
    note: manifest.note,
    samples: manifest.samples,
    loggedAt: loggedAt(manifest) ?? writtenAt,
    startedAt: manifest.about.startedAt ?? null,
    endedAt: manifest.about.endedAt ?? null,
    scores: scoresOf(manifest, words),
    fingerprint: fingerprintOf(manifest),
    live: manifest.liveFolded !== null,
    lineage: manifest.lineage,
    identity: manifest.identity,
    joined: manifest.joined,
    marks: trainingMarks(manifest).join(' '),
    log: log === undefined ? null : logEntry(log),
  }
}

interface Cache {
  readonly root: string
  readonly entries: readonly KnownEntry[]
}

/** The cache is disposable: one that cannot be read is as good as none. */
async function readCache(path: string): Promise<ReadonlyMap<string, KnownEntry>> {
  try {
    const { root, entries } = JSON.parse(await readFile(path, 'utf8')) as Cache
    // One that came along with a copied project tells of files that lie elsewhere.
    if (root !== path || entries.some(({ entry }) => typeof entry.marks !== 'string')) return new Map()
    return new Map(entries.map(known => [known.entry.id, known]))
  } catch {
    return new Map()
  }
}

async function writeCache(path: string, entries: readonly KnownEntry[]): Promise<void> {
  const beside = `${path}.${process.pid}.tmp`
  try {
    // Only this folder: a workspace that was removed meanwhile is not begun anew by a cache.
    await mkdir(dirname(path)).catch(() => {})
    await writeFile(beside, JSON.stringify({ root: path, entries } satisfies Cache))
    await rename(beside, path)
  } catch {
    // A workspace that may only be read, or a full disk: the list is right all the same, only not cached.
    await rm(beside, { force: true }).catch(() => {})
  }
}
