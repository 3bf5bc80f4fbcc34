import { rawNamesFor } from '../model/vocabulary/resolve.js'
import type { Manifest } from '../store/manifest.js'
import { vocabularyOf, type WorkspaceWords } from '../store/meaning.js'

/** Which of a run's metrics a person means by a name: the one of that very name, else all that carry the meaning. */
export function metricsNamed(manifest: Manifest, name: string, words: WorkspaceWords): readonly string[] {
  if (manifest.metrics.has(name)) return [name]
  return rawNamesFor(name, [...manifest.metrics.keys()], vocabularyOf(manifest, words))
}
