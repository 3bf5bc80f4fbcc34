import {
  bytesOfText,
  layOut,
  type RecordLayout,
  type SqlValue,
  sizeOfText,
  type TableDefinition,
  valueAt,
  varintAt,
  varintLength,
} from './format.js'
import type { Pages } from './pages.js'

/**
 * Walks the tree of a table from a row on, some leaves at a time. In a sound file every leaf and every overflow page
 * belongs to one place, and rows are numbered upwards; a scan holds the file to that, so no loop of pointers and no
 * page that a thousand rows share can make it long or large. What is damaged is left out and counted.
 */

export interface Table extends TableDefinition {
  readonly root: number
}

export interface ScanRequest {
  readonly columns: readonly string[]
  /** Only rows that have this value in this column. */
  readonly only?: { readonly column: string; readonly value: string | number }
  /** Rows with greater numbers than this. */
  readonly after?: number
  /** Rows with numbers up to this. */
  readonly upTo?: number
}

export interface RowBatch {
  /** The values of the columns that were asked for, in that order. */
  readonly rows: SqlValue[][]
  /** The number of each of these rows. */
  readonly numbers: number[]
  /** The number of the last row that was looked at, whether it was wanted or not. */
  readonly last: number
  readonly isLast: boolean
  /** Pages and rows that could not be read. */
  readonly damaged: number
}

interface Scan {
  /** The next rows. The last batch may be empty. */
  next(after: number, leaves: number): RowBatch
}

const INTERIOR = 5
const LEAF = 13
/** As deep as SQLite itself goes. */
const DEEPEST = 20
/** As long as the longest line of a text log. */
const LARGEST_ROW_BYTES = 16 << 20
/** Rows with long texts end a batch early. */
const BATCH_BYTES = 8 << 20

