import type { Quantity } from '../../logs/document/quantity.js'
import { type NumberRange, subtract } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, changeReadings, isSlip, meets, middle, sizeOf, statedRange } from '../arithmetic.js'
import { type Assertion, type Relation, refute } from '../assertion.js'
import { type BindingFrame, isOfKind } from '../binding.js'
import { cited, pointName, prints, significantDigits } from '../evidence.js'
import { assertionIn, figureOf } from '../extract.js'
import {
  type ClauseCheck,
  checkedBy,
  held,
  type Interpretation,
  meantOf,
  missed,
  type Pair,
  rivalsOf,
  unnamed,
} from '../interpretation.js'
import { has } from '../lexicon.js'
import { focusOf, type ReportClause } from '../mentions.js'
import { isPlainly } from '../unknown-names.js'
import { isAmount } from './levels.js'

/**
 * The only figure of a clause, taken from the cells that it names: what one cell is, "step 90: validation reward 3.41", or
 * by how much two of a line differ, "A gains 1.3 points over B", 甲的长度是乙的 2.4 倍. What has no names for both the row
 * and the column, or for both sides, is held against nobody.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.named-value': { en: '“{quote}”: the table has {expected} for {owner}, “{line}” (line {at}), not {found}; write {expected}', zh: '“{quote}”：表中 {owner} 的“{line}”是 {expected}（第 {at} 行），不是 {found}；应写 {expected}' },
  'audit.named-difference': { en: '“{quote}”: in “{line}” {owner} has {left} and {other} has {right} (line {at}): {expected}, not {found}; write {expected}', zh: '“{quote}”：“{line}”中 {owner} 是 {left}，{other} 是 {right}（第 {at} 行），相差 {expected}，不是 {found}；应写 {expected}' },
})

/** "2 or more", 2 以上 are bounds, "7 % of all" is a share, and "twice the 4,700" is that of the figure behind it. */
const BOUND_BEHIND = /^\s?(?:[以之][上下内]|or (?:more|less)|\/|vs|of(?![a-z])|(?:the )?[\d$])/i

function* inClause(clause: ReportClause): Generator<Assertion> {
  const { statement, from, to } = clause
  const { text, quantities, kind, leads } = statement
  const own = quantities.filter(one => one.from >= from && one.to <= to)
  for (const quantity of own) {
    const { value, decimals, signed, plusMinus, ends, bound, hedge } = quantity
    if (plusMinus || ends !== null || bound !== null || hedge !== null) continue
    const isDifference = isAmount(text, quantity)
    // Below "epochs 9-10" it is said of both.
    const isOfMany = own.length > 1 || from > 0 || leads.some(lead => /\d\s?[-–~]\s?\d/.test(lead))
    const isLevel = !signed && (decimals > 0 || value >= 1000) && kind !== 'cell' && !has(clause.text, 'change')
    if (isDifference ? BOUND_BEHIND.test(text.slice(quantity.to)) : isOfMany || !isLevel) continue
    const figures = [figureOf(statement, quantity, isDifference ? 'result' : 'value')]
    yield assertionIn(statement, isDifference ? 'difference' : 'value', clause, { figures })
  }
}

function* values({ assertion: { figures, quote }, clause, frames, evidence }: ClauseCheck): Generator<Interpretation> {
  const [figure] = figures
  if (figure === undefined) return
  const { quantity: stated, text: found, offset } = figure
  const named = frames.filter(({ line, isExact, isHere }) => line.isColumn && isExact && isHere)
  const [only, another] = named.flatMap(({ line, subjects }) => subjects.map(one => ({ ...one, line })))
  if (only === undefined || another !== undefined) return
  const { line, point, mention } = only
  const { unit, decimals, value, range } = point.quantity
  const isElsewhere = evidence.holding(stated).some(one => one.line.matrix !== line.matrix)
  if (isElsewhere || meets(statedRange(stated), range)) yield held(line.of.name)
  const isLike = stated.decimals === decimals && (stated.unit === unit || unit === null) && isSlip(stated.value, value)
  const isPlain = mention.isWhole && isPlainly(clause, line.matrix, focusOf(clause, line.matrix).own)
  const isTold = isLike && isPlain && point.cell.quantities.length === 1 && evidence.printed(stated.value) < 2
  const message = say('audit.named-value', { quote, found, ...cited(line, point, evidence) })
  yield missed(isTold ? 1 : 0, () => refute('named-value', offset, message, { also: [point.cell.offset] }), line)
}

