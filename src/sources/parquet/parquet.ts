import type { DuckDBConnection } from '@duckdb/node-api'
import type { Json } from '../../model/json.js'
import { parseLooseJson } from '../loose-json.js'

/**
 * Parquet files, read by DuckDB as they stream: every encoding and compression that writers use, at the cost of one
 * batch of rows in memory. The connection is a source's own; it knows nothing of the store.
 */

const MAGIC = 'PAR1'

export function isParquet(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(0, MAGIC.length)).toString('latin1') === MAGIC
}

export interface ParquetColumn {
  readonly name: string
  readonly kind: 'number' | 'boolean' | 'text' | 'time' | 'nested' | 'other'
}

/** Null where the file is damaged or no Parquet. */
export async function parquetColumns(path: string): Promise<readonly ParquetColumn[] | null> {
  try {
    const connection = await reader()
    const { columnNames, rows } = await described(connection, path)
    const [name, type] = [columnNames.indexOf('column_name'), columnNames.indexOf('column_type')]
    return rows.map(row => ({ name: String(row[name]), kind: kindOf(String(row[type])) }))
  } catch {
    return null
  }
}

/**
 * Rows a batch at a time, cells in the order of `columns`. Whole numbers become numbers, times Unix seconds, lists and
 * structs what JSON makes of them. Throws where the file is damaged.
 */
export async function* readParquet(
  path: string,
  columns: readonly ParquetColumn[],
): AsyncGenerator<readonly (readonly Json[])[]> {
  const connection = await reader()
  const selected = columns.map(column => selectOf(column)).join(', ')
  const result = await connection.stream(`SELECT ${selected} FROM read_parquet(${sqlFile(path)})`)
  for (;;) {
    const chunk = await result.fetchChunk()
    if (!chunk || chunk.rowCount === 0) return
    yield chunk.getRows().map(row => row.map((value, i) => jsonOf(value, columns[i].kind)))
  }
}

let connecting: Promise<DuckDBConnection> | undefined

export function reader(): Promise<DuckDBConnection> {
  connecting ??= connect()
  return connecting
}

async function connect(): Promise<DuckDBConnection> {
  const { DuckDBInstance } = await import('@duckdb/node-api')
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: '200MB',
    threads: '1',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  })
  return instance.connect()
}

async function described(connection: DuckDBConnection, path: string) {
  const result = await connection.runAndReadAll(`DESCRIBE SELECT * FROM read_parquet(${sqlFile(path)})`)
  return { columnNames: result.columnNames(), rows: result.getRowsJS() }
}

function kindOf(type: string): ParquetColumn['kind'] {
  if (/\[\d*\]$|^(?:STRUCT|MAP|UNION)/.test(type)) return 'nested'
  if (/^(?:U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?|FLOAT|DOUBLE|DECIMAL)/.test(type)) return 'number'
  if (/^(?:TIMESTAMP|DATE)/.test(type)) return 'time'
  if (type === 'BOOLEAN') return 'boolean'
  return /^(?:VARCHAR|ENUM|UUID|JSON)/.test(type) ? 'text' : 'other'
}

function selectOf({ name, kind }: ParquetColumn): string {
  const column = `"${name.replaceAll('"', '""')}"`
  switch (kind) {
    case 'number':
      return `${column}::DOUBLE`
    case 'boolean':
      return column
    case 'text':
      return `${column}::VARCHAR`
    case 'time':
      return `epoch(${column}::TIMESTAMP)`
    case 'nested':
      return `to_json(${column})::VARCHAR`
    case 'other':
      return 'NULL'
  }
}

function jsonOf(value: unknown, kind: ParquetColumn['kind']): Json {
  if (typeof value === 'string') return kind === 'nested' ? (parseLooseJson(value) ?? null) : value
  return typeof value === 'number' || typeof value === 'boolean' ? value : null
}

/** Taken literally: DuckDB would expand `*`, `?` and `[` in a name. */
export function sqlFile(path: string): string {
  return `'${path.replace(/[*?[]/g, '[$&]').replaceAll("'", "''")}'`
}
