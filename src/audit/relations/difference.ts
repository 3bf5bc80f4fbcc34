import type { Matrix, Point } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { type Range, subtract } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, changeReadings, isMisprint, meets, middle, sizeOf, statedRange } from '../arithmetic.js'
import { type Assertion, confirmed, type Figure, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import { type Frame, framesOf, isBaseIn, kindest, type Named, type Reading } from '../binding.js'
import { type Evidence, pointName, prints } from '../evidence.js'
import { refute } from '../fault.js'
import { has, source } from '../lexicon.js'
import { type Clause, clauseOf } from '../mentions.js'
import { assertionIn, figureAs, figureOf } from '../read.js'

/**
 * "A gains 1.3 points over B", 甲 比 乙 高 0.4, "drops by 2.7 between step 120 and 240": how far two cells are apart. The
 * names say which two; where one is left open, every other is a reading, and none of them is held against the author.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.named-difference': { en: '“{quote}”: in “{line}” {left} has {leftValue} and {right} has {rightValue} (line {at}): {expected}, not {found}; write {expected}', zh: '“{quote}”：“{line}”中 {left} 是 {leftValue}，{right} 是 {rightValue}（第 {at} 行），相差 {expected}，不是 {found}；应写 {expected}' },
})

const UNITS: ReadonlySet<string | null> = new Set([null, '%', 'points', 'times'])
const MOVES = ['change', 'up', 'down', 'better', 'worse', 'larger', 'smaller', 'faster', 'slower', 'first'] as const
const MORE_BEHIND = new RegExp(
  `^\\s?(?:points?\\s)?(?:of\\s\\w+\\s)?(?:${source('larger', 'smaller', 'better', 'worse', 'faster', 'slower')}|(?:more|less|fewer)(?![A-Za-z]))`,
  'i',
)
/** "The difference between the two is". */
const DIFFERENCE_IS =
  /(?:difference|gap|margin|spread) between [^,;.]{1,40} (?:is|was)\s*$|(?:之差|之间?的?(?:差距|差值|差异))(?:为|是)\s*$/i
const BY = /(?<![A-Za-z])by\s*(?:about|only|just)?\s*[`(（]?\s*$/i
const MEAN_BEFORE = new RegExp(`${source('mean')}\\s*(?:为|是|[:：=]|of|is)?\\s*$`, 'i')
const AMOUNT =
  /(?:了|(?<![至最不])[高低多少]|净[增降]|幅度?|差距?|相差|损失|多赢|提升|提高|下降|降低|减少|增加|上升|领先|落后|(?<![A-Za-z])(?:by|gap|margin|difference|lead|costs?|gains?|gained|adds?|added|loses|lost|drop(?:s|ped)?|improvement|reduction|increase|decrease)(?: of| is| was| by)?)\s*[:：=]?\s*(?:约|仅|只|只有|仅有|about|only|just)?\s*[`(（]?\s*$/i

/** A figure that says by how much: signed, in points, a multiple, or beside a word for a change. */
function* inClause(clause: Clause): Generator<Assertion> {
  const { statement, from, to, text } = clause
  for (const quantity of statement.quantities) {
    if (quantity.from < from || quantity.to > to || quantity.plusMinus || quantity.ends !== null) continue
    const before = statement.text.slice(Math.max(from, quantity.from - 16), quantity.from)
    const behind = statement.text.slice(quantity.to, Math.min(to, quantity.to + 14))
    const isSure = quantity.signed || quantity.unit === 'points' || quantity.unit === 'times'
    const isMore = MORE_BEHIND.test(behind)
    const isAmount = isMore || AMOUNT.test(before) || DIFFERENCE_IS.test(statement.text.slice(from, quantity.from))
    if ((!UNITS.has(quantity.unit) && !isMore) || (!isSure && !isAmount)) continue
    // "Solved by 800k" compares nothing; and a mean is of what stands before it, not of two rows.
    if (BY.test(before) && !has(statement.text.slice(0, quantity.from), ...MOVES)) continue
    if (MEAN_BEFORE.test(before) || /(?:\/|vs\.?)\s?$/.test(before) || /^\s?(?:\/|vs)/.test(behind)) continue
    if (/(?:从|由|至|到|(?<![A-Za-z])(?:from|to))[\s`]*$/i.test(before)) continue
    if (/[=:：]\s*$/.test(before) && !has(before, 'change', 'up', 'down', 'better', 'worse')) continue
    const figures = [figureOf(statement, quantity, 'result')]
    yield assertionIn(statement, 'difference', clause, { figures, quantity: text })
  }
}

interface Pair {
  readonly frame: Frame
  readonly left: Point
  readonly right: Point
  readonly isWhole: boolean
  /** One of the two is not named. */
  readonly isOpen: boolean
}

/** So few lines can be checked one by one by whoever reads the finding. */
const MOST_CLEAR = 6
const MOST_READINGS = 90
const TIMED: ReadonlySet<string | null> = new Set(['s', 'min', 'h', 'token/s'])

function check(assertion: Assertion, evidence: Evidence): Outcome {
  const clause = clauseOf(assertion)
  const figure = figureAs(assertion, 'result')
  if (clause === null || figure === null || (assertion.stance !== 'said' && assertion.stance !== 'hedged'))
    return UNCHECKED
  const stated = figure.quantity
  // Two times or rates of the sentence itself are what its multiple is of.
  const isTimed = clause.statement.quantities.filter(({ unit }) => TIMED.has(unit)).length > 1
  const isTold = stated.hedge === null && assertion.stance === 'said' && !isTimed
  const frames = framesOf(clause, evidence)
  const matrices = [...new Set(frames.map(({ line }) => line.matrix))]
  const holder = matrices.find(matrix => holdsValue(matrix, stated))
  if (holder !== undefined) return confirmed(holder.table.header[0]?.text ?? '')
  const size = sizeOf(statedRange(stated))
  const isFit = (pair: Pair): boolean => amounts(pair, stated, clause).some(range => meets(size, range))
  return kindest(readingsOf({ assertion, clause, figure, isTold, frames, evidence, isFit }, matrices))
}

interface Asked {
  readonly assertion: Assertion
  readonly clause: Clause
  readonly figure: Figure
  /** The sentence states it of something measured, and exactly. */
  readonly isTold: boolean
  readonly frames: readonly Frame[]
  readonly evidence: Evidence
  readonly isFit: (pair: Pair) => boolean
}

function* readingsOf(asked: Asked, matrices: readonly Matrix[]): Generator<Reading> {
  const { assertion, clause, figure, isTold, frames, evidence, isFit } = asked
  const stated = figure.quantity
  for (const matrix of matrices) {
    const own = frames.filter(({ line }) => line.matrix === matrix)
    const { pairs, isClosed } = pairsOf(own, clause)
    const isFew = pairs.length <= (isClosed ? MOST_CLEAR : MOST_READINGS)
    for (const pair of pairs) {
      const { frame, isWhole, isOpen } = pair
      if (isFit(pair)) yield { holds: true, weight: 0, outcome: () => confirmed(frame.line.of.name) }
      const isClear = isWhole && !isOpen && (frame.isNamed || isFew)
      const isMeant = isClear || (isFew && isOpen && frame.isOwn && frame.bases.length > 0)
      const [range] = isTold && isMeant && frame.isHere ? amounts(pair, stated, clause) : []
      if (range === undefined || !isMisprint(stated.value, middle(range))) continue
      if (!isClear && own.some(one => anyPair(one).some(isFit))) continue
      yield {
        holds: false,
        weight: frame.isNamed ? 2 : 1,
        outcome: () => tell(assertion, figure, pair, range, evidence),
      }
    }
  }
}

/** What the amount may be the difference of: where names single out two things or a line, nothing else. */
function pairsOf(
  frames: readonly Frame[],
  clause: Clause,
): { readonly pairs: readonly Pair[]; readonly isClosed: boolean } {
  const all = frames.flatMap(frame => pairsIn(frame, clause))
  const named = all.filter(({ isOpen, frame }) => !isOpen && frame.isNamed)
  const known = named.length > 0 ? named : all.filter(({ isOpen }) => !isOpen)
  // Who is measured against whom is said.
  const against = known.filter(({ frame: { subjects, bases } }) => subjects.length > 0 && bases.length > 0)
  const closed = against.length > 0 ? against : known
  if (has(clause.text, 'mean')) return { pairs: meansOf(closed), isClosed: closed.length > 0 }
  return { pairs: closed.length > 0 ? closed : all, isClosed: closed.length > 0 }
}

function tell(
  assertion: Assertion,
  { quantity, text: found, offset }: Figure,
  { frame: { line }, left, right }: Pair,
  range: Range,
  evidence: Evidence,
): Outcome {
  const expected = asPrinted(Math.sign(quantity.value || 1) * middle(range), quantity)
  const names = { line: line.of.name, left: pointName(line, left), right: pointName(line, right) }
  const values = { leftValue: left.cell.text, rightValue: right.cell.text, found, expected }
  const at = evidence.document.placeOf(left.cell.offset).line
  const message = say('audit.named-difference', { quote: assertion.quote, ...names, ...values, at })
  const also = [left.cell.offset, right.cell.offset]
  return refute('named-difference', offset, message, { severity: 'warning', also })
}

/** Gains are compared, not scores. */
const GAIN =
  /幅度|增益|差距|增量|(?<![A-Za-z])(?:gains?|improvements?|drops?|gaps?|margins?) (?:is|are|was|were|of|on|for)(?![A-Za-z])/i
const TWO = /(?<![A-Za-z])(?:the two|both)(?![A-Za-z])|两者|二者|两[个种组]/i
const MOST_OPEN = 12
/** So short a statement is an entry of a list: what it does not name stands above it. */
const LONGEST_ENTRY = 40

/** The two cells of a line that an amount can be the difference of. */
function pairsIn(frame: Frame, clause: Clause): readonly Pair[] {
  const { line, subjects, bases, earlier, isOwn } = frame
  const { role } = line.of
  if (role !== (GAIN.test(clause.text) ? 'difference' : 'value') && role !== 'summary') return []
  const pair = (left: Named, right: Named): Pair => {
    const isWhole = left.mention.isWhole && right.mention.isWhole
    return { frame, left: left.point, right: right.point, isWhole, isOpen: false }
  }
  const plain = (left: Point, right: Point, isOpen: boolean): Pair => ({ frame, left, right, isWhole: !isOpen, isOpen })
  const ends = endsIn(frame, clause)
  if (ends !== null) return [plain(ends[0], ends[1], false)]
  const before = earlier.filter(({ mention }) => !isBaseIn(clause.statement.text, mention))
  const named = [...subjects, ...bases]
  // "1.3 points above A and 7.7 above B": each against who was spoken of, never against each other.
  const left = subjects.length > 0 ? subjects : before.slice(0, 1)
  if (bases.length > 0 && left.length > 0) return left.flatMap(one => bases.map(base => pair(one, base)))
  if (named.length > 1) return named.flatMap((one, i) => named.slice(i + 1).map(other => pair(one, other)))
  const [only] = named
  const [first] = before
  if (only !== undefined && first !== undefined && first.point !== only.point)
    return [{ ...pair(first, only), isOpen: true }]
  const [a, b] = line.points
  // Of two rows, what is named of one is said of both: "three times that of B", "the two differ by 0.3".
  const isBoth = line.points.length === 2 && isOwn && (only !== undefined || TWO.test(clause.text))
  if (isBoth && a !== undefined && b !== undefined) return [plain(a, b, false)]
  if (only === undefined && before.length === 2 && first !== undefined && before[1] !== undefined)
    return [pair(first, before[1])]
  if (line.points.length > MOST_OPEN) return []
  if (only !== undefined)
    return line.points.flatMap(other => (other === only.point ? [] : [plain(only.point, other, true)]))
  return isOwn && clause.statement.text.length < LONGEST_ENTRY ? anyPair(frame) : []
}

/** Every two cells of a line, one of them named where any is. */
function anyPair(frame: Frame): readonly Pair[] {
  const { line, subjects, bases, earlier } = frame
  if (line.points.length > MOST_READINGS / 2) return []
  const named = new Set([...subjects, ...bases, ...earlier].map(({ point }) => point))
  return line.points.flatMap((left, i) =>
    line.points
      .slice(i + 1)
      .flatMap(right =>
        named.size === 0 || named.has(left) || named.has(right)
          ? [{ frame, left, right, isWhole: false, isOpen: true }]
          : [],
      ),
  )
}

const HEAD = /前\s?(\d{1,6})\s?[步轮]|(?<![A-Za-z])first (\d{1,6}) (?:steps|epochs|iterations)/i
const TAIL = /后\s?(\d{1,6})\s?[步轮]|(?<![A-Za-z])last (\d{1,6}) (?:steps|epochs|iterations)/i

/** "In the last 150 steps", "steps 100-250", "from the start": two places on an axis of steps. */
function endsIn({ line, points, isConfined, subjects }: Frame, { text }: Clause): readonly [Point, Point] | null {
  const stepped = (isConfined ? points : line.points).filter(({ at }) => at.step !== null)
  const [first, last] = [stepped[0], stepped.at(-1)]
  if (first === undefined || last === undefined || first === last || line.points.length < 3) return null
  const at = (step: number): Point | undefined => line.points.find(one => one.at.step === step)
  const [head, tail] = [HEAD.exec(text), TAIL.exec(text)]
  const start = tail === null ? undefined : at((last.at.step ?? 0) - Number(tail[1] ?? tail[2]))
  const end = head === null ? undefined : at(Number(head[1] ?? head[2]))
  if (start !== undefined) return [start, last]
  if (end !== undefined) return [first, end]
  if (isConfined && subjects.length < 2) return [first, last]
  const isWhole = /初始|起始|起点|训练前|开始时?|(?<![A-Za-z])(?:initial|start|beginning|before training)(?![A-Za-z])/i
  return subjects.length === 0 && isWhole.test(text) ? [first, last] : null
}

/** Of pairs over several lines, the pair of their means. */
function meansOf(pairs: readonly Pair[]): readonly Pair[] {
  const [first] = pairs
  const own = pairs.filter(({ left, right }) => left.at === first?.left.at && right.at === first.right.at)
  if (first === undefined || own.some(({ frame }) => frame.isOwn || frame.line.of.role === 'summary')) return pairs
  const mean = (side: 'left' | 'right'): Point => {
    const value = own.reduce((sum, one) => sum + one[side].quantity.value, 0) / own.length
    const half = Math.max(...own.map(one => (one[side].quantity.range.high - one[side].quantity.range.low) / 2))
    const range = { low: value - half, high: value + half }
    return { ...first[side], quantity: { ...first[side].quantity, value, range } }
  }
  // A mean over steps may be of a window that the table does not show.
  const isWhole = first.isWhole && first.frame.line.of.step === null
  return [{ ...first, left: mean('left'), right: mean('right'), isWhole }]
}

const RELATIVE =
  /相对|增长率|提升率|倍|(?<![A-Za-z])(?:relative|relatively|percent of|reduction|improvement|increase|decrease)(?![A-Za-z])/i

function amounts({ left, right }: Pair, stated: Quantity, { text }: Clause): readonly Range[] {
  const [a, b] = [left.quantity, right.quantity]
  // A difference is not finer than what it is taken of.
  if (stated.unit === null && (stated.decimals ?? 0) > Math.max(a.decimals ?? 0, b.decimals ?? 0) + 1) return []
  if (a.ends !== null || b.ends !== null) return []
  // Of scores in percent the difference is meant, unless it is called relative.
  if (stated.unit === '%' && a.unit === '%' && b.unit === '%' && !RELATIVE.test(text))
    return [sizeOf(subtract(b.range, a.range))]
  const percents = a.unit === '%' || b.unit === '%' || a.value > 1.5
  return changeReadings(a.range, b.range, stated, { percents, isShare: false })
}

/** The amount itself stands in the table. */
function holdsValue(matrix: Matrix, stated: Quantity): boolean {
  return ((stated.decimals ?? 0) > 0 || Math.abs(stated.value) >= 10) && prints(matrix, stated)
}

export const difference: Relation = { names: ['difference'], inClause, check }
