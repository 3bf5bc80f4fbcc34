import type { Cell } from '../../document/document.js'
import type { Axis, Matrix } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { statedRange } from '../arithmetic.js'
import type { Assertion } from '../assertion.js'
import { assertionInCell, cellFigure } from '../read.js'

/**
 * A column of percentages, or "96 (64 %)" in its cells: which count of the row is the part and what the whole is (another
 * count, both together, the sum of all parts, a number that the caption gives, the 80 of "12/80") is solved from the rows
 * that agree. One formula that explains all of them but one is what the author meant.
 */
export const FRACTION =
  /^\s?(?:\/|(?:out )?of(?: the)?|\p{Script=Han}{0,4}\s?\(共|(?:wins|hits|passes|successes|failures|errors) (?:in|out of)(?: the)?)\s?$/iu

export function isCount({ value, ends, hedge, unit }: Quantity): boolean {
  return Number.isInteger(value) && value >= 0 && ends === null && hedge === null && unit !== '%'
}

export function isShare(part: number, whole: number, stated: Quantity): boolean {
  const { low, high } = statedRange(stated)
  return (100 * part) / whole >= low && (100 * part) / whole <= high
}

/** A way to get the part and the whole of a share from the cells of its row. */
interface Formula {
  readonly partOf: (row: readonly Cell[]) => number | null
  readonly wholeOf: (row: readonly Cell[]) => number | null
}

const FEWEST_RIGHT = 2
/** Of fewer, any percentage is some share; and all of something is all of much else. */
const SMALLEST_WHOLE = 8
const MOST_COLUMNS = 14

export function* inTable(matrix: Matrix): Generator<Assertion> {
  const { table, columns } = matrix
  const rows = matrix.rows.flatMap(({ role, index }) => (role === 'value' ? [table.rows[index] ?? []] : []))
  if (columns.length > MOST_COLUMNS) return
  const counts = columns.filter(({ index }) => rows.some(row => countIn(row[index]) !== null))
  for (const { index } of columns) {
    const shown = rows.filter(row => percentIn(row[index]) !== null)
    const formulas = shown.length < FEWEST_RIGHT ? [] : [...formulasFor(matrix, rows, index, counts)]
    const solved = formulas.map(({ partOf, wholeOf }) =>
      shown.flatMap(row => {
        const [part, whole, cell, percent] = [partOf(row), wholeOf(row), row[index], percentIn(row[index])]
        if (part === null || whole === null || cell === undefined || percent === null || part > whole) return []
        return [{ part, whole, cell, percent }]
      }),
    )
    const rightIn = (shares: (typeof solved)[number]): number =>
      shares.filter(
        one => one.part < 0.99 * one.whole && one.whole >= SMALLEST_WHOLE && isShare(one.part, one.whole, one.percent),
      ).length
    const [best = []] = solved.sort((one, other) => rightIn(other) - rightIn(one))
    const right = rightIn(best)
    const isFraction = best.every(({ whole }, i) => shown[i]?.some(({ text }) => text.includes(`/${whole}`)))
    if (isFraction ? 2 * right >= best.length : right >= FEWEST_RIGHT && right >= best.length - 1)
      for (const { part, whole, cell, percent } of best) {
        const manner = `${isFraction || right > FEWEST_RIGHT ? 'sure' : 'unsure'} ${part} ${whole}`
        yield assertionInCell(matrix, cell, 'share', { figures: [cellFigure(cell, percent)], manner })
      }
  }
}

function countIn(cell: Cell | undefined): number | null {
  const [count, more] = cell?.quantities ?? []
  const isAlone = count?.from === 0 && (more === undefined || more.unit === '%')
  return count !== undefined && isAlone && isCount(count) ? count.value : null
}

/** The only percentage of a cell. */
function percentIn(cell: Cell | undefined): Quantity | null {
  const [percent, more] = cell?.quantities.filter(({ unit }) => unit === '%') ?? []
  const isPlain = percent !== undefined && more === undefined && !percent.signed && percent.ends === null
  return isPlain && cell?.pending === false && percent.value > 0 ? percent : null
}

function* formulasFor(
  { table, columns }: Matrix,
  rows: readonly (readonly Cell[])[],
  at: number,
  counts: readonly Axis[],
): Generator<Formula> {
  const fraction = (row: readonly Cell[], column: number, which: 0 | 1): number | null => {
    const { text = '', quantities = [] } = row[column] ?? {}
    const [part, whole] = quantities
    if (whole === undefined || !isCount(part) || !isCount(whole)) return null
    return FRACTION.test(text.slice(part.to, whole.from)) ? quantities[which].value : null
  }
  const around = `${table.caption?.text ?? ''} ${table.header.map(({ text }) => text).join(' ')}`
  const numbers = [...around.matchAll(/(?<![\d.])(\d{2,9})(?![\d.]|\s?%)/g)].map(match => Number(match[1]))
  for (const { index: own } of columns)
    yield { partOf: row => fraction(row, own, 0), wholeOf: row => fraction(row, own, 1) }
  for (const { index: own } of counts) {
    const partOf = (row: readonly Cell[]): number | null => countIn(row[own])
    const sum = rows.reduce((all, row) => all + (partOf(row) ?? 0), 0)
    const implied = rows.map(row => Math.round((100 * (partOf(row) ?? 0)) / (percentIn(row[at])?.value ?? 1)))
    for (const whole of new Set([sum, ...numbers, ...implied])) yield { partOf, wholeOf: () => whole }
    for (const { index: other } of counts.filter(({ index }) => index !== own && index !== at)) {
      const otherOf = (row: readonly Cell[]): number | null => countIn(row[other])
      yield { partOf, wholeOf: otherOf }
      yield { partOf, wholeOf: row => (partOf(row) ?? 0) + (otherOf(row) ?? 0) }
    }
  }
}
