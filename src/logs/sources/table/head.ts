import { basename, extname } from 'node:path'
import { type PrintedCell, readCell } from '../../document/printed-cell.js'
import { FRAMEWORK_DATA } from '../../model/frameworks/registry.js'
import { isJsonObject, type Json, type JsonObject, numberFromJson } from '../../model/json.js'
import { type HeadLines, headLines } from '../encoding.js'
import { flatten, parsePythonJson } from '../python-json.js'
import type { SourceFile } from '../source.js'
import { isAsWide, isBlank, recordAssembler, sniffDelimiter, splitFields } from './csv-records.js'
import { findTable, type JsonRows } from './json-tables.js'

/**
 * The first rows of a table file, in whatever format it is written. All that klens decides about a table (which
 * column is the step, which are text) it decides from here, so that it need not be read to be understood.
 */
export interface TableHead {
  readonly format: 'csv' | 'jsonl' | 'json'
  readonly columns: readonly string[]
  /** Cells parallel to the columns. */
  readonly rows: readonly (readonly PrintedCell[])[]
  /** Whether these rows stay the first rows when the file grows; if not, decisions may change with it. */
  readonly settled: boolean
  /** Whether a row is known by its place: lists of numbers are, whose order is the order of the training. */
  readonly hasPlaces?: boolean
  /** How the CSV is written. */
  readonly csv?: CsvLayout
}

interface CsvLayout {
  readonly delimiter: string
  /** The line on which the column names stand, from 1. */
  readonly headerLine: number
  /** Whether `0,5` is a half: spreadsheets of many countries write so, with semicolons between the fields. */
  readonly decimalComma: boolean
  /** The share of rows that are as wide as the header. */
  readonly evenShare: number
}

/** Decisions rest on so many rows, where there are as many. */
const DECIDING_ROWS = 100
/** And on fewer where rows are very long. */
const DECIDING_CELLS = 100_000

/** Several sources look at a file in turn; the last head is kept so that it is parsed only once. */
let latest: { readonly file: SourceFile; readonly head: TableHead | null } | null = null

/** Null when the file is no table of any kind. */
export function readTableHead(file: SourceFile): TableHead | null {
  if (latest?.file !== file) latest = { file, head: parseHead(file) }
  return latest.head
}

function parseHead(file: SourceFile): TableHead | null {
  const head = headLines(file)
  if (head === null) return null
  const start = (head.lines.find(isSignificant) ?? head.rest).trimStart()
  if (start.startsWith('[')) return jsonHead(file.path, head)
  if (start.startsWith('{')) return jsonlHead(file.path, head) ?? jsonHead(file.path, head)
  return csvHead(head)
}

/** The lines to decide from. The last one may still be growing, so it counts only where there are few. */
function decidingLines({ lines, rest, whole }: HeadLines): readonly string[] {
  return whole && rest !== '' && lines.length < DECIDING_ROWS ? [...lines, rest] : lines
}

function isSettled(rows: number, head: HeadLines): boolean {
  return !head.whole || (rows >= DECIDING_ROWS && head.lines.length >= DECIDING_ROWS)
}

function isSignificant(line: string): boolean {
  return line.trim() !== '' && !isComment(line)
}

export function isComment(line: string): boolean {
  return line.startsWith('#') || line.startsWith('//')
}

/** Whether the rows are so long that the head ends within the first, or within the names above it. */
export function isCutInFirstRow({ rows, settled }: TableHead): boolean {
  return settled && rows.length <= 1
}

/** Files of a framework that hold an object a line, though they are called .json. */
const LINES_OF_JSON = new Set(
  FRAMEWORK_DATA.flatMap(({ layout = [] }) => layout)
    .filter(({ source }) => source === 'jsonl')
    .map(({ path }) => basename(path)),
)

function jsonlHead(path: string, head: HeadLines): TableHead | null {
  const lines = decidingLines(head).filter(isSignificant).slice(0, DECIDING_ROWS)
  // One object in a .json file is a JSON document that happens to stand on one line.
  if (lines.length < 2 && extname(path).toLowerCase() === '.json' && !LINES_OF_JSON.has(basename(path))) return null
  const values = lines.length > 0 ? lines.map(parsePythonJson) : [parsePythonJson(closeCutJson(head.rest))]
  // A first line that is no object belongs to JSON over several lines.
  if (!isJsonObject(values[0])) return null
  return { format: 'jsonl', ...tabulate(values.filter(isJsonObject)), settled: isSettled(lines.length, head) }
}

function jsonHead(path: string, head: HeadLines): TableHead | null {
  const text = [...head.lines, head.rest].join('\n')
  const whole = head.whole ? parsePythonJson(text) : undefined
  // Also of a small file that was cut off: it is recognised, so that reading can say what is wrong.
  const value = whole ?? parsePythonJson(closeCutJson(text))
  const table = value === undefined ? null : findTable(value, { path, cut: whole === undefined })
  return table === null ? null : headOfTable(table)
}

export function headOfTable(table: JsonRows): TableHead {
  const width = Object.keys(table.row(0)).length
  const length = Math.min(table.length, DECIDING_ROWS, Math.max(2, Math.floor(DECIDING_CELLS / width)))
  const objects = Array.from({ length }, (_, index) => table.row(index))
  return { format: 'json', ...tabulate(objects), settled: true, hasPlaces: table.hasPlaces }
}

