import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { type DatabaseHeader, HEADER_BYTES, parseHeader } from './format.js'
import { type Journal, openWal, readJournal, type Wal } from './journal.js'

/**
 * The pages of a database as of its last commit, while another process may go on writing. No lock is taken, for a lock
 * could keep the writer out; instead whoever reads asks afterwards, by `refresh`, whether anything was committed
 * meanwhile, and if so reads again.
 */
export interface Pages {
  readonly header: DatabaseHeader
  count(): number
  /** Null for a page that is not there: a number out of range, or a file that was cut. */
  page(number: number): Buffer | null
  /** Takes in the newest state; true when it is another one than before. */
  refresh(): boolean
  /** When a transaction that is not finished was last written to, in milliseconds; null when there is none. */
  unfinishedSince(): number | null
  close(): void
}

/** Tables are mostly written front to back, so pages near each other are read together. */
const STRETCH_BYTES = 65_536
const STRETCHES_KEPT = 48

/** Null when the file is no database that can be read. File system errors pass through. */
export function openPages(path: string): Pages | null {
  const file = openSync(path, 'r')
  const first = Buffer.alloc(HEADER_BYTES)
  const header = readSync(file, first, 0, HEADER_BYTES, 0) === HEADER_BYTES ? parseHeader(first) : null
  if (header === null) {
    closeSync(file)
    return null
  }
  return pagesOf(path, file, header)
}

function pagesOf(path: string, file: number, header: DatabaseHeader): Pages {
  const { pageSize } = header
  const stretches = new Map<number, Buffer>()
  let wal: Wal | null = openWal(`${path}-wal`, pageSize)
  let counter = changeCounter()
  let journal: Journal | null = readJournal(`${path}-journal`, pageSize)
  let size = fstatSync(file).size

  /** Every transaction counts up here, unless it goes into the log. */
  function changeCounter(): string {
    const bytes = Buffer.alloc(HEADER_BYTES)
    readSync(file, bytes, 0, HEADER_BYTES, 0)
    return bytes.toString('latin1', 24, 32)
  }

  function stored(number: number): Buffer | null {
    const offset = (number - 1) * pageSize
    const at = Math.floor(offset / STRETCH_BYTES)
    let stretch = stretches.get(at)
    if (stretch === undefined) {
      const bytes = Buffer.allocUnsafe(STRETCH_BYTES)
      stretch = bytes.subarray(0, readSync(file, bytes, 0, STRETCH_BYTES, at * STRETCH_BYTES))
      const [oldest] = stretches.keys()
      if (oldest !== undefined && stretches.size >= STRETCHES_KEPT) stretches.delete(oldest)
    } else {
      stretches.delete(at)
    }
    stretches.set(at, stretch)
    const within = offset - at * STRETCH_BYTES
    return within + pageSize <= stretch.length ? stretch.subarray(within, within + pageSize) : null
  }

  function original({ places }: Journal, number: number): Buffer | null {
    const place = places.get(number)
    if (place === undefined) return null
    const page = Buffer.allocUnsafe(pageSize)
    try {
      const journalFile = openSync(`${path}-journal`, 'r')
      try {
        return readSync(journalFile, page, 0, pageSize, place) === pageSize ? page : null
      } finally {
        closeSync(journalFile)
      }
    } catch {
      // It was just committed and removed; the next refresh will tell.
      return null
    }
  }

  function count(): number {
    return journal?.pageCount ?? wal?.pageCount() ?? Math.floor(size / pageSize)
  }

  return {
    header,
    count,
    page(number) {
      if (!(number >= 1 && number <= count())) return null
      if (journal?.places.has(number)) return original(journal, number)
      return wal?.page(number) ?? stored(number)
    },
    refresh() {
      const advanced = wal?.advance() ?? { stillThere: false, grown: false }
      let changed = advanced.grown
      if (!advanced.stillThere) {
        const before = wal
        before?.close()
        wal = openWal(`${path}-wal`, pageSize)
        changed = before !== null || wal !== null
      }
      // Around the look at the journal: a commit that ends just then has either left its journal or counted up.
      const counterNow = changeCounter()
      const journalNow = readJournal(`${path}-journal`, pageSize)
      if (journalNow?.state !== journal?.state || counterNow !== counter || changeCounter() !== counter) changed = true
      if (changed) {
        journal = journalNow
        counter = counterNow
        size = fstatSync(file).size
        stretches.clear()
      }
      return changed
    },
    unfinishedSince: () => journal?.modifiedMs ?? null,
    close() {
      wal?.close()
      closeSync(file)
    },
  }
}
