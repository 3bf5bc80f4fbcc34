import { closeSync, fstatSync, openSync, read, readSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { promisify } from 'node:util'

/** Reading files in pieces, so that a log of any size costs the same memory. */

const CHUNK_BYTES = 1 << 20
/** Room in front of a chunk, for the beginning of a line or record that goes on in it: else each would be copied. */
const FRONT_BYTES = 1 << 14
/** Runs come with many small files; a megabyte for each would keep the garbage collector busy. */
const SMALLEST_CHUNK_BYTES = 1 << 16
/** A longer line is no log line; holding it would let one bad file eat the machine. */
const LONGEST_LINE_BYTES = 16 << 20
export const NEWLINE = 0x0a
export const RETURN = 0x0d
const NOTHING = Buffer.alloc(0)

/**
 * A long piece is read while the one before is looked at; the next but one comes to stand where this one was. So what is left of
 * a piece must be copied (`kept`) before the next is asked for.
 */
export async function* readChunks(path: string, from = 0): AsyncGenerator<Buffer> {
  const file = openSync(path, 'r')
  let ahead: Promise<Buffer> | null = null
  const memory: Buffer[] = []
  const inTurn = (length: number): Buffer => {
    if (memory.length === 0 && length < CHUNK_BYTES) return roomFor(length)
    const next = (memory.length === 2 ? memory.shift() : spare.pop()) ?? roomFor(CHUNK_BYTES)
    memory.push(next)
    return next
  }
  try {
    const { size } = fstatSync(file)
    for (let position = from; ; ) {
      const chunk: Buffer = await (ahead ?? chunkAt(file, position, size - position, inTurn))
      if (chunk.length === 0) return
      position += chunk.length
      ahead = size - position < CHUNK_BYTES ? null : chunkAt(file, position, CHUNK_BYTES, inTurn)
      // Who waits for it hears of its failure; until then it must not count as unhandled.
      ahead?.catch(() => {})
      yield chunk
    }
  } finally {
    await ahead?.catch(() => {})
    closeSync(file)
    if (spare.length === 0) spare.push(...memory)
  }
}

/** What the last long log was read into, for the next one. */
const spare: Buffer[] = []

const readInPool = promisify(read)

/** Short pieces are read at once: for those Node's thread pool costs more than the reading. */
async function chunkAt(
  file: number,
  position: number,
  left: number,
  room: (length: number) => Buffer,
): Promise<Buffer> {
  const length = Math.min(CHUNK_BYTES, Math.max(SMALLEST_CHUNK_BYTES, left))
  const chunk = room(length)
  if (length < CHUNK_BYTES) return chunk.subarray(0, readSync(file, chunk, 0, length, position))
  const { bytesRead } = await readInPool(file, chunk, 0, length, position)
  return chunk.subarray(0, bytesRead)
}

function roomFor(length: number): Buffer {
  return Buffer.allocUnsafeSlow(FRONT_BYTES + length).subarray(FRONT_BYTES)
}

/** What is left of a piece, in memory of its own. */
export function kept(left: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(left.length)
  copy.set(left)
  return copy
}

/** A chunk behind what was left of those before it, which is copied in front of it where that has room. */
export function behind(left: readonly Buffer[], chunk: Buffer): Buffer {
  const bytes = left.reduce((sum, { length }) => sum + length, 0)
  const start = chunk.byteOffset - bytes
  if (bytes > FRONT_BYTES || start < 0) return Buffer.concat([...left, chunk])
  const joined = Buffer.from(chunk.buffer, start, bytes + chunk.length)
  Buffer.concat(left).copy(joined)
  return joined
}

/** When a file was last written, in milliseconds; 0 where there is none. */
export async function writtenAt(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
}

export interface LineBlock {
  /** Whole lines, without the end of the last one; null in the last block. */
  readonly body: Buffer | null
  /** Byte offset behind the last line of this block. */
  readonly end: number
  /** What stands behind the last newline; only in the last block, and empty when the file ends with a newline. */
  readonly rest: Buffer
  readonly restBytes: number
  /** Lines left out because they were too long to be log lines. */
  readonly overlong: number
}

/**
 * Blocks of whole lines. With `returns`, a carriage return ends a line too: progress bars put one between states, and no
 * newline for hours.
 */
export async function* readLineBlocks(path: string, from = 0, { returns = false } = {}): AsyncGenerator<LineBlock> {
  const lastEnd = (chunk: Buffer): number => {
    const newline = chunk.lastIndexOf(NEWLINE)
    return returns ? Math.max(newline, chunk.lastIndexOf(RETURN)) : newline
  }
  const firstEnd = (chunk: Buffer): number => {
    const ends = [chunk.indexOf(NEWLINE), returns ? chunk.indexOf(RETURN) : -1].filter(at => at >= 0)
    return Math.min(...ends)
  }
  let pending: Buffer[] = []
  let pendingBytes = 0
  let end = from
  let overlong = 0
  let skipping = false
  for await (const chunk of readChunks(path, from)) {
    const lastNewline = lastEnd(chunk)
    if (lastNewline < 0) {
      pendingBytes += chunk.length
      if (!skipping) pending.push(kept(chunk))
      if (pendingBytes > LONGEST_LINE_BYTES) {
        skipping = true
        pending = []
      }
      continue
    }
    let start = 0
    if (skipping) {
      overlong += 1
      skipping = false
      start = firstEnd(chunk) + 1
    }
    const body = behind(pending, chunk.subarray(start, Math.max(start, lastNewline)))
    end += pendingBytes + lastNewline + 1
    const tail = chunk.subarray(lastNewline + 1)
    pending = tail.length > 0 ? [kept(tail)] : []
    pendingBytes = tail.length
    if (start > lastNewline) continue
    yield { body, end, rest: NOTHING, restBytes: 0, overlong }
    overlong = 0
  }
  if (skipping) overlong += 1
  const rest = skipping ? NOTHING : withoutReturn(Buffer.concat(pending))
  yield { body: null, end, rest, restBytes: pendingBytes, overlong }
}

function withoutReturn(line: Buffer): Buffer {
  return line.at(-1) === RETURN ? line.subarray(0, -1) : line
}
