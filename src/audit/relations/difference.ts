import type { Statement } from '../../document/document.js'
import type { Line, Matrix } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { exactly, type Range, subtract } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import {
  asPrinted,
  changeReadings,
  isMisprint,
  isMistyped,
  isSlip,
  meets,
  middle,
  sizeOf,
  statedRange,
} from '../arithmetic.js'
import type { Assertion, Figure, Outcome, Relation } from '../assertion.js'
import { byTable, type Frame, isOfKind } from '../binding.js'
import { cited, isSizeName, pointName, prints, significantDigits } from '../evidence.js'
import { refute } from '../fault.js'
import { has, source } from '../lexicon.js'
import { type Clause, mentionsIn } from '../mentions.js'
import { areIn, isNamed, meantOf, type Pair, rivalsOf, unnamed } from '../pairs.js'
import { assertionIn, figureOf } from '../read.js'
import { type Asked, checkedBy, held, missed, type Reading } from '../reading.js'
import { levelsIn } from './levels.js'
import { reckoned } from './reckoned.js'

/**
 * By how much two named points of a line differ: "A gains 1.3 points over B", 甲的长度是乙的 2.4 倍. Every pair that the
 * names leave is tried, and their mean; an amount whose two sides are not both named is held against nobody.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.named-difference': { en: '“{quote}”: in “{line}” {owner} has {left} and {other} has {right} (line {at}): {expected}, not {found}; write {expected}', zh: '“{quote}”：“{line}”中 {owner} 是 {left}，{other} 是 {right}（第 {at} 行），相差 {expected}，不是 {found}；应写 {expected}' },
})

const MORE_BEHIND = new RegExp(
  `^\\s?(?:points?\\s)?(?:of\\s\\w+\\s)?(?:${source('larger', 'smaller', 'better', 'worse', 'faster', 'slower')}|(?:more|less|fewer)(?![A-Za-z]))`,
  'i',
)
/** A mean, one of a list, or the end of a change: no amount. */
const LEVEL_BEFORE = new RegExp(
  `(?:${source('mean')}\\s*(?:为|是|[:：=]|of|is)?|/|vs\\.?|[从由至到]|(?<![A-Za-z])(?:from|to))[\\s\`]*$`,
  'i',
)
/** "At least 2", "2 or more", 2 以上: a bound, and what is one side of two. */
const LIMIT_BEFORE =
  /(?:(?:between|from|介于|[从在])\s?[+-]?[\d.]+\s?%?\s?(?:and|to|[和到至~])|至少|至多|最多|不[到足低少]于?|(?<![a-z])(?:at (?:least|most)|up to|within))\s?$/i
