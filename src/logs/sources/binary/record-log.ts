import { crc32 } from 'node:zlib'
import { readChunks } from '../files.js'

/**
 * The container that W&B and SwanLab share: LevelDB's log format behind a header of 7 bytes. It differs from LevelDB
 * in two ways: blocks are counted from the file's start, header included, and the checksum is plain CRC-32.
 *
 * A file is a row of blocks of 32 KiB; a block holds chunks; a record is one FULL chunk, or FIRST, MIDDLE…, LAST across
 * blocks. That is what makes it robust: after damage, reading goes on with the next block, where the trackers' own
 * readers give up.
 */

export interface RecordLogFormat {
  readonly ident: string
  readonly magic: number
  readonly version: number
}

interface RecordBatch {
  readonly records: readonly Buffer[]
  /** Offset behind the last whole record: a later reading can start here. */
  readonly end: number
  /** What has been lost so far in this reading. */
  readonly damage: Damage
  /** Only in the last batch: bytes of a record that is not complete yet, or of a zero-filled end. Else 0. */
  readonly unreadBytes: number
}

export interface Damage {
  /** How many stretches of the file could not be read. Each may have held several records. */
  readonly places: number
  readonly bytes: number
  readonly firstOffset: number
}

const FILE_HEADER_BYTES = 7
const BLOCK_BYTES = 32_768
const CHUNK_HEADER_BYTES = 7
/** A longer record is no log record; holding it would let one bad file eat the machine. */
const LONGEST_RECORD_BYTES = 64 << 20

const FULL = 1
const FIRST = 2
const LAST = 4

/** The version in the header, or undefined when the file is of another kind. */
export function recordLogVersion(head: Uint8Array, { ident, magic }: RecordLogFormat): number | undefined {
  for (let index = 0; index < 4; index += 1) if (head[index] !== ident.charCodeAt(index)) return undefined
  const [low = 0, high = 0, version] = head.subarray(4, FILE_HEADER_BYTES)
  return (low | (high << 8)) === magic ? version : undefined
}

/** Records in batches, one batch per piece of file, from the start or from an earlier batch's `end`. */
export async function* readRecords(path: string, from = FILE_HEADER_BYTES): AsyncGenerator<RecordBatch> {
  const scan = startScan(from)
  const firstBlock = from - (from % BLOCK_BYTES)
  let offset = firstBlock
  let rest: Buffer = Buffer.alloc(0)
  for await (const piece of readChunks(path, firstBlock)) {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece])
    const whole = bytes.length - (bytes.length % BLOCK_BYTES)
    scanBlocks(scan, bytes.subarray(0, whole), offset)
    rest = bytes.subarray(whole)
    offset += whole
    if (whole > 0) yield takeBatch(scan, 0)
  }
  scanBlocks(scan, rest, offset)
  yield takeBatch(scan, finishScan(scan, offset + rest.length))
}

/** The records of the first block, as far as the head of a file holds it. */
export function recordsInHead(head: Uint8Array): readonly Buffer[] {
  const scan = startScan(FILE_HEADER_BYTES)
  scanBlock(scan, Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, BLOCK_BYTES)), 0)
  return scan.records
}

/** Where a scan stands between two blocks. */
interface Scan {
  records: Buffer[]
  /** Offset of the next chunk to look at. */
  next: number
  /** Offset behind the last whole record. */
  end: number
  /** The pieces of a record that goes on in the next block; empty when none is open. */
  pieces: Buffer[]
  pieceBytes: number
  /** Where the unreadable stretch began that has not ended yet. */
  damagedFrom: number | undefined
  /** That stretch is zero-filled: damage if records follow, but at the file's end only space not written yet. */
  onlyZeros: boolean
  damage: Damage
}

function startScan(from: number): Scan {
  return {
    records: [],
    next: from,
    end: from,
    pieces: [],
    pieceBytes: 0,
    damagedFrom: undefined,
    onlyZeros: false,
    damage: { places: 0, bytes: 0, firstOffset: 0 },
  }
}

