/**
 * The words of SQLite's file format: its header, its varints, its records. See https://www.sqlite.org/fileformat2.html.
 * Everything is checked against the bytes at hand, for the file may be cut, half-written or hostile.
 */

export type SqlValue = null | number | bigint | string | Uint8Array

type Encoding = 'utf8' | 'utf16le' | 'utf16be'

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
  const usable = pageSize - bytes.readUInt8(20)
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

type LayoutOutcome = 'whole' | 'beyond' | 'damaged'

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
    const first = bytes[at] ?? 0
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

/**
 * Just enough of SQL to read rows: which columns a CREATE TABLE statement stores, in which order, which of them is
 * the row's number, and what a row has that is older than a column.
 */
interface Column {
  /** In lower case: SQL does not tell `Step` from `step`. */
  readonly name: string
  /** What rows have that were written before the column was added. */
  readonly whenAbsent: SqlValue
}

export interface TableDefinition {
  readonly columns: readonly Column[]
  /** The column that is the row's number itself, and not stored. */
  readonly rowidColumn: string | null
}

/** Several times the longest definition of any tracker; the pattern below is slow on texts of unclosed quotes. */
const LONGEST_SQL = 16_384

const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|'(?:[^']|'')*'|[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*|\d[\w.+]*|[^\s]/g

const TABLE_CONSTRAINTS = new Set(['CONSTRAINT', 'PRIMARY', 'UNIQUE', 'CHECK', 'FOREIGN'])
const COLUMN_CONSTRAINTS = new Set(
  'CONSTRAINT PRIMARY NOT NULL UNIQUE CHECK DEFAULT COLLATE REFERENCES GENERATED AS ON DEFERRABLE'.split(' '),
)

/** Null for what is no table that can be read: one without row numbers, or no definition at all. */
export function parseTable(sql: string): TableDefinition | null {
  if (sql.length > LONGEST_SQL) return null
  const tokens = (sql.match(TOKEN) ?? []).filter(token => !token.startsWith('--') && !token.startsWith('/*'))
  const open = tokens.indexOf('(')
  if (open < 0 || tokens.slice(0, open).some(token => token.toUpperCase() === 'VIRTUAL')) return null
  const { parts, end } = partsFrom(tokens, open + 1)
  if (tokens.slice(end).some(token => token.toUpperCase() === 'WITHOUT')) return null
  const columns: Column[] = []
  let rowidColumn: string | null = null
  const integers = new Set<string>()
  for (const part of parts) {
    const [head] = part
    if (head === undefined) continue
    if (TABLE_CONSTRAINTS.has(head.toUpperCase())) {
      const key = primaryKeyOf(part)
      if (key !== null && integers.has(key)) rowidColumn = key
      continue
    }
    const name = unquoted(head).toLowerCase()
    const words = part.map(token => token.toUpperCase())
    if (isComputed(words)) continue
    if (isInteger(words)) integers.add(name)
    if (isInteger(words) && isPrimaryKey(words)) rowidColumn = name
    columns.push({ name, whenAbsent: defaultOf(part, words) })
  }
  return columns.length === 0 ? null : { columns, rowidColumn }
}

/** The definitions between the outer brackets. */
function partsFrom(tokens: readonly string[], from: number): { readonly parts: string[][]; readonly end: number } {
  let part: string[] = []
  const parts = [part]
  let depth = 0
  for (const [index, token] of tokens.slice(from).entries()) {
    if (token === ')' && depth === 0) return { parts, end: from + index + 1 }
    if (token === '(') depth += 1
    if (token === ')') depth -= 1
    if (token === ',' && depth === 0) {
      part = []
      parts.push(part)
    } else part.push(token)
  }
  return { parts, end: tokens.length }
}

/** `PRIMARY KEY (study_id)`, of one column. */
function primaryKeyOf(part: readonly string[]): string | null {
  const at = part.findIndex(token => token.toUpperCase() === 'PRIMARY')
  if (at < 0 || part[at + 2] !== '(') return null
  const close = part.indexOf(')', at)
  return part.slice(at, close).includes(',') ? null : unquoted(part[at + 3] ?? '').toLowerCase()
}

function isInteger(words: readonly string[]): boolean {
  return words[1] === 'INTEGER' && (words[2] === undefined || COLUMN_CONSTRAINTS.has(words[2]))
}

/** `INTEGER PRIMARY KEY DESC` is, by an old mistake that SQLite keeps, no row number. */
function isPrimaryKey(words: readonly string[]): boolean {
  const at = words.indexOf('PRIMARY', 1)
  return at > 0 && words[at + 1] === 'KEY' && words[at + 2] !== 'DESC'
}

/** Columns that are computed when read are not stored. */
function isComputed(words: readonly string[]): boolean {
  const at = words.indexOf('AS', 1)
  return at > 0 && words[at + 1] === '(' && !words.includes('STORED', at)
}

function defaultOf(part: readonly string[], words: readonly string[]): SqlValue {
  const at = words.indexOf('DEFAULT', 1)
  if (at < 0) return null
  const given = part.slice(at + 1).filter(token => token !== '(' && token !== '+')
  const sign = given[0] === '-' ? -1 : 1
  const literal = given[sign === -1 ? 1 : 0] ?? 'NULL'
  if (literal.startsWith("'")) return literal.slice(1, -1).replaceAll("''", "'")
  const word = literal.toUpperCase()
  if (word === 'TRUE' || word === 'FALSE') return word === 'TRUE' ? 1 : 0
  const number = Number(literal)
  return Number.isNaN(number) ? null : sign * number
}

function unquoted(token: string): string {
  const quote = token[0]
  if (token.length < 2) return token
  if (quote === '[') return token.slice(1, -1)
  if (quote === '"' || quote === '`' || quote === "'") {
    return token.slice(1, -1).replaceAll(quote + quote, quote)
  }
  return token
}
