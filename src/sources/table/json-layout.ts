import type { Cell } from '../../document/cell.js'
import { isJsonObject, type Json, type JsonObject, numberFromJson } from '../../model/json.js'
import { flatten } from '../loose-json.js'

/** Tables inside JSON: rows of objects, or columns of equal length. */

export interface JsonRows {
  readonly length: number
  row(index: number): JsonObject
}

/**
 * The table in a JSON value: a list of objects, an object of equally long lists, or an object with exactly one member
 * that is such a table (`{"name": …, "metrics": […]}`). Of a cut file the lists may end at different lengths.
 */
export function findTable(value: Json, { cut = false } = {}): JsonRows | null {
  const direct = listOfObjects(value) ?? objectOfLists(value, cut)
  if (direct !== null || !isJsonObject(value)) return direct
  const members = Object.values(value).map(member => listOfObjects(member) ?? objectOfLists(member, cut))
  const tables = members.filter(member => member !== null)
  return tables.length === 1 ? tables[0] : null
}

function listOfObjects(value: Json): JsonRows | null {
  if (!Array.isArray(value) || value.length === 0 || !isJsonObject(value[0])) return null
  return { length: value.length, row: index => (isJsonObject(value[index]) ? value[index] : {}) }
}

function objectOfLists(value: Json, cut: boolean): JsonRows | null {
  if (!isJsonObject(value)) return null
  const columns: [string, readonly Json[]][] = []
  for (const [name, list] of Object.entries(value)) if (Array.isArray(list)) columns.push([name, list])
  if (columns.length === 0 || columns.length < Object.keys(value).length) return null
  const length = columns[0][1].length
  if (length === 0 || isJsonObject(columns[0][1][0])) return null
  if (!cut && columns.some(([, list]) => list.length !== length)) return null
  return { length, row: index => Object.fromEntries(columns.map(([name, list]) => [name, list[index] ?? null])) }
}

/** A JSON leaf as a cell. Strings are text, even `"0.5"`: a format with numbers has no need to quote them. */
function cellOfJson(value: Json | undefined): Cell {
  if (value === null || value === undefined || value === '') return { kind: 'empty' }
  const number = numberFromJson(value)
  if (number !== undefined)
    return { kind: 'number', value: number, decimals: null, quality: 'measured', percent: false }
  return { kind: 'text', text: typeof value === 'object' ? '' : String(value) }
}

/** The leaves of some objects as a table; a leaf that an object lacks is an empty cell. */
export function tabulate(objects: readonly JsonObject[]): { readonly columns: string[]; readonly rows: Cell[][] } {
  const leaves = objects.map(object => flatten(object).leaves)
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
