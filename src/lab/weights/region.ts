import { type FileHandle, open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { Problem } from '../../logs/model/problem.js'
import { message } from '../../text/say.js'

/** Bytes that can be read at any place: a file, a part of it, or what was unpacked from it. Nothing is read before it is asked for. */

/** Pieces in which tensors are read: large enough for the disk, small enough for any machine; a multiple of every element size. */
const PIECE_BYTES = 1 << 22

export interface Region {
  /** Of the file, for error messages. */
  readonly path: string
  readonly length: number
  /** CRC-32 of all the bytes, where the file tells. It is checked when they are all read. */
  readonly checksum?: number
  read(from: number, length: number): Promise<Buffer>
}

interface WeightsHandle extends Region {
  close(): Promise<void>
}

export async function openRegion(path: string): Promise<WeightsHandle> {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw isMissing(error) ? new Problem('not-found', message('weights.no-file', { path })) : error
  })
  try {
    const about = await file.stat()
    if (!about.isFile()) throw new Problem('unreadable', message('weights.no-regular-file', { path }))
    return {
      path,
      length: about.size,
      read: (from, length) => readExactly(file, path, from, length),
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

export function partOf(whole: Region, from: number, length: number, checksum?: number): Region {
  return { path: whole.path, length, checksum, read: (at, count) => whole.read(from + at, count) }
}

export function memoryRegion(path: string, bytes: Buffer): Region {
  return { path, length: bytes.length, read: async (from, length) => bytes.subarray(from, from + length) }
}

export async function* pieces(region: Region, from: number, length: number): AsyncGenerator<Buffer> {
  let checksum = 0
  for (let done = 0; done < length; done += PIECE_BYTES) {
    const piece = await region.read(from + done, Math.min(PIECE_BYTES, length - done))
    checksum = crc32(piece, checksum)
    yield piece
  }
  const isWhole = from === 0 && length === region.length
  if (isWhole && region.checksum !== undefined && region.checksum !== checksum) {
    throw new Problem('unreadable', message('weights.bad-checksum', { path: region.path }))
  }
}

/** A file may shrink while it is read: that is an error, not zeros. */
async function readExactly(file: FileHandle, path: string, from: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, from + filled)
    if (bytesRead === 0) throw new Problem('unreadable', message('weights.cut-short', { path, needed: from + length }))
    filled += bytesRead
  }
  return bytes
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}
