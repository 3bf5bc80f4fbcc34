import type { Point } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { meets, statedRange } from '../arithmetic.js'
import { type Assertion, confirmed, type Figure, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import { type Asked, checkedBy, type Frame, held, missed, type Reading } from '../binding.js'
import type { Entry } from '../entries.js'
import { cited, prints, significantDigits } from '../evidence.js'
import { refute } from '../fault.js'
import { has } from '../lexicon.js'
import { type Clause, focusOf } from '../mentions.js'
import { wordsOf } from '../names.js'
import { assertionIn, assertionInEntry, entryFigure, figureOf } from '../read.js'
import { isPlainly, namesStranger } from '../strangers.js'

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
  const own = statement.quantities.filter(one => one.from >= from && one.to <= to)
  for (const quantity of own) {
    const isRecord = own.length === 1 && from === 0 && isLinked(clause, quantity)
    if (!isRecord && !isLevel(quantity)) continue
    const figures = [figureOf(statement, quantity, 'value')]
    yield assertionIn(statement, 'value', clause, { figures, manner: isRecord ? 'record' : '' })
  }
}

const LINK =
  /(?:[=:：为是达到至有]|(?<![A-Za-z])(?:is|was|are|were|of|at|to|reache[sd]|takes?|took|equals?|scores?|gets?|has|had))\s*$/i
const MOVES = [
  'change',
  'better',
  'worse',
  'larger',
  'smaller',
  'faster',
  'slower',
  'maximum',
  'minimum',
  'best',
] as const
const OF_SEVERAL = ['mean', 'total', 'all', 'most', 'worst', 'fastest', 'slowest', 'denial'] as const

/** An exact level that its clause says something to be, and no more than that. */
function isLinked({ text, from }: Clause, quantity: Quantity): boolean {
  const { hedge, bound, ends, plusMinus, signed, unit } = quantity
  const isExact = hedge === null && bound === null && ends === null && !plusMinus && !signed
  if (!isExact || unit === 'points' || unit === 'times' || significantDigits(quantity) < 2) return false
  const before = text.slice(0, quantity.from - from)
  const isMoved = has(text, 'up', 'down') && !/(?:to|[至到为])\s*$/i.test(before)
  return LINK.test(before) && !isMoved && !has(text, ...MOVES, ...OF_SEVERAL)
}

/** A level, printed exactly, with digits enough not to be in a table by chance. */
function isLevel(quantity: Quantity): boolean {
  const { signed, unit, value, decimals, hedge, bound, ends, plusMinus } = quantity
  const isExact = hedge === null && bound === null && ends === null && !plusMinus
  const isLong = ((decimals ?? 0) > 0 || value >= 1000) && significantDigits(quantity) > 2
  const isPlain = !signed && (unit === null || unit === '%' || unit === 'other')
  return isExact && isLong && isPlain && !Number.isInteger(value / 10)
}

function* readings({ assertion, clause, frames, evidence }: Asked): Generator<Reading> {
  const [figure] = assertion.figures
  if (figure === undefined) return
  const stated = figure.quantity
  const tell = ({ line }: Frame, point: Point): Outcome => {
    const params = { quote: assertion.quote, found: figure.text, ...cited(line, point, evidence) }
    return refute('named-value', figure.offset, say('audit.named-value', params), { also: [point.cell.offset] })
  }
  const isOnce = evidence.printed(stated.value) < 2
  const recorded = assertion.manner === 'record' && isOnce ? recordedBy(figure, clause, frames) : []
  if (recorded.length > 0) {
    yield* recorded.map(({ frame, point, isWrong }) =>
      isWrong ? missed(2, () => tell(frame, point), frame.line) : held(frame.line.of.name),
    )
    return
  }
  if (!isLevel(stated)) return
  if (evidence.holding(stated).length > 0) yield held('a table')
  if (!isOnce) return
  const cells = frames.flatMap(frame => cellsIn(frame).map(({ point, isBoth }) => ({ frame, point, isBoth })))
  const isSingle = cells.filter(({ isBoth }) => isBoth).length === 1
  const isLong = significantDigits(stated) > 3 && !has(clause.text, 'maximum', 'minimum', 'mean', 'total')
  for (const { frame, point, isBoth } of cells) {
    if (meets(statedRange(stated), point.quantity.range)) yield held(frame.line.of.name)
    const isNear = isSlip(stated, point.quantity)
    const isMeant = frame.isHere && isLike(stated, point) && (isBoth ? isNear || isSingle : isNear && isLong)
    // Who is spoken of may stand before the clause.
    const whole = { ...clause, from: 0, text: clause.statement.text.slice(0, clause.to) }
    const isTold = isMeant && !namesStranger(whole, frame.line.matrix)
    yield missed(isTold ? (isNear ? 2 : 1) : 0, () => tell(frame, point), frame.line)
  }
}