export function scanTable(pages: Pages, table: Table, request: ScanRequest): Scan {
  const { usable, encoding } = pages.header
  const upTo = request.upTo ?? Number.MAX_SAFE_INTEGER
  const places = request.columns.map(name => table.columns.findIndex(column => column.name === name))
  const onlyPlace = table.columns.findIndex(({ name }) => name === request.only?.column)
  const onlyText = typeof request.only?.value === 'string' ? bytesOfText(request.only.value, encoding) : null
  const width = Math.max(onlyPlace, ...places) + 1
  const layout: RecordLayout = []
  /** Leaves and overflow pages that were read. A file that has changed needs a new scan. */
  const used = pageSet()
  let leavesRead = 0
  let interiors = 0

  let rows: SqlValue[][] = []
  let numbers: number[] = []
  let last = 0
  let leavesLeft = 0
  let bytesLeft = 0
  let damaged = 0
  let path = new Set<number>()

  /** False when the walk is to stop here. */
  function visit(number: number, depth: number): boolean {
    const page = pages.page(number)
    const base = number === 1 ? 100 : 0
    const type = page?.[base]
    if (page === null || depth > DEEPEST || (type !== INTERIOR && type !== LEAF)) {
      damaged += 1
      return true
    }
    return type === LEAF ? visitLeaf(page, number, base) : visitInterior(page, number, base, depth)
  }

  function visitInterior(page: Buffer, number: number, base: number, depth: number): boolean {
    interiors += 1
    if (path.has(number) || interiors > pages.count() + leavesRead * DEEPEST + DEEPEST) {
      damaged += 1
      return true
    }
    path.add(number)
    const cells = cellCount(page, base, base + 12)
    for (let index = 0; index < cells; index += 1) {
      const at = page.readUInt16BE(base + 12 + 2 * index)
      if (at + 5 > usable) {
        damaged += 1
        continue
      }
      if (varintAt(page, at + 4) > last && !visit(page.readUInt32BE(at), depth + 1)) return false
    }
    return visit(page.readUInt32BE(base + 8), depth + 1)
  }

  function visitLeaf(page: Buffer, number: number, base: number): boolean {
    if (used.has(number)) return true
    used.add(number)
    leavesRead += 1
    const cells = cellCount(page, base, base + 8)
    for (let index = 0; index < cells; index += 1) {
      const at = page.readUInt16BE(base + 8 + 2 * index)
      if (at + 3 > usable) {
        damaged += 1
        continue
      }
      const payload = varintAt(page, at)
      const rowidAt = at + varintLength(page, at)
      const rowid = varintAt(page, rowidAt)
      if (rowid <= last) continue
      if (rowid > upTo) return false
      last = rowid
      takeRow(page, rowidAt + varintLength(page, rowidAt), payload, rowid)
    }
    leavesLeft = bytesLeft > 0 ? leavesLeft - 1 : 0
    return leavesLeft > 0
  }

  function cellCount(page: Buffer, base: number, pointers: number): number {
    const cells = page.readUInt16BE(base + 3)
    const room = Math.floor((usable - pointers) / 2)
    if (cells > room) damaged += 1
    return Math.min(cells, room)
  }

  function takeRow(page: Buffer, at: number, length: number, rowid: number): void {
    const near = localBytes(length)
    if (!(length >= 1 && length <= LARGEST_ROW_BYTES) || at + near + (near < length ? 4 : 0) > usable) {
      damaged += 1
      return
    }
    let bytes = page.subarray(at, at + near)
    // What rows are chosen by lies at the front, so most that are not wanted need no overflow page.
    if (onlyPlace >= 0) {
      const outcome = layOut(bytes, length, onlyPlace + 1, layout)
      if (outcome === 'whole' && !isWanted(bytes, rowid)) return
    }
    let outcome = layOut(bytes, length, width, layout)
    if (outcome === 'beyond') {
      const whole = assemble(bytes, page.readUInt32BE(at + near), length)
      outcome = whole === null ? 'damaged' : layOut(whole, length, width, layout)
      bytes = whole ?? bytes
    }
    if (outcome !== 'whole') damaged += 1
    else if (onlyPlace < 0 || isWanted(bytes, rowid)) {
      rows.push(places.map(place => valueIn(bytes, place, rowid)))
      numbers.push(rowid)
    }
  }

  /** How much of a row lies on its leaf; the rest is on overflow pages. */
  function localBytes(length: number): number {
    if (length <= usable - 35) return length
    const least = Math.floor(((usable - 12) * 32) / 255) - 23
    const fitting = least + ((length - least) % (usable - 4))
    return fitting <= usable - 35 ? fitting : least
  }

  function assemble(near: Buffer, first: number, length: number): Buffer | null {
    let next = first
    if (used.has(next) || next === 0 || next > pages.count()) return null
    bytesLeft -= length
    const pieces = [near]
    let missing = length - near.length
    while (missing > 0) {
      const page = used.has(next) ? null : pages.page(next)
      if (page === null) return null
      used.add(next)
      const piece = page.subarray(4, Math.min(usable, 4 + missing))
      pieces.push(piece)
      missing -= piece.length
      next = page.readUInt32BE(0)
    }
    return Buffer.concat(pieces)
  }

  function isWanted(bytes: Buffer, rowid: number): boolean {
    const type = layout[onlyPlace * 2]
    const at = layout[onlyPlace * 2 + 1]
    if (onlyText === null || type === undefined || at === undefined)
      return valueIn(bytes, onlyPlace, rowid) === request.only?.value
    if (sizeOfText(type) !== onlyText.length) return false
    return onlyText.compare(bytes, at, at + onlyText.length) === 0
  }

  function valueIn(bytes: Buffer, place: number, rowid: number): SqlValue {
    const column = place < 0 ? undefined : table.columns[place]
    if (column === undefined) return null
    if (column.name === table.rowidColumn) return rowid
    const type = layout[place * 2]
    const at = layout[place * 2 + 1]
    return type === undefined || at === undefined ? column.whenAbsent : valueAt(bytes, type, at, encoding)
  }

  return {
    next(after, leaves) {
      rows = []
      numbers = []
      last = after
      leavesLeft = leaves
      bytesLeft = BATCH_BYTES
      damaged = 0
      path = new Set()
      const isLast = visit(table.root, 0) || leavesLeft > 0
      return { rows, numbers, last, isLast, damaged }
    },
  }
}

/** A set of page numbers, a bit each: a database of gigabytes has millions of pages. */
interface PageSet {
  has(page: number): boolean
  add(page: number): void
  clear(): void
}

const BITS_PER_BLOCK = 8192

function pageSet(): PageSet {
  const blocks = new Map<number, Uint8Array>()
  return {
    has(page) {
      const block = blocks.get(Math.floor(page / BITS_PER_BLOCK))
      const byte = block?.[(page % BITS_PER_BLOCK) >> 3] ?? 0
      return (byte & (1 << (page & 7))) !== 0
    },
    add(page) {
      const at = Math.floor(page / BITS_PER_BLOCK)
      const block = blocks.get(at) ?? new Uint8Array(BITS_PER_BLOCK / 8)
      blocks.set(at, block)
      const byte = (page % BITS_PER_BLOCK) >> 3
      block[byte] = (block[byte] ?? 0) | (1 << (page & 7))
    },
    clear: () => blocks.clear(),
  }
}
