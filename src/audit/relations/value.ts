import type { Point } from '../../document/matrix.js'
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

/**
 * A figure that a sentence takes from a table: "step 90: validation reward 3.41". The cell is named by its row and column.
 * A figure that stands in any table is right. And a mean beside its own range: it lies inside it, and not at its end.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.named-value': { en: '“{quote}”: the table has {expected} for {owner}, “{line}” (line {at}), not {found}; write {expected}', zh: '“{quote}”：表中 {owner} 的“{line}”是 {expected}（第 {at} 行），不是 {found}；应写 {expected}' },
  'audit.mean-impossible': { en: '“{quote}”: a mean of {found} cannot lie at or beyond the end of its own range {low} – {high}', zh: '“{quote}”：平均值 {found} 不可能在自己的范围 {low} – {high} 的端点或之外' },
})

function* inClause(clause: Clause): Generator<Assertion> {
  const { statement, from, to } = clause
  if (statement.kind === 'cell' || LEFT_OUT.test(statement.text.slice(0, to))) return
  // 增加 0.87 is no level.
  for (const quantity of statement.quantities)
    if (quantity.from >= from && quantity.to <= to && isLevel(quantity) && !isAmount(statement.text, quantity))
      yield assertionIn(statement, 'value', clause, { figures: [figureOf(statement, quantity, 'value')] })
}

/** "Excluding X, the mean is": of the others. */
const LEFT_OUT = /(?<![a-z])(?:excluding|except|leaving out|without counting)(?![a-z])|[不未]含|去掉|剔除|排除/i

/** Printed exactly, with digits enough not to be in a table by chance. */
const isLevel = ({ signed, value, decimals, hedge, bound, ends }: Quantity): boolean =>
  !signed && hedge === null && bound === null && ends === null && (decimals > 0 || value >= 1000)

function* readings({ assertion, clause, frames, evidence }: Asked): Generator<Reading> {
  const [figure] = assertion.figures
  const { statement, from, to } = clause
  // "Epochs 9-10": of both.
  if (figure === undefined || statement.leads.some(lead => /\d\s?[-–~]\s?\d/.test(lead))) return
  const stated = figure.quantity
  const cells = frames.flatMap(frame => cellsIn(frame).map(point => ({ frame, point })))
  // Of several figures one may be that of the cell, and nobody knows which.
  const own = statement.quantities.filter(one => one.from >= from && one.to <= to)
  const isSingle = cells.length === 1 && own.length === 1
  const isPlain = ({ line: { matrix } }: Frame): boolean =>
    from === 0 && isPlainly(clause, matrix, focusOf(clause, matrix).own)
  // Where a sentence says no more than what one cell is, another figure is wrong even where its neighbour prints it.
  const [{ frame: record } = { frame: null }] = cells
  const home = isSingle && record?.isHere && isPlain(record) ? record.line.matrix : null
  if (evidence.holding(stated).some(({ line }) => line.matrix !== home)) yield held('a table')
  if (evidence.printed(stated.value) > 1) return
  // Who is spoken of may stand before the clause.
  const whole = { ...clause, from: 0, text: statement.text.slice(0, to) }
  for (const { frame, point } of cells) {
    const { line, isHere } = frame
    if (meets(statedRange(stated), point.quantity.range)) yield held(line.of.name)
    const isNear = isMistyped(stated.value, point.quantity.value, stated.decimals)
    const isMeant = isHere && (isNear || isSingle) && isLike(stated, point)
    // Two digits stand in a table by chance, unless its names are all that the clause speaks of.
    const isSure = significantDigits(stated) > 2 || isPlain(frame)
    const isTold = isMeant && isSure && !namesStranger(whole, line.matrix)
    const params = { quote: assertion.quote, found: figure.text, ...cited(line, point, evidence) }
    const message = say('audit.named-value', params)
    const tell = (): Outcome => refute('named-value', figure.offset, message, { also: [point.cell.offset] })
    yield missed(isTold ? (isNear ? 2 : 1) : 0, tell, line)
  }
}

/** The cells of a column that whole names of both lead to; not where both are only taken over from before. */
function cellsIn({ line, subjects, earlier, isOwn, isNamed, isExact }: Frame): readonly Point[] {
  const own = subjects.filter(({ mention }) => mention.isWhole)
  const named = own.length > 0 ? own : isOwn ? earlier.filter(({ mention }) => mention.isWhole) : []
  const isBoth = line.isColumn && (isExact || (isNamed && !isOwn))
  return isBoth ? named.map(({ point }) => point) : []
}

/** The only figure of its cell, as fine and of its size; a unit may stand in the header instead. */
function isLike(stated: Quantity, { cell, quantity: { unit, decimals, value } }: Point): boolean {
  const ratio = stated.value / value
  const isOfUnit = stated.unit === unit || unit === null
  return cell.quantities.length === 1 && stated.decimals === decimals && isOfUnit && ratio > 0.5 && ratio < 2
}

/** "Delay: 0.264 (mean, range 0.264-0.917)". */
function* inEntries(entries: readonly Entry[]): Generator<Assertion> {
  for (const entry of entries) {
    const [value, range] = entry.quantities
    if (range?.ends == null || !has(entry.value, 'mean') || !/range|范围/i.test(entry.value)) continue
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