interface Recorded {
  readonly frame: Frame
  readonly point: Point
  readonly isWrong: boolean
}

/**
 * The one cell whose row and column a clause both names by their whole names, and nothing else of the table. Then another
 * figure is wrong even where a neighbour prints it, unless another table does so under one of the names.
 */
function recordedBy({ quantity: stated, text }: Figure, clause: Clause, frames: readonly Frame[]): readonly Recorded[] {
  const cells = new Map<Point['cell'], Recorded>()
  for (const frame of frames.filter(one => one.isExact && one.isHere)) {
    const { matrix, of } = frame.line
    for (const { point, mention } of [...frame.subjects, ...frame.bases]) {
      const { own } = focusOf(clause, matrix)
      const isAlone = own.every(({ axes: [axis, more] }) => more === undefined && (axis === of || axis === point.at))
      const isSure = mention.isWhole && isAlone && isPlainly(clause, matrix, own)
      const isWrong = isSure && matrix.table.section === clause.statement.section && isOff(stated, text, frame, point)
      if (mention.isWhole) cells.set(point.cell, { frame, point, isWrong })
    }
  }
  const [only, another] = cells.values()
  if (only === undefined || another !== undefined) return []
  if (meets(statedRange(stated), only.point.quantity.range)) return [{ ...only, isWrong: false }]
  const isElsewhere = ({ line: { matrix, points }, isNamed, subjects }: Frame): boolean =>
    matrix !== only.frame.line.matrix &&
    (isNamed || subjects.length > 0) &&
    points.some(({ quantity }) => quantity.value === stated.value)
  return only.isWrong && !frames.some(isElsewhere) ? [only] : []
}

/** Of the cell's unit, and a figure of its table, or as fine as the cell and of its size. */
function isOff(stated: Quantity, text: string, { line }: Frame, { cell, quantity }: Point): boolean {
  const { table } = line.matrix
  const unit = text.replace(/^[\d.,\s]+/, '').toLowerCase()
  const said = `${line.of.name} ${table.section?.title ?? ''} ${table.caption?.text ?? ''}`.toLowerCase()
  const isNamed = wordsOf(said).some(word => word.text === unit) || (unit === '%' && said.includes('%'))
  const isOfUnit = stated.unit === quantity.unit || (quantity.unit === null && (unit === '' || isNamed))
  if (!isOfUnit || (stated.unit === null && cell.text.includes('%'))) return false
  return prints(line.matrix, stated) || isLike(stated, { cell, quantity: { ...quantity, unit: stated.unit } })
}

/** The cells that whole names lead to, and whether row and column are both named. */
function cellsIn({ line, subjects, bases, earlier, isOwn, isNamed, isExact }: Frame) {
  const own = [...subjects, ...bases].filter(({ mention }) => mention.isWhole)
  const named = own.length > 0 ? own : earlier.filter(({ mention }) => mention.isWhole)
  // Both only taken over from before: then the figure may be of anything.
  if (own.length === 0 && !isOwn) return []
  return line.isColumn ? named.map(({ point }) => ({ point, isBoth: isExact || (isNamed && !isOwn) })) : []
}

function isLike(
  stated: Quantity,
  { cell, quantity: { unit, decimals, value } }: Pick<Point, 'cell' | 'quantity'>,
): boolean {
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

/** "Entropy: 0.523 (mean, range 0.523-1.418)". */
function* inEntries(entries: readonly Entry[]): Generator<Assertion> {
  for (const entry of entries) {
    const [value, range] = entry.quantities
    if (value === undefined || range?.ends == null || entry.statement === null || value.from > 2) continue
    if (!has(entry.value, 'mean') || !/range|范围/i.test(entry.value)) continue
    const figures = [entryFigure(entry, value, 'value'), entryFigure(entry, range, 'bound')]
    yield assertionInEntry(entry, 'range', { figures })
  }
}

function checkRange({ figures: [value, range], quote }: Assertion): Outcome {
  const ends = range?.quantity.ends
  if (value === undefined || ends == null) return UNCHECKED
  const [low, high] = [Math.min(...ends), Math.max(...ends)]
  if (low === high || (value.quantity.value > low && value.quantity.value < high)) return confirmed(`${low} – ${high}`)
  const message = say('audit.mean-impossible', { quote, found: value.text, low, high })
  return refute('mean-impossible', value.offset, message, { expected: `${low} – ${high}` })
}

const check = checkedBy(readings, ['said'])

export const value: Relation = {
  names: ['value', 'range'],
  inClause,
  inEntries,
  check: (assertion, evidence) => (assertion.relation === 'range' ? checkRange(assertion) : check(assertion, evidence)),
}
