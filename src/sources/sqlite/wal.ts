import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'

/**
 * The write-ahead log beside a database, `<file>-wal`: pages that are committed but not yet in the database itself.
 * Frames count up to the last one that ends a transaction, and only while their checksums run on; what follows is a
 * transaction under way, or what an earlier round of the log left behind.
 */
export interface Wal {
  /** The database's size in pages as of the last commit; null when nothing is committed. */
  pageCount(): number | null
  /** The newest committed content of a page, or null when the log does not hold it. */
  page(number: number): Buffer | null
  /** Takes in what was committed since; false when the log was begun anew or is gone, and must be opened again. */
  advance(): { readonly stillThere: boolean; readonly grown: boolean }
  close(): void
}

const LOG_HEADER = 32
const FRAME_HEADER = 24
const MAGIC_LITTLE = 0x377f0682
const MAGIC_BIG = 0x377f0683
const FORMAT = 3_007_000
/** Read at once while looking for commits. */
const STRETCH_BYTES = 1 << 20

interface Sums {
  first: number
  second: number
}

export function openWal(path: string, pageSize: number): Wal | null {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return null
  }
  const header = Buffer.alloc(LOG_HEADER)
  const bigEndian = readSync(file, header, 0, LOG_HEADER, 0) === LOG_HEADER ? byteOrder(header, pageSize) : null
  if (bigEndian === null) {
    closeSync(file)
    return null
  }
  const inode = fstatSync(file).ino
  const frameBytes = FRAME_HEADER + pageSize
  const sums: Sums = { first: header.readUInt32BE(24), second: header.readUInt32BE(28) }
  const places = new Map<number, number>()
  let pageCount: number | null = null
  let end = LOG_HEADER

  /** Whether the file at the path is the one that is open, in the same round. */
  function isSameRound(): boolean {
    const now = Buffer.alloc(LOG_HEADER)
    try {
      if (statSync(path).ino !== inode) return false
    } catch {
      return false
    }
    return readSync(file, now, 0, LOG_HEADER, 0) === LOG_HEADER && now.equals(header)
  }

  function takeCommits(): boolean {
    const running: Sums = { ...sums }
    let pending: [page: number, place: number][] = []
    let grown = false
    let at = end
    const stretch = Buffer.allocUnsafe(Math.max(1, Math.floor(STRETCH_BYTES / frameBytes)) * frameBytes)
    for (;;) {
      const got = readSync(file, stretch, 0, stretch.length, at)
      const frames = Math.floor(got / frameBytes)
      for (let index = 0; index < frames; index += 1) {
        const frame = stretch.subarray(index * frameBytes, (index + 1) * frameBytes)
        if (!isSound(frame, running)) return grown
        pending.push([frame.readUInt32BE(0), at + index * frameBytes + FRAME_HEADER])
        const committedSize = frame.readUInt32BE(4)
        if (committedSize === 0) continue
        for (const [page, place] of pending) places.set(page, place)
        pending = []
        pageCount = committedSize
        end = at + (index + 1) * frameBytes
        Object.assign(sums, running)
        grown = true
      }
      if (frames * frameBytes < stretch.length) return grown
      at += stretch.length
    }
  }

  function isSound(frame: Buffer, running: Sums): boolean {
    if (frame.readUInt32BE(0) === 0 || frame.compare(header, 16, 24, 8, 16) !== 0) return false
    addTo(running, frame, 0, 8, bigEndian === true)
    addTo(running, frame, FRAME_HEADER, frameBytes, bigEndian === true)
    return frame.readUInt32BE(16) === running.first && frame.readUInt32BE(20) === running.second
  }

  takeCommits()
  return {
    pageCount: () => pageCount,
    page(number) {
      const place = places.get(number)
      if (place === undefined) return null
      const page = Buffer.allocUnsafe(pageSize)
      return readSync(file, page, 0, pageSize, place) === pageSize ? page : null
    },
    advance: () => (isSameRound() ? { stillThere: true, grown: takeCommits() } : { stillThere: false, grown: false }),
    close: () => closeSync(file),
  }
}

/** Whether checksums take words most significant byte first; null when this is no log of such a database. */
function byteOrder(header: Buffer, pageSize: number): boolean | null {
  const magic = header.readUInt32BE(0)
  if ((magic !== MAGIC_LITTLE && magic !== MAGIC_BIG) || header.readUInt32BE(4) !== FORMAT) return null
  if (header.readUInt32BE(8) !== pageSize) return null
  const sums: Sums = { first: 0, second: 0 }
  addTo(sums, header, 0, 24, magic === MAGIC_BIG)
  const isSound = header.readUInt32BE(24) === sums.first && header.readUInt32BE(28) === sums.second
  return isSound ? magic === MAGIC_BIG : null
}

function addTo(sums: Sums, bytes: Buffer, from: number, to: number, bigEndian: boolean): void {
  let { first, second } = sums
  if (bigEndian) {
    for (let at = from; at < to; at += 8) {
      first = (first + bytes.readUInt32BE(at) + second) >>> 0
      second = (second + bytes.readUInt32BE(at + 4) + first) >>> 0
    }
  } else {
    for (let at = from; at < to; at += 8) {
      first = (first + bytes.readUInt32LE(at) + second) >>> 0
      second = (second + bytes.readUInt32LE(at + 4) + first) >>> 0
    }
  }
  sums.first = first
  sums.second = second
}
