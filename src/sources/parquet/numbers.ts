import { type ParquetColumn, reader, sqlFile } from './parquet.js'

/**
 * The columns of numbers of a Parquet file, in pieces, by memcpy through the low-level bindings: a history has hundreds of
 * columns and millions of rows, and value by value takes five times as long.
 */

/** Values of one column for some rows; what stands in `values` counts only where the row is present. */
export interface NumberPiece {
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
  return row => (mask[row >> 3] & (1 << (row & 7))) !== 0
}
