import { type FileHandle, open } from 'node:fs/promises'
import type { LogPiece } from './executor.js'

/** What a program has printed into a file that may still grow. */

const CHUNK = 1 << 20

/** Whole characters only: the rest of one that is being written comes next time. A file that is not there yet is empty. */
export async function textFrom(path: string, from: number | 'end'): Promise<LogPiece> {
  if (from === 'end') return { text: '', next: (await withFile(path, file => file.stat()))?.size ?? 0 }
  const read = await withFile(path, file => file.read(Buffer.alloc(CHUNK), 0, CHUNK, from))
  if (read === null) return { text: '', next: from }
  const whole = wholeCharacters(read.buffer.subarray(0, read.bytesRead))
  return { text: whole.toString('utf8'), next: from + whole.length }
}

const TAIL = 4096

export async function lastLines(path: string, count: number): Promise<string> {
  const text = await withFile(path, async file => {
    const { size } = await file.stat()
    const { buffer, bytesRead } = await file.read(Buffer.alloc(TAIL), 0, TAIL, Math.max(0, size - TAIL))
    return buffer.toString('utf8', 0, bytesRead)
  })
  return (text ?? '').trimEnd().split('\n').slice(-count).join(' ').trim()
}

async function withFile<Result>(path: string, use: (file: FileHandle) => Promise<Result>): Promise<Result | null> {
  const file = await open(path).catch(() => null)
  if (file === null) return null
  try {
    return await use(file)
  } finally {
    await file.close()
  }
}

/** UTF-8: the first byte of a character tells its length, all others begin with the bits 10. */
function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]
    if ((byte & 0b1100_0000) === 0b1000_0000) continue
    const length = byte >= 0b1111_0000 ? 4 : byte >= 0b1110_0000 ? 3 : byte >= 0b1100_0000 ? 2 : 1
    return length > back ? bytes.subarray(0, bytes.length - back) : bytes
  }
  return bytes
}
