import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

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
    for (let byte = pageSize - CHECKSUM_STRIDE; byte > 0; byte -= CHECKSUM_STRIDE) sum += record[4 + byte]
    if (sum >>> 0 !== record.readUInt32BE(pageSize + 4)) return null
    const page = record.readUInt32BE(0)
    if (!places.has(page)) places.set(page, at + 4)
    at += record.length
  }
  return at
}
