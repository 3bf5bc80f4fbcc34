import type { Section, Statement, Table } from '../document/document.js'
import { matrixOf } from '../document/matrix.js'
import type { Quantity } from '../document/quantity.js'
import { remembered } from '../document/remembered.js'
import type { Evidence } from './evidence.js'

/**
 * "Key: value" lines, wherever they stand: list items, lines of prose, and the rows of tables with a column of names and
 * one of values. Reports say most of their settings and summaries in this form.
 */
export interface Entry {
  readonly key: string
  /** What stands behind the key. */
  readonly value: string
  readonly quantities: readonly Quantity[]
  /** Where a character of `value` stands in the file. */
  readonly offset: number
  readonly section: Section | null
  readonly leads: readonly string[]
  readonly statement: Statement | null
  readonly table: Table | null
  readonly steps: readonly number[]
}

const KEY = /^([^:：=\n]{1,60}?)\s?[:：=]\s?(?=\S)/
const LONGEST_VALUE = 240

export const entriesOf = remembered(({ document: { statements, tables } }: Evidence): readonly Entry[] =>
  [...statements.flatMap(fromStatement), ...tables.flatMap(fromTable)].sort((a, b) => a.offset - b.offset),
)

function fromStatement(statement: Statement): readonly Entry[] {
  const { text, kind, section, leads, quantities, steps } = statement
  if (kind === 'cell' || kind === 'heading' || text.length > LONGEST_VALUE + 60) return []
  const match = KEY.exec(text)
  if (match === null) return []
  const from = match[0].length
  const behind = quantities.filter(quantity => quantity.from >= from)
  const key = (match[1] ?? '').replace(/^[^\p{L}\d]+/u, '').trim()
  return [
    {
      key,
      value: text.slice(from),
      quantities: behind.map(quantity => ({ ...quantity, from: quantity.from - from, to: quantity.to - from })),
      offset: statement.offsetOf(behind[0]?.from ?? from),
      section,
      leads,
      statement,
      table: null,
      steps: steps.map(({ first }) => first),
    },
  ]
}

function fromTable(table: Table): readonly Entry[] {
  const { columns } = matrixOf(table)
  if (columns.length !== 2 || table.rows.length > 200) return []
  return table.rows.flatMap(([key, value]) =>
    key === undefined || value === undefined || value.pending || key.text === ''
      ? []
      : [
          {
            key: key.text,
            value: value.text,
            quantities: value.quantities,
            offset: value.offset,
            section: table.section,
            leads: [],
            statement: null,
            table,
            steps: key.steps.map(({ first }) => first),
          },
        ],
  )
}
