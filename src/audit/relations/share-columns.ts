import type { Cell } from '../../document/document.js'
import type { Matrix } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { statedRange } from '../arithmetic.js'
import type { Assertion } from '../assertion.js'
import { assertionInCell, cellFigure } from '../read.js'

/**
 * A column of percentages, or "96 (64 %)" in its cells: which count of the row is the part and what the whole is (another
 * count, the sum of all parts, a number that the caption gives, the 80 of "12/80") is solved from the rows that agree. One
 * formula that explains all of them but one is what the author meant.
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
/** All of something is all of much else. */
const NEARLY_ALL = 0.99
const MOST_COLUMNS = 14

export function* inTable(matrix: Matrix): Generator<Assertion> {
  const { table, columns } = matrix
  const rows = matrix.rows.flatMap(({ role, index }) => (role === 'value' ? [table.rows[index] ?? []] : []))
  if (columns.length > MOST_COLUMNS) return
  for (const { index } of columns) {
    const shown = rows.flatMap(row => {
      const percent = percentIn(row[index])
      return percent === null ? [] : [{ row, cell: row[index], percent }]
    })
    if (shown.length < FEWEST_RIGHT) continue
    const solved = [...formulasFor(matrix, rows, index)].map(({ partOf, wholeOf }) => {
      const shares = shown.flatMap(({ row, cell, percent }) => {
        const [part, whole] = [partOf(row), wholeOf(row)]
        const isSolved = part !== null && whole !== null && part <= whole
        return isSolved ? [{ row, cell, percent, part, whole }] : []
      })
      const isRight = ({ part, whole, percent }: (typeof shares)[number]): boolean =>
        part < NEARLY_ALL * whole && isShare(part, whole, percent)
      return { shares, right: shares.filter(isRight).length }
    })
    const [{ shares, right } = { shares: [], right: 0 }] = solved.sort((one, other) => other.right - one.right)
    const isFraction = shares.every(({ row, whole }) => row.some(({ text }) => text.includes(`/${whole}`)))
    if (isFraction ? 2 * right >= shares.length : right >= FEWEST_RIGHT && right >= shares.length - 1)
      for (const { part, whole, cell, percent } of shares)
        yield assertionInCell(matrix, cell, 'share', {
          figures: [cellFigure(cell, percent)],
          manner: `sure ${part} ${whole}`,
        })
  }
}

function countIn(cell: Cell | undefined): number | null {
  const [count, more] = cell?.quantities ?? []
  const isAlone = count?.from === 0 && (more === undefined || more.unit === '%')
  return isAlone && isCount(count) ? count.value : null
}

/** The only percentage of a cell. */
function percentIn(cell: Cell | undefined): Quantity | null {
  const [percent, more] = cell?.quantities.filter(({ unit }) => unit === '%') ?? []
  return percent === undefined || more !== undefined || percent.signed || percent.value === 0 ? null : percent
}

function* formulasFor({ table, columns }: Matrix, rows: readonly (readonly Cell[])[], at: number): Generator<Formula> {
  const around = `${table.caption?.text ?? ''} ${table.header.map(({ text }) => text).join(' ')}`
  const numbers = [...around.matchAll(/(?<![\d.])(\d{2,9})(?![\d.]|\s?%)/g)].map(match => Number(match[1]))
  for (const { index: own } of columns) {
    yield { partOf: row => fractionIn(row[own])[0], wholeOf: row => fractionIn(row[own])[1] }
    const partOf = (row: readonly Cell[]): number | null => countIn(row[own])
    const sum = rows.reduce((all, row) => all + (partOf(row) ?? 0), 0)
    const implied = rows.map(row => Math.round((100 * (partOf(row) ?? 0)) / (percentIn(row[at])?.value ?? 1)))
    for (const whole of new Set([sum, ...numbers, ...implied])) yield { partOf, wholeOf: () => whole }
    for (const { index: other } of columns) yield { partOf, wholeOf: row => countIn(row[other]) }
  }
}

/** The two figures of "12/80". */
function fractionIn({ text, quantities: [part, whole] }: Cell): readonly [number | null, number | null] {
  const isOne = whole !== undefined && FRACTION.test(text.slice(part.to, whole.from))
  return isOne ? [part.value, whole.value] : [null, null]
}
