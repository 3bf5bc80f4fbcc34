import { groupBy } from '../../logs/model/util/group-by.js'
import type { Above } from './binding.js'
import { significant } from './figure.js'
import type { Log, LogMetric } from './log.js'
import type { PartMention } from './part-mentions.js'
import { isSame } from './sentence.js'
import type { TableAxis, TableCell } from './table-axes.js'

/** How a table may be built: what its lines measure, and on which of them runs stand. */

export interface TableGrid {
  readonly log: Log
  readonly cells: readonly TableCell[]
  readonly above: Above
  /** Parts that are spoken of near the table: "over the last 50 steps", "at step 400". */
  readonly hints: readonly PartMention[]
  readonly topics: readonly LogMetric[]
  readonly seed: number | null
  readonly maySearch: boolean
  /** Differences throughout: of two metrics, where no two columns give them. */
  readonly isGap: boolean
}

export const MOST_LINES = 40
/** Fewer figures of three digits tell nothing that no word says. */
const FEWEST_TELLING = 4

/** Which lines measure one thing each, and which are of runs that no word names. */
export interface Structure {
  readonly measured: readonly (readonly TableCell[])[]
  readonly open: readonly TableLine[]
}

/** Rows and columns. */
function linesOf(cells: readonly TableCell[]): {
  readonly rows: readonly TableLine[]
  readonly columns: readonly TableLine[]
} {
  const by = (axisOf: (cell: TableCell) => TableAxis): readonly TableLine[] =>
    [...groupBy(cells, axisOf)].map(([axis, own]) => ({ axis, own }))
  return { rows: by(({ row }) => row), columns: by(({ column }) => column) }
}

export interface TableLine {
  readonly axis: TableAxis
  readonly own: readonly TableCell[]
}

/** As the headers suggest first; a header that was misread is told by what fits. */
export function structuresOf({ cells, above, maySearch }: TableGrid): readonly Structure[] {
  const { rows, columns } = linesOf(cells)
  const count = (lines: readonly TableLine[], is: (axis: TableAxis) => boolean): number =>
    lines.filter(({ axis }) => is(axis)).length
  const hasMetric = (axis: TableAxis): boolean => axis.metric !== null
  const hasRuns = (axis: TableAxis): boolean => axis.runs !== null
  const isOpen = ({ axis }: TableLine): boolean => axis.runs === null || axis.isLoose
  const cellsOf = (lines: readonly TableLine[]): Structure['measured'] => lines.map(({ own }) => own)
  const [inRows, inColumns] = [count(rows, hasMetric), count(columns, hasMetric)]
  const isNamed = count(rows, hasRuns) + count(columns, hasRuns) > 0
  const each = isNamed && inRows > 0 && inColumns > 0 ? [cells.map(cell => [cell])] : []
  const ways: readonly Structure['measured'][] =
    inRows + inColumns === 0
      ? [[cells], cellsOf(columns), cellsOf(rows)]
      : inColumns >= inRows
        ? [cellsOf(columns), ...each, cellsOf(rows), [cells]]
        : [cellsOf(rows), ...each, cellsOf(columns), [cells]]
  const telling = cells.filter(({ figure }) => significant(figure.quantity) > 2).length
  const isSmall = maySearch && telling >= FEWEST_TELLING && rows.length <= MOST_LINES && columns.length <= MOST_LINES
  const whole: TableLine = { axis: (rows[0] as TableLine | undefined)?.axis as TableAxis, own: cells }
  const opens = (measured: Structure['measured']): readonly (readonly TableLine[])[] => {
    const isRows = measured.length === rows.length && measured[0]?.[0]?.row === measured[0]?.at(-1)?.row
    if (!isSmall) return [[]]
    // What every row is of, the whole table is of.
    if (rows.length > 2 && rows.every(one => isOpen(one) && isSame(one.axis.runs ?? [], rows[0]?.axis.runs ?? [])))
      if (count(rows, hasRuns) > 0) return [[whole], rows]
    if (count(rows, hasRuns) > 0) return [rows.filter(isOpen)]
    if (count(columns, hasRuns) > 0) return [columns.filter(isOpen)]
    const other = isRows ? columns : rows
    return [...(above.runs.length > 0 ? [[]] : []), [whole], other, other === rows ? columns : rows]
  }
  const all = ways.flatMap(measured => opens(measured).map(open => ({ measured, open })))
  return isNamed ? all : all.slice(0, 9)
}
