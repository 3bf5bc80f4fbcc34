import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { groupBy } from '../model/group-by.js'
import type { RunStatus } from '../model/run.js'
import { readLiveFile } from './live-file.js'
import { type Manifest, ManifestError, readManifest, shownName } from './manifest.js'
import { RunState } from './run-state.js'
import type { LoadedRun } from './series.js'
import { cacheFolder, runFolder, type Workspace } from './workspace.js'

/**
 * The list of runs. Manifests hold every metric's summary and the whole config, too much to parse for ten thousand runs
 * at every prompt, so what a list needs is kept in a cache that each changed manifest refreshes.
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
  readonly startedAt: number | null
  /** What the run's first log looks like from outside, and what its values add up to; runs that share it may be copies. */
  readonly fingerprint: string
  readonly live: boolean
}

interface CachedEntry {
  readonly modifiedMs: number
  readonly size: number
  readonly entry: RunEntry
}

export interface Listing {
  readonly entries: readonly RunEntry[]
  /** Manifests that cannot be read. */
  readonly damaged: readonly string[]
}

export async function listRuns(workspace: Workspace): Promise<Listing> {
  const cachePath = join(cacheFolder(workspace), 'runs.json')
  const cached = readCache(cachePath)
  const fresh: CachedEntry[] = []
  const damaged: string[] = []
  let changed = false
  // Put together here: for ten thousand runs, joining paths takes half as long as looking at the files.
  const folder = join(workspace.root, 'runs')
  for (const id of runIds(workspace)) {
    const file = statSync(`${folder}${sep}${id}${sep}run.json`, { throwIfNoEntry: false })
    if (file === undefined) continue
    const known = cached.get(id)
    if (known?.modifiedMs === file.mtimeMs && known.size === file.size && !known.entry.live) {
      fresh.push(known)
      continue
    }
    try {
      const run = await loadRun(workspace, id)
      if (run !== null) fresh.push({ modifiedMs: file.mtimeMs, size: file.size, entry: entryOf(run.manifest) })
      changed = true
    } catch (error) {
      if (!(error instanceof ManifestError)) throw error
      damaged.push(error.path)
    }
  }
  if (changed || fresh.length !== cached.size) writeCache(cachePath, fresh)
  return { entries: fresh.map(({ entry }) => entry), damaged }
}

/** A run with what its live file adds, or null where there is none. */
export async function loadRun(workspace: Workspace, id: string): Promise<LoadedRun | null> {
  const manifest = await readManifest(workspace, id)
  if (manifest === null) return null
  const folder = runFolder(workspace, id)
  if (manifest.liveFolded === null) return { folder, manifest, live: null }
  const state = new RunState(manifest)
  for (const { file, events } of await readLiveFile(folder, manifest.liveFolded)) {
    for (const event of events) state.accept(event, file)
  }
  return { folder, manifest: state.manifest(), live: state.buffer }
}

export function runIds(workspace: Workspace): string[] {
  try {
    return readdirSync(join(workspace.root, 'runs')).sort()
  } catch {
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

function entryOf(manifest: Manifest): RunEntry {
  return {
    id: manifest.id,
    name: shownName(manifest),
    source: manifest.source,
    status: manifest.status,
    steps: stepRange(manifest),
    metrics: manifest.metrics.size,
    points: pointCount(manifest),
    tags: manifest.tags,
    startedAt: manifest.about.startedAt ?? null,
    fingerprint: fingerprintOf(manifest),
    live: manifest.liveFolded !== null,
  }
}

/** The cache is disposable: one that cannot be read is as good as none. */
function readCache(path: string): Map<string, CachedEntry> {
  try {
    const entries = JSON.parse(readFileSync(path, 'utf8')) as CachedEntry[]
    return new Map(entries.map(known => [known.entry.id, known]))
  } catch {
    return new Map()
  }
}

function writeCache(path: string, entries: readonly CachedEntry[]): void {
  try {
    mkdirSync(join(path, '..'), { recursive: true })
    const beside = `${path}.${process.pid}.tmp`
    writeFileSync(beside, JSON.stringify(entries))
    renameSync(beside, path)
  } catch {
    // A workspace that may only be read, or a full disk: the list is right all the same, only not cached.
  }
}
