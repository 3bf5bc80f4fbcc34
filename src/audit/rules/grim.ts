import type { Quantity } from '../../document/quantity.js'
import { meanIsPossible } from '../../stats/grim.js'
import { listed } from '../../text/figure.js'
import { message } from '../../text/say.js'
import type { AuditDocument, Cell, Table } from '../document.js'
import { shown } from '../figures.js'
import type { AuditRule, Fault } from '../rule.js'
import { rowSamples, sampledTables, scoreColumns } from '../sample-size.js'
import { mainQuantity } from '../table-view.js'

/**
 * Percentages that no count out of the stated number of samples can give (GRIM). A graded score is not bound to counts,
 * so the report may still be right; then the metric is not the share of right answers that it seems.
 */
export const grim: AuditRule = {
  id: 'grim',
  kind: 'impossible',
  severity: 'warning',
  example: {
    faulty: '### Results (200 samples)\n\n| run | accuracy |\n|---|---|\n| A | 56.1% |\n| B | 57.0% |',
    sound: '### Results (200 samples)\n\n| run | accuracy |\n|---|---|\n| A | 56.5% |\n| B | 57.0% |',
  },
  *check(document: AuditDocument) {
    const seen = new Set<number>()
    for (const { columns, table, n, offset } of sampledTables(document)) {
      if (seen.has(n)) continue
      const impossible = table.rows.flatMap(row => columns.flatMap(column => impossibleIn(row[column], n) ?? []))
      if (impossible.length === 0) continue
      seen.add(n)
      yield faultAt(offset, n, impossible)
    }
    for (const table of document.tables) yield* byRows(table)
  },
}

/** A table that says in a column of its own on how many samples each row rests. */
function* byRows(table: Table): Generator<Fault> {
  const samples = rowSamples(table)
  if (samples === null || table.rows.length > MOST_ROWS) return
  const columns = scoreColumns(table)
  for (const [index, row] of table.rows.entries()) {
    const n = samples(index)
    if (n === null) continue
    for (const column of columns) {
      const score = impossibleIn(row[column], n)
      if (score !== null) yield faultAt(row[column].offset, n, [score])
    }
  }
}

const MOST_ROWS = 500

function impossibleIn(cell: Cell, n: number): Quantity | null {
  const score = mainQuantity(cell)
  if (score === null || score.decimals === null || score.ends !== null || score.hedge !== null) return null
  return meanIsPossible(score.value / 100, score.decimals + 2, n) ? null : score
}

function faultAt(offset: number, n: number, impossible: readonly Quantity[]): Fault {
  const [first] = impossible
  const below = Math.floor((first.value / 100) * n)
  const decimals = first.decimals ?? 0
  const near = [below, below + 1].map(count => `${((100 * count) / n).toFixed(decimals + 1)}%`)
  const different = [...new Set(impossible.map(shown))]
  return {
    offset,
    message: message('audit.grim', {
      n,
      values: listed(different),
      first: shown(first),
      near: near.join(' / '),
    }),
    found: shown(first),
    expected: near.join(' / '),
  }
}
