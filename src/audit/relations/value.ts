import { type Axis, type Matrix, valueAt } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { meets, statedRange } from '../arithmetic.js'
import { type Assertion, confirmed, type Outcome, type Relation, refuted, UNCHECKED } from '../assertion.js'
import { entriesOf } from '../entries.js'
import { type Evidence, isAround, significantDigits } from '../evidence.js'
import { fault } from '../fault.js'
import { has } from '../lexicon.js'
import { type Clause, clauseOf, clausesOf, type Focus, focusOf } from '../mentions.js'
import { assertionIn, figureAs, figureOf } from '../read.js'

/**
 * A figure that a sentence takes from a table: "step 90: validation reward 3.41". The cell is named by its row and column,
 * or the row is named and the figure is one of its cells but for a digit. A figure that stands in any table under one of
 * the names is right. And a mean beside its own range: it lies inside it, and not at its end.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.named-value': { en: '“{quote}”: the table has {expected} for {owner}, “{line}” (line {at}), not {found}; write {expected}', zh: '“{quote}”：表中 {owner} 的“{line}”是 {expected}（第 {at} 行），不是 {found}；应写 {expected}' },
  'audit.mean-impossible': { en: '“{quote}”: a mean of {found} cannot lie at or beyond the end of its own range {low} – {high}', zh: '“{quote}”：平均值 {found} 不可能在自己的范围 {low} – {high} 的端点或之外' },
})

const LONGEST = 500

function* read(evidence: Evidence): Generator<Assertion> {
  for (const statement of evidence.document.statements) {
    if (statement.kind === 'cell' || statement.kind === 'heading' || statement.text.length > LONGEST) continue
    for (const clause of clausesOf(statement)) {
      for (const quantity of statement.quantities) {
        if (quantity.from < clause.from || quantity.to > clause.to || !isLevel(quantity)) continue
        yield assertionIn(statement, 'value', { ...clause, figures: [figureOf(statement, quantity, 'value')] })
      }
    }
  }
  for (const entry of entriesOf(evidence)) {
    const [value, range] = entry.quantities
    if (value === undefined || range?.ends == null || entry.statement === null) continue
    if (value.from > 2 || !/mean|平均|均值/i.test(entry.value) || !/range|范围/i.test(entry.value)) continue
    const shift = entry.statement.text.length - entry.value.length
    const place = (quantity: typeof value) => ({ ...quantity, from: quantity.from + shift, to: quantity.to + shift })
    yield assertionIn(entry.statement, 'range', {
      from: 0,
      to: entry.statement.text.length,
      figures: [figureOf(entry.statement, place(value), 'value'), figureOf(entry.statement, place(range), 'bound')],
    })
  }
}

/** A level, printed exactly, with digits enough not to be in a table by chance. */
function isLevel(quantity: Quantity): boolean {
  const { signed, bound, hedge, ends, unit, plusMinus } = quantity
  if (signed || plusMinus || bound !== null || hedge !== null || ends !== null) return false
  return (
    ((quantity.decimals ?? 0) > 0 || quantity.value >= 1000) &&
    significantDigits(quantity) > 2 &&
    (unit === null || unit === '%' || unit === 'other') &&
    !Number.isInteger(quantity.value / 10)
  )
}

