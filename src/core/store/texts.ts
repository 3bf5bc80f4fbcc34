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
 * the later part counts. `tokens` is the answer token by token, as JSON (`model/token-scores.ts`), where it was logged.
 */

const COLUMNS = `table_name VARCHAR, step DOUBLE, sample VARCHAR, repeat INTEGER,
  input VARCHAR, output VARCHAR, expected VARCHAR, choice VARCHAR,
  dataset VARCHAR, shots INTEGER, temperature DOUBLE, split VARCHAR, tokens VARCHAR`

/**
 * What a list of answers needs of each text, in columns of their own, so that a hundred thousand are counted without being
 * read. A dialogue says in its last line how it ended (`dialogueText`).
 */
const MARKS = `length(output) AS output_length, md5_number_lower(output) AS output_hash,
  CASE WHEN starts_with(output, '1. ') AND contains(output, chr(10) || '   → ')
    THEN nullif(regexp_extract(right(output, 200), '(?:^|\\n)— ([^\\n]+)$', 1), '') END AS ended`

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
        appendText(appender, batch.tokens?.[i])
        appender.endRow()
      })
    }
  }
  return access.duck.staged(COLUMNS, fill, table =>
    copyTo(access, path, `SELECT *, ${MARKS} FROM ${table} ORDER BY table_name, step`),
  )
}

export interface TextRow {
  readonly sample: string
  readonly repeat: number
  readonly input: string | null
  readonly output: string | null
  readonly expected: string | null
  readonly choice: string | null
  readonly tokens: string | null
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
  const found = ids?.length === 0 ? null : await textsBehind(run, { metric, step, condition })
  if (found === null) return
  const rows = run.workspace.duck.streamRows(
    `SELECT sample, repeat, input, output, expected, choice, tokens FROM ${found} WHERE step = ${step}::DOUBLE
     ${ids === undefined ? '' : `AND sample IN (${ids.map(sqlText).join(', ')})`}`,
  )
  for await (const batch of rows) {
    yield batch.map(([sample, repeat, input, output, expected, choice, tokens]) => ({
      sample: String(sample),
      repeat: Number(repeat),
      input: textOf(input),
      output: textOf(output),
      expected: textOf(expected),
      choice: textOf(choice),
      tokens: textOf(tokens),
    }))
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/**
 * The texts behind a metric under one condition as a table, null where there are none: in the run's parts, else beside the
 * scores, where they were kept before texts had files of their own. `part` numbers the files; the marks are read off the
 * texts of parts that klens wrote before it kept them.
 */
export async function textsBehind(
  { workspace: { duck }, folder, manifest }: LoadedRun,
  { metric, step, condition }: { readonly metric: string; readonly step: number | null; readonly condition: Condition },
): Promise<string | null> {
  const scores = join(folder, 'samples.parquet')
  const places = [
    ...(manifest.texts.length > 0
      ? [
          await partsTable(
            duck,
            manifest.texts.map(part => join(folder, part)),
          ),
        ]
      : []),
    ...((await exists(scores))
      ? [
          `(SELECT *, metric AS table_name, NULL AS expected, NULL AS tokens, 0 AS part, ${MARKS}
            FROM read_parquet(${sqlFiles([scores])}) WHERE coalesce(input, output, choice) IS NOT NULL)`,
        ]
      : []),
  ]
  for (const from of places) {
    const table = await tableOf(duck, from, metric, step)
    if (table !== null)
      return `(SELECT * FROM ${from} WHERE table_name = ${sqlText(table)} AND ${isSampled(condition)})`
  }
  return null
}

async function partsTable(duck: Duck, parts: readonly string[]): Promise<string> {
  const named = `SELECT DISTINCT file_name FROM parquet_schema(${sqlFiles(parts)}) WHERE name = 'output_hash'`
  const marked = new Set(await duck.readTexts(named))
  const [withMarks, without] = [parts.filter(part => marked.has(part)), parts.filter(part => !marked.has(part))]
  const selects = [
    ...(without.length > 0
      ? [`SELECT *, NULL AS tokens, file_index AS part, ${MARKS} FROM read_parquet(${sqlFiles(without)})`]
      : []),
    ...(withMarks.length > 0
      ? [`SELECT *, ${without.length} + file_index AS part FROM read_parquet(${sqlFiles(withMarks)})`]
      : []),
  ]
  return `(${selects.join(' UNION ALL BY NAME ')})`
}

function isSampled({ dataset, shots, temperature, split }: Condition): string {
  const same = (column: string, value: string | null): string => `${column} IS NOT DISTINCT FROM ${value ?? 'NULL'}`
  return [
    same('dataset', dataset === undefined ? null : sqlText(dataset)),
    same('shots', shots === undefined ? null : `${shots}::INTEGER`),
    same('temperature', temperature === undefined ? null : `${temperature}::DOUBLE`),
    same('split', split === undefined ? null : sqlText(split)),
  ].join(' AND ')
}

/** The table that a metric stands in: of its own name, or the longest that its name begins with. */
async function tableOf(duck: Duck, from: string, metric: string, step: number | null): Promise<string | null> {
  const at = step === null ? '' : `WHERE step = ${step}::DOUBLE`
  const rows = await duck.readRows(`SELECT DISTINCT table_name FROM ${from} ${at}`)
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
