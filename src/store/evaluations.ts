import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBAppender } from '@duckdb/node-api'
import type { Condition, Evaluation } from '../model/evaluation.js'
import type { Quality } from '../model/run.js'
import { duck, readRows, sqlFiles, sqlText, stagingTable } from './duck.js'
import { copyTo } from './parts.js'

/**
 * evals.parquet: one row per (metric, condition, step). Writing one that is there replaces it, so a repeated import adds
 * nothing; an n that one source told is not lost when another tells none.
 */

const FILE = 'evals.parquet'

const CONDITION_COLUMNS = 'dataset VARCHAR, shots INTEGER, temperature DOUBLE, split VARCHAR, aggregate VARCHAR'
const COLUMNS = `metric VARCHAR, step DOUBLE, value DOUBLE, n BIGINT, quality VARCHAR, ${CONDITION_COLUMNS}`

const KEY = ['metric', 'step', 'dataset', 'shots', 'temperature', 'split', 'aggregate']

/** Adds to what is on disk (or replaces it) and returns how many rows there are then. */
export async function keepEvaluations(folder: string, added: readonly Evaluation[], keepOld: boolean): Promise<number> {
  const last = new Map<string, Evaluation>()
  for (const evaluation of added) {
    const key = keyOf(evaluation)
    last.set(key, { ...evaluation, n: evaluation.n ?? last.get(key)?.n ?? null })
  }
  return withTable(COLUMNS, async (table, appender) => {
    for (const { metric, step, value, n, quality, condition } of last.values()) {
      appender.appendVarchar(metric)
      appender.appendDouble(step)
      if (quality === 'missing') appender.appendNull()
      else appender.appendDouble(value)
      appendCount(appender, n)
      appender.appendVarchar(quality)
      appendCondition(appender, condition)
      appender.endRow()
    }
    appender.closeSync()
    return keepRows(folder, `SELECT * FROM ${table}`, keepOld)
  })
}

/** A metric of the log whose points are evaluations. */
export interface ValidationMetric {
  readonly metric: string
  readonly condition: Condition
  readonly n: number | null
  /** No step twice, and all of them measured. */
  readonly isPlain: boolean
}

/**
 * Keeps points as evaluations without holding them: a log can have validation metrics on each of a million lines. Of
 * several points at a step a measured one counts before an estimated one, that before a missing one, and else the last.
 */
export async function keepPointsAsEvaluations(
  folder: string,
  files: readonly string[],
  metrics: readonly ValidationMetric[],
  keepOld: boolean,
): Promise<number> {
  const columns = `metric VARCHAR, n BIGINT, ${CONDITION_COLUMNS}`
  return withTable(columns, async (table, appender) => {
    for (const { metric, condition, n } of metrics) {
      appender.appendVarchar(metric)
      appendCount(appender, n)
      appendCondition(appender, condition)
      appender.endRow()
    }
    appender.closeSync()
    const lastOfEach = `QUALIFY row_number() OVER (PARTITION BY metric, step
      ORDER BY list_position(['missing', 'estimated', 'measured'], quality) DESC, file_index DESC, file_row_number DESC) = 1`
    const points = `SELECT metric, step, value, quality FROM read_parquet(${sqlFiles(files)}, file_row_number = true)
      WHERE metric IN (${metrics.map(({ metric }) => sqlText(metric)).join(', ')})
      ${metrics.every(({ isPlain }) => isPlain) ? '' : lastOfEach}`
    return keepRows(
      folder,
      `SELECT metric, step, value, n, quality, dataset, shots, temperature, split, aggregate
       FROM (${points}) JOIN ${table} USING (metric)`,
      keepOld,
    )
  })
}

/** Writes the selected rows, and the old ones that they do not replace; returns how many there are then. */
async function keepRows(folder: string, added: string, keepOld: boolean): Promise<number> {
  const path = join(folder, FILE)
  const same = KEY.map(column => `old.${column} IS NOT DISTINCT FROM added.${column}`).join(' AND ')
  const old = `read_parquet(${sqlFiles([path])}) old`
  const all =
    keepOld && (await exists(path))
      ? `SELECT added.* REPLACE (coalesce(added.n, old.n) AS n) FROM (${added}) added LEFT JOIN ${old} ON ${same}
         UNION ALL SELECT * FROM ${old} WHERE NOT EXISTS (SELECT 1 FROM (${added}) added WHERE ${same})`
      : added
  await copyTo(path, `${all} ORDER BY metric, dataset, shots, aggregate, step`)
  return Number((await readRows(`SELECT count(*) AS rows FROM read_parquet(${sqlFiles([path])})`))[0].rows)
}

/** A table that lasts as long as the work. */
async function withTable<Result>(
  columns: string,
  work: (table: string, appender: DuckDBAppender) => Promise<Result>,
): Promise<Result> {
  const connection = await duck()
  const table = stagingTable()
  await connection.run(`CREATE TABLE ${table} (${columns})`)
  try {
    return await work(table, await connection.createAppender(table))
  } finally {
    await connection.run(`DROP TABLE ${table}`)
  }
}

function appendCount(appender: DuckDBAppender, n: number | null): void {
  if (n === null) appender.appendNull()
  else appender.appendBigInt(BigInt(n))
}

/** Its five columns, in their order. */
export function appendCondition(appender: DuckDBAppender, condition: Condition): void {
  const { dataset, shots, temperature, split, aggregate } = condition
  const text = (value: string | undefined): void =>
    value === undefined ? appender.appendNull() : appender.appendVarchar(value)
  text(dataset)
  if (shots === undefined) appender.appendNull()
  else appender.appendInteger(shots)
  if (temperature === undefined) appender.appendNull()
  else appender.appendDouble(temperature)
  text(split)
  text(aggregate)
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

/** How many prompts stand behind each metric's evaluations, where a source told; without reading a million of them. */
export async function promptCounts(folder: string): Promise<ReadonlyMap<string, number>> {
  const path = join(folder, FILE)
  if (!(await exists(path))) return new Map()
  const rows = await readRows(
    `SELECT metric, arg_min(n, step) AS n FROM read_parquet(${sqlFiles([path])}) WHERE n IS NOT NULL GROUP BY metric`,
  )
  return new Map(rows.map(row => [String(row.metric), Number(row.n)]))
}
