import { evaluatedName } from '../../logs/model/evaluation.js'
import { type JsonNumber, jsonNumber } from '../../logs/model/json.js'
import type { Lineage } from '../../logs/model/lineage.js'
import type { RunStatus } from '../../logs/model/run.js'
import { groupBy } from '../../logs/model/util/group-by.js'
import type { ScoreSeries } from '../../logs/model/vocabulary/roles.js'
import { unreadable } from './disk-problem.js'
import { readEvaluatedMetrics } from './evaluations.js'
import { type LiveBatch, livePath, readLiveFile } from './live-file.js'
import { type FileRecord, type Manifest, shownName } from './manifest.js'
import { readKeptManifest } from './manifest-file.js'
import { runIndex } from './run-index.js'
import { RunState } from './run-state.js'
import { trainingMarks } from './same-training.js'
import type { LoadedRun } from './series.js'
import { unkeptRuns, untilKept } from './unkept.js'
import { goalOf, metricsNamed, type WorkspaceVocabulary } from './vocabulary.js'
import { type RunPlace, runFolder, type Workspace } from './workspace.js'

/**
 * The list of runs. Manifests hold every metric's summary and the whole config, too much to parse for ten thousand runs
 * at every question, so what a list needs is remembered (`run-index.ts`), and what an import needs apart from that.
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
  readonly live: boolean
  readonly lineage: Lineage
}

/** By what a further log is recognised as this run, a copy of it, or another log of its training. */
export interface LogEntry extends Pick<RunEntry, 'id' | 'name' | 'source'> {
  /** What the run's first log looks like from outside, and what its values add up to; runs that share it may be copies. */
  readonly fingerprint: string
  readonly identity: string | null
  /** Ids of further logs of the same training, and marks by which such logs are found, as one text. */
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

interface Listing {
  readonly entries: readonly RunEntry[]
  /** The same, as people sort names. */
  readonly byName: readonly RunEntry[]
  /** Manifests that cannot be read. */
  readonly damaged: readonly string[]
}

const listIndex = runIndex<RunEntry>(
  'runs.json',
  [
    ...(['id', 'name', 'source', 'status', 'steps', 'metrics', 'points', 'tags', 'startedAt', 'endedAt'] as const),
    ...(['note', 'samples', 'loggedAt', 'scores', 'live', 'lineage'] as const),
  ],
  entryOf,
)

const logIndex = runIndex<LogEntry>(
  'logs.json',
  ['id', 'name', 'source', 'fingerprint', 'identity', 'joined', 'marks', 'log'],
  logEntryOf,
)

export async function listRuns(workspace: Workspace): Promise<Listing> {
  const { rows, byName, damaged } = await listIndex(workspace, id => loadRun(workspace, id))
  return { entries: rows, byName: byName.map(place => rows[place]), damaged }
}

/** What an import recognises runs by. */
export async function listLogs(workspace: Workspace): Promise<readonly LogEntry[]> {
  return (await logIndex(workspace, id => loadRun(workspace, id))).rows
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
    yardsticks.length === 0,
  ).slice(0, 1)
}

/** A log that tells its own times keeps its place among others, whenever its file was copied; one that grows is of now. */
function loggedAt({ about, status, files }: Manifest): number | null {
  const told = about.endedAt ?? (status === 'running' ? undefined : about.startedAt)
  const written = files.filter(({ role }) => role !== 'config').map(({ modifiedMs }) => modifiedMs / 1000)
  return told ?? (written.length > 0 ? Math.max(...written) : (about.startedAt ?? null))
}

function entryOf(manifest: Manifest, words: WorkspaceVocabulary, writtenAt: number): RunEntry {
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
    live: manifest.liveFolded !== null,
    lineage: manifest.lineage,
  }
}

function logEntryOf(manifest: Manifest): LogEntry {
  const { id, source, identity, joined, files } = manifest
  const log = files.find(({ role }) => role === 'log')
  return {
    ...{ id, name: shownName(manifest), source, identity, joined },
    fingerprint: fingerprintOf(manifest),
    marks: trainingMarks(manifest).join(' '),
    log: log === undefined ? null : beginningOf(log),
  }
}

function beginningOf({ path, size, headBytes, headHash, tailHash }: FileRecord): LogEntry['log'] {
  return { path, size, headBytes, headHash, tailHash }
}