function* differences({ assertion, clause, frames, evidence }: ClauseCheck): Generator<Interpretation> {
  const [figure] = assertion.figures
  if (figure === undefined) return
  const { quantity, text: found, offset } = figure
  const { statement, from, to, text } = clause
  const own = statement.quantities.filter(one => one.from >= from && one.to <= to)
  // A mean over lines stands in none of them.
  const isMeant = (one: BindingFrame): boolean => isOfKind(one, clause) && (!has(text, 'mean') || one.isExact)
  const pairs = frames.filter(isMeant).flatMap(frame => pairsIn(frame, clause))
  const named = meantOf(pairs)
  for (const pair of pairs) {
    const { frame, left, right } = pair
    const { line, isExact, isOwn, isHere } = frame
    if (significantDigits(quantity) > 2 && prints(line.matrix, quantity)) yield held(text)
    const amounts = amountsOf(left.point.quantity, right.point.quantity, quantity, text)
    if (amounts.some(range => meets(sizeOf(statedRange(quantity)), range))) yield held(line.of.name)
    // Whichever way round two are divided, the reading that comes nearest is the one that was meant.
    const off = (amount: number): number => Math.abs(Math.log(Math.abs(amount / quantity.value)))
    const [nearest = 0] = amounts.map(middle).toSorted((one, other) => off(one) - off(other))
    const isLine = isExact || (frame.isNamed && !isOwn) || named.length === 1
    const isPair = left.mention.isWhole && right.mention.isWhole && named.includes(pair)
    // "0.7 gains on it" is the name of a row; and of several figures each may have two of its own.
    const [alone, another] = unnamed(own, clause, line.matrix)
    const isAlone = alone === quantity && another === undefined
    const isTold = isHere && isLine && isPair && isAlone && isSlip(quantity.value, nearest)
    const expected = asPrinted(Math.sign(quantity.value || 1) * nearest, quantity)
    const [a, b] = [left.point.cell, right.point.cell]
    const sides = { left: a.text, other: pointName(line, right.point), right: b.text }
    const params = { quote: assertion.quote, ...cited(line, left.point, evidence), ...sides, found, expected }
    const [message, also] = [say('audit.named-difference', params), [a.offset, b.offset]]
    yield missed(isTold ? 1 : 0, () => refute('named-difference', offset, message, { also }), line)
  }
}

/** The one against the other, else each two that are named. */
function pairsIn(frame: BindingFrame, clause: ReportClause): readonly Pair[] {
  const { subjects, bases } = frame
  if (bases.length > 0) return rivalsOf(frame, clause)
  return subjects.flatMap((left, i) => subjects.slice(i + 1).map(right => ({ frame, left, right })))
}

const RELATIVE = /相对|[长升]率|relative|percent of|reduction|improvement|increase|decrease/i

function amountsOf(a: Quantity, b: Quantity, stated: Quantity, text: string): readonly NumberRange[] {
  // Of scores in percent the difference is meant, unless it is called relative.
  const isOfScores = stated.unit === '%' && a.unit === '%' && b.unit === '%'
  if (isOfScores && !RELATIVE.test(text)) return [sizeOf(subtract(b.range, a.range))]
  const percents = a.unit === '%' || b.unit === '%' || a.value > 1.5
  return changeReadings(a.range, b.range, stated, { percents, isShare: false })
}

export const namedCells: Relation = {
  names: ['difference', 'value'],
  inClause,
  check: checkedBy(asked => (asked.assertion.relation === 'value' ? values(asked) : differences(asked)), ['said']),
}
