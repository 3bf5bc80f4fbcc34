import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'

/**
 * DuckDB as klens uses it: in memory, one per process, over exactly the files a question needs. There is no database
 * file and so no lock. Loading the library costs about 0.1 s, so it is imported when the first query runs.
 *
 * Columns of numbers come out by memcpy through the low-level bindings, ten times faster than value by value.
 */

/** Sorting many parts of a long run spills to disk beyond this, so an import stays well under 500 MB in all. */
const MEMORY_LIMIT = '200MB'

let connecting: Promise<DuckDBConnection> | undefined

export function duck(): Promise<DuckDBConnection> {
  connecting ??= connect()
  return connecting
}

async function connect(): Promise<DuckDBConnection> {
  const { DuckDBInstance } = await import('@duckdb/node-api')
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: MEMORY_LIMIT,
    // Else DuckDB spills into a folder `.tmp` where the user happens to be.
    temp_directory: join(tmpdir(), `klens-spill-${process.pid}`),
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  })
  return instance.connect()
}

let spillFolder: string | undefined

/**
 * Where DuckDB may spill. Set by whoever knows the workspace, before the first large query. The first folder stays:
 * DuckDB refuses another one, and even the same one again, as soon as it has spilled.
 */
export async function spillTo(folder: string): Promise<void> {
  if (spillFolder !== undefined) return
  spillFolder = folder
  await (await duck()).run(`SET temp_directory = ${sqlText(folder)}`)
}

let stagingSerial = 0

/** A table name that nobody else in this process uses. */
export function stagingTable(): string {
  stagingSerial += 1
  return `staged_${stagingSerial}`
}

/** The result's columns, which must all be DOUBLE without nulls, as arrays. */
export function readDoubles(sql: string, columns: number): Promise<Float64Array[]> {
  return namingFiles(sql, connection => fetchDoubles(connection, sql, columns))
}

async function fetchDoubles(connection: DuckDBConnection, sql: string, columns: number): Promise<Float64Array[]> {
  const { default: bindings } = await import('@duckdb/node-bindings')
  const result = await connection.run(sql)
  const pieces: Float64Array[][] = Array.from({ length: columns }, () => [])
  for (;;) {
    const chunk = await result.fetchChunk()
    if (!chunk || chunk.rowCount === 0) break
    for (let index = 0; index < columns; index += 1) {
      const vector = bindings.data_chunk_get_vector(chunk.chunk, index)
      const bytes = bindings.vector_get_data(vector, chunk.rowCount * 8)
      pieces[index].push(new Float64Array(bytes.slice().buffer))
    }
  }
  return pieces.map(joinArrays)
}

export function readRows(sql: string): Promise<readonly Record<string, unknown>[]> {
  return namingFiles(sql, async connection => (await connection.runAndReadAll(sql)).getRowObjectsJS())
}

/** The result a batch of rows at a time; nothing else may be asked of DuckDB until the last has been taken. */
export async function* streamRows(sql: string): AsyncGenerator<readonly (readonly unknown[])[]> {
  const result = await namingFiles(sql, connection => connection.stream(sql))
  for (;;) {
    const chunk = await result.fetchChunk()
    if (!chunk || chunk.rowCount === 0) return
    yield chunk.getRows()
  }
}

/** The result's only column, as texts. */
export function readTexts(sql: string): Promise<readonly string[]> {
  return namingFiles(sql, async connection => {
    const [column = []] = (await connection.runAndReadAll(sql)).getColumnsJS()
    return column.map(String)
  })
}

/** Runs a `COPY … TO …`, which may read data files as well. */
export async function copy(sql: string): Promise<void> {
  await namingFiles(sql, connection => connection.run(sql))
}

/** DuckDB's errors do not always name the file that it stumbled over, so they carry the files of the query. */
export class QueryError extends Error {
  readonly files: readonly string[]

  constructor(cause: unknown, sql: string) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    const files = [...sql.matchAll(/'((?:[^']|'')*\.parquet)'/g)].map(([, path]) => path)
    this.files = files.map(path => path.replaceAll("''", "'").replace(/\[([*?[])\]/g, '$1'))
  }
}

async function namingFiles<T>(sql: string, work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
  const connection = await duck()
  try {
    return await work(connection)
  } catch (error) {
    throw new QueryError(error, sql)
  }
}

/** A text as SQL; DuckDB's parser would stop at a NUL. */
export function sqlText(text: string): string {
  const quoted = text.split('\0').map(piece => `'${piece.replaceAll("'", "''")}'`)
  return quoted.length === 1 ? quoted[0] : `(${quoted.join(' || chr(0) || ')})`
}

/** A list of files for read_parquet, taken literally: DuckDB would expand `*`, `?` and `[` in a folder's name. */
export function sqlFiles(paths: readonly string[]): string {
  return `[${paths.map(path => sqlText(path.replace(/[*?[]/g, '[$&]'))).join(', ')}]`
}

function joinArrays(pieces: readonly Float64Array[]): Float64Array {
  if (pieces.length === 1) return pieces[0]
  const joined = new Float64Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    joined.set(piece, at)
    at += piece.length
  }
  return joined
}
