import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'

/**
 * The rollback journal, `<file>-journal`: pages as they were before a transaction that has begun to change the database,
 * and either still does or died over it. Put over the database they give its last committed state, which is what SQLite
 * itself does when it opens such a file, except that it writes. Nothing is written here.
 */
export interface Journal {
  /** Differs as soon as the journal does. */
  readonly state: string
  /** Where in the journal each original page stands. */
  readonly places: ReadonlyMap<number, number>
  /** The database's size in pages before the transaction. */
  readonly pageCount: number
  readonly modifiedMs: number
}

const MAGIC = Buffer.from('d9d505f920a163d7', 'hex')
const HEADER_BYTES = 28
const UNCOUNTED = 0xffff_ffff
/** The checksum looks at every 200th byte of a page, from its end. */
const CHECKSUM_STRIDE = 200

/** Null when there is none, or none that has touched the database. */
export function readJournal(path: string, pageSize: number): Journal | null {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return null
  }
  try {
    const { size, mtimeMs } = fstatSync(file)
    const header = Buffer.alloc(HEADER_BYTES)
    const places = new Map<number, number>()
    let pageCount: number | null = null
    for (let at = 0; at + HEADER_BYTES <= size; ) {
      readSync(file, header, 0, HEADER_BYTES, at)
      const sector = header.readUInt32BE(20)
      if (!header.subarray(0, 8).equals(MAGIC) || header.readUInt32BE(24) !== pageSize || sector < HEADER_BYTES) break
      pageCount ??= header.readUInt32BE(16)
      const written = header.readUInt32BE(8)
      const room = Math.max(0, Math.floor((size - at - sector) / (pageSize + 8)))
      const end = takePages(file, at + sector, written === UNCOUNTED ? room : Math.min(room, written), {
        pageSize,
        nonce: header.readUInt32BE(12),
        places,
      })
      if (end === null) break
      at = Math.ceil(end / sector) * sector
    }
    if (pageCount === null || places.size === 0) return null
    return { state: `${size} ${mtimeMs} ${places.size}`, places, pageCount, modifiedMs: mtimeMs }
  } finally {
    closeSync(file)
  }
}

interface Taking {
  readonly pageSize: number
  readonly nonce: number
  readonly places: Map<number, number>
}

/** The first content of a page is the original one. Returns where the records end, null at one that is not sound. */
function takePages(file: number, from: number, count: number, { pageSize, nonce, places }: Taking): number | null {
  const record = Buffer.allocUnsafe(pageSize + 8)
  let at = from
  for (let index = 0; index < count; index += 1) {
    if (readSync(file, record, 0, record.length, at) < record.length) return null
    let sum = nonce
    for (let byte = pageSize - CHECKSUM_STRIDE; byte > 0; byte -= CHECKSUM_STRIDE) sum += record.readUInt8(4 + byte)
    if (sum >>> 0 !== record.readUInt32BE(pageSize + 4)) return null
    const page = record.readUInt32BE(0)
    if (!places.has(page)) places.set(page, at + 4)
    at += record.length
  }
  return at
}

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
  /** Takes in what was committed since; false when the log was begun again or is gone, and must be opened again. */
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
