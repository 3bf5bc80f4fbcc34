import { rm } from 'node:fs/promises'
import { takeLease } from './lease.js'
import { type Manifest, manifestPath, readManifest, writeManifest } from './manifest.js'
import { runFolder, type Workspace } from './workspace.js'

/** What a person does to a run as a whole. Both take the run's lease, so a writer at work is never disturbed. */

export async function changeRun(
  workspace: Workspace,
  id: string,
  change: (manifest: Manifest) => Partial<Pick<Manifest, 'givenName' | 'tags'>>,
): Promise<Manifest | null> {
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
