import type { DuckDBConnection } from '@duckdb/node-api'
import type { Json } from '../../model/json.js'
import { parsePythonJson } from '../python-json.js'

/**
 * Parquet files, read by DuckDB as they stream: every encoding and compression that writers use, at the cost of one
 * batch of rows in memory. The connection is a source's own; it knows nothing of the store.
 */

const MAGIC = 'PAR1'

export function isParquet(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(0, MAGIC.length)).toString('latin1') === MAGIC
}

/** DuckDB tells a file that is gone from one that is damaged by its words alone. */
export function isFileProblem(error: unknown): boolean {
  return error instanceof Error && /No files found|Permission denied/.test(error.message)
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

const MEBIBYTE = 1 << 20
/** A longer text is cut; a quarter of a million tokens are no answer any more. */
export const LONGEST_TEXT = MEBIBYTE
/** What a column of texts may have in one piece, and what it may become: a dictionary can name one long text often. */
export const LARGEST_COLUMN = 384 * MEBIBYTE
/** DuckDB holds a piece packed and unpacked, and its texts. */
const SPARE_MEMORY = 200
const MEMORY_PER_BYTE = 3
/** As much text is handed over at once where a small file becomes a large one. */
const LARGEST_BATCH = 32 * MEBIBYTE

interface ParquetReading {
  readonly columns: readonly ParquetColumn[]
  /** Hears of columns that are too large to be read; their cells are null. */
  readonly onTooLarge: (column: string) => void
  /** Hears how many texts were cut. */
  readonly onCut: (count: number) => void
}

/**
 * Rows a batch at a time, cells in the order of `columns`. Whole numbers become numbers, times Unix seconds, lists and
 * structs what JSON makes of them. Throws where the file is damaged.
 */
export async function* readParquet(
  path: string,
  { columns, onTooLarge, onCut }: ParquetReading,
): AsyncGenerator<readonly (readonly Json[])[]> {
  const connection = await reader()
  const sizes = await textSizes(connection, path, columns)
  const largest = Math.max(0, ...sizes.filter(({ packed }) => packed <= LARGEST_COLUMN).map(({ packed }) => packed))
  await connection.run(`SET memory_limit='${Math.ceil(SPARE_MEMORY + (MEMORY_PER_BYTE * largest) / MEBIBYTE)}MB'`)
  const tooLarge = new Set<string>()
  let inBatches = Number.POSITIVE_INFINITY
  let cut = 0
  for (const size of sizes) {
    // Most files are small, whatever stands in them.
    if (size.packed * size.rows <= LARGEST_BATCH) continue
    const unpacked = size.packed <= LARGEST_COLUMN ? await unpackedSize(connection, path, size.column) : null
    if (unpacked === null || unpacked.characters > LARGEST_COLUMN) tooLarge.add(size.column.name)
    else {
      cut += unpacked.cut
      const expands = unpacked.characters > 2 * size.packed
      if (expands) inBatches = Math.min(inBatches, rowsPerBatch(unpacked.characters, size.rows))
    }
  }
  for (const column of tooLarge) onTooLarge(column)
  if (cut > 0) onCut(cut)
  const selected = columns.map(column => (tooLarge.has(column.name) ? 'NULL' : selectOf(column))).join(', ')
  const rows = Math.max(0, ...sizes.map(size => size.rows))
  for (let from = 0; from === 0 || from < rows; from += inBatches) {
    const within = Number.isFinite(inBatches)
      ? `WHERE file_row_number >= ${from} AND file_row_number < ${from + inBatches}`
      : ''
    const table = `read_parquet(${sqlFile(path)}, file_row_number = ${within !== ''})`
    const result = await connection.stream(`SELECT ${selected} FROM ${table} ${within}`)
    for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
      yield chunk.getRows().map(row => columns.map(({ kind }, i) => jsonOf(row[i] ?? null, kind)))
    }
  }
}

function rowsPerBatch(characters: number, rows: number): number {
  return Math.max(1, Math.floor((LARGEST_BATCH * rows) / characters))
}

interface TextSize {
  readonly column: ParquetColumn
  /** Of the largest piece, in bytes. */
  readonly packed: number
  readonly rows: number
}

async function textSizes(
  connection: DuckDBConnection,
  path: string,
  columns: readonly ParquetColumn[],
): Promise<TextSize[]> {
  const texts = columns.filter(({ kind }) => kind === 'text' || kind === 'nested')
  if (texts.length === 0) return []
  const result = await connection.runAndReadAll(
    `SELECT split_part(path_in_schema, ', ', 1) AS name, max(total_uncompressed_size)::DOUBLE,
            sum(row_group_num_rows)::DOUBLE FROM parquet_metadata(${sqlFile(path)}) GROUP BY ALL`,
  )
  const known = result.getRowsJS()
  return texts.map(column => {
    const [, packed, rows] = known.find(([name]) => name === column.name) ?? []
    return { column, packed: Number(packed ?? 0), rows: Number(rows ?? 0) }
  })
}

