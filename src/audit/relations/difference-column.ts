import { isDifferenceName, type Matrix, type MatrixAxis } from '../../logs/document/matrix.js'
import type { Quantity } from '../../logs/document/quantity.js'
import { divide, type NumberRange, subtract } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, isWithin, meets, middle, percentOf, scale, sizeOf, statedRange } from '../arithmetic.js'
import { type Assertion, type CheckOutcome, confirmed, type Relation, refute, UNCHECKED } from '../assertion.js'
import { assertionInCell, cellFigure } from '../extract.js'
import { type Term, termAt, type View, viewsOf } from './table-view.js'

/**
 * A column or row that is labelled as a difference of two others. Which two, and in what unit, is solved: the formula
 * must give at least four cells and all but one in five. A cell that it does not give is wrong, if it has the unit of the
 * rest and names no base of its own.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.cell-difference': { en: '“{found}” (row “{row}”, column “{column}”): the difference between {left} and {right} is {expected}; {count} other cell{count||s} {count|is|are} computed so', zh: '“{found}”（“{row}”行，“{column}”列）：{left} 与 {right} 相差 {expected}；另有 {count} 格按此计算' },
  'audit.cell-percent': { en: '“{found}” (row “{row}”, column “{column}”): {left} to {right} is {expected}; {count} other cell{count||s} {count|is|are} computed so', zh: '“{found}”（“{row}”行，“{column}”列）：{left} 到 {right} 是 {expected}；另有 {count} 格按此计算' },
  'audit.cell-ratio': { en: '“{found}” (row “{row}”, column “{column}”): the ratio of {right} to {left} is {expected}; {count} other cell{count||s} {count|is|are} computed so', zh: '“{found}”（“{row}”行，“{column}”列）：{right} 与 {left} 之比是 {expected}；另有 {count} 格按此计算' },
})

const OPERATIONS = ['difference', 'percent', 'ratio'] as const
type CellOperation = (typeof OPERATIONS)[number]

/** What is done with which two cells of each item. */
interface Formula {
  readonly operation: CellOperation
  readonly left: MatrixAxis
  readonly right: MatrixAxis
}

type Stated = Term & { readonly item: MatrixAxis }

/** What an operation can be printed as. */
function resultsOf(operation: CellOperation, from: Quantity, to: Quantity, { unit }: Quantity): readonly NumberRange[] {
  if (from.unit !== to.unit || (unit === 'times') !== (operation === 'ratio')) return []
  if (operation === 'ratio') return [divide(to.range, from.range)].filter(ratio => ratio !== null)
  if (operation === 'percent') return unit !== '%' ? [] : [percentOf(from.range, to.range)].filter(one => one !== null)
  const difference = subtract(to.range, from.range)
  if (unit !== '%' || from.unit === '%') return [difference]
  // Shares between 0 and 1 are often compared in points; what is counted differs by no percentage.
  return Math.max(Math.abs(from.value), Math.abs(to.value)) <= 1 ? [scale(difference, 100)] : []
}

/** A figure without a sign may be a size. */
const isResult = (range: NumberRange, stated: Quantity): boolean =>
  meets(statedRange(stated), stated.signed ? range : sizeOf(range))

/** A range that holds half the numbers explains nothing. */
const isNarrow = ({ low, high }: NumberRange, { decimals }: Quantity): boolean =>
  high - low <= 0.25 * Math.abs(low + high) + 3 * 10 ** -decimals

function isGiven(view: View, { operation, left, right }: Formula, { item, quantity }: Stated): boolean {
  const [from, to] = [termAt(view, item, left), termAt(view, item, right)]
  if (from === null || to === null) return false
  return resultsOf(operation, from.quantity, to.quantity, quantity).some(
    range => isResult(range, quantity) && isNarrow(range, quantity),
  )
}

const FEWEST_GIVEN = 4
const MOST_CELLS = 2_000
/** Columns farther away belong to another block. */
const FARTHEST = 8

