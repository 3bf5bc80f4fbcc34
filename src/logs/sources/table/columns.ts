import type { PrintedCell } from '../../document/printed-cell.js'
import type { TableHead } from './head.js'

/** The columns of a table: found by name, and judged by what stands in their first cells. */

/** The first of some names that a table has a column for, as the table spells it. */
export function findColumn(columns: readonly string[], names: readonly string[]): string | undefined {
  for (const wanted of names) {
    const column = columns.find(candidate => plainName(candidate) === plainName(wanted))
    if (column !== undefined) return column
  }
  return undefined
}

function plainName(column: string): string {
  return column.trim().toLowerCase().replace(/\s+/g, '_')
}

/** The cells of a column that are not empty. */
export function cellsOf(head: TableHead, column: string): PrintedCell[] {
  return cellsAt(head, head.columns.indexOf(column))
}

export function cellsAt(head: TableHead, index: number): PrintedCell[] {
  return head.rows.map(row => row[index]).filter(cell => cell !== undefined && cell.kind !== 'empty')
}

/** Whether nearly all cells that say something say it by numbers. True of a column without any. */
export function isNumeric(cells: readonly PrintedCell[]): boolean {
  const texts = cells.filter(cell => cell.kind === 'text').length
  return texts <= 0.1 * cells.length
}
