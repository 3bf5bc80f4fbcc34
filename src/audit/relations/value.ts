import type { Quantity } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { isMistyped, meets, statedRange } from '../arithmetic.js'
import { type Assertion, confirmed, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import type { Frame } from '../binding.js'
import type { Entry } from '../entries.js'
import { cited, significantDigits } from '../evidence.js'
import { refute } from '../fault.js'
import { has } from '../lexicon.js'
import { type Clause, focusOf } from '../mentions.js'
import { assertionIn, assertionInEntry, entryFigure, figureOf } from '../read.js'
import { type Asked, checkedBy, held, missed, type Reading } from '../reading.js'
import { isPlainly, namesStranger } from '../strangers.js'
import { isAmount } from './amounts.js'
import { levelsIn } from './levels.js'

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
  if (statement.kind === 'cell' || LEFT_OUT.test(statement.text.slice(0, to))) return
  // "From 6.2 to 7.7" are levels of two things, and 增加 0.87 is none.
  const paired = levelsIn(statement).flatMap(({ a, b, joint }) => (joint === 'none' ? [] : [a, b]))
  for (const quantity of statement.quantities.filter(one => one.from >= from && one.to <= to && isLevel(one)))
    if (!paired.includes(quantity) && !isAmount(statement.text, quantity))
      yield assertionIn(statement, 'value', clause, { figures: [figureOf(statement, quantity, 'value')] })
}

/** "Excluding X, the mean is": of the others. */
const LEFT_OUT = /(?<![a-z])(?:excluding|except|leaving out|without counting)(?![a-z])|[不未]含|去掉|剔除|排除/i

/** A level, printed exactly, with digits enough not to be in a table by chance. */
function isLevel(quantity: Quantity): boolean {
  const { signed, unit, value, decimals, hedge, bound, ends, plusMinus } = quantity
  const isExact = hedge === null && bound === null && ends === null && !plusMinus
  const isLong = ((decimals ?? 0) > 0 || value >= 1000) && significantDigits(quantity) > 1
  const isPlain = !signed && unit !== 'points' && unit !== 'times'
  return isExact && isLong && isPlain && !Number.isInteger(value / 10)
}

const MOVES = ['change', 'up', 'down', 'better', 'worse', 'larger', 'smaller', 'faster', 'slower'] as const

function* readings({ assertion, clause, frames, evidence }: Asked): Generator<Reading> {
  const [figure] = assertion.figures
  if (figure === undefined) return
  const stated = figure.quantity
  // "Epochs 9-10": of both.
  if (clause.statement.leads.some(lead => /\d\s?[-–~]\s?\d/.test(lead))) return
  // Of several figures one may be that of the cell, and nobody knows which.
  const own = clause.statement.quantities.filter(one => one.from >= clause.from && one.to <= clause.to)
  const isBare = clause.from === 0 && !has(clause.text, ...MOVES)
  const inTables = evidence.holding(stated)
  if (inTables.length > 0 && !(isBare && own.length === 1)) yield held('a table')
  // Who is spoken of may stand before the clause.
  const whole = { ...clause, from: 0, text: clause.statement.text.slice(0, clause.to) }
  const cells = frames.flatMap(cellsIn)
  const [only, more] = cells.filter(({ isBoth }) => isBoth)
  const isSingle = only !== undefined && more === undefined && own.length === 1
  const isPlain = ({ line: { matrix } }: Frame): boolean => isPlainly(clause, matrix, focusOf(clause, matrix).own)
  // Where a sentence says no more than what one cell is, another figure is wrong even where its neighbour prints it.
  const isRecord = isBare && isSingle && only.frame.isHere && isPlain(only.frame)
  if (inTables.some(({ line }) => !isRecord || line.matrix !== only.frame.line.matrix)) yield held('a table')
  if (evidence.printed(stated.value) > 1) return
  const isLong = significantDigits(stated) > 3 && !has(clause.text, 'maximum', 'minimum', 'mean', 'total')
  for (const { frame, point, isBoth } of cells) {
    const { line, isHere } = frame
    if (meets(statedRange(stated), point.quantity.range)) yield held(line.of.name)
    const isNear = isMistyped(stated.value, point.quantity.value, stated.decimals)
    const isMeant =
      isHere &&
      point.cell.quantities.length === 1 &&
      isLike(stated, point.quantity) &&
      (isBoth ? isNear || isSingle : isNear && isLong)
    // Two digits stand in a table by chance, unless its names are all that the clause speaks of.
    const isSure = significantDigits(stated) > 2 || (isBare && isPlain(frame))
    const isTold = isMeant && isSure && !namesStranger(whole, line.matrix)
    const params = { quote: assertion.quote, found: figure.text, ...cited(line, point, evidence) }
    const message = say('audit.named-value', params)
    const tell = (): Outcome => refute('named-value', figure.offset, message, { also: [point.cell.offset] })
    yield missed(isTold ? (isNear ? 2 : 1) : 0, tell, line)
  }
}

/** The cells that whole names lead to, and whether row and column are both named. */
function cellsIn(frame: Frame) {
  const { line, subjects, bases, earlier, isOwn, isNamed, isExact } = frame
  if (!line.isColumn) return []
  const own = [...subjects, ...bases].filter(({ mention }) => mention.isWhole)
  // Both only taken over from before: then the figure may be of anything.
  if (own.length === 0 && !isOwn) return []
  const named = own.length > 0 ? own : earlier.filter(({ mention }) => mention.isWhole)
  return named.map(({ point }) => ({ frame, point, isBoth: isExact || (isNamed && !isOwn) }))
}

/** As fine as the cell, and of its size; a unit may stand in the header instead. */
function isLike(stated: Quantity, { unit, decimals, value }: Quantity): boolean {
  const ratio = stated.value / value
  return stated.decimals === decimals && (stated.unit === unit || unit === null) && ratio > 0.5 && ratio < 2
}

/** "Delay: 0.264 (mean, range 0.264-0.917)". */
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
