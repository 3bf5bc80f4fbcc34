import type { Quantity } from '../../document/quantity.js'
import { type Range, subtract } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, changeReadings, isSlip, meets, middle, sizeOf, statedRange } from '../arithmetic.js'
import type { Assertion, Relation } from '../assertion.js'
import { type Frame, isOfKind } from '../binding.js'
import { cited, pointName, prints, significantDigits } from '../evidence.js'
import { refute } from '../fault.js'
import { has } from '../lexicon.js'
import type { Clause } from '../mentions.js'
import { meantOf, type Pair, rivalsOf, unnamed } from '../pairs.js'
import { assertionIn, figureOf } from '../read.js'
import { type Asked, checkedBy, held, missed, type Reading } from '../reading.js'
import { isAmount } from './amounts.js'

/**
 * By how much two named points of a line differ: "A gains 1.3 points over B", 甲的长度是乙的 2.4 倍. Every pair that the
 * names leave is tried; an amount whose two sides are not both named is held against nobody.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.named-difference': { en: '“{quote}”: in “{line}” {owner} has {left} and {other} has {right} (line {at}): {expected}, not {found}; write {expected}', zh: '“{quote}”：“{line}”中 {owner} 是 {left}，{other} 是 {right}（第 {at} 行），相差 {expected}，不是 {found}；应写 {expected}' },
})

/** "2 or more", 2 以上 are bounds, and "twice the 4,700" is that of the figure behind it. */
const BOUND_BEHIND =
  /^\s?(?:个?(?:点|分|百分点)?\s?[以之][上下内]|(?:points? )?or (?:more|less)|\/|vs|(?:of )?(?:the )?[\d$])/i

function* inClause(clause: Clause): Generator<Assertion> {
  const { statement, from, to } = clause
  for (const quantity of statement.quantities) {
    const { plusMinus, ends, bound, hedge } = quantity
    if (quantity.from < from || quantity.to > to || !isAmount(statement.text, quantity)) continue
    const isExact = !plusMinus && ends === null && bound === null && hedge === null
    if (isExact && !BOUND_BEHIND.test(statement.text.slice(quantity.to)))
      yield assertionIn(statement, 'difference', clause, { figures: [figureOf(statement, quantity, 'result')] })
  }
}

function* readings({ assertion, clause, frames, evidence }: Asked): Generator<Reading> {
  const { quantity, text: found, offset } = assertion.figures[0]
  const { statement, from, to, text } = clause
  const others = statement.quantities.filter(one => one.from >= from && one.to <= to && one !== quantity)
  // A mean over lines stands in none of them.
  const isMeant = (one: Frame): boolean => isOfKind(one, clause) && (!has(text, 'mean') || one.isExact)
  const pairs = frames.filter(isMeant).flatMap(frame => pairsIn(frame, clause))
  const named = meantOf(pairs)
  for (const pair of pairs) {
    const { frame, left, right } = pair
    const { line, isExact, isOwn, isHere } = frame
    const { matrix } = line
    if (significantDigits(quantity) > 2 && prints(matrix, quantity)) yield held(text)
    const amounts = amountsOf(left.point.quantity, right.point.quantity, quantity, text)
    if (amounts.some(range => meets(sizeOf(statedRange(quantity)), range))) yield held(line.of.name)
    // Whichever way round two are divided, the reading that comes nearest is the one that was meant.
    const off = (amount: number): number => Math.abs(Math.log(Math.abs(amount / quantity.value)))
    const [nearest = 0] = amounts.map(middle).toSorted((one, other) => off(one) - off(other))
    const isLine = isExact || (frame.isNamed && !isOwn) || named.length === 1
    const isPair = left.mention.isWhole && right.mention.isWhole && named.includes(pair)
    // "0.7 gains on it" is the name of a row; and of several figures each may have two of its own.
    const isAlone = unnamed([quantity], clause, matrix).length === 1 && unnamed(others, clause, matrix).length === 0
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
function pairsIn(frame: Frame, clause: Clause): readonly Pair[] {
  const { subjects, bases } = frame
  if (bases.length > 0) return rivalsOf(frame, clause)
  return subjects.flatMap((left, i) => subjects.slice(i + 1).map(right => ({ frame, left, right })))
}

const RELATIVE = /相对|[长升]率|relative|percent of|reduction|improvement|increase|decrease/i

function amountsOf(a: Quantity, b: Quantity, stated: Quantity, text: string): readonly Range[] {
  // Of scores in percent the difference is meant, unless it is called relative.
  const isOfScores = stated.unit === '%' && a.unit === '%' && b.unit === '%'
  if (isOfScores && !RELATIVE.test(text)) return [sizeOf(subtract(b.range, a.range))]
  const percents = a.unit === '%' || b.unit === '%' || a.value > 1.5
  return changeReadings(a.range, b.range, stated, { percents, isShare: false })
}

export const difference: Relation = { names: ['difference'], inClause, check: checkedBy(readings, ['said']) }
