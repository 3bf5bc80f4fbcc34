import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checksumOfFile } from './checksum.js'
import { isHeld, withoutUncommitted } from './checksums.js'
import { isDiskFull } from './disk-problem.js'
import { takeLease } from './lease.js'
import { listedFiles, type Manifest } from './manifest.js'
import { manifestPath, readManifest, writeManifest } from './manifest-file.js'
import { forgetOutlines } from './outlines.js'
import { RunWriter } from './run-writer.js'
import { keepUnkept } from './unkept.js'
import { runFolder, type Workspace } from './workspace.js'

/** What is done to a run as a whole. All take the run's lease, so a writer at work is never disturbed. */

export async function changeRun(
  workspace: Workspace,
  id: string,
  change: (
    manifest: Manifest,
  ) => Partial<
    Pick<
      Manifest,
      'givenName' | 'tags' | 'note' | 'files' | 'status' | 'warnings' | 'duplicateOf' | 'apart' | 'checksums'
    >
  >,
): Promise<Manifest | null> {
  await takeIn(workspace, id)
  const folder = runFolder(workspace, id)
  const isLeft = isHeld(folder)
  const lease = await takeLease(folder, 'change')
  try {
    const manifest = await readManifest(workspace, id)
    if (manifest === null) return null
    const checksums = isLeft ? await withoutUncommitted(folder, manifest.checksums) : manifest.checksums
    const changed = { ...manifest, checksums, ...change(manifest) }
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

/** With checksums of files that an earlier klens wrote, as they are now. Where that cannot be kept, the next import tries. */
export async function withChecksums(workspace: Workspace, manifest: Manifest): Promise<Manifest> {
  const missing = listedFiles(manifest).filter(name => !manifest.checksums.has(name))
  if (missing.length === 0) return manifest
  const added = new Map(manifest.checksums)
  for (const name of missing) {
    const checksum = await checksumOfFile(join(runFolder(workspace, manifest.id), name))
    if (checksum !== null) added.set(name, checksum)
  }
  const isAsRead = (now: Manifest): boolean => listedFiles(now).join() === listedFiles(manifest).join()
  const changed = changeRun(workspace, manifest.id, now => (isAsRead(now) ? { checksums: added } : {}))
  return (await changed.catch(() => null)) ?? manifest
}

/**
 * The manifest goes first: from then on the run does not exist, whatever becomes of the rest. A full disk has no space for a
 * lease, and is the reason to remove: no other process holds the run then, for that is asked first, and none can begin.
 */
export async function removeRun(workspace: Workspace, id: string): Promise<void> {
  await keepUnkept(workspace)
  const lease = await takeLease(runFolder(workspace, id), 'change').catch(error => {
    if (isDiskFull(error)) return null
    throw error
  })
  try {
    await rm(manifestPath(workspace, id), { force: true })
  } finally {
    await lease?.release()
  }
  await rm(runFolder(workspace, id), { recursive: true, force: true })
  await forgetOutlines({ workspace, folder: runFolder(workspace, id) })
}

/** Moves the whole folder of a run out of the way, so that its logs can be imported again. Returns where it is now. */
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
