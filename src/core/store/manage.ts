import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { takeLease } from './lease.js'
import type { Manifest } from './manifest.js'
import { manifestPath, readManifest, writeManifest } from './manifest-file.js'
import { RunWriter } from './run-writer.js'
import { runFolder, type Workspace } from './workspace.js'

/** What is done to a run as a whole. All take the run's lease, so a writer at work is never disturbed. */

export async function changeRun(
  workspace: Workspace,
  id: string,
  change: (
    manifest: Manifest,
  ) => Partial<Pick<Manifest, 'givenName' | 'tags' | 'files' | 'status' | 'warnings' | 'duplicateOf' | 'apart'>>,
): Promise<Manifest | null> {
  await takeIn(workspace, id)
  const lease = await takeLease(runFolder(workspace, id), 'change')
  try {
    const manifest = await readManifest(workspace, id)
    if (manifest === null) return null
    const changed = { ...manifest, ...change(manifest) }
    await writeManifest(workspace, changed, lease.check)
    return changed
  } finally {
    await lease.release()
  }
}

/** What a killed writer left in its live file becomes part of the run, as it does for any other writer. */
async function takeIn(workspace: Workspace, id: string): Promise<void> {
  const left = await readManifest(workspace, id)
  if (left === null || left.liveFolded === null) return
  const writer = await RunWriter.open(workspace, left, 'change')
  await writer.close()
}

/** The manifest goes first: from then on the run does not exist, whatever becomes of the rest. */
export async function removeRun(workspace: Workspace, id: string): Promise<void> {
  const lease = await takeLease(runFolder(workspace, id), 'change')
  try {
    await rm(manifestPath(workspace, id), { force: true })
  } finally {
    await lease.release()
  }
  await rm(runFolder(workspace, id), { recursive: true, force: true })
}

/** Moves the whole folder of a run out of the way, so that its logs can be imported anew. Returns where it is now. */
export async function moveAside(workspace: Workspace, id: string): Promise<string> {
  const folder = runFolder(workspace, id)
  const lease = await takeLease(folder, 'change')
  const aside = await placeAside(workspace, id)
  try {
    await mkdir(dirname(aside), { recursive: true })
    await lease.check()
    await rename(folder, aside)
  } finally {
    await lease.release()
  }
  for (const name of await readdir(aside)) if (name.startsWith('lease.')) await rm(join(aside, name), { force: true })
  return aside
}

/** A free place in `damaged/`, beside `runs/`. */
export async function placeAside({ root }: Workspace, id: string): Promise<string> {
  const folder = join(root, 'damaged')
  const taken = new Set(await readdir(folder).catch(() => []))
  let name = id
  for (let n = 2; taken.has(name); n += 1) name = `${id}-${n}`
  return join(folder, name)
}
