import { type Axis, type Matrix, valueAt } from '../../document/matrix.js'
import { type Range, subtract } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, meets, middle, percentOf, statedRange } from '../arithmetic.js'
import type { Fault } from '../assertion.js'
import type { Evidence } from '../evidence.js'
import { fault } from '../fault.js'
import { bare } from './copied.js'

/**
 * A table of changes whose sources stand in another table, under the same names of rows and columns. From which column
 * they are counted is solved, not read: where one explains all cells but one, that one is wrong.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.restated-change': { en: '“{found}” in row “{row}”, column “{column}”: by the table in line {line} the change from “{base}” is {expected}, and the other {count} cells obey it; write {expected}', zh: '“{row}”行“{column}”列的“{found}”：按第 {line} 行的表，相对“{base}”的变化是 {expected}，其余 {count} 格都符合；应写 {expected}' },
})

const FEWEST_CELLS = 6
const MOST_CELLS = 400

export function* restated({ matrices, near, document }: Evidence): Generator<Fault> {
  for (const matrix of matrices) {
    const sources = near(matrix.table.offset).filter(({ rows }) => rows.length >= matrix.rows.length)
    for (const source of sources.filter(one => one !== matrix)) {
      const wrong = oddOneOut(matrix, source)
      if (wrong === null) continue
      const { row, column, cell, expected, base, count } = wrong
      const line = document.placeOf(source.table.offset).line
      const params = { found: cell.text, row: row.name, column: column.name, line, base: base.name, expected, count }
      yield fault('difference-column', cell.offset, say('audit.restated-change', params), {
        also: [source.table.offset],
      })
      break
    }
  }
}

const WAYS: readonly ((from: Range, to: Range) => Range | null)[] = [(from, to) => subtract(to, from), percentOf]

function oddOneOut(matrix: Matrix, source: Matrix) {
  const [rows, columns] = [namesakes(matrix.rows, source.rows), namesakes(matrix.columns, source.columns)]
  if (rows.length * columns.length < FEWEST_CELLS || rows.length * columns.length > MOST_CELLS) return null
  const cells = rows.flatMap(([row, twin]) =>
    columns.map(([column, like]) => {
      const stated = valueAt(matrix, row.index, column.index)
      const own = valueAt(source, twin.index, like.index)
      return { row, twin, column, cell: matrix.table.rows[row.index][column.index], stated, own }
    }),
  )
  if (!cells.every(({ stated }) => stated !== null && (stated.signed || stated.value === 0))) return null
  for (const base of source.columns.slice(1))
    for (const way of WAYS) {
      const wrong = cells.flatMap(({ stated, own, twin, ...place }) => {
        const from = valueAt(source, twin.index, base.index)
        const range = own === null || from === null ? null : way(from.range, own.range)
        if (stated === null || (range !== null && meets(statedRange(stated), range))) return []
        return [{ ...place, expected: range === null ? null : asPrinted(middle(range), stated) }]
      })
      const [one, more] = wrong
      if (one !== undefined && one.expected !== null && more === undefined)
        return { ...one, expected: one.expected, base, count: cells.length - 1 }
    }
  return null
}

/** Each line that was measured or computed, with the one of the same name there. */
function namesakes(own: readonly Axis[], others: readonly Axis[]): readonly (readonly [Axis, Axis])[] {
  const named = new Map(others.map(axis => [bare(axis.name), axis]))
  return own.flatMap(axis => {
    const twin = axis.role === 'value' || axis.role === 'difference' ? named.get(bare(axis.name)) : undefined
    return twin === undefined ? [] : [[axis, twin] as const]
  })
}
