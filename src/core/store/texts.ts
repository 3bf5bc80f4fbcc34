import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBAppender } from '@duckdb/node-api'
import type { Condition, SampleTexts } from '../../logs/model/evaluation.js'
import type { Checksum } from './checksum.js'
import { type Duck, sqlFiles, sqlText } from './duck.js'
import { appendSampleCondition, appendText } from './evaluations.js'
import { copyTo, type WriteAccess } from './parts.js'
import type { LoadedRun } from './series.js'

/**
 * texts/<n>.parquet: what was asked and answered, one row per (table, condition, step, sample, repeat). Parts are added,
 * never rewritten, because texts weigh a thousand times what their scores do; of a row that is there twice, the one in
 * the later part counts.
 */

const COLUMNS = `table_name VARCHAR, step DOUBLE, sample VARCHAR, repeat INTEGER,
  input VARCHAR, output VARCHAR, expected VARCHAR, choice VARCHAR,
  dataset VARCHAR, shots INTEGER, temperature DOUBLE, split VARCHAR`

export async function writeTexts(access: WriteAccess, path: string, added: readonly SampleTexts[]): Promise<Checksum> {
  const fill = (appender: DuckDBAppender): void => {
    for (const batch of added) {
      batch.ids.forEach((id, i) => {
        appender.appendVarchar(batch.table)
        appender.appendDouble(batch.step)
        appender.appendVarchar(id)
        appender.appendInteger(batch.repeats[i])
        for (const texts of [batch.inputs, batch.outputs, batch.expected, batch.choices]) appendText(appender, texts[i])
        appendSampleCondition(appender, batch.condition)
        appender.endRow()
      })
    }
  }
  return access.duck.staged(COLUMNS, fill, table =>
    copyTo(access, path, `SELECT * FROM ${table} ORDER BY table_name, step`),
  )
}

export interface TextRow {
  readonly sample: string
  readonly repeat: number
  readonly input: string | null
  readonly output: string | null
  readonly expected: string | null
  readonly choice: string | null
}

export interface TextSelection {
  readonly metric: string
  readonly step: number
  readonly condition: Condition
  /** Absent: all. */
  readonly ids?: readonly string[]
}

/** The texts behind a metric at one step, a batch at a time: all of them may not fit into memory. */
export async function* readSampleTexts(
  run: LoadedRun,
  { metric, step, condition, ids }: TextSelection,
): AsyncGenerator<readonly TextRow[]> {
  const found = ids?.length === 0 ? null : await findTexts(run, metric, step)
  if (found === null) return
  const { from, table } = found
  const { dataset, shots, temperature, split } = condition
  const same = (column: string, value: string | null): string => `${column} IS NOT DISTINCT FROM ${value ?? 'NULL'}`
  const rows = run.workspace.duck.streamRows(
    `SELECT sample, repeat, input, output, expected, choice FROM ${from}
     WHERE table_name = ${sqlText(table)} AND step = ${step}::DOUBLE
       AND ${same('dataset', dataset === undefined ? null : sqlText(dataset))}
       AND ${same('shots', shots === undefined ? null : `${shots}::INTEGER`)}
       AND ${same('temperature', temperature === undefined ? null : `${temperature}::DOUBLE`)}
       AND ${same('split', split === undefined ? null : sqlText(split))}
       ${ids === undefined ? '' : `AND sample IN (${ids.map(sqlText).join(', ')})`}`,
  )
  for await (const batch of rows) {
    yield batch.map(([sample, repeat, input, output, expected, choice]) => ({
      sample: String(sample),
      repeat: Number(repeat),
      input: textOf(input),
      output: textOf(output),
      expected: textOf(expected),
      choice: textOf(choice),
    }))
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** In the run's parts; else beside the scores, where they were kept before texts had files of their own. */
async function findTexts({ workspace, folder, manifest }: LoadedRun, metric: string, step: number) {
  const parts = manifest.texts.map(part => join(folder, part))
  const scores = join(folder, 'samples.parquet')
  const places = [
    ...(parts.length > 0 ? [`read_parquet(${sqlFiles(parts)})`] : []),
    ...((await exists(scores))
      ? [
          `(SELECT *, metric AS table_name, NULL AS expected FROM read_parquet(${sqlFiles([scores])})
            WHERE coalesce(input, output, choice) IS NOT NULL)`,
        ]
      : []),
  ]
  for (const from of places) {
    const table = await tableOf(workspace.duck, from, metric, step)
    if (table !== null) return { from, table }
  }
  return null
}

/** The table that a metric stands in: of its own name, or the longest that its name begins with. */
async function tableOf(duck: Duck, from: string, metric: string, step: number): Promise<string | null> {
  const rows = await duck.readRows(`SELECT DISTINCT table_name FROM ${from} WHERE step = ${step}::DOUBLE`)
  const tables = rows.map(row => String(row.table_name))
  const fitting = tables.filter(table => metric === table || metric.startsWith(`${table}/`))
  return fitting.sort((first, second) => second.length - first.length)[0] ?? null
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch {
    return false
  }
}
