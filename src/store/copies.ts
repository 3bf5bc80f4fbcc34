import { fingerprintOf, listRuns } from './catalogue.js'
import type { Manifest } from './manifest.js'
import { readManifest } from './manifest-file.js'
import type { Workspace } from './workspace.js'

/**
 * The runs of a workspace by what their logs look like, to find copies. Listed once: an import of a thousand runs that
 * listed the workspace for each would spend most of its time on it. Runs that are asked about are known from then on.
 */
export interface KnownRuns {
  /** The id of the run that this one is a copy of; null where it is none. */
  originalOf(manifest: Manifest): Promise<string | null>
}

export async function knownRuns(workspace: Workspace): Promise<KnownRuns> {
  const byFingerprint = new Map<string, Set<string>>()
  const know = (fingerprint: string, id: string): void => {
    const ids = byFingerprint.get(fingerprint)
    if (ids === undefined) byFingerprint.set(fingerprint, new Set([id]))
    else ids.add(id)
  }
  for (const { id, fingerprint } of (await listRuns(workspace)).entries) know(fingerprint, id)
  return {
    async originalOf(manifest) {
      const fingerprint = fingerprintOf(manifest)
      if (fingerprint === '') return null
      const alike = [...(byFingerprint.get(fingerprint) ?? [])]
      know(fingerprint, manifest.id)
      return originalAmong(alike, manifest, workspace)
    },
  }
}

/** A run whose log starts and ends alike and whose every metric sums up alike holds the same data. */
async function originalAmong(ids: readonly string[], manifest: Manifest, workspace: Workspace): Promise<string | null> {
  const summary = JSON.stringify([...manifest.metrics])
  for (const id of ids.toSorted()) {
    if (id === manifest.id) continue
    const other = await readManifest(workspace, id)
    if (other === null || other.duplicateOf === manifest.id || areOfOneFile(other, manifest)) continue
    if (JSON.stringify([...other.metrics]) === summary) return other.duplicateOf ?? id
  }
  return null
}

/** Runs of one database are different runs, even where they hold the same numbers, or none. */
function areOfOneFile(one: Manifest, other: Manifest): boolean {
  const paths = new Set(one.files.map(({ path }) => path))
  return other.files.some(({ path }) => paths.has(path))
}
