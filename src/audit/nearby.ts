import type { AuditDocument, Statement, Table } from './document.js'
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

/** Tables stand in the order of the text: halving keeps a long report linear. */
function lastBefore(tables: readonly Table[], at: number): Table | null {
  let low = 0
  let high = tables.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (tables[middle].offset < at) low = middle + 1
    else high = middle
  }
  return tables[low - 1] ?? null
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
  return bare(header.replace(/\([^)]*\)/g, '')).replace(/(?:值|散度)$/, '')
}
