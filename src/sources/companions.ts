import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isSqlite } from './sqlite/format.js'

/**
 * Files that are part of another one. A database is written through a log or a journal beside it, and the `meta.yaml` of
 * an MLflow run stands for a folder of small files; only when these count too is it seen that the run goes on.
 */

/** `mlflow.db-wal` and its like: read together with the database, never alone. */
export function isCompanion(path: string): boolean {
  return /\.\w+-(?:wal|shm|journal)$/.test(path)
}

/** What MLflow keeps beside a `meta.yaml`. */
export const INSIDE_MLFLOW_RUN: ReadonlySet<string> = new Set(
  'metrics params tags inputs outputs artifacts models traces datasets'.split(' '),
)

/** The `meta.yaml` of an experiment, which only names it. */
export function isExperimentMeta(path: string, head: Uint8Array): boolean {
  if (basename(path) !== 'meta.yaml') return false
  const text = Buffer.from(head).toString('utf8')
  return /^experiment_id:/m.test(text) && /^artifact_location:/m.test(text) && !/^run_/m.test(text)
}

/** When a file or a companion of it was last written. */
export async function lastWritten(path: string, head: Uint8Array, modifiedMs: number): Promise<number> {
  if (isSqlite(head)) return Math.max(modifiedMs, await writtenAt(`${path}-wal`))
  if (basename(path) !== 'meta.yaml') return modifiedMs
  const metrics = await readdir(join(dirname(path), 'metrics'), { recursive: true }).catch(() => [])
  let last = modifiedMs
  for (const name of metrics) last = Math.max(last, await writtenAt(join(dirname(path), 'metrics', name)))
  return last
}

async function writtenAt(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
}
