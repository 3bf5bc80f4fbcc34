import type { Quantity } from '../document/quantity.js'
import type { Range } from '../stats/rounding.js'
import { canBe, differenceOf, middle, percentOf, percentOfEnd, pointsOf } from './change.js'
import type { Cell } from './document.js'
import { isDifferenceHeader, mainQuantity, type TableView } from './table-view.js'

/**
 * What a column of differences subtracts from what: one column from another, a baseline's row, the row before. Nobody
 * says it, so it is read off the rows: the reading that explains most of them is the author's, and a row that it does
 * not explain is wrong. A column that no reading explains says something else, and nothing is said about it.
 */
export interface DifferenceColumn {
  readonly column: number
  readonly rows: readonly DifferenceRow[]
  readonly right: number
  readonly wrong: number
  /** The only two columns of values, or the row that the header names: what else should be meant? */
  readonly isNatural: boolean
  /** Enough rows agree for the others to be wrong. */
  readonly isTrusted: boolean
}

export interface DifferenceRow {
  readonly cell: Cell
  readonly printed: Quantity
  readonly start: Quantity
  readonly end: Quantity
  readonly fit: Fit
  /** How much the agreement says, up to 1: numbers of few digits agree with anything. */
  readonly weight: number
}

/** `sign`: the size is right and the direction is not. `points`: right as a difference of percentages only. */
export type Fit = 'difference' | 'points' | 'percent' | 'sign' | null

/** Columns further away are not compared, so that a hostile table costs no more than a wide one. */
const MOST_COLUMNS = 6

const known = new WeakMap<TableView, readonly DifferenceColumn[]>()

export function differenceColumns(view: TableView): readonly DifferenceColumn[] {
  const before = known.get(view)
  if (before !== undefined) return before
  const columns = readColumns(view)
  known.set(view, columns)
  return columns
}

function readColumns(view: TableView): readonly DifferenceColumn[] {
  return view.roles.flatMap((role, column): DifferenceColumn[] => {
    if (column === 0 || role === 'position' || !isDifferenceHeader(view.table.header[column].text)) return []
    const best = bestReading(view, column)
    return best === null ? [] : [best]
  })
}

/** Between readings that explain as much, the natural one. */
const NATURAL_BONUS = 0.05

interface Candidate {
  readonly read: Reading
  readonly isNatural: boolean
  /** With many columns of values some agree by chance. */
  readonly isOneOfMany: boolean
}

type Reading = (row: number) => { readonly start: Cell; readonly end: Cell } | null

/** So many rows are enough to choose the reading by. */
const ROWS_TO_CHOOSE = 200

function bestReading(view: TableView, column: number): DifferenceColumn | null {
  const cells = view.table.rows.map(row => row[column])
  const hasNegative = cells.some(cell => (mainQuantity(cell)?.value ?? 0) < 0)
  const rowsBy = (read: Reading, count: number): readonly DifferenceRow[] =>
    cells.slice(0, count).flatMap((cell, row) => {
      const sides = cell.pending ? null : read(row)
      const printed = mainQuantity(cell)
      return sides === null || printed === null ? [] : explained(cell, withSign(printed, hasNegative), sides)
    })
  let best: Candidate | null = null
  let highest = -1
  for (const reading of readingsOf(view, column)) {
    const rows = rowsBy(reading.read, ROWS_TO_CHOOSE)
    const score = rows.filter(isRight).reduce((sum, { weight }) => sum + weight, reading.isNatural ? NATURAL_BONUS : 0)
    if (rows.length === 0 || score <= highest) continue
    highest = score
    best = reading
  }
  if (best === null) return null
  const rows = rowsBy(best.read, cells.length)
  const right = rows.filter(isRight)
  return { column, rows, isNatural: best.isNatural, ...agreement(right, rows.length - right.length, best) }
}

function isRight({ fit }: DifferenceRow): boolean {
  return fit !== null && fit !== 'sign'
}

/** Agreement that says less than this, on average, is what numbers of few digits have with anything. */
const LEAST_WEIGHT = 0.5

/** A reading that nothing else suggests must explain most rows, closely, and more of them where more could be meant. */
function agreement(right: readonly DifferenceRow[], wrong: number, { isNatural, isOneOfMany }: Candidate) {
  const count = right.length
  const weight = right.reduce((sum, row) => sum + row.weight, 0) / Math.max(1, count)
  const isTrusted = isNatural
    ? count >= 1 && count >= wrong
    : count >= (isOneOfMany ? 3 : 2) && count >= 2 * wrong && weight >= LEAST_WEIGHT
  return { right: count, wrong, isTrusted }
}

/** Beside negative differences one without a sign is positive. */
function withSign(printed: Quantity, hasNegative: boolean): Quantity {
  return hasNegative ? { ...printed, signed: true } : printed
}