function check(assertion: Assertion, evidence: Evidence): Outcome {
  const figure = figureAs(assertion, 'value')
  const clause = clauseOf(assertion)
  if (assertion.relation === 'range') return checkRange(assertion)
  if (figure === null || clause === null || assertion.stance !== 'said') return UNCHECKED
  const stated = figure.quantity
  const isRecord = clause.statement.quantities.length === 1 && clause.statement.text.length < 60
  if (evidence.holding(stated).length > 0 && !isRecord) return confirmed('a table')
  if (evidence.printed(stated.value) > 1) return UNCHECKED
  let miss: Named | null = null
  for (const matrix of evidence.near(assertion.offset).slice(0, NEAREST)) {
    const cells = cellsNamed(clause, focusOf(clause, matrix), matrix)
    if (cells.some(({ quantity }) => meets(statedRange(stated), quantity.range)))
      return confirmed(matrix.table.header[0]?.text ?? '')
    const like = cells.filter(
      cell => isLike(stated, cell) && (cell.isBoth || (isSlip(stated, cell.quantity) && significantDigits(stated) > 3)),
    )
    const [best] = like.sort((a, b) => Number(isSlip(stated, b.quantity)) - Number(isSlip(stated, a.quantity)))
    if (best === undefined || !isAround(matrix.table.section, assertion.scope.section)) continue
    if (has(clause.text, 'maximum', 'minimum', 'mean', 'total') && !best.isBoth) continue
    const isSingle = cells.filter(({ isBoth }) => isBoth).length === 1
    if (isSlip(stated, best.quantity) || isSingle || isRecord) miss ??= best
  }
  if (miss === null) return UNCHECKED
  const { row, column, matrix } = miss
  const cell = matrix.table.rows[row.index]?.[column.index]
  return refuted(
    fault(
      'named-value',
      figure.offset,
      say('audit.named-value', {
        quote: assertion.quote,
        owner: row.name,
        expected: cell?.text ?? '',
        found: figure.text,
        line: column.name,
        at: evidence.document.placeOf(cell?.offset ?? matrix.table.offset).line,
      }),
      { also: cell === undefined ? [] : [cell.offset] },
    ),
  )
}

const NEAREST = 8

interface Named {
  readonly matrix: Matrix
  readonly row: Axis
  readonly column: Axis
  readonly quantity: Quantity
  /** Row and column are both named. */
  readonly isBoth: boolean
}

/** The cells of the rows and columns that a clause names, whole names only. */
function cellsNamed(clause: Clause, { rows, columns, inherited }: Focus, matrix: Matrix): readonly Named[] {
  const whole = (isRow: boolean): readonly Axis[] => {
    const own = (isRow ? rows : columns).filter(one => one.isWhole)
    const list = own.length > 0 ? own : inherited.filter(one => one.isRow === isRow && one.isWhole)
    return [...new Set(list.flatMap(({ axes }) => axes))]
  }
  const [namedRows, namedColumns] = [whole(true), whole(false)]
  if (namedRows.length === 0 || clause.text === '') return []
  const allColumns = matrix.columns.filter(({ role, index }) => role !== 'label' && role !== 'remark' && index > 0)
  return namedRows.flatMap(row =>
    (namedColumns.length > 0 ? namedColumns : allColumns).flatMap(column => {
      const quantity = valueAt(matrix, row.index, column.index)
      return quantity === null ? [] : [{ matrix, row, column, quantity, isBoth: namedColumns.length > 0 }]
    }),
  )
}

function isLike(stated: Quantity, { matrix, row, column, quantity: { unit, decimals, value } }: Named): boolean {
  const ratio = stated.value / value
  const isBare = stated.unit === null && !/%/.test(matrix.table.rows[row.index]?.[column.index]?.text ?? '')
  return stated.decimals === decimals && (stated.unit === unit || isBare) && ratio > 0.5 && ratio < 2
}

/** One digit another, or two neighbours exchanged. */
function isSlip(a: Quantity, b: Quantity): boolean {
  const [x, y] = [a, b].map(({ value, decimals }) => Math.abs(value).toFixed(Math.min(12, Math.max(0, decimals ?? 0))))
  if (x === undefined || y === undefined || x.length !== y.length || x === y) return false
  const wrong = [...x].flatMap((digit, i) => (digit === y[i] ? [] : [i]))
  const [first = 0, second = 0] = wrong
  if (wrong.length === 1) return true
  const isNext = second - first === 1 || (second - first === 2 && x[first + 1] === '.')
  return wrong.length === 2 && isNext && x[first] === y[second] && x[second] === y[first]
}

function checkRange(assertion: Assertion): Outcome {
  const [value, range] = [figureAs(assertion, 'value'), figureAs(assertion, 'bound')]
  const ends = range?.quantity.ends
  if (value === null || ends == null) return UNCHECKED
  const [low, high] = [Math.min(...ends), Math.max(...ends)]
  if (low === high || (value.quantity.value > low && value.quantity.value < high)) return confirmed(`${low} – ${high}`)
  return refuted(
    fault(
      'mean-impossible',
      value.offset,
      say('audit.mean-impossible', { quote: assertion.quote, found: value.text, low, high }),
      { expected: `${low} – ${high}` },
    ),
  )
}

export const value: Relation = { name: 'value', read, check }

export const range: Relation = { name: 'range', read: () => [], check }
