import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isNamed } from '../../logs/model/evaluation.js'
import type { Message } from '../../logs/model/run.js'
import { detectFramework } from '../../logs/model/vocabulary/detect.js'
import type { Framework } from '../../logs/model/vocabulary/framework.js'
import { rawNamesFor, type Vocabulary, vocabularyFor } from '../../logs/model/vocabulary/resolve.js'
import { parseUserVocabulary, type UserVocabulary } from '../../logs/model/vocabulary/user.js'
import { hasSeries, type Manifest, wholeConfig } from './manifest.js'
import { perWorkspace, type Workspace } from './workspace.js'

/** The vocabulary in which a run is read: klens's own tables, and what the workspace's vocabulary.yaml adds. */

export interface WorkspaceVocabulary {
  readonly user: UserVocabulary | undefined
  /** What is wrong with vocabulary.yaml, to be said once. */
  readonly problems: readonly Message[]
}

const memoryOf = perWorkspace((): { stamp: string; words: WorkspaceVocabulary | null } => ({ stamp: '', words: null }))

/** Read once, and again when the file has changed: whoever adds an alias while a server runs sees what it does. */
export async function loadVocabulary(workspace: Workspace): Promise<WorkspaceVocabulary> {
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

async function readWords(path: string): Promise<WorkspaceVocabulary> {
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

export function vocabularyOf(manifest: Manifest, { user }: WorkspaceVocabulary): Vocabulary {
  const framework = frameworkOf(manifest)
  return vocabularyFor(user === undefined ? { framework } : { framework, user })
}

/**
 * Which of a run's series a person means by a name: the one of that very name, else evaluations of that metric under
 * each condition, else all that carry the meaning, logged ones first.
 */
export function metricsNamed(manifest: Manifest, name: string, words: WorkspaceVocabulary): readonly string[] {
  if (hasSeries(manifest, name)) return [name]
  const evaluated = [...(manifest.evaluated ?? [])]
  const named = evaluated.filter(([, metric]) => isNamed(name, metric))
  if (named.length > 0) return named.map(([series]) => series)
  const vocabulary = vocabularyOf(manifest, words)
  const logged = rawNamesFor(name, [...manifest.metrics.keys()], vocabulary)
  if (logged.length > 0) return logged
  return evaluated.flatMap(([series, { metric }]) =>
    rawNamesFor(name, [metric], vocabulary).length > 0 ? [series] : [],
  )
}
