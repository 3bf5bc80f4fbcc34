import { groupBy } from '../model/group-by.js'
import type { AuditDocument, Section, Statement, Table } from './document.js'
import { viewOf } from './table-view.js'

/** Which table and which column or row of it a sentence speaks of, by what stands before it and by its words. */

/** The last table before the statement in its section, or before the section's own text in the one above. */
export function tableBefore({ tables }: AuditDocument, statement: Statement): Table | null {
  const at = statement.offsetOf(0)
  const section = statement.section
  const before = lastBefore(tables, at)
  if (before === null) return null
  return before.section === section || before.section === (section?.parent ?? null) ? before : null
}

const bySection = new WeakMap<AuditDocument, ReadonlyMap<Section | null, readonly Table[]>>()

/** The tables of a section itself, not of those below it. */
export function tablesIn(document: AuditDocument, section: Section | null): readonly Table[] {
  const known = bySection.get(document)
  if (known !== undefined) return known.get(section) ?? []
  const made = groupBy(document.tables, table => table.section)
  bySection.set(document, made)
  return made.get(section) ?? []
}

/** How far back a sentence looks. */
const MOST_BACK = 3

/**
 * Tables that a sentence may speak of, the likeliest first: those before it in its own section, the next one behind it
 * there, and the last ones before.
 */
export function tablesBefore({ tables }: AuditDocument, { section, offsetOf }: Statement): readonly Table[] {
  const next = firstBehind(tables, offsetOf(0))
  const before = tables.slice(Math.max(0, next - MOST_BACK), next).reverse()
  const behind = tables.slice(next, next + 1).filter(table => table.section === section)
  const own = before.filter(table => table.section === section)
  return [...own, ...behind, ...before.filter(table => table.section !== section)]
}

function lastBefore(tables: readonly Table[], at: number): Table | null {
  return tables[firstBehind(tables, at) - 1] ?? null
}

/** Tables stand in the order of the text: halving keeps a long report linear. */
function firstBehind(tables: readonly Table[], at: number): number {
  let low = 0
  let high = tables.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (tables[middle].offset < at) low = middle + 1
    else high = middle
  }
  return low
}

/** Columns of values whose header the text holds; of headers within each other the longest. */
export function columnsNamed(table: Table, text: string): readonly number[] {
  const { roles } = viewOf(table)
  const words = bare(text)
  const held = table.header.flatMap(({ text: header }, column) => {
    const name = stem(header)
    return roles[column] === 'value' && name.length >= 2 && words.includes(name) ? [{ column, name }] : []
  })
  return held.flatMap(({ column, name }) =>
    held.some(other => other.column !== column && other.name !== name && other.name.includes(name)) ? [] : [column],
  )
}

/** Whether the text speaks of what a row is labelled with. */
export function isNamedIn(label: string, text: string): boolean {
  const name = stem(label)
  return name.length >= 2 && bare(text).includes(name)
}

/** Words without spaces, signs and case. */
function bare(text: string): string {
  return text.toLowerCase().replace(/[\s()[\]:：,，_*`~-]+/g, '')
}

function stem(header: string): string {
  return bare(header.replace(/\([^)]{0,200}\)/g, '')).replace(/(?:值|散度)$/, '')
}
