import { copyFile, mkdir, rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { countRows, type FileDamage, type RunCheck } from './doctor.js'
import { importLogs } from './ingest.js'
import { takeLease } from './lease.js'
import { moveAside, placeAside } from './manage.js'
import { listedFiles, type Manifest } from './manifest.js'
import { manifestPath, readManifest, writeManifest } from './manifest-file.js'
import { RunState } from './run-state.js'
import { partFiles } from './series.js'
import { summariseFromDisk } from './summarise.js'
import { type RunPlace, runFolder, type Workspace } from './workspace.js'

/**
 * What can be done about a damaged run. Nothing is ever deleted: what is damaged is moved to `damaged/` beside `runs/`, and a
 * run is read again from its logs where these are there.
 */

export interface Repair {
  readonly id: string
  readonly did: 'read-again' | 'reduced' | 'moved'
  /** Where the damaged files are now. */
  readonly aside: string
}

/** Does what the check says. Null for a sound run. */
export async function repairRun(workspace: Workspace, { id, damage, remedy }: RunCheck): Promise<Repair | null> {
  switch (remedy) {
    case null:
    case 'update':
      return null
    case 'move':
      return { id, did: 'moved', aside: await moveAside(workspace, id) }
    case 'reduce': {
      const aside = await setAside(workspace, id, damage)
      await reduce(workspace, id, damage)
      return { id, did: 'reduced', aside }
    }
    case 'read-again':
      return readAgain(workspace, id, damage)
  }
}

/**
 * Anew under the id that it has: a log that lies elsewhere than when it was first read would be given another. What the
 * user said of the run stays; everything else is in its logs.
 */
async function readAgain(workspace: Workspace, id: string, damage: readonly FileDamage[]): Promise<Repair> {
  const before = await readManifest(workspace, id)
  const aside = await setAside(workspace, id, damage)
  const logs = before?.files.filter(({ role }) => role !== 'config').map(({ path }) => path) ?? []
  const { runs } = await importLogs(workspace, logs, { anew: id })
  if (runs.some(run => run.id === id)) return { id, did: 'read-again', aside }
  // Logs that have become another run: what there was of this one is better than nothing.
  await reduce(workspace, id, damage)
  return { id, did: 'reduced', aside }
}

/** Moves the damaged files to a folder in `damaged/`, with a copy of the manifest. */
async function setAside(workspace: Workspace, id: string, damage: readonly FileDamage[]): Promise<string> {
  const folder = runFolder(workspace, id)
  const lease = await takeLease(folder, 'change')
  try {
    const aside = await placeAside(workspace, id)
    const manifest = await readManifest(workspace, id)
    await mkdir(aside, { recursive: true })
    await copyFile(manifestPath(workspace, id), join(aside, 'run.json'))
    for (const name of manifest === null ? [] : lostFiles(folder, manifest, damage)) {
      await rename(join(folder, name), join(aside, name.replace('/', '-'))).catch(() => {})
    }
    return aside
  } finally {
    await lease.release()
  }
}

function lostFiles(folder: string, manifest: Manifest, damage: readonly FileDamage[]): readonly string[] {
  const lost = new Set(damage.map(({ path }) => path))
  return listedFiles(manifest).filter(name => lost.has(join(folder, name)) || lost.has(join(folder, name, '..')))
}

/** Lets the manifest list the files that are sound, with summaries of what is in them. */
async function reduce(workspace: Workspace, id: string, damage: readonly FileDamage[]): Promise<void> {
  const folder = runFolder(workspace, id)
  const lease = await takeLease(folder, 'change')
  try {
    const manifest = await readManifest(workspace, id)
    if (manifest === null) return
    const lost = new Set(lostFiles(folder, manifest, damage))
    const kept = (names: readonly string[]): string[] => names.filter(name => !lost.has(name))
    // Parts that an altered manifest no longer lists, but has a checksum of.
    const parts = [...new Set([...manifest.parts, ...manifest.checksums.keys()])].filter(name => /^points\//.test(name))
    const state = new RunState({
      ...manifest,
      parts: kept(parts).sort((a, b) => parseInt(basename(a), 10) - parseInt(basename(b), 10)),
      texts: kept(manifest.texts),
      ...(lost.has('evals.parquet') && { evaluations: 0, evaluated: new Map() }),
      ...(lost.has('samples.parquet') && { samples: 0 }),
    })
    await restate({ workspace, folder }, state)
    await writeManifest(workspace, state.manifest(), lease.check)
  } finally {
    await lease.release()
  }
}

/** Counts and summaries again, from what is left on disk. */
async function restate(place: RunPlace, state: RunState): Promise<void> {
  const files = partFiles({ folder: place.folder, manifest: state.manifest() })
  const metrics = [...state.manifest().metrics.keys()]
  const counts = await countRows(place.workspace.duck, files, metrics)
  for (const [at, metric] of metrics.entries()) state.metricState(metric)?.recount(counts[at])
  await summariseFromDisk(place, state)
}
