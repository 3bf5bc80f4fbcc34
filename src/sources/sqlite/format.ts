/**
 * The words of SQLite's file format: its header, its varints, its records. See https://www.sqlite.org/fileformat2.html.
 * Everything is checked against the bytes at hand, for the file may be cut, half-written or hostile.
 */

export type SqlValue = null | number | bigint | string | Uint8Array

export type Encoding = 'utf8' | 'utf16le' | 'utf16be'

export interface DatabaseHeader {
  readonly pageSize: number
  /** What trees may use of each page. */
  readonly usable: number
  readonly encoding: Encoding
}

const MAGIC = Buffer.from('SQLite format 3\0', 'latin1')
export const HEADER_BYTES = 100
const SMALLEST_PAGE = 512
const LARGEST_PAGE = 65_536
/** The format allows no less room on a page than this. */
const LEAST_USABLE = 480

export function isSqlite(head: Uint8Array): boolean {
  return head.length >= HEADER_BYTES && MAGIC.equals(head.subarray(0, MAGIC.length))
}

export function parseHeader(bytes: Buffer): DatabaseHeader | null {
  if (!isSqlite(bytes)) return null
  const written = bytes.readUInt16BE(16)
  const pageSize = written === 1 ? LARGEST_PAGE : written
  if (pageSize < SMALLEST_PAGE || (pageSize & (pageSize - 1)) !== 0) return null
  const usable = pageSize - bytes[20]
  if (usable < LEAST_USABLE) return null
  return { pageSize, usable, encoding: ENCODINGS[bytes.readUInt32BE(56)] ?? 'utf8' }
}

const ENCODINGS: { readonly [code: number]: Encoding } = { 1: 'utf8', 2: 'utf16le', 3: 'utf16be' }

/** Seven bits a byte, most significant first; a ninth byte gives all eight. Beyond 2^53 the number is not exact. */
export function varintAt(bytes: Uint8Array, at: number): number {
  let value = 0
  for (let index = 0; index < 8; index += 1) {
    const byte = bytes[at + index] ?? 0
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) return value
  }
  let exact = 0n
  for (let index = 0; index < 8; index += 1) exact = (exact << 7n) | BigInt((bytes[at + index] ?? 0) & 0x7f)
  return Number(BigInt.asIntN(64, (exact << 8n) | BigInt(bytes[at + 8] ?? 0)))
}

export function varintLength(bytes: Uint8Array, at: number): number {
  for (let index = 0; index < 8; index += 1) if ((bytes[at + index] ?? 0) < 0x80) return index + 1
  return 9
}

/** Bytes that a value of this type takes; -1 for types that no file may have. */
function sizeOf(serialType: number): number {
  if (serialType >= 12) return (serialType - (serialType & 1 ? 13 : 12)) / 2
  return SIZES[serialType] ?? -1
}

const SIZES = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0]

/** Where the columns of a record lie. Two numbers a column: the type and the offset. */
export type RecordLayout = number[]

export type LayoutOutcome = 'whole' | 'beyond' | 'damaged'

/**
 * Finds the first columns of a record that may be longer than the bytes at hand. `beyond`: what is asked for does not
 * lie within them. A record may have fewer columns than its table, when these were added later.
 */
export function layOut(bytes: Buffer, length: number, columns: number, layout: RecordLayout): LayoutOutcome {
  layout.length = 0
  const headerSize = varintAt(bytes, 0)
  if (!(headerSize >= 1 && headerSize <= length)) return 'damaged'
  if (headerSize > bytes.length) return 'beyond'
  let at = varintLength(bytes, 0)
  let offset = headerSize
  for (let column = 0; column < columns && at < headerSize; column += 1) {
    const first = bytes[at]
    const type = first < 0x80 ? first : varintAt(bytes, at)
    at += first < 0x80 ? 1 : varintLength(bytes, at)
    const size = sizeOf(type)
    if (size < 0 || offset + size > length) return 'damaged'
    layout.push(type, offset)
    offset += size
  }
  return offset <= bytes.length ? 'whole' : 'beyond'
}

export function valueAt(bytes: Buffer, serialType: number, at: number, encoding: Encoding): SqlValue {
  switch (serialType) {
    case 0:
      return null
    case 1:
      return bytes.readInt8(at)
    case 2:
      return bytes.readInt16BE(at)
    case 3:
      return bytes.readIntBE(at, 3)
    case 4:
      return bytes.readInt32BE(at)
    case 5:
      return bytes.readIntBE(at, 6)
    case 6: {
      const exact = bytes.readBigInt64BE(at)
      const value = Number(exact)
      return Number.isSafeInteger(value) ? value : exact
    }
    case 7:
      return bytes.readDoubleBE(at)
    case 8:
      return 0
    case 9:
      return 1
    default: {
      const end = at + sizeOf(serialType)
      return serialType & 1 ? textOf(bytes.subarray(at, end), encoding) : Uint8Array.from(bytes.subarray(at, end))
    }
  }
}

export function sizeOfText(serialType: number): number {
  return serialType >= 13 && serialType & 1 ? sizeOf(serialType) : -1
}

function textOf(bytes: Buffer, encoding: Encoding): string {
  if (encoding === 'utf8') return bytes.toString('utf8')
  const even = bytes.subarray(0, bytes.length & ~1)
  return encoding === 'utf16le' ? even.toString('utf16le') : Buffer.from(even).swap16().toString('utf16le')
}

export function bytesOfText(text: string, encoding: Encoding): Buffer {
  if (encoding === 'utf8') return Buffer.from(text, 'utf8')
  const bytes = Buffer.from(text, 'utf16le')
  return encoding === 'utf16le' ? bytes : bytes.swap16()
}
