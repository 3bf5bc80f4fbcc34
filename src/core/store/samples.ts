import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { DuckDBAppender } from '@duckdb/node-api'
import type { Condition, ItemColumns, SampleScores } from '../../logs/model/evaluation.js'
import type { Checksum } from './checksum.js'
import { sqlFiles, sqlText } from './duck.js'
import { appendCondition, appendText, conditionOf, isCondition } from './evaluations.js'
import type { StoredRun } from './manifest.js'
import { copyTo, type WriteAccess } from './parts.js'

/**
 * samples.parquet: one row per (metric, condition, step, sample, repeat). Like evaluations, what is written again
 * replaces what was there. `dataset_hash` is over the sample ids: equal hashes are the same prompts. The columns input,
 * output and choice are from the time before texts had files of their own (texts.ts); they are kept, never filled. `columns`
 * is what the file of an evaluation says of the item, as JSON; files that klens wrote before it read those have no such column.
 */

const FILE = 'samples.parquet'

const KEY = ['metric', 'step', 'sample', 'repeat', 'dataset', 'shots', 'temperature', 'split', 'aggregate']

const COLUMNS = `metric VARCHAR, step DOUBLE, sample VARCHAR, repeat INTEGER, score DOUBLE,
  input VARCHAR, output VARCHAR, choice VARCHAR, dataset_hash VARCHAR,
  dataset VARCHAR, shots INTEGER, temperature DOUBLE, split VARCHAR, aggregate VARCHAR, columns VARCHAR`

/** Adds to what is on disk (or replaces it) and returns how many rows there are then. */
export async function keepSamples(
  access: WriteAccess,
  folder: string,
  added: readonly SampleScores[],
  keepOld: boolean,
): Promise<{ readonly rows: number; readonly checksum: Checksum }> {
  const path = join(folder, FILE)
  const fill = (appender: DuckDBAppender): void => {
    for (const batch of added) {
      const hash = datasetHash(batch)
      batch.ids.forEach((id, i) => {
        appender.appendVarchar(batch.metric)
        appender.appendDouble(batch.step)
        appender.appendVarchar(id)
        appender.appendInteger(batch.repeats?.[i] ?? 0)
        appender.appendDouble(batch.scores[i])
        for (let unfilled = 0; unfilled < 3; unfilled += 1) appender.appendNull()
        appender.appendVarchar(hash)
        appendCondition(appender, batch.condition)
        appendText(appender, batch.columns === undefined ? null : JSON.stringify(batch.columns[i]))
        appender.endRow()
      })
    }
  }
  return access.duck.staged(COLUMNS, fill, async table => {
    const same = KEY.map(column => `kept.${column} IS NOT DISTINCT FROM added.${column}`).join(' AND ')
    const kept = keepOld
      ? `SELECT * FROM read_parquet(${sqlFiles([path])}) kept
         WHERE NOT EXISTS (SELECT 1 FROM ${table} added WHERE ${same}) UNION ALL BY NAME `
      : ''
    const lastOfEach = `SELECT * EXCLUDE (nth) FROM (
      SELECT *, row_number() OVER (PARTITION BY ${KEY.join(', ')} ORDER BY rowid DESC) AS nth FROM ${table}) WHERE nth = 1`
    const checksum = await copyTo(
      access,
      path,
      `${kept}${lastOfEach} ORDER BY metric, dataset, shots, step, sample, repeat`,
    )
    const [{ n }] = await access.duck.readRows(`SELECT count(*) AS n FROM read_parquet(${sqlFiles([path])})`)
    return { rows: Number(n), checksum }
  })
}

interface SampleSelection {
  readonly metric?: string
  readonly step?: number
  readonly condition?: Condition
}

/**
 * Per-sample scores of a run, one batch per (metric, condition, step), in step order. Plain sorted columns, not lists
 * gathered by the query: lists of a million scores would not fit into the memory that DuckDB is given.
 */
