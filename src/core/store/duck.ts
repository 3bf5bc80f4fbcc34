import type { DuckDBAppender, DuckDBConnection, DuckDBInstance, DuckDBResult } from '@duckdb/node-api'
import { KnownFiles } from './checksums.js'

/**
 * DuckDB as klens uses it: in memory, one instance per open workspace, over exactly the files a question needs. There is
 * no database file and so no lock. Loading the library costs about 0.1 s and an instance 10 ms, so both wait for the
 * first query. A query that comes while others are running gets a connection of its own.
 *
 * Columns of numbers come out by memcpy through the low-level bindings, ten times faster than value by value.
 */

/** Rows per data chunk; DuckDB's own vector size. */
const CHUNK_ROWS = 2048

/** Sorting many parts of a long run spills to disk beyond this, so an import stays well under 500 MB in all. */
const MEMORY_LIMIT = '200MB'

export class Duck {
  /** Data files that are compared with what was written before a query reads them. */
  readonly files = new KnownFiles()
  readonly #spillFolder: () => Promise<string>
  #opening: Promise<DuckDBInstance> | null = null
  #idle: DuckDBConnection[] = []
  /** Connections are made on another thread: an instance that is closed under one takes the whole process with it. */
  readonly #connecting = new Set<Promise<DuckDBConnection>>()
  #isClosed = false
  #stagedTables = 0

  /** Where sorting may spill is asked when the first query runs; DuckDB makes the folder, and removes it in the end. */
  constructor(spillFolder: () => Promise<string>) {
    this.#spillFolder = spillFolder
  }

