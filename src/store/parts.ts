import type { DuckDBAppender } from '@duckdb/node-api'
import { QUALITIES } from '../model/run.js'
import { makeFileAtomically } from './atomic.js'
import { appendColumns, type Column, type ColumnBatch, type Duck, sqlFiles, sqlText } from './duck.js'
import { NO_DECIMALS, type PointBatch, type PointBuffer } from './point-buffer.js'

/**
 * Points as Parquet: metric, step, value, time, segment, quality, decimals, sorted by (metric, step). Sorted, one series
 * of 50 M points is read in milliseconds; unsorted it takes a hundred times as long.
 */

/**
 * A query for one metric reads only the row groups that hold it. With an eighth of DuckDB's usual size, one metric of
 * 200 runs costs half (133 ms of CPU instead of 300), for files 9 % larger.
 */
const ROW_GROUP_ROWS = 16_384

/** Columns that hold one value throughout, as most do, are written as that value, which spares copying them. */
export async function writePart(access: WriteAccess, path: string, buffer: PointBuffer): Promise<void> {
  const varying = buffer.varying()
  const staged: { readonly definition: string; readonly of: (batch: PointBatch) => Column }[] = [
    { definition: 'metric INTEGER', of: batch => batch.metric },
    { definition: 'step DOUBLE', of: batch => batch.step },
    { definition: 'value DOUBLE', of: batch => batch.value },
  ]
  const stage = (definition: string, of: (batch: PointBatch) => Column): void => void staged.push({ definition, of })

  let time = 'NULL::DOUBLE'
  if (varying.time) {
    stage('time DOUBLE', batch => batch.time)
    time = 'CASE WHEN isnan(time) THEN NULL ELSE time END'
  }
  let segment = `${buffer.firstSegment}::USMALLINT`
  if (varying.segment) {
    stage('segment USMALLINT', batch => batch.segment)
    segment = 'segment'
  }
  // As an ENUM of one value, a constant text is not hashed row by row: writing takes a sixth less.
  let quality = `'${QUALITIES[0]}'::ENUM('${QUALITIES[0]}')`
  let value = 'value'
  if (varying.quality) {
    stage('quality UTINYINT', batch => batch.quality)
    quality = `[${QUALITIES.map(sqlText).join(', ')}][quality + 1]`
    value = `CASE WHEN quality = ${QUALITIES.indexOf('missing')} THEN NULL ELSE value END`
  }
  let decimals = 'NULL::UTINYINT'
  if (varying.decimals) {
    stage('decimals UTINYINT', batch => batch.decimals)
    decimals = `NULLIF(decimals, ${NO_DECIMALS})`
  }

  const { duck } = access
  const select = (table: string, names: string): string =>
    `SELECT (SELECT list(name ORDER BY id) FROM ${names})[metric + 1] AS metric, step, ${value} AS value,
            ${time} AS time, ${segment} AS segment, ${quality} AS quality, ${decimals} AS decimals FROM ${table}`
  const definitions = staged.map(({ definition }) => definition).join(', ')
  const fillNames = (appender: DuckDBAppender): void => appendNames(appender, buffer.names)
  const fillPoints = (appender: DuckDBAppender) => appendColumns(appender, columnBatches(buffer, staged))
  await duck.staged('id INTEGER, name VARCHAR', fillNames, names =>
    duck.staged(definitions, fillPoints, table => copyTo(access, path, select(table, names))),
  )
}

function appendNames(appender: DuckDBAppender, names: readonly string[]): void {
  names.forEach((name, index) => {
    appender.appendInteger(index)
    appender.appendVarchar(name)
    appender.endRow()
  })
}

function* columnBatches(
  buffer: PointBuffer,
  staged: readonly { readonly of: (batch: PointBatch) => Column }[],
): Generator<ColumnBatch> {
  for (const batch of buffer.sorted()) yield { columns: staged.map(({ of }) => of(batch)), rows: batch.rows }
}

/** Several parts as one. Points at one step keep the order they were written in: earlier part first, then row. */
export async function mergeParts(access: WriteAccess, parts: readonly string[], path: string): Promise<void> {
  await copyTo(
    access,
    path,
    `SELECT * EXCLUDE (file_row_number)
     FROM read_parquet(${sqlFiles(parts)}, file_row_number = true)
     ORDER BY metric, step, file_index, file_row_number`,
  )
}

/** Who writes files: through which DuckDB, and what is asked before a file takes its place. */
export interface WriteAccess {
  readonly duck: Duck
  readonly confirm: () => Promise<void>
}

export async function copyTo({ duck, confirm }: WriteAccess, path: string, select: string): Promise<void> {
  const options = `FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ROW_GROUP_ROWS}`
  const copy = (beside: string) => duck.copy(`COPY (${select}) TO ${sqlText(beside)} (${options})`)
  await makeFileAtomically(path, copy, confirm)
}
