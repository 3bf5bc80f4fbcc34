import { join } from 'node:path'
import type { DuckDBAppender } from '@duckdb/node-api'
import { type Condition, type EvaluatedMetric, type Evaluation, evaluatedName } from '../../logs/model/evaluation.js'
import { attempt } from '../../logs/model/problem.js'
import type { Quality } from '../../logs/model/run.js'
import type { Checksum } from './checksum.js'
import type { KnownFiles } from './checksums.js'
import { type Duck, sqlFiles, sqlNumber, sqlText } from './duck.js'
import { evaluationFile } from './evaluation-file.js'
import type { StoredRun } from './manifest.js'
import type { ParquetGroup } from './parquet-read.js'
import { copyTo, type WriteAccess } from './parts.js'
import type { PointBuffer } from './point-buffer.js'
import type { RunPlace } from './workspace.js'

/**
 * evals.parquet: one row per (metric, condition, step). Writing one that is there replaces it, so a repeated import adds
 * nothing; an n that one source told is not lost when another tells none.
 */

const FILE = 'evals.parquet'

const CONDITION_COLUMNS = 'dataset VARCHAR, shots INTEGER, temperature DOUBLE, split VARCHAR, aggregate VARCHAR'
const COLUMNS = `metric VARCHAR, step DOUBLE, value DOUBLE, n BIGINT, quality VARCHAR, ${CONDITION_COLUMNS}`

const CONDITION = 'dataset, shots, temperature, split, aggregate'
const KEY = ['metric', 'step', ...CONDITION.split(', ')]

/** What evals.parquet holds. */
export interface KeptEvaluations extends HeldEvaluations {
  readonly checksum: Checksum
}

interface HeldEvaluations {
  readonly rows: number
  readonly metrics: readonly EvaluatedMetric[]
}

/** Adds to what is on disk (or replaces it) and says what there is then. */
export async function keepEvaluations(
  access: WriteAccess,
  folder: string,
  added: readonly Evaluation[],
  keepOld: boolean,
): Promise<KeptEvaluations> {
  const last = new Map<string, Evaluation>()
  for (const evaluation of added) {
    const key = keyOf(evaluation)
    last.set(key, { ...evaluation, n: evaluation.n ?? last.get(key)?.n ?? null })
  }
  if (!keepOld) return writeAnew(access, folder, [...last.values()])
  const fill = (appender: DuckDBAppender): void => {
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
  }
  return access.duck.staged(COLUMNS, fill, table => keepRows(access, folder, `SELECT * FROM ${table}`, keepOld))
}

async function writeAnew(
  { put }: WriteAccess,
  folder: string,
  evaluations: readonly Evaluation[],
): Promise<KeptEvaluations> {
  const checksum = await put(join(folder, FILE), evaluationFile(evaluations))
  const sets = new Map(
    evaluations.map(({ metric, condition }) => [evaluatedName({ metric, condition }), { metric, condition }]),
  )
  return { rows: evaluations.length, metrics: [...sets.values()], checksum }
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
  access: WriteAccess,
  folder: string,
  files: readonly string[],
  metrics: readonly ValidationMetric[],
  keepOld: boolean,
): Promise<KeptEvaluations> {
  const columns = `metric VARCHAR, n BIGINT, ${CONDITION_COLUMNS}`
  const fill = (appender: DuckDBAppender): void => {
    for (const { metric, condition, n } of metrics) {
      appender.appendVarchar(metric)
      appendCount(appender, n)
      appendCondition(appender, condition)
      appender.endRow()
    }
  }
  return access.duck.staged(columns, fill, table => {
    const lastOfEach = `QUALIFY row_number() OVER (PARTITION BY metric, step
      ORDER BY list_position(['missing', 'estimated', 'measured'], quality) DESC, file_index DESC, file_row_number DESC) = 1`
    const points = `SELECT metric, step, value, quality FROM read_parquet(${sqlFiles(files)}, file_row_number = true)
      WHERE metric IN (${metrics.map(({ metric }) => sqlText(metric)).join(', ')})
      ${metrics.every(({ isPlain }) => isPlain) ? '' : lastOfEach}`
    return keepRows(
      access,
      folder,
      `SELECT metric, step, value, n, quality, ${CONDITION}
       FROM (${points}) JOIN ${table} USING (metric)`,
      keepOld,
    )
  })
}