function* readingsOf(view: TableView, column: number): Generator<Candidate> {
  const { table, roles } = view
  const values = roles
    .flatMap((role, at) => (at !== column && (role === 'value' || role === 'mean') ? [at] : []))
    .sort((a, b) => Math.abs(a - column) - Math.abs(b - column))
    .slice(0, MOST_COLUMNS)
  const isOneOfMany = values.length > 2
  const named = baselineNamed(view, column)
  // "vs 0.15" beside a row 0.15 can only mean that row.
  if (named === null) {
    for (const a of values) {
      for (const b of values) {
        if (a === b) continue
        yield {
          read: row => ({ start: table.rows[row][a], end: table.rows[row][b] }),
          isNatural: values.length === 2,
          isOneOfMany,
        }
      }
    }
  }
  const unfilled = unfilledRows(view, column)
  const bases = named === null ? new Set([...unfilled, 0, table.rows.length - 1]) : new Set([named])
  for (const a of values) {
    for (const base of bases) {
      const isMarked = base === named || unfilled.includes(base)
      const isNamed = isMarked && (values.length === 1 || roles[a] === 'mean')
      const isNatural = isNamed || BASELINE.test(table.rows[base]?.[column].text ?? '')
      const start = table.rows[base]?.[a]
      if (start === undefined) continue
      yield { read: row => (row === base ? null : { start, end: table.rows[row][a] }), isNatural, isOneOfMany }
      yield {
        read: row => (row === base ? null : { start: table.rows[row][a], end: start }),
        isNatural: false,
        isOneOfMany,
      }
    }
    if (named === null)
      yield {
        read: row => (row === 0 ? null : { start: table.rows[row - 1][a], end: table.rows[row][a] }),
        isNatural: false,
        isOneOfMany,
      }
  }
}

/** What stands instead of the baseline's difference to itself. */
const BASELINE = /^(?:基准|基线|对照|参照|baseline|base|reference|ref\.?|control)$/i
const VERSUS = /(?:vs\.?|versus|相比|相对|较|对比|over|against)\s*(.+)$/i

/** "vs 0.15" and a row that is labelled 0.15. */
function baselineNamed({ table }: TableView, column: number): number | null {
  const name = VERSUS.exec(table.header[column].text)?.[1].trim().toLowerCase()
  if (name === undefined || name === '') return null
  const labels = table.rows.map(cells => cells[0].text.trim().toLowerCase())
  if (labels.includes(name)) return labels.indexOf(name)
  const holding = labels.flatMap((label, row) => (label.includes(name) ? [row] : []))
  return holding.length === 1 ? holding[0] : null
}

/** The baseline's own difference is left out, or called "baseline". */
function unfilledRows({ table }: TableView, column: number): readonly number[] {
  const rows = table.rows.flatMap((cells, row) => (mainQuantity(cells[column]) === null ? [row] : []))
  return rows.length === 1 ? rows : []
}

function explained(cell: Cell, printed: Quantity, sides: { start: Cell; end: Cell }): DifferenceRow[] {
  const [start, end] = [mainQuantity(sides.start), mainQuantity(sides.end)]
  if (sides.start.pending || sides.end.pending || start === null || end === null) return []
  if (isNoLevel(start) || isNoLevel(end) || isNoLevel(printed)) return []
  if (start.bound !== null || end.bound !== null) return []
  const isPercent = printed.unit === '%' || printed.unit === 'points'
  if (start.unit !== end.unit || (!isPercent && printed.unit !== null && printed.unit !== start.unit)) return []
  const others = sides.start.quantities.flatMap((a, i) => {
    const b = sides.end.quantities[i]
    return b === undefined || a.unit !== b.unit ? [] : [{ start: a, end: b }]
  })
  const fits = others.map(other => fitOf(printed, other.start, other.end))
  const fit = fits.find(found => found !== null && found !== 'sign') ?? fits[0] ?? null
  return [{ cell, printed, start, end, fit, weight: weightOf(printed, start, end, fit) }]
}

function isNoLevel({ ends, plusMinus }: Quantity): boolean {
  return ends !== null || plusMinus
}

function weightOf(printed: Quantity, start: Quantity, end: Quantity, fit: Fit): number {
  const computed =
    fit === 'percent' ? percentOf(start, end) : fit === 'points' ? pointsOf(start, end) : differenceOf(end, start)
  if (computed === null || printed.value === 0) return 0.5
  const blur = (computed.high - computed.low) / Math.abs(printed.value)
  const miss = Math.abs(Math.abs(middle(computed) / printed.value) - 1)
  return 1 / (1 + blur + 4 * miss)
}

/** How a printed change follows from its two ends, or null when it does not. */
export function fitOf(printed: Quantity, start: Quantity, end: Quantity): Fit {
  const isShare = printed.unit === '%'
  const points = pointsOf(start, end)
  // Of negative numbers (decibels, log-likelihoods) "+52 %" is said of the size.
  const isNegative = start.value < 0 && end.value < 0
  // A sign that is not printed cannot be the wrong one.
  const hasSign = printed.signed && !printed.plusMinus && printed.bound === null
  for (const signFree of isNegative ? [true] : hasSign ? [false, true] : [false]) {
    const fits = (computed: Range | null): boolean => canBe(printed, computed, { signFree })
    const as = (fit: Fit): Fit => (signFree && !isNegative ? 'sign' : fit)
    if (isShare && (fits(percentOf(start, end)) || fits(percentOfEnd(start, end)))) return as('percent')
    if (isShare && fits(points)) return as('points')
    if (!isShare && fits(printed.unit === 'points' ? points : differenceOf(end, start))) return as('difference')
  }
  return null
}
