import type { Worker } from 'node:worker_threads'
import { makeFileAtomically, writeFileAtomically } from './atomic.js'
import { type Checksum, checksumOfFile } from './checksum.js'
import { type Duck, sqlFiles, sqlText } from './duck.js'
import { ROW_GROUP_ROWS } from './parquet.js'
import type { PointBuffer } from './point-buffer.js'

/** Parts on disk: written from memory, or several as one by DuckDB. */

/** By the thread that is given, where one is. */
export async function writePart(
  path: string,
  buffer: PointBuffer,
  confirm?: () => Promise<void>,
  worker: Worker | null = null,
): Promise<Checksum> {
  // What only reads needs no encoder.
  const encoded =
    worker === null
      ? (await import('./part-file.js')).encodePart(buffer)
      : (await import('./part-worker.js')).encodeBehind(worker, buffer)
  const { bytes, checksum } = await encoded
  await writeFileAtomically(path, bytes, confirm)
  return checksum
}

/** Several parts as one. Points at one step keep the order they were written in: earlier part first, then row. */
export async function mergeParts(access: WriteAccess, parts: readonly string[], path: string): Promise<Checksum> {
  return copyTo(
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
  /** A file that is in memory; it is on disk by the next commit. */
  readonly put: (path: string, bytes: Uint8Array, checksum?: Checksum) => Promise<Checksum>
  /** Has what was put on disk, and the run held: before DuckDB reads or writes there. */
  readonly ready: () => Promise<void>
}

export async function copyTo({ duck, confirm, ready }: WriteAccess, path: string, select: string): Promise<Checksum> {
  await ready()
  const options = `FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ROW_GROUP_ROWS}`
  let checksum: Checksum | null = null
  const copy = async (beside: string): Promise<void> => {
    await duck.copy(`COPY (${select}) TO ${sqlText(beside)} (${options})`)
    checksum = await checksumOfFile(beside)
  }
  await makeFileAtomically(path, copy, confirm)
  if (checksum === null) throw new Error(`${path} was written and cannot be read`)
  duck.files.noteWritten(path, checksum)
  return checksum
}