const LIMIT_BEHIND = /^\s?(?:个?(?:点|分|百分点)?\s?(?:以[上下内]|之内)|(?:points? )?or (?:more|less|fewer)|\/|vs)/i
const AMOUNT =
  /(?:(?<!占)了|(?<![至最不])[高低多少]|净[增降]|幅度?|差距?|相差|损失|多赢|提升|提高|下降|降低|减少|增加|上升|领先|落后|(?<![A-Za-z])(?:by|gap|margin|difference|lead|costs?|gains?|gained|adds?|added|loses|lost|drop(?:s|ped)?|improvement|reduction|increase|decrease)(?: of| is| was| by)?)\s*[:：=]?\s*(?:约|仅|只|只有|仅有|about|only|just)?\s*[`(（]?\s*$/i

/** A figure that says by how much: signed, in points, a multiple, or beside a word for a change. */
function* inClause(clause: Clause): Generator<Assertion> {
  const { statement, from, to, text } = clause
  // What the sentence itself gives the two levels of is told by them.
  const levels = levelsIn(statement).flatMap(({ a, b, joint, amounts: own }) =>
    joint === 'change' ? [a, b, ...own] : [],
  )
  for (const quantity of statement.quantities.filter(one => !levels.includes(one))) {
    const { signed, unit, plusMinus, ends } = quantity
    if (quantity.from < from || quantity.to > to || plusMinus || ends !== null || quantity.bound !== null) continue
    const before = statement.text.slice(Math.max(from, quantity.from - 20), quantity.from)
    const behind = statement.text.slice(quantity.to, Math.min(to, quantity.to + 14))
    const isSure = signed || unit === 'points' || unit === 'times'
    if (!isSure && !MORE_BEHIND.test(behind) && !AMOUNT.test(before)) continue
    if (LEVEL_BEFORE.test(before) || LIMIT_BEFORE.test(before) || LIMIT_BEHIND.test(behind)) continue
    // "Twice the 4,700": what it is a multiple of stands there.
    if (unit === 'times' && /^\s?(?:the|that of|of the|as many as)?\s?[\d$]/.test(behind)) continue
    const isBare = unit !== 'times' && !MORE_BEHIND.test(behind)
    if (isBare && /[=:：]\s*$/.test(before) && !has(before, 'change', 'up', 'down', 'better', 'worse')) continue
    const figures = [figureOf(statement, quantity, 'result')]
    yield assertionIn(statement, 'difference', clause, { figures, quantity: text })
  }
}

/** An amount of a clause, and what else the clause prints beside it. */
interface Stated {
  readonly figure: Figure
  readonly asked: Asked
  /** Of several amounts each has its own two: only "than" and 比 tell which. */
  readonly isOneOfMany: boolean
  /** It is called a mean: over lines, it stands in none of them. */
  readonly isMean: boolean
  readonly levels: readonly Quantity[]
  /** One table has the line that is named: what another table has elsewhere saves nothing. */
  readonly isPlaced: boolean
}

function* readings(asked: Asked): Generator<Reading> {
  const { assertion, clause, frames } = asked
  const [figure] = assertion.figures
  if (figure === undefined) return
  const { quantity } = figure
  const { text, quantities } = clause.statement
  const ahead =
    text
      .slice(clause.from, quantity.from)
      .split(/[,，;；、]/)
      .at(-1) ?? ''
  const amounts = quantities.filter(({ signed, unit }) => signed || unit === 'points')
  const stated: Stated = {
    figure,
    asked,
    isOneOfMany: amounts.length > 1,
    isMean: has(ahead, 'mean'),
    levels: quantities.filter(
      one => one.from >= clause.from && one.to <= clause.to && one !== quantity && !amounts.includes(one),
    ),
    isPlaced: frames.some(one => one.isNamed && one.isHere && one.subjects.length > 0 && one.bases.length > 0),
  }
  for (const [matrix, own] of byTable(frames)) yield* readingsIn(matrix, own, stated)
}

function* readingsIn(matrix: Matrix, frames: readonly Frame[], stated: Stated): Generator<Reading> {
  const { asked, isMean, isPlaced } = stated
  const { clause } = asked
  const { quantity } = stated.figure
  const names = mentionsIn(clause.statement, matrix)
  // "0.7 gains on it": the name of a row.
  if (isNamed(quantity, names)) return
  const isLong = (quantity.decimals ?? 0) > 0 || Math.abs(quantity.value) >= 10
  if (isLong && prints(matrix, quantity) && isPrintedAs(quantity, matrix)) yield held(clause.text)
  // What only a title above names may be meant as well as the line next to it.
  const own = frames.filter(one => one.isNamed)
  const isOnlyAbove = own.length > 0 && !own.some(({ line }) => isSaid(line, clause.statement))
  const isMeant = (one: Frame): boolean =>
    isOfKind(one, clause) &&
    (!isMean || one.line.of.role === 'summary' || (one.isOwn && one.line.isColumn)) &&
    (!isPlaced || one.isNamed || isOnlyAbove)
  const known = frames.filter(isMeant).flatMap(frame => pairsIn(frame, clause))
  const meant = meantOf(known)
  const named = known.some(({ frame }) => frame.isNamed) ? meant : known
  // Where somebody is measured against somebody, nothing else is meant.
  const against = named.filter(({ frame: { subjects, bases } }) => subjects.length > 0 && bases.length > 0)
  const pairs = against.length > 0 ? against : named
  const means = meansOf(pairs)
  if (means !== null && amounts(...means, quantity, clause).some(range => isFit(quantity, range))) yield held('mean')
  const levels = unnamed(stated.levels, clause, matrix)
  const told = pairs.filter(pair => meant.includes(pair))
  for (const pair of pairs) yield readingOf(pair, { ...stated, levels }, told.includes(pair) ? told.length : 0)
}

/** The sentence itself names the line; a title above it may speak of another. */
const isSaid = ({ matrix, of }: Line, statement: Statement): boolean =>
  mentionsIn(statement, matrix).some(({ axes }) => axes.includes(of))

const isFit = (stated: Quantity, range: Range): boolean => meets(sizeOf(statedRange(stated)), range)

/** So few pairs can be checked one by one by whoever reads the finding. */
const MOST_CLEAR = 6

/** One of so many pairs that the amount may be said of; of none, where it only saves. */
function readingOf({ frame, left, right }: Pair, stated: Stated, ofMany: number): Reading {
  const { assertion, clause, evidence } = stated.asked
  const { quantity, text: found, offset } = stated.figure
  const { line, isNamed, isHere, bases } = frame
  const all = amounts(left.point.quantity, right.point.quantity, quantity, clause)
  if (all.some(range => isFit(quantity, range))) return held(line.of.name)
  const isClear = left.mention.isWhole && right.mention.isWhole && (isNamed || ofMany <= MOST_CLEAR)
  const isOwn =
    (!stated.isOneOfMany || (bases.length > 0 && !THAN_ELSEWHERE.test(clause.text))) &&
    areIn([left, right], stated.levels) &&
    !isPlace(line, clause.statement)
  // So many questions are no points of a percentage.
  const isCount = quantity.unit === null && quantity.decimals <= 0 && left.point.quantity.unit === '%'
  const isTold = assertion.stance === 'said' && ofMany > 0 && isClear && isHere && isOwn && !isCount
  const nearest = middle(nearestOf(all, quantity))
  // "About" leaves a fifth open.
  const isAbout = quantity.hedge !== null && Math.abs(quantity.value / nearest - 1) < 0.2
  const isTyped = isMisprint(quantity.value, nearest) && isMistyped(quantity.value, nearest, quantity.decimals)
  const isNear = isTyped || isSlip(quantity.value, nearest)
  const weight = !isTold || !isNear || isAbout ? 0 : isNamed ? 2 : 1
  const tell = (): Outcome => {
    const expected = asPrinted(Math.sign(quantity.value || 1) * nearest, quantity)
    const [a, b] = [left.point.cell, right.point.cell]
    const sides = { left: a.text, other: pointName(line, right.point), right: b.text, found, quote: assertion.quote }
    const message = say('audit.named-difference', { ...cited(line, left.point, evidence), ...sides, expected })
    return refute('named-difference', offset, message, { severity: 'warning', also: [a.offset, b.offset] })
  }
  return missed(weight, tell, line)
}

/** "More from A to B than from B to C": each amount has two of its own. */
const THAN_ELSEWHERE = /(?<![a-z])than (?:from|between|in|on|at|for)(?![a-z])/i

/** "At noon, B has twice …": where something happens is not what is measured. */
function isPlace({ matrix, of }: Line, statement: Statement): boolean {
  const own = mentionsIn(statement, matrix).filter(({ axes }) => axes.includes(of))
  return (
    own.length > 0 && own.every(({ from, isWhole }) => !isWhole && /^\W*at\s$/i.test(statement.text.slice(0, from)))
  )
}

/** In a column of differences, or elsewhere in the same unit: two digits are in every table by chance. */
function isPrintedAs(stated: Quantity, { table, columns }: Matrix): boolean {
  const isOfUnit = ({ unit }: Quantity): boolean => unit === stated.unit || (unit === '%' && stated.unit === 'points')
  return columns.some(({ index, role }) =>
    table.rows.some(row =>
      row[index]?.quantities.some(
        one =>
          Math.abs(one.value) === Math.abs(stated.value) &&
          (role === 'difference' || (isOfUnit(one) && significantDigits(stated) > 2)),
      ),
    ),
  )
}

/** "A is 3 points above B": over all rows, where none is named. */
function meansOf(pairs: readonly Pair[]): readonly [Quantity, Quantity] | null {
  const [first, ...more] = pairs
  const isSame = ({ left, right }: Pair): boolean =>
    left.point.at === first?.left.point.at && right.point.at === first.right.point.at
  if (first === undefined || more.length === 0 || !more.every(isSame)) return null
  const meanOf = (side: 'left' | 'right'): Quantity => {
    const all = pairs.map(pair => pair[side].point.quantity)
    return { ...first[side].point.quantity, range: reckoned('mean', all) ?? first[side].point.quantity.range }
  }
  return [meanOf('left'), meanOf('right')]
}

/** Whichever way round two are divided, the reading that comes nearest is the one that was meant. */
function nearestOf(ranges: readonly Range[], { value }: Quantity): Range {
  const off = (range: Range): number => Math.abs(Math.log(Math.abs(middle(range) / value)))
  const [nearest = exactly(Number.NaN)] = ranges.toSorted((one, other) => off(one) - off(other))
  return nearest
}

const PER = /(?:(?<![a-z])per |每[个条次]?\s?)$/i

/** The two cells of a line that an amount can be the difference of: of two rows, what is said of one is said of both. */
function pairsIn(frame: Frame, clause: Clause): readonly Pair[] {
  const { line, bases, isOwn } = frame
  // "Costs 40 % more per visit" speaks of the cost.
  const subjects = frame.subjects.filter(
    ({ mention: { from }, point }) => !PER.test(clause.statement.text.slice(0, from)) && !isSizeName(point.at.name),
  )
  const [only, ...more] = [...subjects, ...bases]
  if (only === undefined) return []
  const isBoth = more.length === 0 && line.points.length === 2 && isOwn
  const other = isBoth ? line.points.find(point => point !== only.point) : undefined
  if (other !== undefined) return [{ frame, left: only, right: { ...only, point: other } }]
  const named = [only, ...more]
  const free = named.flatMap((left, i) => named.slice(i + 1).map(right => ({ frame, left, right })))
  return bases.length > 0 ? rivalsOf(frame, clause) : free
}

const RELATIVE =
  /相对|增长率|提升率|倍|(?<![A-Za-z])(?:relative|relatively|percent of|reduction|improvement|increase|decrease)(?![A-Za-z])/i

const MULTIPLE = /的\s?[约近]?\s?[\d.]+\s?倍|(?:times|[x×])\s(?:as (?:many|much|often|\w+) as|as many|the|that of)/i

function amounts(a: Quantity, b: Quantity, stated: Quantity, { text }: Clause): readonly Range[] {
  if (a.ends !== null || b.ends !== null) return []
  // Of scores in percent the difference is meant, unless it is called relative.
  const isOfScores = stated.unit === '%' && a.unit === '%' && b.unit === '%'
  if (isOfScores && !RELATIVE.test(text)) return [sizeOf(subtract(b.range, a.range))]
  const percents = a.unit === '%' || b.unit === '%' || a.value > 1.5
  const all = changeReadings(a.range, b.range, stated, { percents, isShare: false })
  // "Three times B", unlike "three times more than B", leaves one way to reckon.
  const isRatio = stated.unit === 'times' && MULTIPLE.test(text)
  return isRatio ? all.slice(0, 2) : all
}

export const difference: Relation = { names: ['difference'], inClause, check: checkedBy(readings) }
