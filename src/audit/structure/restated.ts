import type { Statement } from '../../document/document.js'
import { type Line, type Matrix, type Point, valueAt } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { namesValues } from '../../document/words.js'
import { sentences } from '../../text/sentences.js'
import { areLevel, isSlip } from '../arithmetic.js'
import type { Fault } from '../assertion.js'
import { type Evidence, significantDigits } from '../evidence.js'
import { fault } from '../fault.js'
import { wordsOf } from '../names.js'

/**
 * What is printed twice, known by what agrees: a table that repeats cells of another under the same names, and a sentence
 * that lists a row or a column. Where all the rest is the same to the digit, what differs is wrong in one of the two.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.cell-restated': { en: '{row}, {column}: {found} here, {expected} in line {at}, although {count} other cells of both tables agree; one of the two is wrong', zh: '{row}、{column}：此处是 {found}，第 {at} 行是 {expected}，而两表其余 {count} 格一致；两者必有一错' },
  'audit.line-restated': { en: '“{found}”: the other {count} figures are those of “{line}” (line {at}), which has {expected} in this place; one of the two is wrong', zh: '“{found}”：其余 {count} 个数都与“{line}”（第 {at} 行）一致，而该处是 {expected}；两者必有一错' },
})

export function* restated(evidence: Evidence): Generator<Fault> {
  yield* tablesAgainstTables(evidence)
  for (const statement of evidence.document.statements) yield* sentenceAgainstLines(statement, evidence)
}

const MOST_TABLES = 60
const MOST_ROWS = 100
const FEWEST_AGREEING = 3
const LONG = 3

type Cells = ReadonlyMap<string, { readonly row: string; readonly column: string; readonly point: Point } | null>

function* tablesAgainstTables({ matrices, document }: Evidence): Generator<Fault> {
  const tables = matrices.filter(isMeasured).slice(0, MOST_TABLES).map(cellsOf)
  for (const [i, there] of tables.entries())
    for (const here of tables.slice(i + 1)) {
      const shared = [...here].flatMap(([key, own]) => {
        const other = there.get(key)
        const isAlike = own !== null && other != null && own.point.quantity.unit === other.point.quantity.unit
        return isAlike ? [{ own, other: other.point, isSame: areLevel(own.point.quantity, other.point.quantity) }] : []
      })
      const agreeing = shared.filter(({ isSame, other }) => isSame && significantDigits(other.quantity) >= LONG)
      const differing = shared.filter(({ isSame }) => !isSame)
      const values = new Set(agreeing.map(({ other }) => other.quantity.value))
      if (values.size < Math.max(FEWEST_AGREEING, 2 * differing.length) || !areOfOneLine(differing.map(({ own }) => own))) continue
      for (const { own: { row, column, point: { cell } }, other } of differing.slice(0, 1)) {
        const at = document.placeOf(other.cell.offset).line
        const params = { row, column, found: cell.text, expected: other.cell.text, at, count: agreeing.length }
        const also = differing.flatMap(one => [one.own.point.cell.offset, one.other.cell.offset])
        yield fault('restated', cell.offset, say('audit.cell-restated', params), { also })
      }
    }
}

/** Settings are what a report varies. */
const isMeasured = ({ isSettings, rows, columns }: Matrix): boolean =>
  !isSettings && rows.length <= MOST_ROWS && columns.length > 2 && !columns.some(({ name }) => namesValues(name))

const areOfOneLine = (cells: readonly { readonly row: string; readonly column: string }[]): boolean =>
  new Set(cells.map(({ row }) => row)).size === 1 || new Set(cells.map(({ column }) => column)).size === 1

/** By the names of row and column, whichever is which; null where they name two. */
function cellsOf(matrix: Matrix): Cells {
  const cells = new Map<string, { row: string; column: string; point: Point } | null>()
  const columns = matrix.columns.filter(({ role }) => role === 'value')
  for (const at of matrix.rows.filter(({ role, keys }) => role === 'value' && keys.length === 1))
    for (const column of columns) {
      const quantity = valueAt(matrix, at.index, column.index)
      const names = [at.name, column.name].map(bareName)
      if (quantity === null || quantity.hedge !== null || names.includes('')) continue
      const point = { at, cell: matrix.table.rows[at.index][column.index], quantity }
      const key = names.sort().join('|')
      cells.set(key, cells.has(key) ? null : { row: at.name, column: column.name, point })
    }
  return cells
}

function bareName(name: string): string {
  const bare = name.replace(/[(（[【][^()（）[\]【】]*[)）\]】]/g, ' ')
  return wordsOf(bare).map(({ text }) => text).join(' ')
}

const FEWEST_LISTED = 4

function* sentenceAgainstLines(statement: Statement, { holding, document }: Evidence): Generator<Fault> {
  const { kind, quantities } = statement
  if (kind === 'heading' || kind === 'cell' || quantities.length < FEWEST_LISTED) return
  const lines = new Set(quantities.flatMap(quantity => holding(quantity).map(({ line }) => line)))
  const runs = [...lines].flatMap(line => runsIn(line, quantities))
  const [told] = runs.filter(run => !runs.some(other => other.wrong === null && other.from <= run.from && other.to >= run.to))
  if (told === undefined || told.wrong === null) return
  const { line, wrong: { figure, point } } = told
  const found = statement.text.slice(figure.from, figure.to)
  const at = document.placeOf(point.cell.offset).line
  const params = { found, line: line.of.name, expected: point.cell.text, at, count: line.points.length - 1 }
  yield fault('restated', statement.offsetOf(figure.from), say('audit.line-restated', params), { also: [point.cell.offset] })
}

interface Run {
  readonly line: Line
  readonly from: number
  readonly to: number
  /** The one figure that is not the line's; null where all are. */
  readonly wrong: { readonly figure: Quantity; readonly point: Point } | null
}

/** Where figures one after the other are those of a whole line, but for one of them. */
function runsIn(line: Line, quantities: readonly Quantity[]): readonly Run[] {
  const { points } = line
  if (points.length < FEWEST_LISTED) return []
  return quantities.flatMap((_, from): Run[] => {
    const figures = quantities.slice(from, from + points.length)
    if (figures.length < points.length) return []
    const wrong = points.flatMap((point, i) => (figures[i].value === point.quantity.value ? [] : [{ point, figure: figures[i] }]))
    const to = from + points.length
    if (wrong.length === 0) return [{ line, from, to, wrong: null }]
    const [{ point, figure }] = wrong
    const isOne = wrong.length === 1 && figure.unit === point.quantity.unit && isSlip(figure.value, point.quantity.value)
    return isOne && !areLevel(figure, point.quantity) ? [{ line, from, to, wrong: { point, figure } }] : []
  })
}
