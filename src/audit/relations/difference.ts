import type { Quantity } from '../../document/quantity.js'
import { exactly, type Range, subtract } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, changeReadings, isSlip, meets, middle, sizeOf, statedRange } from '../arithmetic.js'
import type { Assertion, Outcome, Relation } from '../assertion.js'
import { type Frame, isOfKind } from '../binding.js'
import { cited, pointName, prints, significantDigits } from '../evidence.js'
import { refute } from '../fault.js'
import { has } from '../lexicon.js'
import { type Clause, mentionsIn } from '../mentions.js'
import { areIn, isNamed, meantOf, type Pair, rivalsOf, unnamed } from '../pairs.js'
import { assertionIn, figureOf } from '../read.js'
import { type Asked, checkedBy, held, missed, type Reading } from '../reading.js'
import { isAmount } from './amounts.js'
import { levelsIn } from './levels.js'

/**
 * By how much two named points of a line differ: "A gains 1.3 points over B", 甲的长度是乙的 2.4 倍. Every pair that the
 * names leave is tried; an amount whose two sides are not both named is held against nobody.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.named-difference': { en: '“{quote}”: in “{line}” {owner} has {left} and {other} has {right} (line {at}): {expected}, not {found}; write {expected}', zh: '“{quote}”：“{line}”中 {owner} 是 {left}，{other} 是 {right}（第 {at} 行），相差 {expected}，不是 {found}；应写 {expected}' },
})

/** "2 or more", 2 以上 are bounds, "twice the 4,700" is that of the figure behind it. */
const NOT_ALONE =
  /^\s?(?:个?(?:点|分|百分点)?\s?(?:以[上下内]|之内)|(?:points? )?or (?:more|less|fewer)|\/|vs|(?:the|that of|of the) ?[\d$])/i

/** The only figure of a clause that says by how much. */
function* inClause(clause: Clause): Generator<Assertion> {
  const { statement, from, to } = clause
  const { text, quantities } = statement
  // What the sentence itself gives the two levels of is told by them.
  const told = levelsIn(statement).flatMap(({ joint, amounts: own }) =>
    joint === 'change' ? own.map(one => one.quantity) : [],
  )
  for (const quantity of quantities) {
    const { plusMinus, ends, bound, hedge } = quantity
    if (quantity.from < from || quantity.to > to || told.includes(quantity)) continue
    if (plusMinus || ends !== null || bound !== null || hedge !== null || NOT_ALONE.test(text.slice(quantity.to)))
      continue
    if (isAmount(text, quantity))
      yield assertionIn(statement, 'difference', clause, { figures: [figureOf(statement, quantity, 'result')] })
  }
}

function* readings({ assertion, clause, frames, evidence }: Asked): Generator<Reading> {
  const { quantity, text: found, offset } = assertion.figures[0]
  const { statement, from, to, text } = clause
  const amounts = statement.quantities.filter(({ signed, unit }) => signed || unit === 'points')
  const levels = statement.quantities.filter(
    one => one.from >= from && one.to <= to && one !== quantity && !amounts.includes(one),
  )
  // A mean over lines stands in none of them.
  const isMean = has(text, 'mean')
  const known = frames
    .filter(
      one => isOfKind(one, clause) && (!isMean || one.line.of.role === 'summary' || (one.isOwn && one.line.isColumn)),
    )
    .flatMap(frame => pairsIn(frame, clause))
  const named = meantOf(known)
  for (const pair of known) {
    const { frame, left, right } = pair
    const { line, isExact, isOwn, isHere } = frame
    const { matrix } = line
    // "0.7 gains on it": the name of a row.
    if (isNamed(quantity, mentionsIn(statement, matrix))) continue
    const isOfGaps = matrix.columns.some(({ role }) => role === 'difference')
    if ((isOfGaps || significantDigits(quantity) > 2) && prints(matrix, quantity)) yield held(text)
    const all = amountsOf(left.point.quantity, right.point.quantity, quantity, text)
    if (all.some(range => meets(sizeOf(statedRange(quantity)), range))) yield held(line.of.name)
    const nearest = middle(nearestOf(all, quantity))
    const isClear =
      left.mention.isWhole && right.mention.isWhole && (isExact || (frame.isNamed && !isOwn) || named.length === 1)
    const isLevel = areIn([left, right], unnamed(levels, clause, matrix))
    const isTold =
      assertion.stance === 'said' && isHere && isClear && isLevel && amounts.length < 2 && named.includes(pair)
    const tell = (): Outcome => {
      const expected = asPrinted(Math.sign(quantity.value || 1) * nearest, quantity)
      const [a, b] = [left.point.cell, right.point.cell]
      const sides = { left: a.text, other: pointName(line, right.point), right: b.text, found, quote: assertion.quote }
      const message = say('audit.named-difference', { ...cited(line, left.point, evidence), ...sides, expected })
      return refute('named-difference', offset, message, { severity: 'warning', also: [a.offset, b.offset] })
    }
    yield missed(isTold && isSlip(quantity.value, nearest) ? 1 : 0, tell, line)
  }
}

/** Whichever way round two are divided, the reading that comes nearest is the one that was meant. */
function nearestOf(ranges: readonly Range[], { value }: Quantity): Range {
  const off = (range: Range): number => Math.abs(Math.log(Math.abs(middle(range) / value)))
  const [nearest = exactly(Number.NaN)] = ranges.toSorted((one, other) => off(one) - off(other))
  return nearest
}

/** The two cells of a line that an amount can be the difference of: the one against the other, else each two. */
function pairsIn(frame: Frame, clause: Clause): readonly Pair[] {
  const { subjects, bases } = frame
  if (bases.length > 0) return rivalsOf(frame, clause)
  return subjects.flatMap((left, i) => subjects.slice(i + 1).map(right => ({ frame, left, right })))
}

const RELATIVE = /相对|率|倍|relative|percent of|reduction|improvement|increase|decrease/i

function amountsOf(a: Quantity, b: Quantity, stated: Quantity, text: string): readonly Range[] {
  if (a.ends !== null || b.ends !== null) return []
  // Of scores in percent the difference is meant, unless it is called relative.
  const isOfScores = stated.unit === '%' && a.unit === '%' && b.unit === '%'
  if (isOfScores && !RELATIVE.test(text)) return [sizeOf(subtract(b.range, a.range))]
  const percents = a.unit === '%' || b.unit === '%' || a.value > 1.5
  return changeReadings(a.range, b.range, stated, { percents, isShare: false })
}

export const difference: Relation = { names: ['difference'], inClause, check: checkedBy(readings) }
