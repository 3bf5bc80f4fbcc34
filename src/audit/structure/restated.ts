import { type Matrix, type Point, valueAt } from '../../document/matrix.js'
import { namesValues, withoutBrackets } from '../../document/words.js'
import { sentences } from '../../text/sentences.js'
import { areLevel } from '../arithmetic.js'
import type { Fault } from '../assertion.js'
import { type Evidence, significantDigits } from '../evidence.js'
import { fault } from '../fault.js'
import { wordsOf } from '../names.js'

/**
 * A table that repeats cells of another one. They are known by the names of their rows and columns, and that it is the
 * same measurement by what agrees to the digit; then what differs in one row or column is wrong in one of the two.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.restated': { en: '{row}, {column}: {found} here and {expected} in line {at}, although {count} other cells of both tables agree; one of the two is wrong', zh: '{row}、{column}：此处是 {found}，第 {at} 行是 {expected}，而两表其余 {count} 格一致；两者必有一错' },
})

interface Named {
  readonly row: string
  readonly column: string
  readonly point: Point
}

const MOST_TABLES = 60
const MOST_ROWS = 100
const FEWEST_AGREEING = 3
/** Figures of fewer digits agree by chance. */
const FEWEST_DIGITS = 3

export function* restated({ matrices, document }: Evidence): Generator<Fault> {
  const tables = matrices.filter(isMeasured).slice(0, MOST_TABLES).map(cellsOf)
  for (const [i, there] of tables.entries())
    for (const here of tables.slice(i + 1)) {
      const shared = [...here].flatMap(([key, own]) => pairOf(own, there.get(key) ?? null))
      const differing = shared.filter(({ isSame }) => !isSame)
      const agreeing = shared.filter(
        ({ isSame, other }) => isSame && significantDigits(other.point.quantity) >= FEWEST_DIGITS,
      )
      const values = new Set(agreeing.map(({ other }) => other.point.quantity.value))
      const [first] = differing
      if (first === undefined || values.size < Math.max(FEWEST_AGREEING, 2 * differing.length)) continue
      if (!areOfOneLine(differing.map(({ own }) => own))) continue
      const [{ row, column, point }, other] = [first.own, first.other.point]
      const figures = {
        found: point.cell.text,
        expected: other.cell.text,
        at: document.placeOf(other.cell.offset).line,
      }
      const message = say('audit.restated', { row, column, ...figures, count: agreeing.length })
      const also = differing.flatMap(pair => [pair.own.point.cell.offset, pair.other.point.cell.offset])
      yield fault('restated', point.cell.offset, message, { also })
    }
}

/** Settings are what a report varies. */
const isMeasured = ({ isSettings, rows, columns }: Matrix): boolean =>
  !isSettings && rows.length <= MOST_ROWS && columns.length > 2 && !columns.some(({ name }) => namesValues(name))

/** By the names of row and column, whichever is which; null where they name two. */
function cellsOf(matrix: Matrix): ReadonlyMap<string, Named | null> {
  const cells = new Map<string, Named | null>()
  const columns = matrix.columns.filter(({ role }) => role === 'value')
  for (const at of matrix.rows.filter(({ role, keys }) => role === 'value' && keys.length === 1))
    for (const column of columns) {
      const quantity = valueAt(matrix, at.index, column.index)
      const names = [at.name, column.name].map(name =>
        wordsOf(withoutBrackets(name))
          .map(({ text }) => text)
          .join(' '),
      )
      if (quantity === null || quantity.hedge !== null || names.includes('')) continue
      const point = { at, cell: matrix.table.rows[at.index][column.index], quantity }
      const key = names.sort().join('|')
      cells.set(key, cells.has(key) ? null : { row: at.name, column: column.name, point })
    }
  return cells
}

function pairOf(own: Named | null, other: Named | null) {
  if (own === null || other === null) return []
  const [a, b] = [own.point.quantity, other.point.quantity]
  return a.unit === b.unit ? [{ own, other, isSame: areLevel(a, b) }] : []
}

const areOfOneLine = (cells: readonly Named[]): boolean =>
  new Set(cells.map(({ row }) => row)).size === 1 || new Set(cells.map(({ column }) => column)).size === 1