/** The same for points that are still in memory, where they are few. */
export function pointsAsEvaluations(points: PointBuffer, metrics: readonly ValidationMetric[]): readonly Evaluation[] {
  return metrics.flatMap(({ metric, condition, n }) => {
    const atStep = new Map<number, Evaluation>()
    for (const quality of ['missing', 'estimated', 'measured'] as const) {
      const { steps, values } = points.pointsOf(metric, quality)
      steps.forEach((step, i) => {
        atStep.set(step, { metric, step, condition, value: values[i], n, quality })
      })
    }
    return [...atStep.values()]
  })
}

/** Writes the selected rows, and the old ones that they do not replace. */
async function keepRows(
  access: WriteAccess,
  folder: string,
  added: string,
  keepOld: boolean,
): Promise<KeptEvaluations> {
  const path = join(folder, FILE)
  const same = KEY.map(column => `old.${column} IS NOT DISTINCT FROM added.${column}`).join(' AND ')
  const old = `read_parquet(${sqlFiles([path])}) old`
  const all = keepOld
    ? `SELECT added.* REPLACE (coalesce(added.n, old.n) AS n) FROM (${added}) added LEFT JOIN ${old} ON ${same}
         UNION ALL SELECT * FROM ${old} WHERE NOT EXISTS (SELECT 1 FROM (${added}) added WHERE ${same})`
    : added
  const checksum = await copyTo(access, path, `${all} ORDER BY metric, dataset, shots, aggregate, step`)
  return { ...(await heldIn(access.duck, path)), checksum }
}

async function heldIn(duck: Duck, path: string): Promise<HeldEvaluations> {
  const sets = await duck.readRows(
    `SELECT metric, ${CONDITION}, count(*) AS rows FROM read_parquet(${sqlFiles([path])})
     GROUP BY metric, ${CONDITION} ORDER BY ALL`,
  )
  return {
    rows: sets.reduce((sum, { rows }) => sum + Number(rows), 0),
    metrics: sets.map(row => ({ metric: String(row.metric), condition: conditionOf(row) })),
  }
}

function appendCount(appender: DuckDBAppender, n: number | null): void {
  if (n === null) appender.appendNull()
  else appender.appendBigInt(BigInt(n))
}

/** Its five columns, in their order. */
export function appendCondition(appender: DuckDBAppender, condition: Condition): void {
  appendSampleCondition(appender, condition)
  appendText(appender, condition.aggregate)
}

/** The four of them that a single sample has. */
export function appendSampleCondition(appender: DuckDBAppender, condition: Condition): void {
  const { dataset, shots, temperature, split } = condition
  appendText(appender, dataset)
  if (shots === undefined) appender.appendNull()
  else appender.appendInteger(shots)
  if (temperature === undefined) appender.appendNull()
  else appender.appendDouble(temperature)
  appendText(appender, split)
}

export function appendText(appender: DuckDBAppender, text: string | null | undefined): void {
  if (text === undefined || text === null) appender.appendNull()
  else appender.appendVarchar(text)
}

/** What the evaluations of a run measure, for manifests that do not tell. */
export async function readEvaluatedMetrics({ workspace, folder }: RunPlace): Promise<readonly EvaluatedMetric[]> {
  return (await heldIn(workspace.duck, join(folder, FILE))).metrics
}

/** The rows of one series, as a query of steps and values. */
export function selectEvaluated(folder: string, { metric, condition }: EvaluatedMetric, quality: Quality): string {
  return `SELECT step, coalesce(value, 'nan'::DOUBLE) AS value FROM read_parquet(${sqlFiles([join(folder, FILE)])})
    WHERE metric = ${sqlText(metric)} AND quality = ${sqlText(quality)} AND ${isCondition(condition)}`
}

