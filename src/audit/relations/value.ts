import type { Statement } from '../../document/document.js'
import { type Axis, type Matrix, valueAt } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { meets, sizeOf, statedRange } from '../arithmetic.js'
import { type Assertion, confirmed, type Figure, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import type { Entry } from '../entries.js'
import { type Evidence, isAround, significantDigits } from '../evidence.js'
import { refute } from '../fault.js'
import { has } from '../lexicon.js'
import { type Clause, clauseOf, type Focus, focusOf } from '../mentions.js'
import { assertionIn, assertionInEntry, entryFigure, figureAs, figureOf } from '../read.js'

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

function* inClause(clause: Clause): Generator<Assertion> {
  const { statement, from, to } = clause
  if (statement.kind === 'cell') return
  for (const quantity of statement.quantities)
    if (quantity.from >= from && quantity.to <= to && (isLevel(quantity) || isGain(statement, quantity)))
      yield assertionIn(statement, 'value', clause, { figures: [figureOf(statement, quantity, 'value')] })
}

/** "Entropy: 0.412 (mean, range 0.412-1.307)". */
function* inEntries(entries: readonly Entry[]): Generator<Assertion> {
  for (const entry of entries) {
    const [value, range] = entry.quantities
    if (value === undefined || range?.ends == null || entry.statement === null || value.from > 2) continue
    if (!has(entry.value, 'mean') || !/range|范围/i.test(entry.value)) continue
    const figures = [entryFigure(entry, value, 'value'), entryFigure(entry, range, 'bound')]
    yield assertionInEntry(entry, 'range', { figures })
  }
}

/** A level, printed exactly, with digits enough not to be in a table by chance. */
function isLevel(quantity: Quantity): boolean {
  const { signed, bound, hedge, ends, unit, plusMinus, value, decimals } = quantity
  if (signed || plusMinus || bound !== null || hedge !== null || ends !== null) return false
  const isLong = ((decimals ?? 0) > 0 || value >= 1000) && significantDigits(quantity) > 2
  return isLong && (unit === null || unit === '%' || unit === 'other') && !Number.isInteger(value / 10)
}

/** So short a statement is an entry of a list. */
const LONGEST_ENTRY = 40

/** "Tool agent: +6 points": a list below a table with a column of differences. */
function isGain({ quantities, text }: Statement, { signed, unit, hedge, bound, ends, plusMinus }: Quantity): boolean {
  const isExact = hedge === null && bound === null && ends === null && !plusMinus
  return text.length < LONGEST_ENTRY && quantities.length === 1 && isExact && (signed || unit === 'points')
}

interface Named {
  readonly matrix: Matrix
  readonly row: Axis
  readonly column: Axis
  readonly quantity: Quantity
  /** Row and column are both named. */
  readonly isBoth: boolean
}

function check(assertion: Assertion, evidence: Evidence): Outcome {
  const figure = figureAs(assertion, 'value')
  const clause = clauseOf(assertion)
  if (assertion.relation === 'range') return checkRange(assertion)
  if (figure === null || clause === null || assertion.stance !== 'said') return UNCHECKED
  const stated = figure.quantity
  if (isGain(clause.statement, stated)) return checkGain(assertion, clause, figure, evidence)
  const isRecord = clause.statement.quantities.length === 1 && clause.statement.text.length < 60
  if (evidence.holding(stated).length > 0 && !isRecord) return confirmed('a table')
  if (evidence.printed(stated.value) > 1) return UNCHECKED
  let miss: Named | null = null
  for (const matrix of evidence.near(assertion.offset)) {
    const cells = cellsNamed(focusOf(clause, matrix), matrix)
    if (cells.some(({ quantity }) => meets(statedRange(stated), quantity.range)))
      return confirmed(matrix.table.header[0]?.text ?? '')
    const isNear = ({ quantity, isBoth }: Named): boolean =>
      isBoth || (isSlip(stated, quantity) && significantDigits(stated) > 3)
    const like = cells.filter(cell => isLike(stated, cell) && isNear(cell))
    const best = like.find(({ quantity }) => isSlip(stated, quantity)) ?? like[0]
    if (best === undefined || !isAround(matrix.table.section, assertion.scope.section)) continue
    if (!best.isBoth && has(clause.text, 'maximum', 'minimum', 'mean', 'total')) continue
    const isSingle = cells.filter(({ isBoth }) => isBoth).length === 1
    if (isSlip(stated, best.quantity) || isSingle || isRecord) miss ??= best
  }
  return miss === null ? UNCHECKED : tell(assertion, figure, miss, evidence)
}

/** The one row that the entry names, in the one column of differences. */
function checkGain(assertion: Assertion, clause: Clause, figure: Figure, evidence: Evidence): Outcome {
  for (const matrix of evidence.near(assertion.offset)) {
    const [column, another] = matrix.columns.filter(({ role }) => role === 'difference')
    const [mention, more] = focusOf(clause, matrix).rows.filter(({ axes }) => axes.length === 1)
    const row = mention?.axes[0]
    if (column === undefined || another !== undefined || row === undefined || more !== undefined) continue
    const quantity = valueAt(matrix, row.index, column.index)
    if (quantity === null) continue
    if (meets(sizeOf(figure.quantity.range), sizeOf(quantity.range))) return confirmed(column.name)
    const isMeant = figure.quantity.unit !== '%' || quantity.unit === '%'
    const isHere = isMeant && isAround(matrix.table.section, assertion.scope.section)
    return isHere ? tell(assertion, figure, { matrix, row, column, quantity, isBoth: true }, evidence) : UNCHECKED
  }
  return UNCHECKED
}

function tell(assertion: Assertion, figure: Figure, miss: Named, evidence: Evidence): Outcome {
  const cell = miss.matrix.table.rows[miss.row.index]?.[miss.column.index]
  if (cell === undefined) return UNCHECKED
  const owner = { owner: miss.row.name, line: miss.column.name, at: evidence.document.placeOf(cell.offset).line }
  const params = { quote: assertion.quote, ...owner, expected: cell.text, found: figure.text }
  return refute('named-value', figure.offset, say('audit.named-value', params), { also: [cell.offset] })
}

/** The cells of the rows and columns that a clause names, whole names only. */
function cellsNamed({ own, inherited }: Focus, matrix: Matrix): readonly Named[] {
  const whole = (isRow: boolean): readonly Axis[] => {
    const lists = [own, inherited].map(list => list.filter(one => one.isRow === isRow && one.isWhole))
    return [...new Set(lists.find(list => list.length > 0)?.flatMap(({ axes }) => axes))]
  }
  const [rows, columns] = [whole(true), whole(false)]
  const all = matrix.columns.filter(({ role, index }) => role !== 'label' && role !== 'remark' && index > 0)
  return rows.flatMap(row =>
    (columns.length > 0 ? columns : all).flatMap(column => {
      const quantity = valueAt(matrix, row.index, column.index)
      return quantity === null ? [] : [{ matrix, row, column, quantity, isBoth: columns.length > 0 }]
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
  const [x = '', y = ''] = [a, b].map(({ value, decimals }) =>
    Math.abs(value).toFixed(Math.min(12, Math.max(0, decimals ?? 0))),
  )
  const wrong = [...x].flatMap((digit, i) => (digit === y[i] ? [] : [i]))
  const [first = 0, second = 0] = wrong
  if (x.length !== y.length || wrong.length === 0 || wrong.length > 2) return false
  const isNext = second - first === 1 || (second - first === 2 && x[first + 1] === '.')
  return wrong.length === 1 || (isNext && x[first] === y[second] && x[second] === y[first])
}

function checkRange(assertion: Assertion): Outcome {
  const [value, range] = [figureAs(assertion, 'value'), figureAs(assertion, 'bound')]
  const ends = range?.quantity.ends
  if (value === null || ends == null) return UNCHECKED
  const [low, high] = [Math.min(...ends), Math.max(...ends)]
  if (low === high || (value.quantity.value > low && value.quantity.value < high)) return confirmed(`${low} – ${high}`)
  const message = say('audit.mean-impossible', { quote: assertion.quote, found: value.text, low, high })
  return refute('mean-impossible', value.offset, message, { expected: `${low} – ${high}` })
}

export const value: Relation = { names: ['value', 'range'], inClause, inEntries, check }
