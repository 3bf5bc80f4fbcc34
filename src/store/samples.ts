import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { SampleScores } from '../model/evaluation.js'
import { duck, readRows, sqlFiles, sqlText, stagingTable } from './duck.js'
import { conditionOf, exists } from './evaluations.js'
import { copyTo } from './parts.js'

/**
 * samples.parquet: one row per (metric, condition, step, sample, repeat). Like evaluations, what is written again
 * replaces what was there. `dataset_hash` is over the sample ids and inputs: equal hashes are the same prompts.
 */

const FILE = 'samples.parquet'

const KEY = ['metric', 'step', 'sample', 'repeat', 'dataset', 'shots', 'temperature', 'split', 'aggregate']

const COLUMNS = `metric VARCHAR, step DOUBLE, sample VARCHAR, repeat INTEGER, score DOUBLE,
  input VARCHAR, output VARCHAR, choice VARCHAR, dataset_hash VARCHAR,
  dataset VARCHAR, shots INTEGER, temperature DOUBLE, split VARCHAR, aggregate VARCHAR`

/** Adds to what is on disk (or replaces it) and returns how many rows there are then. */
export async function keepSamples(folder: string, added: readonly SampleScores[], keepOld: boolean): Promise<number> {
  const path = join(folder, FILE)
  const connection = await duck()
  const table = stagingTable()
  await connection.run(`CREATE TABLE ${table} (${COLUMNS})`)
  try {
    const appender = await connection.createAppender(table)
    const text = (value: string | null | undefined): void =>
      value === undefined || value === null ? appender.appendNull() : appender.appendVarchar(value)
    for (const batch of added) {
      const hash = datasetHash(batch)
      const { dataset, shots, temperature, split, aggregate } = batch.condition
      batch.ids.forEach((id, i) => {
        appender.appendVarchar(batch.metric)
        appender.appendDouble(batch.step)
        appender.appendVarchar(id)
        appender.appendInteger(batch.repeats?.[i] ?? 0)
        appender.appendDouble(batch.scores[i])
        text(batch.inputs?.[i])
        text(batch.outputs?.[i])
        text(batch.choices?.[i])
        appender.appendVarchar(hash)
        text(dataset)
        if (shots === undefined) appender.appendNull()
        else appender.appendInteger(shots)
        if (temperature === undefined) appender.appendNull()
        else appender.appendDouble(temperature)
        text(split)
        text(aggregate)
        appender.endRow()
      })
    }
    appender.closeSync()
    const same = KEY.map(column => `kept.${column} IS NOT DISTINCT FROM added.${column}`).join(' AND ')
    const kept = keepOld
      ? `SELECT * FROM read_parquet(${sqlFiles([path])}) kept
         WHERE NOT EXISTS (SELECT 1 FROM ${table} added WHERE ${same}) UNION ALL `
      : ''
    const lastOfEach = `SELECT * EXCLUDE (nth) FROM (
      SELECT *, row_number() OVER (PARTITION BY ${KEY.join(', ')} ORDER BY rowid DESC) AS nth FROM ${table}) WHERE nth = 1`
    await copyTo(path, `${kept}${lastOfEach} ORDER BY metric, dataset, shots, step, sample, repeat`)
    return Number((await readRows(`SELECT count(*) AS n FROM read_parquet(${sqlFiles([path])})`))[0].n)
  } finally {
    await connection.run(`DROP TABLE ${table}`)
  }
}

/** Per-sample scores of a run, one batch per (metric, condition, step), in step order. */
export async function readSamples(folder: string, metric?: string): Promise<SampleScores[]> {
  const path = join(folder, FILE)
  if (!(await exists(path))) return []
  const rows = await readRows(
    `SELECT metric, step, dataset, shots, temperature, split, aggregate,
            list(sample ORDER BY sample, repeat) AS ids, list(score ORDER BY sample, repeat) AS scores,
            list(repeat ORDER BY sample, repeat) AS repeats
     FROM read_parquet(${sqlFiles([path])}) ${metric === undefined ? '' : `WHERE metric = ${sqlText(metric)}`}
     GROUP BY ALL ORDER BY metric, dataset, shots, step`,
  )
  return rows.map(row => ({
    metric: String(row.metric),
    step: Number(row.step),
    condition: conditionOf(row),
    ids: row.ids as string[],
    scores: row.scores as number[],
    repeats: row.repeats as number[],
  }))
}

function datasetHash({ ids, inputs }: SampleScores): string {
  const hash = createHash('sha256')
  const lines = ids.map((id, i) => JSON.stringify([id, inputs?.[i] ?? null]))
  for (const line of [...new Set(lines)].sort()) hash.update(line)
  return hash.digest('hex').slice(0, 16)
}
