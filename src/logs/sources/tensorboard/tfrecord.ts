import { type Scanned, scan as scanUsual } from '../binary/scanner.js'
import { behind, kept, readChunks } from '../files.js'
import { maskedCrc32c } from './crc32c.js'

/**
 * TFRecord files: length, checksum of the length, payload, checksum of the payload, and the next record. There are no
 * marks to find the next record by: a damaged payload costs one record, a damaged length the rest of the file.
 */

/**
 * Records are told by place, not as buffers of their own: a view per 50 bytes was measured to make
 * reading 1.5 times as slow.
 */
export interface TfRecordBatch {
  readonly bytes: Buffer
  /** Where in `bytes` each payload starts and ends. */
  readonly starts: readonly number[]
  readonly ends: readonly number[]
  /** Offset behind the last record that was read or left out: a later reading can start here. */
  readonly end: number
  /** What has been left out so far in this reading. */
  readonly damaged: LeftOut
  readonly overlong: LeftOut
  /** Where reading had to stop for good. */
  readonly stoppedAt: number | undefined
  /** Only in the last batch: bytes of a record that is not complete yet. Else 0. */
  readonly unreadBytes: number
}

interface LeftOut {
  readonly count: number
  readonly firstOffset: number
}

const HEADER_BYTES = 12
const FOOTER_BYTES = 4
/**
 * In a batch. Of more than 16,000, the list of their events is a large object to V8, which then keeps all of them alive
 * past their time: collecting garbage took a fifth of an import.
 */
const MOST_RECORDS = 4_096
/** After so many that are out of the ordinary, usual ones are looked for again. */
const MOST_UNUSUAL = 64
/** A longer record is left out: holding it would let one bad file eat the machine. */
const LONGEST_PAYLOAD_BYTES = 64 << 20

/** Length of the payload that a header at this position announces, or undefined when its checksum denies it. */
export function payloadLength(bytes: Buffer, position: number): number | undefined {
  const low = readUint32(bytes, position)
  const high = readUint32(bytes, position + 4)
  const checksum = readUint32(bytes, position + 8)
  return maskedCrc32c(bytes, position, position + 8) === checksum ? low + high * 2 ** 32 : undefined
}

/**
 * Records in batches, some per piece of file, from the start or from an earlier batch's `end`. Where `takeScanned` is given,
 * most go there instead, just before their batch.
 */
export async function* readTfRecords(
  path: string,
  from = 0,
  takeScanned?: (bytes: Buffer, scanned: Scanned) => void,
): AsyncGenerator<TfRecordBatch> {
  const most = takeScanned === undefined ? MOST_RECORDS : MOST_UNUSUAL
  const scan = startScan(from)
  let fileEnd = from
  let pieces: Buffer[] = []
  let pieceBytes = 0
  for await (const piece of readChunks(path, from)) {
    fileEnd += piece.length
    const wanted = piece.subarray(skipOverlong(scan, fileEnd - piece.length, piece.length))
    pieceBytes += wanted.length
    if (pieceBytes < scan.needed) {
      pieces.push(kept(wanted))
      continue
    }
    const bytes = behind(pieces, wanted)
    let position = 0
    for (let isFull = true; isFull; ) {
      const usual = takeScanned && scanUsual('scanEvents', bytes, position)
      if (usual && usual.count > 0) {
        takeScanned?.(bytes, usual)
        scan.end += usual.end - position
        position = usual.end
      } else {
        position = scanRecords(scan, bytes, position, most)
        isFull = scan.starts.length === most
      }
      yield takeBatch(scan, bytes, 0)
      if (scan.stoppedAt !== undefined) return
    }
    const rest = bytes.subarray(position)
    pieces = [kept(rest)]
    pieceBytes = rest.length
  }
  yield takeBatch(scan, Buffer.alloc(0), fileEnd - scan.end)
}

interface Scan {
  starts: number[]
  ends: number[]
  end: number
  damaged: LeftOut
  overlong: LeftOut
  stoppedAt: number | undefined
  /** How many bytes it takes to read the next record. */
  needed: number
  /** Where an overlong record ends that is being passed over. */
  overlongEnd: number | undefined
}

function startScan(from: number): Scan {
  const none = { count: 0, firstOffset: 0 }
  return {
    starts: [],
    ends: [],
    end: from,
    damaged: none,
    overlong: none,
    stoppedAt: undefined,
    needed: HEADER_BYTES,
    overlongEnd: undefined,
  }
}

function takeBatch(scan: Scan, bytes: Buffer, unreadBytes: number): TfRecordBatch {
  const { starts, ends, end, damaged, overlong, stoppedAt } = scan
  scan.starts = []
  scan.ends = []
  return { bytes, starts, ends, end, damaged, overlong, stoppedAt, unreadBytes }
}

/** How many of the bytes at this offset belong to an overlong record. */
function skipOverlong(scan: Scan, offset: number, length: number): number {
  if (scan.overlongEnd === undefined) return 0
  if (scan.overlongEnd > offset + length) return length
  const skipped = scan.overlongEnd - offset
  scan.overlong = oneMore(scan.overlong, scan.end)
  scan.end = scan.overlongEnd
  scan.overlongEnd = undefined
  return skipped
}

/** Reads whole records off the bytes from `start`, where `scan.end` is, and returns how many bytes are dealt with. */
function scanRecords(scan: Scan, bytes: Buffer, start: number, most: number): number {
  let position = start
  scan.needed = HEADER_BYTES
  while (position + HEADER_BYTES <= bytes.length && scan.starts.length < most) {
    const length = payloadLength(bytes, position)
    if (length === undefined) {
      scan.stoppedAt = scan.end
      return position
    }
    const payload = position + HEADER_BYTES
    const payloadEnd = payload + length
    const recordEnd = payloadEnd + FOOTER_BYTES
    if (length > LONGEST_PAYLOAD_BYTES) {
      scan.overlongEnd = scan.end + recordEnd - position
      return bytes.length
    }
    if (recordEnd > bytes.length) {
      scan.needed = recordEnd - position
      return position
    }
    if (maskedCrc32c(bytes, payload, payloadEnd) === readUint32(bytes, payloadEnd)) {
      scan.starts.push(payload)
      scan.ends.push(payloadEnd)
    } else {
      scan.damaged = oneMore(scan.damaged, scan.end)
    }
    scan.end += recordEnd - position
    position = recordEnd
  }
  return position
}

function oneMore({ count, firstOffset }: LeftOut, offset: number): LeftOut {
  return { count: count + 1, firstOffset: count === 0 ? offset : firstOffset }
}

function readUint32(bytes: Buffer, position: number): number {
  const low = (bytes[position] ?? 0) | ((bytes[position + 1] ?? 0) << 8)
  return (low | ((bytes[position + 2] ?? 0) << 16) | ((bytes[position + 3] ?? 0) << 24)) >>> 0
}
