import { readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { writeFileAtomically } from './atomic.js'
import { foreign, unreadable } from './disk-problem.js'
import type { FileRecord, Manifest } from './manifest.js'
import { manifestText, parseManifest } from './manifest-format.js'
import { perWorkspace, runFolder, type Workspace } from './workspace.js'

/**
 * run.json on disk, the commit point of a run. The paths of logs that lie beside the store are noted from there, so that a
 * project can be moved or copied together with it.
 */

export function manifestPath(workspace: Workspace, id: string): string {
  return join(runFolder(workspace, id), 'run.json')
}

/** The run's manifest, or null where there is none. One that cannot be read is a problem that names the file. */
export async function readManifest(workspace: Workspace, id: string): Promise<Manifest | null> {
  // Ids come from strangers' files too: a checkpoint tells which run wrote it.
  if (id !== basename(id) || id === '..') return null
  const path = manifestPath(workspace, id)
  let text: string
  try {
    // Not awaited: for ten thousand small files the thread pool costs four times as much as the reading.
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw unreadable(path, error)
  }
  const manifest = parseManifest(text, path)
  if (manifest.id !== id) throw foreign(path, manifest.id)
  return withPaths(manifest, each => resolve(projectOf(workspace), each))
}

/** A project may be moved or copied together with its store: what lies inside is noted from there. */
function noted(workspace: Workspace, path: string): string {
  const inside = relative(projectOf(workspace), path)
  return inside.startsWith('..') || isAbsolute(inside) ? path : inside
}

function withPaths(manifest: Manifest, spell: (path: string) => string): Manifest {
  const respell = ({ path, ...file }: FileRecord): FileRecord => ({ ...file, path: spell(path) })
  const { files, earlier } = manifest
  return {
    ...manifest,
    files: files.map(respell),
    earlier: earlier === null ? null : { ...earlier, files: earlier.files.map(respell) },
  }
}

const projects = perWorkspace((): { real: string | null } => ({ real: null }))

/** The folder that `.klens` lies in, by its real name, as logs are found by theirs. */
function projectOf(workspace: Workspace): string {
  const known = projects(workspace)
  const folder = dirname(workspace.root)
  try {
    known.real ??= realpathSync(folder)
  } catch {
    // Nothing has been written yet.
  }
  return known.real ?? folder
}

/** `confirm` is asked before it takes its place. */
export async function writeManifest(
  workspace: Workspace,
  manifest: Manifest,
  confirm?: () => Promise<void>,
): Promise<void> {
  const written = withPaths(manifest, path => noted(workspace, path))
  await writeFileAtomically(manifestPath(workspace, manifest.id), manifestText(written), confirm)
}
