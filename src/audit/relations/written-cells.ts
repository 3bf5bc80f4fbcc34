import type { Cell } from '../../document/document.js'
import type { Axis, Matrix } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import type { Assertion } from '../assertion.js'
import { assertionInCell, cellFigure } from '../read.js'

/**
 * Columns that write out what a number is the product of: "4 h × 8 GPUs" beside 32. Where two rows bear it out, or only
 * one row writes it out and comes near, the number beside it is the product.
 */
const TIMES = /^[^\d,;+]{0,16}?[×*x][^\d,;+]{0,3}$/i
const MOST_ROWS = 400
const MOST_COLUMNS = 40
const NEAR = 0.12

interface Written {
  readonly terms: readonly Quantity[]
  readonly cell: Cell
  readonly total: Cell
  readonly isRight: boolean
}

export function* writtenCells(matrix: Matrix): Generator<Assertion> {
  const { columns, table } = matrix
  if (table.rows.length > MOST_ROWS || columns.length > MOST_COLUMNS) return
  const writing = columns.filter(({ index }) => table.rows.some(row => isProduct(row[index])))
  for (const column of writing)
    for (const total of columns) {
      const written = column === total ? [] : writtenIn(matrix, column, total)
      const right = written.filter(({ isRight }) => isRight)
      const isMeant = right.length > 1 || (written.length === 1 && written.every(isNear))
      const unitsOf = (one: Written): string => one.terms.map(({ unit }) => unit).join()
      // "25 min × 8" in a column of hours is turned into hours first.
      const isOther = (one: Written): boolean => right.length > 0 && !right.some(two => unitsOf(two) === unitsOf(one))
      for (const { terms, cell, total: sum } of isMeant ? written.filter(one => !isOther(one)) : []) {
        const [result] = sum.quantities
        const figures = [
          ...terms.map(one => ({ ...cellFigure(cell, one), role: 'term' as const })),
          ...(result === undefined ? [] : [cellFigure(sum, result)]),
        ]
        yield assertionInCell(matrix, sum, 'equation', { figures, manner: 'product unsure' })
      }
    }
}

function isProduct(
  { text, quantities: terms }: Pick<Cell, 'text' | 'quantities'> = { text: '', quantities: [] },
): boolean {
  return terms.length > 1 && terms.slice(1).every((one, i) => TIMES.test(text.slice(terms[i]?.to, one.from)))
}

const productOf = (terms: readonly Quantity[]): number => terms.reduce((product, { value }) => product * value, 1)

function isNear({ terms, total, isRight }: Written): boolean {
  const value = total.quantities[0]?.value ?? 0
  return !isRight && value >= 100 && Math.abs(value / productOf(terms) - 1) < NEAR
}

function writtenIn({ table }: Matrix, column: Axis, total: Axis): readonly Written[] {
  return table.rows.flatMap(row => {
    const [cell, sum] = [row[column.index], row[total.index]]
    const [result, more] = sum?.quantities ?? []
    if (cell === undefined || sum === undefined || result === undefined || more !== undefined) return []
    if (!isProduct(cell) || result.hedge !== null || result.ends !== null) return []
    const terms = cell.quantities
    return [{ terms, cell, total: sum, isRight: Math.abs(productOf(terms) / result.value - 1) < 0.005 }]
  })
}
