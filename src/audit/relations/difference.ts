import type { Quantity } from '../../document/quantity.js'
import { type Range, subtract } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, changeReadings, isSlip, meets, middle, sizeOf, statedRange } from '../arithmetic.js'
import type { Assertion, Relation } from '../assertion.js'
import {
  type Asked,
  checkedBy,
  type Frame,
  held,
  isOfKind,
  missed,
  type Named,
  type Reading,
  rivalsIn,
} from '../binding.js'
import { cited, pointName, prints } from '../evidence.js'
import { refute } from '../fault.js'
import { has, source } from '../lexicon.js'
import type { Clause } from '../mentions.js'
import { assertionIn, figureOf } from '../read.js'

/**
 * "A gains 1.3 points over B", 甲 比 乙 高 0.4: how far two cells are apart. The names say which two; an amount whose two
 * sides are not both named is held against nobody.
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
const AMOUNT =
  /(?:了|(?<![至最不])[高低多少]|净[增降]|幅度?|差距?|相差|损失|多赢|提升|提高|下降|降低|减少|增加|上升|领先|落后|(?<![A-Za-z])(?:by|gap|margin|difference|lead|costs?|gains?|gained|adds?|added|loses|lost|drop(?:s|ped)?|improvement|reduction|increase|decrease)(?: of| is| was| by)?)\s*[:：=]?\s*(?:约|仅|只|只有|仅有|about|only|just)?\s*[`(（]?\s*$/i

/** A figure that says by how much: signed, in points, a multiple, or beside a word for a change. */
function* inClause(clause: Clause): Generator<Assertion> {
  const { statement, from, to, text } = clause
  for (const quantity of statement.quantities) {
    const { signed, unit, plusMinus, ends } = quantity
    if (quantity.from < from || quantity.to > to || plusMinus || ends !== null) continue
    const before = statement.text.slice(Math.max(from, quantity.from - 16), quantity.from)
    const behind = statement.text.slice(quantity.to, Math.min(to, quantity.to + 14))
    const isSure = signed || unit === 'points' || unit === 'times'
    if (!isSure && !MORE_BEHIND.test(behind) && !AMOUNT.test(before)) continue
    if (LEVEL_BEFORE.test(before) || /^\s?(?:\/|vs)/.test(behind)) continue
    // "Twice the 4,700": what it is a multiple of stands there.
    if (unit === 'times' && /^\s?(?:the|that of|of the|as many as)?\s?[\d$]/.test(behind)) continue
    if (/[=:：]\s*$/.test(before) && !has(before, 'change', 'up', 'down', 'better', 'worse')) continue
    const figures = [figureOf(statement, quantity, 'result')]
    yield assertionIn(statement, 'difference', clause, { figures, quantity: text })
  }
}

interface Pair {
  readonly frame: Frame
  readonly left: Named
  readonly right: Named
}

/** So few pairs can be checked one by one by whoever reads the finding. */
const MOST_CLEAR = 6

function* readings({ assertion, clause, frames, evidence }: Asked): Generator<Reading> {
  const [figure] = assertion.figures
  if (figure === undefined) return
  const { quantity: stated, text: found, offset } = figure
  const changes = clause.statement.quantities.filter(({ signed, unit }) => signed || unit === 'points')
  // "About" leaves a fifth open.
  const isAbout = (size: number): boolean => stated.hedge !== null && Math.abs(stated.value / size - 1) < 0.2
  const isLong = (stated.decimals ?? 0) > 0 || Math.abs(stated.value) >= 10
  for (const matrix of new Set(frames.map(({ line }) => line.matrix))) {
    if (isLong && prints(matrix, stated)) yield held(matrix.table.header[0]?.text ?? '')
    const own = frames.filter(({ line }) => line.matrix === matrix)
    const pairs = pairsOf(own, clause)
    for (const { frame, left, right } of pairs) {
      const { line, isNamed, isHere } = frame
      const all = amounts(left.point.quantity, right.point.quantity, stated, clause)
      if (all.some(range => meets(sizeOf(statedRange(stated)), range))) yield held(line.of.name)
      const isClear = left.mention.isWhole && right.mention.isWhole && (isNamed || pairs.length <= MOST_CLEAR)
      // Of several amounts each has its own two: only "than" and 比 tell which.
      const isOwn = changes.length < 2 || frame.bases.length > 0
      const [range] = assertion.stance === 'said' && isClear && isHere && isOwn ? all : []
      if (range === undefined || !isSlip(stated.value, middle(range)) || isAbout(middle(range))) continue
      const expected = asPrinted(Math.sign(stated.value || 1) * middle(range), stated)
      const [a, b] = [left.point.cell, right.point.cell]
      const sides = { left: a.text, other: pointName(line, right.point), right: b.text, found, quote: assertion.quote }
      const message = say('audit.named-difference', { ...cited(line, left.point, evidence), ...sides, expected })
      const more = { severity: 'warning', also: [a.offset, b.offset] } as const
      yield missed(isNamed ? 2 : 1, () => refute('named-difference', offset, message, more), line)
    }
  }
}

/** What the amount may be the difference of: where a line is named, or who is measured against whom, nothing else. */
function pairsOf(frames: readonly Frame[], clause: Clause): readonly Pair[] {
  // A mean over lines stands in none of them.
  const isMean = has(clause.text, 'mean')
  const all = frames.filter(
    frame => isOfKind(frame, clause) && (!isMean || frame.isOwn || frame.line.of.role === 'summary'),
  )
  const lists = [all.filter(({ isNamed }) => isNamed), all].map(list => list.flatMap(frame => pairsIn(frame, clause)))
  const known = lists.find(list => list.length > 0) ?? []
  const against = known.filter(({ frame: { subjects, bases } }) => subjects.length > 0 && bases.length > 0)
  return against.length > 0 ? against : known
}

/** The two cells of a line that an amount can be the difference of: of two rows, what is said of one is said of both. */
function pairsIn(frame: Frame, { statement }: Clause): readonly Pair[] {
  const { line, subjects, bases, isOwn } = frame
  const [only, ...more] = [...subjects, ...bases]
  if (only === undefined) return []
  const isBoth = more.length === 0 && line.points.length === 2 && isOwn
  const other = isBoth ? line.points.find(point => point !== only.point) : undefined
  if (other !== undefined) return [{ frame, left: only, right: { ...only, point: other } }]
  const named = [only, ...more]
  const free = named.flatMap((left, i) => named.slice(i + 1).map(right => [left, right] as const))
  return (bases.length > 0 ? rivalsIn(frame, statement.text) : free).map(([left, right]) => ({ frame, left, right }))
}

const RELATIVE =
  /相对|增长率|提升率|倍|(?<![A-Za-z])(?:relative|relatively|percent of|reduction|improvement|increase|decrease)(?![A-Za-z])/i

function amounts(a: Quantity, b: Quantity, stated: Quantity, { text }: Clause): readonly Range[] {
  if (a.ends !== null || b.ends !== null) return []
  // Of scores in percent the difference is meant, unless it is called relative.
  const isOfScores = stated.unit === '%' && a.unit === '%' && b.unit === '%'
  if (isOfScores && !RELATIVE.test(text)) return [sizeOf(subtract(b.range, a.range))]
  const percents = a.unit === '%' || b.unit === '%' || a.value > 1.5
  return changeReadings(a.range, b.range, stated, { percents, isShare: false })
}

export const difference: Relation = { names: ['difference'], inClause, check: checkedBy(readings) }