function csvHead(head: HeadLines): TableHead | null {
  const whole = decidingLines(head)
  // Of a header longer than the head only the names that are whole can be seen.
  const lines = whole.length > 0 ? whole : [head.rest.replace(/[,;\t][^,;\t]*$/, '')]
  const delimiter = sniffDelimiter(lines.filter(isSignificant).slice(0, 20))
  if (delimiter === null) return null
  const header = findHeader(lines, delimiter)
  if (header === null) return null
  const records = readRecords(lines.slice(header.line), delimiter)
  const width = header.columns.length
  const even = records.filter(fields => isAsWide(fields, width)).map(fields => fields.slice(0, width))
  const decimalComma = delimiter === ';' && even.some(fields => fields.some(isDecimalComma))
  const rows = even.map(fields => fields.map(field => readCell(decimalComma ? withDecimalPoint(field) : field)))
  const evenShare = even.length / Math.max(1, records.length)
  const csv = { delimiter, headerLine: header.line, decimalComma, evenShare }
  return { format: 'csv', columns: header.columns, rows, settled: isSettled(records.length, head), csv }
}

/** numpy writes the names as a comment above the numbers; otherwise they are the first line that is no comment. */
function findHeader(lines: readonly string[], delimiter: string) {
  const first = lines.findIndex(isSignificant)
  const line = lines[first]
  const lineAbove = lines[first - 1]
  if (line === undefined) return null
  const above = lineAbove?.startsWith('#') ? headerNames(lineAbove, delimiter) : []
  const names = headerNames(line, delimiter)
  if (names.length === above.length && names.every(isNumber)) return { line: first, columns: above }
  if (names.every(isNumber)) return null
  return { line: first + 1, columns: names }
}

function headerNames(line: string, delimiter: string): string[] {
  return uniqueNames(headerFields(splitFields(line, delimiter) ?? []))
}

/** The fields of a header, which may be written as a comment. */
export function headerFields(fields: readonly string[]): string[] {
  return fields.map((field, index) => (index === 0 ? field.replace(/^#+\s*(?=[^\s#])/, '') : field).trim())
}

/** Two columns of one name would be one series with two values at a step: the second becomes `name (2)`. */
export function uniqueNames(fields: readonly string[]): string[] {
  const seen = new Map<string, number>()
  return fields.map(field => {
    const name = field.trim()
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return count === 1 || name === '' ? name : `${name} (${count})`
  })
}

function readRecords(lines: readonly string[], delimiter: string): string[][] {
  const records: string[][] = []
  const assembler = recordAssembler(delimiter, {
    onRecord: fields => {
      if (!isBlank(fields)) records.push(fields)
    },
    onBroken: () => {},
  })
  for (const [index, line] of lines.entries()) {
    if (records.length >= DECIDING_ROWS) break
    assembler.take(line, index)
  }
  return records
}

function isNumber(text: string): boolean {
  return readCell(text).kind === 'number'
}

/** A comma that is no thousands separator. */
function isDecimalComma(field: string): boolean {
  return /^\s*[+-]?\d+,(?:\d{1,2}|\d{4,})\s*$/.test(field)
}

export function withDecimalPoint(field: string): string {
  return field.replaceAll('.', '').replace(',', '.')
}

/** A JSON leaf as a cell. Strings are text, even `"0.5"`: a format with numbers has no need to quote them. */
function cellOfJson(value: Json | undefined): PrintedCell {
  if (value === null || value === undefined || value === '') return { kind: 'empty' }
  const number = numberFromJson(value)
  if (number !== undefined)
    return { kind: 'number', value: number, decimals: null, quality: 'measured', percent: false }
  return { kind: 'text', text: typeof value === 'object' ? '' : String(value) }
}

/** The member of a row that holds the settings of the run, in every row again: RLlib writes it so. */
export const SETTINGS = 'config'

/** The leaves of some objects as a table; a leaf that an object lacks is an empty cell. */
function tabulate(objects: readonly JsonObject[]): {
  readonly columns: string[]
  readonly rows: PrintedCell[][]
} {
  const leaves = objects.map(object => {
    const { [SETTINGS]: settings, ...metrics } = object
    return flatten(isJsonObject(settings) ? metrics : object).leaves
  })
  const columns = [...new Set(leaves.flatMap(map => [...map.keys()]))]
  return { columns, rows: leaves.map(map => columns.map(column => cellOfJson(map.get(column)))) }
}

/**
 * The beginning of a JSON text, cut behind its last whole member and closed, so that it parses; '' when nothing is
 * whole. Lets the first 64 KiB of a large file, or of a long line, speak for it.
 */
export function closeCutJson(text: string): string {
  const open: string[] = []
  let whole = 0
  let closers = ''
  let inString = false
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (inString) {
      if (char === '\\') at += 1
      else if (char === '"') inString = false
      continue
    }
    if (char === '"') inString = true
    else if (char === '{') open.push('}')
    else if (char === '[') open.push(']')
    else if (char === '}' || char === ']') open.pop()
    else if (char !== ',') continue
    // Only behind a bracket or before a comma can the text be cut: elsewhere a value may be half.
    if (inString || open.length === 0 || open.length > DEEPEST_CUT) continue
    whole = char === ',' ? at : at + 1
    closers = open.slice().reverse().join('')
  }
  return text.slice(0, whole) + closers
}

/** Deeper brackets are not worth closing: no table is nested so. Also keeps the work linear. */
const DEEPEST_CUT = 16