export async function readSamples(
  { workspace, folder, manifest }: StoredRun,
  selection: SampleSelection = {},
): Promise<SampleScores[]> {
  if (manifest.samples === 0) return []
  const path = join(folder, FILE)
  const { duck } = workspace
  const from = `read_parquet(${sqlFiles([path])}) ${whereOf(selection)}`
  const batches = await duck.readRows(`SELECT ${BATCH}, count(*) AS n FROM ${from} GROUP BY ${BATCH} ORDER BY ${BATCH}`)
  const order = `ORDER BY ${BATCH}, sample, repeat`
  const [scores, repeats] = await duck.readDoubles(`SELECT score, repeat::DOUBLE FROM ${from} ${order}`, 2)
  const ids = await duck.readTexts(`SELECT sample FROM ${from} ${order}`)
  let start = 0
  return batches.map(row => {
    const end = start + Number(row.n)
    const batch = {
      metric: String(row.metric),
      step: Number(row.step),
      condition: conditionOf(row),
      ids: ids.slice(start, end),
      scores: Array.from(scores.subarray(start, end)),
      repeats: Array.from(repeats.subarray(start, end)),
    }
    start = end
    return batch
  })
}

/** What is said of each item of a data set, by its id; only of runs that were read from evaluation files. */
export async function readItemColumns(
  { workspace, folder, manifest }: StoredRun,
  selection: SampleSelection,
): Promise<ReadonlyMap<string, ItemColumns>> {
  if (manifest.samples === 0) return new Map()
  const from = `read_parquet(${sqlFiles([join(folder, FILE)])}) ${whereOf(selection)}`
  const rows = await workspace.duck.readRows(
    `SELECT sample, any_value(columns) AS columns FROM ${from} GROUP BY sample`,
  )
  return new Map(rows.map(({ sample, columns }) => [String(sample), JSON.parse(String(columns ?? '{}'))] as const))
}

/** What scores there are, without reading each. */
export interface SampleSet {
  readonly metric: string
  readonly condition: Condition
  readonly step: number
  readonly prompts: number
  /** Over prompts, each the mean of its repeats. */
  readonly mean: number
}

export async function listSamples(
  { workspace, folder, manifest }: StoredRun,
  selection: SampleSelection = {},
): Promise<SampleSet[]> {
  if (manifest.samples === 0) return []
  const path = join(folder, FILE)
  const rows = await workspace.duck.readRows(
    `SELECT ${BATCH}, count(*) AS prompts, avg(score) AS mean
     FROM (SELECT ${BATCH}, avg(score) AS score FROM read_parquet(${sqlFiles([path])}) ${whereOf(selection)}
           GROUP BY ${BATCH}, sample)
     GROUP BY ${BATCH} ORDER BY ${BATCH}`,
  )
  return rows.map(row => ({
    metric: String(row.metric),
    condition: conditionOf(row),
    step: Number(row.step),
    prompts: Number(row.prompts),
    mean: Number(row.mean),
  }))
}

/** The same without looking at single prompts, which for a hundred thousand answers takes a tenth of a second less. */
export async function countSamples({
  workspace,
  folder,
  manifest,
}: StoredRun): Promise<readonly (Pick<SampleSet, 'metric' | 'condition' | 'step'> & { readonly answers: number })[]> {
  if (manifest.samples === 0) return []
  const from = `read_parquet(${sqlFiles([join(folder, FILE)])})`
  const rows = await workspace.duck.readRows(
    `SELECT ${BATCH}, count(*) AS n FROM ${from} GROUP BY ${BATCH} ORDER BY ${BATCH}`,
  )
  return rows.map(row => ({
    metric: String(row.metric),
    condition: conditionOf(row),
    step: Number(row.step),
    answers: Number(row.n),
  }))
}

const BATCH = 'metric, dataset, shots, temperature, split, aggregate, step'

function whereOf({ metric, step, condition }: SampleSelection): string {
  const conditions = [
    ...(metric === undefined ? [] : [`metric = ${sqlText(metric)}`]),
    ...(step === undefined ? [] : [`step = ${step}::DOUBLE`]),
    ...(condition === undefined ? [] : [isCondition(condition)]),
  ]
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
}

function datasetHash({ ids }: SampleScores): string {
  const hash = createHash('sha256')
  for (const line of [...new Set(ids)].sort()) hash.update(JSON.stringify(line))
  return hash.digest('hex').slice(0, 16)
}
