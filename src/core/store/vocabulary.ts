import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isNamed } from '../../logs/model/evaluation.js'
import { attempt } from '../../logs/model/problem.js'
import type { Message } from '../../logs/model/run.js'
import { memoByObject } from '../../logs/model/util/memo.js'
import { detectFramework } from '../../logs/model/vocabulary/detect.js'
import type { Framework } from '../../logs/model/vocabulary/framework.js'
import { rawNamesFor, type Vocabulary, vocabularyFor } from '../../logs/model/vocabulary/resolve.js'
import { goalOfRun, type RunGoal, type UserGoal } from '../../logs/model/vocabulary/run-goal.js'
import type { UserVocabulary } from '../../logs/model/vocabulary/user.js'
import { goalPath, readGoal } from './goal-file.js'
import { hasSeries, type Manifest, wholeConfig } from './manifest.js'
import { perWorkspace, type Workspace } from './workspace.js'

/** The vocabulary in which a run is read: klens's own tables, what the workspace's vocabulary.yaml adds, and the user's goal. */

export interface WorkspaceVocabulary {
  readonly user: UserVocabulary | undefined
  /** The metric that the user judges by; absent or null: as each log has it. */
  readonly goal?: UserGoal | null
  /** What is wrong with vocabulary.yaml or goal.json, to be said once. */
  readonly problems: readonly Message[]
}

const memoryOf = perWorkspace((): { stamp: string; words: WorkspaceVocabulary | null } => ({ stamp: '', words: null }))

/** The files that the vocabulary of a workspace is read from. */
export function vocabularyFiles(workspace: Workspace): readonly string[] {
  return [join(workspace.root, 'vocabulary.yaml'), goalPath(workspace)]
}

/** Read once, and again when a file has changed: an alias that is added while a server runs takes effect there. */
export async function loadVocabulary(workspace: Workspace): Promise<WorkspaceVocabulary> {
  const memory = memoryOf(workspace)
  const files = vocabularyFiles(workspace)
  const stamp = files.map(lookOf).join()
  if (memory.words === null || memory.stamp !== stamp) {
    const [words, { goal, problems }] = await Promise.all([readWords(files[0]), readGoal(workspace)])
    memory.words = { ...words, goal, problems: [...words.problems, ...problems] }
    memory.stamp = stamp
  }
  return memory.words
}

function lookOf(path: string): string {
  const file = attempt(() => statSync(path), null)
  return file === null ? '' : `${file.mtimeMs} ${file.size} ${file.ino}`
}

async function readWords(path: string): Promise<WorkspaceVocabulary> {
  const text = attempt(() => readFileSync(path, 'utf8'), null)
  if (text === null) return { user: undefined, problems: [] }
  // Few workspaces have one, and its reader brings a reader of YAML.
  const { parseUserVocabulary } = await import('../../logs/model/vocabulary/user.js')
  const { vocabulary, problems } = parseUserVocabulary(text)
  return { user: vocabulary, problems }
}

export const frameworkOf = memoByObject((manifest: Manifest): Framework | null =>
  detectFramework(manifest.metrics.keys(), Object.keys(wholeConfig(manifest))),
)

/** One list for each reading of a run, by which a vocabulary remembers what its names carry. */
export const metricNames = memoByObject((manifest: Manifest): readonly string[] => [...manifest.metrics.keys()])

export function vocabularyOf(manifest: Manifest, { user }: WorkspaceVocabulary): Vocabulary {
  const framework = frameworkOf(manifest)
  return vocabularyFor(user === undefined ? { framework } : { framework, user })
}

/** What a run is judged by; worked out once for each reading of it. */
export function goalOf(manifest: Manifest, words: WorkspaceVocabulary): RunGoal {
  const before = goals.get(manifest)
  if (before !== undefined && before.words === words) return before.goal
  const { metrics, evaluated } = manifest
  const { read, framework } = vocabularyOf(manifest, words)
  const goalAmong = (named: Parameters<typeof goalOfRun>[0]['metrics']): RunGoal =>
    goalOfRun({ metrics: named, read, framework, config: wholeConfig(manifest) }, words.goal ?? null)
  const logged = goalAmong(metrics)
  // A run may have its validation as scores of single prompts alone.
  const scored = [...(evaluated?.keys() ?? [])].map(name => [name, UNSUMMED] as const)
  const goal =
    logged.yardsticks.length > 0 || scored.length === 0 ? logged : goalAmong(new Map([...metrics, ...scored]))
  goals.set(manifest, { words, goal })
  return goal
}

/** What the manifest does not sum up. */
const UNSUMMED = { n: 0, first: Number.NaN, last: Number.NaN, min: Number.NaN, max: Number.NaN, sum: 0 }

const goals = new WeakMap<Manifest, { readonly words: WorkspaceVocabulary; readonly goal: RunGoal }>()

/** The name under which every question asks for what a run is judged by. */
const HEADLINE = 'val.score'

/**
 * Which of a run's series a person means by a name: the one of that very name, else evaluations of that metric under
 * each condition, else all that carry the meaning, logged ones first. `val.score` is what the run is judged by.
 */
export function metricsNamed(manifest: Manifest, name: string, words: WorkspaceVocabulary): readonly string[] {
  const judges = name === HEADLINE ? goalOf(manifest, words) : null
  if (hasSeries(manifest, name) && judges?.source !== 'user') return [name]
  const evaluated = [...(manifest.evaluated ?? [])]
  const named = evaluated.filter(([, metric]) => isNamed(name, metric))
  if (named.length > 0 && judges?.source !== 'user') return named.map(([series]) => series)
  const vocabulary = vocabularyOf(manifest, words)
  const carriers = rawNamesFor(name, metricNames(manifest), vocabulary)
  const logged = judges === null ? carriers : judgesAmong(carriers, judges)
  if (logged.length > 0) return logged
  return evaluated.flatMap(([series, { metric }]) =>
    rawNamesFor(name, [metric], vocabulary).length > 0 ? [series] : [],
  )
}

/** What the run is judged by, then carriers of the same role: a score under other conditions, never a reward beside an accuracy. */
function judgesAmong(carriers: readonly string[], { yardsticks, series, source }: RunGoal): readonly string[] {
  const names = yardsticks.map(({ metric }) => metric)
  if (source === 'user') return names
  const roles = new Map(series.map(({ metric, role }) => [metric, role]))
  const alike = carriers.filter(metric => names.length === 0 || roles.get(metric) === yardsticks[0]?.role)
  return [...new Set([...names, ...alike])]
}

/** Of some names, those that carry a meaning, the best carrier first; for `val.score`, what the run is judged by, where more is better. */
export function carriersAmong(
  manifest: Manifest,
  names: readonly string[],
  canonical: string,
  words: WorkspaceVocabulary,
): readonly string[] {
  const carriers = rawNamesFor(canonical, names, vocabularyOf(manifest, words))
  if (canonical !== HEADLINE) return carriers
  const scores = goalOf(manifest, words).yardsticks.filter(({ goal }) => goal === 'max')
  const judges = scores.map(({ metric }) => metric).filter(metric => names.includes(metric))
  return [...new Set([...judges, ...carriers])]
}
