import type { Cell } from '../../document/document.js'
import { type Axis, type Matrix, mainQuantity } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'

/**
 * A table seen so that its lines are columns: as it stands, and turned on its side. What follows from other cells (means,
 * differences) is then solved once for both.
 */
export interface View {
  readonly matrix: Matrix
  readonly isTurned: boolean
  readonly lines: readonly Axis[]
  readonly items: readonly Axis[]
  readonly cellAt: (item: Axis, line: Axis) => Cell | undefined
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

export function termAt({ cellAt }: View, item: Axis, line: Axis): Term | null {
  const cell = cellAt(item, line)
  const quantity = cell?.pending === false ? mainQuantity(cell) : null
  return cell === undefined || quantity === null ? null : { cell, quantity }
}
