import type { SqlValue } from './format.js'

/**
 * Just enough of SQL to read rows: which columns a CREATE TABLE statement stores, in which order, which of them is
 * the row's number, and what a row has that is older than a column.
 */
export interface Column {
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
    if (part.length === 0) continue
    if (TABLE_CONSTRAINTS.has(part[0].toUpperCase())) {
      const key = primaryKeyOf(part)
      if (key !== null && integers.has(key)) rowidColumn = key
      continue
    }
    const name = unquoted(part[0]).toLowerCase()
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
  const parts: string[][] = [[]]
  let depth = 0
  for (let at = from; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token === ')' && depth === 0) return { parts, end: at + 1 }
    if (token === '(') depth += 1
    if (token === ')') depth -= 1
    if (token === ',' && depth === 0) parts.push([])
    else parts[parts.length - 1].push(token)
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
  return words[1] === 'INTEGER' && (words.length === 2 || COLUMN_CONSTRAINTS.has(words[2]))
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
