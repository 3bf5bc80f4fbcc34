import type { Cell } from '../../logs/document/document.js'
import { type Matrix, type MatrixAxis, mainQuantity } from '../../logs/document/matrix.js'
import type { Quantity } from '../../logs/document/quantity.js'

/**
 * A table seen so that its lines are columns: as it stands, and turned on its side. What follows from other cells (means,
 * differences) is then solved once for both.
 */
export interface View {
  readonly matrix: Matrix
  readonly isTurned: boolean
  readonly lines: readonly MatrixAxis[]
  readonly items: readonly MatrixAxis[]
  readonly cellAt: (item: MatrixAxis, line: MatrixAxis) => Cell | undefined
}

export function viewsOf(matrix: Matrix): readonly [upright: View, turned: View] {
  const { table, rows, columns } = matrix
  const things = columns.slice(1)
  return [
    { matrix, isTurned: false, lines: things, items: rows, cellAt: (i, j) => table.rows[i.index]?.[j.index] },
    { matrix, isTurned: true, lines: rows, items: things, cellAt: (i, j) => table.rows[j.index]?.[i.index] },
  ]
}

/** A cell and the number that it is about. */
export interface Term {
  readonly cell: Cell
  readonly quantity: Quantity
}

/** Null where the cell is open, or holds more than one figure: one of them may be something else. */
export function termAt({ cellAt }: View, item: MatrixAxis, line: MatrixAxis): Term | null {
  const cell = cellAt(item, line)
  const quantity = cell?.pending === false && cell.quantities.length === 1 ? mainQuantity(cell) : null
  return cell === undefined || quantity === null || quantity.ends !== null ? null : { cell, quantity }
}
