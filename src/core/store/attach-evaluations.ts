import { dirname, sep } from 'node:path'
import { EVALUATION_SOURCES } from '../../logs/model/evaluation.js'
import type { Message } from '../../logs/model/run.js'
import { discover } from '../../logs/sources/discover.js'
import type { FoundRun, RunFile } from '../../logs/sources/run-identity.js'
import type { Hints } from '../../logs/sources/source.js'
import { sentences } from '../../text/sentences.js'
import { type LogEntry, listLogs } from './catalogue.js'
import { asTraining } from './identify-runs.js'
import type { Manifest } from './manifest.js'
import { readManifest } from './manifest-file.js'
import type { Workspace } from './workspace.js'

/**
 * An evaluation that names a checkpoint belongs to the training that wrote it, whichever of the two was imported first:
 * its scores become scores of that step. The training is known by its folder, the nearest above the checkpoint that a
 * log lies in, else by its name. Where several trainings fit, none is chosen, and that is said.
 */
export interface AttachedRuns {
  readonly runs: readonly FoundRun[]
  /** Evaluations that were runs of their own until now, by the id of the training that has them from now on. */
  readonly absorbed: ReadonlyMap<string, readonly string[]>
  /** Why an evaluation stays a run of its own, by its id. */
  readonly undecided: ReadonlyMap<string, Message>
}

const say = sentences({
  'attach.several': {
    en: 'names a checkpoint of "{name}", and {count} runs match ({runs}): it stays a separate run. Import it together with the log of its training',
    zh: '指向 "{name}" 的检查点，但有 {count} 个 run 符合（{runs}）：仍作为单独的 run 保留。请与训练日志一起导入',
  },
})

/** A training that an evaluation may be of. */
interface Training {
  readonly id: string
  readonly name: string
  readonly folder: string | null
}

export async function attachEvaluations(
  workspace: Workspace,
  found: readonly FoundRun[],
  hints: Hints,
): Promise<AttachedRuns> {
  const nothing = { runs: found, absorbed: new Map(), undecided: new Map() }
  const entries = await listLogs(workspace)
  const foundIds = new Set(found.map(({ id }) => id))
  const stored = entries.filter(({ id }) => !foundIds.has(id))
  const earlier = await earlierEvaluations(
    workspace,
    stored,
    found.filter(run => !isEvaluation(run.source.id)),
  )
  const ofCheckpoints = [...found, ...earlier].filter(({ ofTraining }) => ofTraining !== undefined)
  if (ofCheckpoints.length === 0) return nothing
  const trainings = [...found.map(ofFound), ...stored.map(ofStored)].filter(training => training !== null)
  const undecided = new Map<string, Message>()
  const tablesOf = new Map<string, RunFile[]>()
  const absorbed = new Map<string, string[]>()
  for (const evaluation of ofCheckpoints) {
    const [only, ...others] = trainingsOf(evaluation, trainings)
    if (only === undefined) continue
    if (others.length > 0) {
      const fitting = [only, ...others].map(({ id }) => id)
      const params = { name: evaluation.name, count: fitting.length, runs: fitting.slice(0, 3).join(', ') }
      undecided.set(evaluation.id, say('attach.several', params))
      continue
    }
    tablesOf.set(only.id, [...(tablesOf.get(only.id) ?? []), ...evaluation.logs, ...evaluation.tables])
    absorbed.set(only.id, [...(absorbed.get(only.id) ?? []), evaluation.id])
  }
  const gone = new Set([...absorbed.values()].flat())
  const runs = found
    .filter(({ id }) => !gone.has(id))
    .map((run): FoundRun => ({ ...run, tables: [...run.tables, ...(tablesOf.get(run.id) ?? [])] }))
  for (const [id, tables] of tablesOf) {
    const manifest = foundIds.has(id) ? null : await readManifest(workspace, id)
    if (manifest !== null) runs.push(await withTables(manifest, tables, hints))
  }
  return { runs, absorbed, undecided }
}

function isEvaluation(source: string): boolean {
  return EVALUATION_SOURCES.has(source)
}

function ofFound({ id, name, source, logs }: FoundRun): Training | null {
  const [first] = logs
  return isEvaluation(source.id) ? null : { id, name, folder: first === undefined ? null : dirname(first.file.path) }
}

function ofStored({ id, name, source, log }: LogEntry): Training | null {
  return isEvaluation(source) ? null : { id, name, folder: log === null ? null : dirname(log.path) }
}

function trainingsOf({ ofTraining = '', name }: FoundRun, trainings: readonly Training[]): readonly Training[] {
  const above = trainings.flatMap(training => {
    const { folder } = training
    return folder !== null && isBelow(ofTraining, folder) ? [{ training, depth: folder.length }] : []
  })
  const nearest = Math.max(...above.map(({ depth }) => depth))
  if (above.length > 0) return above.filter(({ depth }) => depth === nearest).map(({ training }) => training)
  return trainings.filter(training => training.name === name)
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)
}

/** Evaluations of the store that may be of these trainings, as their files lie now. */
async function earlierEvaluations(
  workspace: Workspace,
  stored: readonly LogEntry[],
  trainings: readonly FoundRun[],
): Promise<readonly FoundRun[]> {
  const names = new Set(trainings.map(({ name }) => name))
  const folders = trainings.flatMap(({ logs }) => logs.map(({ file }) => dirname(file.path)))
  const mayFit = ({ name, source, log }: LogEntry): boolean =>
    isEvaluation(source) && (names.has(name) || folders.some(folder => log !== null && isBelow(log.path, folder)))
  const evaluations: FoundRun[] = []
  for (const { id } of stored.filter(mayFit)) {
    const manifest = await readManifest(workspace, id)
    const { runs } = await discover(manifest?.files.map(({ path }) => path) ?? [])
    const [only, ...others] = runs.filter(({ ofTraining }) => ofTraining !== undefined)
    if (only !== undefined && others.length === 0) evaluations.push({ ...only, id })
  }
  return evaluations
}

/** A training of the store to which files are added; its log may be gone. */
async function withTables(manifest: Manifest, tables: readonly RunFile[], hints: Hints): Promise<FoundRun> {
  const training = await asTraining(manifest, [], hints)
  if (training !== null) return { ...training, tables: [...training.tables, ...tables] }
  const { id, identity, name, joined } = manifest
  const [{ source, file }] = tables
  const about = { id, identity: identity ?? '', isTracked: false, name, joined }
  return { ...about, source, folder: dirname(file.path), logs: [], tables, configs: [] }
}

/** Evaluations that a run has been given, where all of it is read again. */
export async function attachedFiles({ files }: Manifest, { tables }: FoundRun): Promise<readonly RunFile[]> {
  const known = new Set(tables.map(({ file }) => file.path))
  const given = files.filter(({ role, source, path }) => role === 'table' && isEvaluation(source) && !known.has(path))
  if (given.length === 0) return []
  const { runs } = await discover(given.map(({ path }) => path))
  return runs.flatMap(run => [...run.logs, ...run.tables])
}