function* inTable(matrix: Matrix): Generator<Assertion> {
  if (matrix.isSettings) return
  for (const view of viewsOf(matrix)) {
    // In a row of means a wrong mean would make its difference wrong too.
    const items = view.items.filter(({ role }) => role === 'value')
    for (const target of view.lines.filter(({ role, name }) => role === 'difference' && isDifferenceName(name))) {
      const cells = items.flatMap((item): readonly Stated[] => {
        const term = termAt(view, item, target)
        return term === null || term.cell.dates.length > 0 ? [] : [{ item, ...term }]
      })
      if (cells.length < FEWEST_GIVEN || cells.length > MOST_CELLS) continue
      const meant = formulaOf(view, target, cells)
      if (meant === null) continue
      const given = cells.filter(cell => isGiven(view, meant, cell))
      // Another unit, or words beside the figure: the cell says that it is something else.
      const isAlike = ({ quantity, cell }: Stated): boolean =>
        given.some(one => one.quantity.unit === quantity.unit) && !/\p{L}{2}|\p{Script=Han}/u.test(cell.text)
      for (const cell of cells.filter(one => isAlike(one) || given.includes(one))) {
        const [from, to] = [termAt(view, cell.item, meant.left), termAt(view, cell.item, meant.right)]
        if (from === null || to === null) continue
        const figures = [
          cellFigure(from.cell, from.quantity, 'from'),
          cellFigure(to.cell, to.quantity, 'to'),
          cellFigure(cell.cell, cell.quantity, 'result'),
        ]
        const names = view.isTurned ? [target.name, cell.item.name] : [cell.item.name, target.name]
        const manner = [meant.operation, given.length, view.isTurned ? 'row' : 'column', ...names].join('\n')
        yield assertionInCell(matrix, cell.cell, 'difference-column', { figures, manner })
      }
    }
  }
}

/** The only formula that gives most of the cells: at least four, and all but one in five. */
function formulaOf(view: View, target: MatrixAxis, cells: readonly Stated[]): Formula | null {
  const isSource = ({ role, index }: MatrixAxis): boolean =>
    (role === 'value' || role === 'summary') && Math.abs(index - target.index) <= FARTHEST
  const sources = view.lines.filter(isSource)
  const fewest = Math.max(FEWEST_GIVEN, Math.ceil(0.8 * cells.length))
  const formulas = sources.flatMap(left =>
    sources.flatMap(right => (left === right ? [] : OPERATIONS.map(operation => ({ operation, left, right })))),
  )
  const counted = formulas.map(formula => ({ formula, count: countGiven(view, formula, cells, fewest) }))
  return counted.reduce((best, one) => (one.count > best.count ? one : best), {
    formula: null as Formula | null,
    count: 0,
  }).formula
}

/** How many cells a formula gives; 0 as soon as too few are left. */
function countGiven(view: View, formula: Formula, cells: readonly Stated[], fewest: number): number {
  let missed = 0
  for (const cell of cells) {
    if (!isGiven(view, formula, cell)) missed += 1
    if (missed > cells.length - fewest) return 0
  }
  return cells.length - missed
}

function check({ figures, manner }: Assertion): CheckOutcome {
  const [from, to, result] = figures
  const [called, count = '', place, row = '', column = ''] = manner.split('\n')
  const operation = OPERATIONS.find(one => one === called)
  if (from === undefined || to === undefined || result === undefined || operation === undefined) return UNCHECKED
  const stated = result.quantity
  const ranges = resultsOf(operation, from.quantity, to.quantity, stated)
  const [range] = ranges
  if (ranges.some(one => isResult(one, stated))) return confirmed(`${from.text}, ${to.text}`)
  // Where the size fits and the sign does not, a fall may be called a gain.
  const isSize = ranges.some(one => meets(sizeOf(one), sizeOf(statedRange(stated))))
  if (range === undefined || isSize || !isWithin(10, stated.value / middle(range))) return UNCHECKED
  const expected = asPrinted(middle(range), stated)
  const params = { found: result.text, row, column, left: from.text, right: to.text, expected, count: Number(count) }
  const rule = place === 'row' ? 'difference-row' : 'difference-column'
  return refute(rule, result.offset, say(`audit.cell-${operation}`, params), { also: [from.offset, to.offset] })
}

export const differenceColumn: Relation = { name: 'difference-column', inTable, check }