  /** The result's columns, which must all be DOUBLE without nulls, as arrays. */
  readDoubles(sql: string, columns: number): Promise<Float64Array[]> {
    return this.#query(sql, async connection => {
      const read = Array.from({ length: columns }, () => new Float64Array(CHUNK_ROWS))
      let rows = 0
      for await (const chunk of doublesOf(await connection.run(sql), columns)) {
        for (const [index, column] of chunk.entries()) {
          if (rows + column.length > read[index].length) read[index] = twiceAsLong(read[index])
          read[index].set(column, rows)
        }
        rows += chunk[0].length
      }
      return read.map(column => column.subarray(0, rows))
    })
  }

  /** The same, some thousand rows at a time, for what need not fit into memory. */
  async *streamDoubles(sql: string, columns: number): AsyncGenerator<Float64Array[]> {
    await this.files.expectAsWritten(filesIn(sql))
    const connection = await this.#take()
    try {
      yield* doublesOf(await connection.stream(sql), columns)
    } catch (error) {
      throw new QueryError(error, sql)
    } finally {
      this.#giveBack(connection)
    }
  }

  readRows(sql: string): Promise<readonly Record<string, unknown>[]> {
    return this.#query(sql, async connection => (await connection.runAndReadAll(sql)).getRowObjectsJS())
  }

  /** The result's only column, as texts. */
  readTexts(sql: string): Promise<readonly string[]> {
    return this.#query(sql, async connection => {
      const [column = []] = (await connection.runAndReadAll(sql)).getColumnsJS()
      return column.map(String)
    })
  }

  /** The result a batch of rows at a time. */
  async *streamRows(sql: string): AsyncGenerator<readonly (readonly unknown[])[]> {
    await this.files.expectAsWritten(filesIn(sql))
    const connection = await this.#take()
    try {
      const result = await connection.stream(sql)
      for (;;) {
        const chunk = await result.fetchChunk()
        if (!chunk || chunk.rowCount === 0) return
        yield chunk.getRows()
      }
    } catch (error) {
      throw new QueryError(error, sql)
    } finally {
      this.#giveBack(connection)
    }
  }

  /** Runs a `COPY … TO …`, which may read data files as well. */
  async copy(sql: string): Promise<void> {
    await this.#query(sql, connection => connection.run(sql))
  }

  /** A table that lasts as long as the work with it. */
  async staged<Result>(
    columns: string,
    fill: (appender: DuckDBAppender) => void | Promise<void>,
    work: (table: string) => Promise<Result>,
  ): Promise<Result> {
    this.#stagedTables += 1
    const table = `staged_${this.#stagedTables}`
    const connection = await this.#take()
    try {
      await connection.run(`CREATE TABLE ${table} (${columns})`)
      try {
        const appender = await connection.createAppender(table)
        await fill(appender)
        appender.closeSync()
        return await work(table)
      } finally {
        await connection.run(`DROP TABLE ${table}`)
      }
    } finally {
      this.#giveBack(connection)
    }
  }

  /** Queries that are running come to their end; none may be asked after this. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const connection of this.#idle.splice(0)) connection.closeSync()
    const instance = await this.#opening
    await Promise.allSettled(this.#connecting)
    instance?.closeSync()
  }

  async #query<Result>(sql: string, work: (connection: DuckDBConnection) => Promise<Result>): Promise<Result> {
    await this.files.expectAsWritten(filesIn(sql))
    const connection = await this.#take()
    try {
      return await work(connection)
    } catch (error) {
      throw new QueryError(error, sql)
    } finally {
      this.#giveBack(connection)
    }
  }

  async #take(): Promise<DuckDBConnection> {
    this.#refuseWhenClosed()
    this.#opening ??= this.#open()
    const instance = await this.#opening
    this.#refuseWhenClosed()
    const idle = this.#idle.pop()
    if (idle !== undefined) return idle
    const connecting = instance.connect()
    this.#connecting.add(connecting)
    return connecting.finally(() => this.#connecting.delete(connecting))
  }

  #refuseWhenClosed(): void {
    if (this.#isClosed) throw new Error('this workspace has been closed')
  }

  #giveBack(connection: DuckDBConnection): void {
    if (this.#isClosed) connection.closeSync()
    else this.#idle.push(connection)
  }

  async #open(): Promise<DuckDBInstance> {
    const { DuckDBInstance } = await import('@duckdb/node-api')
    return DuckDBInstance.create(':memory:', {
      memory_limit: MEMORY_LIMIT,
      temp_directory: await this.#spillFolder(),
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      // The system remembers files already; here it would be 200 MB after some thousand runs.
      enable_external_file_cache: 'false',
    })
  }
}

async function* doublesOf(result: DuckDBResult, columns: number): AsyncGenerator<Float64Array[]> {
  const { default: bindings } = await import('@duckdb/node-bindings')
  for (;;) {
    const chunk = await result.fetchChunk()
    if (!chunk || chunk.rowCount === 0) return
    yield Array.from({ length: columns }, (_, index) => {
      const vector = bindings.data_chunk_get_vector(chunk.chunk, index)
      const bytes = bindings.vector_get_data(vector, chunk.rowCount * 8)
      return new Float64Array(bytes.slice().buffer)
    })
  }
}

/** Fills a table of DOUBLE columns, which are of equal length. */
export async function appendDoubles(appender: DuckDBAppender, columns: readonly Float64Array[]): Promise<void> {
  const { DOUBLE, DuckDBDataChunk } = await import('@duckdb/node-api')
  const { default: bindings } = await import('@duckdb/node-bindings')
  const chunk = DuckDBDataChunk.create(columns.map(() => DOUBLE))
  const rows = columns[0]?.length ?? 0
  for (let start = 0; start < rows; start += CHUNK_ROWS) {
    chunk.reset()
    chunk.rowCount = Math.min(CHUNK_ROWS, rows - start)
    for (const [index, column] of columns.entries()) {
      const vector = bindings.data_chunk_get_vector(chunk.chunk, index)
      const part = column.slice(start, start + chunk.rowCount)
      bindings.copy_data_to_vector(vector, 0, part.buffer, 0, part.byteLength)
    }
    appender.appendDataChunk(chunk)
  }
}

/** DuckDB's errors do not always name the file that it stumbled over, so they carry the files of the query. */
export class QueryError extends Error {
  readonly files: readonly string[]

  constructor(cause: unknown, sql: string) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.files = filesIn(sql)
  }
}

/** The data files that a query reads. */
function filesIn(sql: string): readonly string[] {
  const files = [...sql.matchAll(/'((?:[^']|'')*\.parquet)'/g)].map(([, path]) => path)
  return files.map(path => path.replaceAll("''", "'").replace(/\[([*?[])\]/g, '$1'))
}

/** A text as SQL; DuckDB's parser would stop at a NUL. */
export function sqlText(text: string): string {
  const quoted = text.split('\0').map(piece => `'${piece.replaceAll("'", "''")}'`)
  return quoted.length === 1 ? quoted[0] : `(${quoted.join(' || chr(0) || ')})`
}

/** A number as SQL, NaN and the infinities included. */
export function sqlNumber(value: number): string {
  return `'${value}'::DOUBLE`
}

/** A list of files for read_parquet, taken literally: DuckDB would expand `*`, `?` and `[` in a folder's name. */
export function sqlFiles(paths: readonly string[]): string {
  return `[${paths.map(path => sqlText(path.replace(/[*?[]/g, '[$&]'))).join(', ')}]`
}

function twiceAsLong(column: Float64Array): Float64Array<ArrayBuffer> {
  const longer = new Float64Array(column.length * 2)
  longer.set(column)
  return longer
}
