import type { Section, Statement, Table } from '../logs/document/document.js'
import type { Quantity } from '../logs/document/quantity.js'
import { memoByObject } from '../logs/model/util/memo.js'
import type { ReportEvidence } from './evidence.js'

/**
 * "Key: value" lines, wherever they stand: list items, lines of prose, and the rows of tables with a column of names and
 * one of values. Reports say most of their settings and summaries in this form.
 */
export interface ListEntry {
  readonly key: string
  /** What stands behind the key. */
  readonly value: string
  readonly quantities: readonly Quantity[]
  /** Where its first figure stands in the file. */
  readonly offset: number
  readonly section: Section | null
  readonly leads: readonly string[]
  readonly statement: Statement | null
  readonly table: Table | null
}

const KEY = /^([^:：=\n]{1,60}?)\s?[:：=]\s?(?=\S)/
const LONGEST = 300
const MOST_ROWS = 200

export const entriesOf = memoByObject(({ document: { statements, tables } }: ReportEvidence): readonly ListEntry[] =>
  [...statements.flatMap(fromStatement), ...tables.flatMap(fromTable)].sort((a, b) => a.offset - b.offset),
)

function fromStatement(statement: Statement): readonly ListEntry[] {
  const { text, kind, section, leads, quantities } = statement
  const match = kind === 'cell' || kind === 'heading' || text.length > LONGEST ? null : KEY.exec(text)
  if (match === null) return []
  const from = match[0].length
  const behind = quantities.filter(quantity => quantity.from >= from)
  const key = (match[1] ?? '').replace(/^[^\p{L}\d]+/u, '').trim()
  const own = behind.map(quantity => ({ ...quantity, from: quantity.from - from, to: quantity.to - from }))
  const offset = statement.offsetOf(behind[0]?.from ?? from)
  return [{ key, value: text.slice(from), quantities: own, offset, section, leads, statement, table: null }]
}

function fromTable(table: Table): readonly ListEntry[] {
  if (table.header.length !== 2 || table.rows.length > MOST_ROWS) return []
  const place = { section: table.section, leads: [], statement: null, table }
  return table.rows.flatMap(([key, value]) => {
    if (key === undefined || value === undefined || key.text === '' || value.pending) return []
    const { text, quantities, offset } = value
    return [{ key: key.text, value: text, quantities, offset, ...place }]
  })
}