/** As a condition on the five columns. */
export function isCondition({ dataset, shots, temperature, split, aggregate }: Condition): string {
  const text = (value: string | undefined): string => (value === undefined ? 'NULL' : sqlText(value))
  const number = (value: number | undefined): string => (value === undefined ? 'NULL' : sqlNumber(value))
  const columns = {
    dataset: text(dataset),
    shots: number(shots),
    temperature: number(temperature),
    split: text(split),
    aggregate: text(aggregate),
  }
  return Object.entries(columns)
    .map(([column, value]) => `${column} IS NOT DISTINCT FROM ${value}`)
    .join(' AND ')
}

/** A run whose manifest counts evaluations and whose file of them is gone is damaged: DuckDB says so. */
export async function readEvaluations({ workspace, folder, manifest }: StoredRun): Promise<Evaluation[]> {
  if (manifest.evaluations === 0) return []
  const path = join(folder, FILE)
  const own = await ownEvaluations(workspace.duck.files, path)
  if (own !== null) return own
  const rows = await workspace.duck.readRows(`SELECT * FROM read_parquet(${sqlFiles([path])})`)
  return rows.map(row => ({
    metric: String(row.metric),
    step: Number(row.step),
    value: row.value === null ? Number.NaN : Number(row.value),
    n: row.n === null ? null : Number(row.n),
    quality: row.quality as Quality,
    condition: conditionOf(row),
  }))
}

/** Longer files are for DuckDB, and so are those that it wrote. */
const SHORT_BYTES = 4 << 20

async function ownEvaluations(files: KnownFiles, path: string): Promise<Evaluation[] | null> {
  const bytes = await files.bytesAsWritten(path, SHORT_BYTES)
  const { ownParquetGroups } = await import('./parquet-read.js')
  return attempt(() => (bytes === null ? null : (ownParquetGroups(bytes)?.flatMap(evaluationsIn) ?? null)), null)
}

function evaluationsIn({ rows, numbers, texts }: ParquetGroup): Evaluation[] {
  const [step, value, n, shots, temperature] = ['step', 'value', 'n', 'shots', 'temperature'].map(numbers)
  const [metric, quality, dataset, split, aggregate] = ['metric', 'quality', 'dataset', 'split', 'aggregate'].map(texts)
  const known = (number: number): number | null => (Number.isNaN(number) ? null : number)
  return Array.from({ length: rows }, (_, i) => {
    const [shot, heat] = [known(shots[i]), known(temperature[i])]
    const condition = { dataset: dataset[i], shots: shot, temperature: heat, split: split[i], aggregate: aggregate[i] }
    return {
      metric: String(metric[i]),
      step: step[i],
      value: value[i],
      n: known(n[i]),
      quality: quality[i] as Quality,
      condition: conditionOf(condition),
    }
  })
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

function keyOf({ metric, step, condition }: Evaluation): string {
  return JSON.stringify([step, evaluatedName({ metric, condition })])
}

/** How many prompts stand behind each metric's evaluations, where a source told; without reading a million of them. */
export async function promptCounts({ workspace, folder }: RunPlace): Promise<ReadonlyMap<string, number>> {
  const path = join(folder, FILE)
  const own = await ownEvaluations(workspace.duck.files, path)
  if (own !== null) {
    const told = own.flatMap(({ metric, step, n }) => (n === null ? [] : [{ metric, step, n }]))
    // Of those at the first step the first stays, which is set last.
    return new Map(
      told
        .reverse()
        .sort((a, b) => b.step - a.step)
        .map(({ metric, n }) => [metric, n]),
    )
  }
  const rows = await workspace.duck.readRows(
    `SELECT metric, arg_min(n, step) AS n FROM read_parquet(${sqlFiles([path])}) WHERE n IS NOT NULL GROUP BY metric`,
  )
  return new Map(rows.map(row => [String(row.metric), Number(row.n)]))
}
