import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Message } from '../model/run.js'
import { detectFramework } from '../model/vocabulary/detect.js'
import type { Framework } from '../model/vocabulary/framework.js'
import { rawNamesFor, type Vocabulary, vocabularyFor } from '../model/vocabulary/resolve.js'
import { parseUserVocabulary, type UserVocabulary } from '../model/vocabulary/user.js'
import { type Manifest, wholeConfig } from './manifest.js'
import type { Workspace } from './workspace.js'

/** The vocabulary in which a run is read: klens's own tables, and what the workspace's vocabulary.yaml adds. */

export interface WorkspaceWords {
  readonly user: UserVocabulary | undefined
  /** What is wrong with vocabulary.yaml, to be said once. */
  readonly problems: readonly Message[]
}

export async function workspaceWords(workspace: Workspace): Promise<WorkspaceWords> {
  let text: string
  try {
    text = await readFile(join(workspace.root, 'vocabulary.yaml'), 'utf8')
  } catch {
    return { user: undefined, problems: [] }
  }
  const { vocabulary, problems } = parseUserVocabulary(text)
  return { user: vocabulary, problems }
}

export function frameworkOf(manifest: Manifest): Framework | null {
  return detectFramework(manifest.metrics.keys(), Object.keys(wholeConfig(manifest)))
}

export function vocabularyOf(manifest: Manifest, { user }: WorkspaceWords): Vocabulary {
  const framework = frameworkOf(manifest)
  return vocabularyFor(user === undefined ? { framework } : { framework, user })
}

/** Which of a run's metrics a person means by a name: the one of that very name, else all that carry the meaning. */
export function metricsNamed(manifest: Manifest, name: string, words: WorkspaceWords): readonly string[] {
  if (manifest.metrics.has(name)) return [name]
  return rawNamesFor(name, [...manifest.metrics.keys()], vocabularyOf(manifest, words))
}
