import type { Statement } from '../../document/document.js'
import type { Line, Point } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { meets, sizeOf, statedRange } from '../arithmetic.js'
import { type Assertion, confirmed, type Figure, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import { type Frame, framesOf, kindest } from '../binding.js'
import type { Entry } from '../entries.js'
import { type Evidence, pointName, significantDigits } from '../evidence.js'
import { refute } from '../fault.js'
import { has } from '../lexicon.js'
import { type Clause, clauseOf } from '../mentions.js'
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

const isExact = ({ hedge, bound, ends, plusMinus }: Quantity): boolean =>
  hedge === null && bound === null && ends === null && !plusMinus

/** A level, printed exactly, with digits enough not to be in a table by chance. */
function isLevel(quantity: Quantity): boolean {
  const { signed, unit, value, decimals } = quantity
  const isLong = ((decimals ?? 0) > 0 || value >= 1000) && significantDigits(quantity) > 2
  const isPlain = !signed && (unit === null || unit === '%' || unit === 'other')
  return isExact(quantity) && isLong && isPlain && !Number.isInteger(value / 10)
}

/** So short a statement is an entry of a list. */
const LONGEST_ENTRY = 40

/** "Tool agent: +6 points": a list below a table with a column of differences. */
function isGain({ quantities, text }: Statement, quantity: Quantity): boolean {
  const isChange = quantity.signed || quantity.unit === 'points'
  return text.length < LONGEST_ENTRY && quantities.length === 1 && isExact(quantity) && isChange
}

function check(assertion: Assertion, evidence: Evidence): Outcome {
  const figure = figureAs(assertion, 'value')
  const clause = clauseOf(assertion)
  if (assertion.relation === 'range') return checkRange(assertion)
  if (figure === null || clause === null || assertion.stance !== 'said') return UNCHECKED
  const stated = figure.quantity
  if (isGain(clause.statement, stated)) return checkGain(assertion, figure, framesOf(clause, evidence), evidence)
  const isRecord = clause.statement.quantities.length === 1 && clause.statement.text.length < 60
  if (evidence.holding(stated).length > 0 && !isRecord) return confirmed('a table')
  if (evidence.printed(stated.value) > 1) return UNCHECKED
  const cells = framesOf(clause, evidence).flatMap(cellsIn)
  const isSingle = cells.filter(({ isBoth }) => isBoth).length === 1
  const isSummary = has(clause.text, 'maximum', 'minimum', 'mean', 'total')
  return kindest(
    cells.map(cell => {
      const { line, point, isBoth, isHere } = cell
      const isNear = isSlip(stated, point.quantity)
      const isMeant = isBoth ? isNear || isSingle || isRecord : isNear && significantDigits(stated) > 3 && !isSummary
      const holds = meets(statedRange(stated), point.quantity.range)
      const weight = isHere && isMeant && isLike(stated, point) ? (isNear ? 2 : 1) : 0
      return {
        holds,
        weight,
        outcome: () => (holds ? confirmed(line.of.name) : tell(assertion, figure, cell, evidence)),
      }
    }),
  )
}

interface NamedCell {
  readonly line: Line
  readonly point: Point
  /** Row and column are both named. */
  readonly isBoth: boolean
  readonly isHere: boolean
}

/** The cells that whole names lead to. */
function cellsIn({ line, subjects, bases, earlier, isOwn, isNamed, isExact, isHere }: Frame): readonly NamedCell[] {
  const own = [...subjects, ...bases].filter(({ mention }) => mention.isWhole)
  const named = own.length > 0 ? own : earlier.filter(({ mention }) => mention.isWhole)
  return line.isColumn
    ? named.map(({ point }) => ({ line, point, isBoth: isExact || (isNamed && !isOwn), isHere }))
    : []
}

/** An entry of a list against the one column of differences above it. */
function checkGain(assertion: Assertion, figure: Figure, frames: readonly Frame[], evidence: Evidence): Outcome {
  const gains = frames.filter(({ line: { of, matrix } }) => {
    return of.role === 'difference' && matrix.columns.filter(({ role }) => role === 'difference').length === 1
  })
  for (const { line, subjects, isHere } of gains) {
    const [only, more] = subjects
    if (!line.isColumn || only === undefined || more !== undefined) continue
    const { quantity } = only.point
    if (meets(sizeOf(figure.quantity.range), sizeOf(quantity.range))) return confirmed(line.of.name)
    const isMeant = isHere && (figure.quantity.unit !== '%' || quantity.unit === '%')
    return isMeant ? tell(assertion, figure, { line, point: only.point }, evidence) : UNCHECKED
  }
  return UNCHECKED
}

function tell(
  assertion: Assertion,
  figure: Figure,
  { line, point }: Pick<NamedCell, 'line' | 'point'>,
  evidence: Evidence,
): Outcome {
  const at = evidence.document.placeOf(point.cell.offset).line
  const owner = { owner: pointName(line, point), line: line.of.name, at }
  const params = { quote: assertion.quote, ...owner, expected: point.cell.text, found: figure.text }
  return refute('named-value', figure.offset, say('audit.named-value', params), { also: [point.cell.offset] })
}

function isLike(stated: Quantity, { cell, quantity: { unit, decimals, value } }: Point): boolean {
  const ratio = stated.value / value
  const isBare = stated.unit === null && !cell.text.includes('%')
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
