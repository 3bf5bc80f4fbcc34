import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Message } from '../model/run.js'
import { detectFramework } from '../model/vocabulary/detect.js'
import type { Framework } from '../model/vocabulary/framework.js'
import { rawNamesFor, type Vocabulary, vocabularyFor } from '../model/vocabulary/resolve.js'
import { parseUserVocabulary, type UserVocabulary } from '../model/vocabulary/user.js'
import { type Manifest, wholeConfig } from './manifest.js'
import { perWorkspace, type Workspace } from './workspace.js'

/** The vocabulary in which a run is read: klens's own tables, and what the workspace's vocabulary.yaml adds. */

export interface WorkspaceWords {
  readonly user: UserVocabulary | undefined
  /** What is wrong with vocabulary.yaml, to be said once. */
  readonly problems: readonly Message[]
}

const memoryOf = perWorkspace((): { stamp: string; words: WorkspaceWords | null } => ({ stamp: '', words: null }))

/** Read once, and again when the file has changed: whoever adds an alias while a server runs sees what it does. */
export async function workspaceWords(workspace: Workspace): Promise<WorkspaceWords> {
  const memory = memoryOf(workspace)
  const path = join(workspace.root, 'vocabulary.yaml')
  const file = await stat(path).catch(() => null)
  const stamp = file === null ? '' : `${file.mtimeMs} ${file.size} ${file.ino}`
  if (memory.words === null || memory.stamp !== stamp) {
    memory.words = await readWords(path)
    memory.stamp = stamp
  }
  return memory.words
}

async function readWords(path: string): Promise<WorkspaceWords> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
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