/** How many characters a column holds once every row has its own text. Null where even that takes too much memory. */
async function unpackedSize(
  connection: DuckDBConnection,
  path: string,
  column: ParquetColumn,
): Promise<{ readonly characters: number; readonly cut: number } | null> {
  const length = `strlen(${textOf(column)})`
  try {
    const result = await connection.runAndReadAll(
      `SELECT sum(least(${length}, ${LONGEST_TEXT}))::DOUBLE, count(*) FILTER (${length} > ${LONGEST_TEXT})::DOUBLE
       FROM read_parquet(${sqlFile(path)})`,
    )
    const [[characters, cut] = []] = result.getRowsJS()
    return { characters: Number(characters ?? 0), cut: Number(cut) }
  } catch (error) {
    if (isOutOfMemory(error)) return null
    throw error
  }
}

export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && error.message.includes('Out of Memory')
}

let connecting: Promise<DuckDBConnection> | undefined

function reader(): Promise<DuckDBConnection> {
  connecting ??= connect()
  return connecting
}

async function connect(): Promise<DuckDBConnection> {
  const { DuckDBInstance } = await import('@duckdb/node-api')
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: `${SPARE_MEMORY}MB`,
    threads: '1',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    // Each file is read once; what is remembered of it would only be missing elsewhere.
    enable_external_file_cache: 'false',
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

function selectOf(column: ParquetColumn): string {
  switch (column.kind) {
    case 'number':
      return `${sqlName(column)}::DOUBLE`
    case 'boolean':
      return sqlName(column)
    case 'time':
      return `epoch(${sqlName(column)}::TIMESTAMP)`
    case 'text':
      return `left(${textOf(column)}, ${LONGEST_TEXT})`
    case 'nested':
      return textOf(column)
    case 'other':
      return 'NULL'
  }
}

/** Lists and structs as JSON, which must stay whole to be read. */
function textOf(column: ParquetColumn): string {
  return column.kind === 'nested' ? `to_json(${sqlName(column)})::VARCHAR` : `${sqlName(column)}::VARCHAR`
}

function sqlName({ name }: ParquetColumn): string {
  return `"${name.replaceAll('"', '""')}"`
}

function jsonOf(value: unknown, kind: ParquetColumn['kind']): Json {
  if (typeof value === 'string') return kind === 'nested' ? (parsePythonJson(value) ?? null) : value
  return typeof value === 'number' || typeof value === 'boolean' ? value : null
}

/** Taken literally: DuckDB would expand `*`, `?` and `[` in a name. */
function sqlFile(path: string): string {
  return `'${path.replace(/[*?[]/g, '[$&]').replaceAll("'", "''")}'`
}

/**
 * The columns of numbers of a Parquet file, in pieces, by memcpy through the low-level bindings: a history has hundreds of
 * columns and millions of rows, and value by value takes five times as long.
 */

/** Values of one column for some rows; what stands in `values` counts only where the row is present. */
interface NumberPiece {
  readonly values: Float64Array
  readonly present: (row: number) => boolean
}

export interface NumberRows {
  readonly rows: number
  readonly columns: readonly NumberPiece[]
}

/** Throws where the file is damaged. */
export async function* readNumbers(path: string, columns: readonly ParquetColumn[]): AsyncGenerator<NumberRows> {
  const { default: bindings } = await import('@duckdb/node-bindings')
  const selected = columns.map(({ name }) => `"${name.replaceAll('"', '""')}"::DOUBLE`).join(', ')
  const result = await (await reader()).stream(`SELECT ${selected} FROM read_parquet(${sqlFile(path)})`)
  for (;;) {
    const chunk = await result.fetchChunk()
    if (!chunk || chunk.rowCount === 0) return
    const rows = chunk.rowCount
    yield {
      rows,
      columns: columns.map((_, index) => {
        const vector = bindings.data_chunk_get_vector(chunk.chunk, index)
        const bytes = bindings.vector_get_data(vector, rows * 8).slice()
        const mask = bindings.vector_get_validity(vector, Math.ceil(rows / 64) * 8)?.slice()
        return { values: new Float64Array(bytes.buffer), present: mask === undefined ? always : isSet(mask) }
      }),
    }
  }
}

const always = (): boolean => true

function isSet(mask: Uint8Array): (row: number) => boolean {
  return row => ((mask[row >> 3] ?? 0) & (1 << (row & 7))) !== 0
}
