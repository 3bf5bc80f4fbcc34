import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Condition, Evaluation } from '../model/evaluation.js'
import type { Quality } from '../model/run.js'
import { duck, readRows, sqlFiles, stagingTable } from './duck.js'
import { copyTo } from './parts.js'

/**
 * evals.parquet: one row per (metric, condition, step). Writing one that is there replaces it, so a repeated import adds
 * nothing; an n that one source told is not lost when another tells none.
 */

const FILE = 'evals.parquet'

const COLUMNS = `metric VARCHAR, step DOUBLE, value DOUBLE, n BIGINT, quality VARCHAR,
  dataset VARCHAR, shots INTEGER, temperature DOUBLE, split VARCHAR, aggregate VARCHAR`

/** Adds to what is on disk (or replaces it) and returns how many rows there are then. */
export async function keepEvaluations(folder: string, added: readonly Evaluation[], keepOld: boolean): Promise<number> {
  const all = new Map<string, Evaluation>()
  const old = keepOld ? await readEvaluations(folder) : []
  for (const evaluation of [...old, ...added]) {
    const key = keyOf(evaluation)
    all.set(key, { ...evaluation, n: evaluation.n ?? all.get(key)?.n ?? null })
  }
  const connection = await duck()
  const table = stagingTable()
  await connection.run(`CREATE TABLE ${table} (${COLUMNS})`)
  try {
    const appender = await connection.createAppender(table)
    const text = (value: string | undefined): void =>
      value === undefined ? appender.appendNull() : appender.appendVarchar(value)
    for (const { metric, step, value, n, quality, condition } of all.values()) {
      appender.appendVarchar(metric)
      appender.appendDouble(step)
      if (quality === 'missing') appender.appendNull()
      else appender.appendDouble(value)
      if (n === null) appender.appendNull()
      else appender.appendBigInt(BigInt(n))
      appender.appendVarchar(quality)
      text(condition.dataset)
      if (condition.shots === undefined) appender.appendNull()
      else appender.appendInteger(condition.shots)
      if (condition.temperature === undefined) appender.appendNull()
      else appender.appendDouble(condition.temperature)
      text(condition.split)
      text(condition.aggregate)
      appender.endRow()
    }
    appender.closeSync()
    await copyTo(join(folder, FILE), `SELECT * FROM ${table} ORDER BY metric, dataset, shots, aggregate, step`)
  } finally {
    await connection.run(`DROP TABLE ${table}`)
  }
  return all.size
}

export async function readEvaluations(folder: string): Promise<Evaluation[]> {
  const path = join(folder, FILE)
  if (!(await exists(path))) return []
  const rows = await readRows(`SELECT * FROM read_parquet(${sqlFiles([path])})`)
  return rows.map(row => ({
    metric: String(row.metric),
    step: Number(row.step),
    value: row.value === null ? Number.NaN : Number(row.value),
    n: row.n === null ? null : Number(row.n),
    quality: row.quality as Quality,
    condition: conditionOf(row),
  }))
}

/** The condition that a row's columns spell; nulls are absent members. */
export function conditionOf(row: Record<string, unknown>): Condition {
  return {
    ...(row.dataset !== null && { dataset: String(row.dataset) }),
    ...(row.shots !== null && { shots: Number(row.shots) }),
    ...(row.temperature !== null && { temperature: Number(row.temperature) }),
    ...(row.split !== null && { split: String(row.split) }),
    ...(row.aggregate !== null && { aggregate: String(row.aggregate) }),
  }
}

export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch {
    return false
  }
}

function keyOf({ metric, step, condition }: Evaluation): string {
  const { dataset, shots, temperature, split, aggregate } = condition
  return JSON.stringify([metric, step, dataset, shots, temperature, split, aggregate])
}