function takeBatch(scan: Scan, unreadBytes: number): RecordBatch {
  const { records, end, damage } = scan
  scan.records = []
  return { records, end, damage, unreadBytes }
}

/** `bytes` start at a block boundary and hold whole blocks, or the incomplete last one. */
function scanBlocks(scan: Scan, bytes: Buffer, offset: number): void {
  for (let start = 0; start < bytes.length; start += BLOCK_BYTES) {
    scanBlock(scan, bytes.subarray(start, start + BLOCK_BYTES), offset + start)
  }
}

function scanBlock(scan: Scan, block: Buffer, offset: number): void {
  let position = scan.next - offset
  while (position + CHUNK_HEADER_BYTES <= block.length) {
    const checksum = block.readUInt32LE(position)
    const length = block.readUInt16LE(position + 4)
    const type = block.readUInt8(position + 6)
    const payload = position + CHUNK_HEADER_BYTES
    const chunkEnd = payload + length
    if (type >= FULL && type <= LAST && chunkEnd > block.length && chunkEnd <= BLOCK_BYTES) {
      scan.next = offset + position
      return
    }
    const sound =
      type >= FULL &&
      type <= LAST &&
      chunkEnd <= BLOCK_BYTES &&
      crc32(block.subarray(position + 6, chunkEnd)) === checksum
    if (!sound) {
      markDamage(scan, offset + position, type === 0 && length === 0 && checksum === 0)
      break
    }
    takeChunk(scan, type, block.subarray(payload, chunkEnd), offset + position, offset + chunkEnd)
    position = chunkEnd
  }
  if (block.length < BLOCK_BYTES) return
  // What is left is padding, too short for a header, or was given up.
  scan.next = offset + BLOCK_BYTES
  if (scan.pieces.length === 0 && scan.damagedFrom === undefined) scan.end = scan.next
}

function takeChunk(scan: Scan, type: number, payload: Buffer, start: number, end: number): void {
  if (type === FULL || type === FIRST) {
    if (scan.pieces.length > 0) markDamage(scan, start)
    endDamage(scan, start)
    scan.end = start
  } else if (scan.pieces.length === 0 || scan.pieceBytes + payload.length > LONGEST_RECORD_BYTES) {
    markDamage(scan, start)
    return
  }
  if (type === FULL) {
    scan.records.push(payload)
    scan.end = end
    return
  }
  scan.pieces.push(payload)
  scan.pieceBytes += payload.length
  if (type !== LAST) return
  scan.records.push(Buffer.concat(scan.pieces))
  dropPieces(scan)
  scan.end = end
}

/** A record that was begun is lost with the place that cannot be read. */
function markDamage(scan: Scan, offset: number, zeros = false): void {
  scan.onlyZeros = zeros && (scan.damagedFrom === undefined ? scan.pieces.length === 0 : scan.onlyZeros)
  scan.damagedFrom ??= scan.pieces.length > 0 ? scan.end : offset
  dropPieces(scan)
}

function dropPieces(scan: Scan): void {
  scan.pieces = []
  scan.pieceBytes = 0
}

function endDamage(scan: Scan, offset: number): void {
  if (scan.damagedFrom === undefined) return
  const { places, bytes, firstOffset } = scan.damage
  scan.damage = {
    places: places + 1,
    bytes: bytes + offset - scan.damagedFrom,
    firstOffset: places === 0 ? scan.damagedFrom : firstOffset,
  }
  scan.damagedFrom = undefined
}

/** Settles what stands behind the last whole record, and returns how much of it may still become one. */
function finishScan(scan: Scan, fileEnd: number): number {
  if (scan.damagedFrom === undefined || scan.onlyZeros) return Math.max(0, fileEnd - scan.end)
  endDamage(scan, fileEnd)
  return 0
}
