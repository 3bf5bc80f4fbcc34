import type { AuditDocument, Statement, Table } from './document.js'
import { mainQuantity, viewOf } from './table-view.js'

/** Tables of percentages for which the report says on how many samples they rest. */
export interface SampledTable {
  readonly table: Table
  /** Columns of scores in percent; means over columns and differences are none. */
  readonly columns: readonly number[]
  readonly n: number
  /** Where the number of samples is said. */
  readonly offset: number
}

const SAMPLES = /(?<![A-Za-z])[nN]\s?=\s?$/

const known = new WeakMap<AuditDocument, readonly SampledTable[]>()

export function sampledTables(document: AuditDocument): readonly SampledTable[] {
  const before = known.get(document)
  if (before !== undefined) return before
  const headings = new Map(
    document.statements.flatMap(statement =>
      statement.kind === 'heading' && statement.section !== null ? [[statement.section, statement] as const] : [],
    ),
  )
  const found = document.tables.flatMap((table): SampledTable[] => {
    const columns = scoreColumns(table)
    if (columns.length === 0) return []
    const heading = table.section === null ? undefined : headings.get(table.section)
    const caption = table.caption?.section === table.section ? table.caption : null
    for (const place of [caption, heading ?? null]) {
      const said = place === null ? null : samplesIn(place)
      if (said !== null) return [{ table, columns, ...said }]
    }
    return []
  })
  known.set(document, found)
  return found
}

function scoreColumns(table: Table): readonly number[] {
  return viewOf(table).roles.flatMap((role, column) => {
    if (role !== 'value') return []
    const scores = table.rows.flatMap(row => mainQuantity(row[column]) ?? [])
    const areShares = scores.every(({ unit, value, signed }) => unit === '%' && value >= 0 && value <= 100 && !signed)
    return scores.length > 0 && areShares ? [column] : []
  })
}

/** "200 samples", "n = 200"; two different numbers say nothing sure. */
function samplesIn({ quantities, text, offsetOf }: Statement): { readonly n: number; readonly offset: number } | null {
  const sizes = quantities.filter(
    ({ unit, value, from, ends, hedge }) =>
      (unit === 'sample' || SAMPLES.test(text.slice(Math.max(0, from - 6), from))) &&
      Number.isInteger(value) &&
      value > 0 &&
      ends === null &&
      hedge === null,
  )
  return sizes.length === 1 ? { n: sizes[0].value, offset: offsetOf(sizes[0].from) } : null
}
