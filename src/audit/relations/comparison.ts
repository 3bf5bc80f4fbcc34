import { titlesAbove } from '../../document/document.js'
import { everyMatch } from '../../document/matches.js'
import { type Line, linesOfMatrix, type Matrix } from '../../document/matrix.js'
import { NUMBER_WORDS, type Quantity } from '../../document/quantity.js'
import { type Range, subtract } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import { areLevel, asPrinted, changeReadings, isSlip, meets, middle, sizeOf, statedRange } from '../arithmetic.js'
import type { Assertion, Figure, Relation } from '../assertion.js'
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
import { cited, goalOf, goalOfLine, pointName, prints, SPEED, significantDigits } from '../evidence.js'
import { refute } from '../fault.js'
import { has, places, source } from '../lexicon.js'
import { type Clause, type Mention, mentionsIn } from '../mentions.js'
import { assertionIn, figureOf } from '../read.js'
import { isDenied } from '../stance.js'
import { levelsIn } from './levels.js'
import { reckoned } from './reckoned.js'

/**
 * Two named points of a line: which is the larger ("A is above B", 甲 在 Shot≥2 时优于 乙, "every arm beats the baseline"),
 * and by how much ("A gains 1.3 points over B"). The sign of a difference that the sentence prints decides first, else
 * the tables do; an amount whose two sides are not both named is held against nobody.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.named-order': { en: '“{quote}”: in “{line}” {left} has {found} and {owner} has {expected} (line {at}), the other way round; change the word, or name the exception', zh: '“{quote}”：“{line}”中 {left} 是 {found}，{owner} 是 {expected}（第 {at} 行），正好相反；应改用词，或写明例外' },
  'audit.named-difference': { en: '“{quote}”: in “{line}” {owner} has {left} and {other} has {right} (line {at}): {expected}, not {found}; write {expected}', zh: '“{quote}”：“{line}”中 {owner} 是 {left}，{other} 是 {right}（第 {at} 行），相差 {expected}，不是 {found}；应写 {expected}' },
  'audit.sign-and-word': { en: '“{quote}”: {found} contradicts “{word}”; change the sign or the word', zh: '“{quote}”：{found} 与“{word}”相反；应改符号或用词' },
})

/** Something is compared with something. */
const AGAINST =
  /比|较|相[比对]|对比|[高低大小多少优好差长短劣逊弱强快慢]于|超|胜过|领先|落后|不[如及]|(?<![A-Za-z])(?:than|over|vs|versus|against|compared|relative|above|below|(?:out|under)perform|beats?|surpass|exceed|trails?|behind|ahead)/i
/** 比 Y 高: the bare adjective counts only behind 比. */
const BARE = /(?<=比[^,，。;；]{1,30}?[^最更])[高大多好低小少差]/g
const SOME = /部分|多数|大多|(?<![a-z])(?:most|mostly|some)(?![a-z])/i

/** Which way each word points, and whether it tells what is larger, what is faster or what is good. */
const WAYS = [
  ['plain', 'up', ['larger', 'up']],
  ['plain', 'down', ['smaller', 'down']],
  ['speed', 'up', ['faster']],
  ['speed', 'down', ['slower']],
  ['good', 'up', ['better']],
  ['good', 'down', ['worse']],
] as const

function* wordsIn(clause: Clause): Generator<Assertion> {
  const { statement, from, text } = clause
  if (SOME.test(text) || !AGAINST.test(text)) return
  const compared = places(text, 'larger', 'smaller', 'better', 'worse', 'faster', 'slower')
  const bare = everyMatch(text, BARE).map(({ index, 0: word }) => ({ from: index, to: index + 1, text: `更${word}` }))
  // "Lowers KL relative to B": without a comparing word the verb says which way.
  const found = [compared, bare, places(text, 'up', 'down')].find(list => list.length > 0) ?? []
  const ways = new Set(found.map(word => WAYS.find(([, , senses]) => has(word.text, ...senses))?.[1]))
  // "Below B on X and above it elsewhere".
  for (const word of found !== compared ? found.slice(0, 1) : ways.size > 1 ? [] : found) {
    const [kind, sense] = WAYS.find(([, , senses]) => has(word.text, ...senses)) ?? []
    const isOr = /(?:或|(?<![a-z])or )\s?$/i.test(text.slice(0, word.from))
    if (sense === undefined || isOr || isDenied(text, word.from)) continue
    const [start, end] = [from + word.from, from + word.to]
    const draft = { quantity: text, figures: signedIn(clause, start, end), manner: `${kind} ${start} ${end}` }
    yield assertionIn(statement, 'comparison', clause, { sense, ...draft })
  }
}

const IN_BRACKETS = /^[^(（]*[(（]\s?(?:vs|仅|差|约)?\s?$/

/** "Better than B (-0.5 %)": the difference itself, with its sign. */
function signedIn({ statement, to: end }: Clause, word: number, to: number): readonly Figure[] {
  const { quantities, text } = statement
  const next = quantities.find(({ from }) => from >= to)
  if (next === undefined || next.from > end + 1 || !next.signed || next.plusMinus || next.from - to >= 40) return []
  const isOwn = IN_BRACKETS.test(text.slice(to, next.from)) && AGAINST.test(text.slice(Math.max(0, word - 12), to))
  return isOwn ? [figureOf(statement, next, 'value')] : []
}

function* readings(asked: Asked): Generator<Reading> {
  const { quote, sense, figures, manner } = asked.assertion
  const { text, leads } = asked.clause.statement
  const [kind = '', from, to] = manner.split(' ')
  const [signed] = figures
  // The difference in brackets has the sign of the word, unless less is better or a size is printed.
  const { value, unit } = signed?.quantity ?? { value: 0, unit: null }
  const isOpposed = value !== 0 && Math.sign(value) !== (sense === 'up' ? 1 : -1)
  const isScore = (unit === '%' || unit === 'points') && goalOf([text, ...leads]) !== 'min'
  if (signed === undefined || !isOpposed || (kind !== 'plain' && !isScore))
    return yield* byNames(asked, kind, Number(from))
  const message = say('audit.sign-and-word', { quote, found: signed.text, word: text.slice(Number(from), Number(to)) })
  const more = { expected: sense === 'up' ? '+' : '−' }
  yield missed(1, () => refute('sign-contradicted', signed.offset, message, more))
}

/** None where nobody knows what is good, or what rounding may have made equal. */
function reading(
  { assertion, evidence }: Asked,
  { frame: { line }, left: { point: left }, right: { point: right } }: Pair,
  kind: string,
  weight: number,
) {
  const wants = wantedIn(line, kind, assertion)
  if (wants === null) return []
  if (left.quantity.value > right.quantity.value === wants) return [held(line.of.name)]
  if (areLevel(left.quantity, right.quantity)) return []
  const sides = { left: pointName(line, left), found: left.cell.text, ...cited(line, right, evidence) }
  const message = say('audit.named-order', { quote: assertion.quote, ...sides })
  const also = [left.cell.offset, right.cell.offset]
  return [
    missed(weight, () => refute('named-comparison', assertion.offset, message, { severity: 'warning', also }), line),
  ]
}

/** Whether the left one should be the larger; null where nobody knows what is good. */
function wantedIn(line: Line, kind: string, { sense, quantity }: Assertion): boolean | null {
  if (kind === 'plain') return sense === 'up'
  if (kind === 'speed' && !SPEED.test(line.of.name)) return null
  // What the sentence names goes before what a title above the table may tell.
  const titles = titlesAbove(line.matrix.table.section).slice(0, 2)
  const goal = goalOf([line.of.name, quantity ?? '']) ?? goalOfLine(line) ?? goalOf(titles)
  if (goal === null && line.points[0]?.quantity.unit !== '%') return null
  return (goal !== 'min') === (sense === 'up')
}

const EVERY = new RegExp(`${source('all')}|其余|其他|(?<![a-z])others?(?![a-z])`, 'i')
/** 两支都, "all three": so many, which may be everybody else. */
const SO_MANY = /([两二三四五六七八九\d])\s?[支个种组项者]|(?:all|both) (two|three|four|five|six)(?![a-z])/i

/** Named against named, line by line: where no line is named, one that fits is enough, unless all are meant. */
function* byNames(asked: Asked, kind: string, word: number): Generator<Reading> {
  const { assertion, clause, frames } = asked
  const { statement, from } = clause
  const before = statement.text.slice(from, word)
  const [, han, english] = SO_MANY.exec(before) ?? []
  const count = NUMBER_WORDS.get((han ?? english ?? '').toLowerCase()) ?? null
  const compared = frames.flatMap(frame => {
    const { points, subjects, bases } = frame
    const others = points.filter(point => bases.every(base => base.point !== point))
    const everybody = others.flatMap(point => bases.map(right => ({ frame, left: { ...right, point }, right })))
    const isEvery =
      EVERY.test(before) && subjects.length === 0 && (count === null || (frame.isNamed && count === others.length))
    const pairs = isEvery ? everybody : rivalsOf(frame, clause)
    return isOfKind(frame, clause) ? pairs : []
  })
  const printed = compared.filter(pair => isPrinted(pair, clause))
  const matrices = [...new Set((printed.length > 0 ? printed : compared).map(({ frame }) => frame.line.matrix))]
  const inside = matrices.filter(({ table }) => table.section === assertion.scope.section)
  for (const matrix of inside.length > 0 ? inside : matrices) {
    const own = printed.length > 0 ? printed : compared
    const meant = meantOf(own.filter(({ frame }) => frame.line.matrix === matrix))
    const weightOf = ({ isHere }: Frame): number => (isHere && assertion.stance === 'said' ? 2 : 0)
    const made = meant.flatMap(pair => reading(asked, pair, kind, weightOf(pair.frame)))
    const areAll = meant.every(({ frame }) => frame.isConfined || (EVERY.test(before) && frame.subjects.length === 0))
    const failed = areAll ? made.filter(({ holds }) => !holds) : []
    yield* failed.length > 0 ? failed : made
  }
}

/** "A is worse than B (17 vs 15)": the cells that hold both figures are meant. */
function isPrinted({ left, right }: Pair, { statement, from, to }: Clause): boolean {
  const values = [left.point.quantity.value, right.point.quantity.value]
  return levelsIn(statement).some(
    ({ a, b, joint }) =>
      joint === 'versus' && a.from >= from && b.to <= to && values.includes(a.value) && values.includes(b.value),
  )
}

interface Pair {
  readonly frame: Frame
  readonly left: Named
  readonly right: Named
}

const rivalsOf = (frame: Frame, { statement }: Clause): readonly Pair[] =>
  rivalsIn(frame, statement.text).map(([left, right]) => ({ frame, left, right }))

/** The pairs of the lines that are named; where none is, a mean speaks for all. */
function meantOf(pairs: readonly Pair[]): readonly Pair[] {
  const named = pairs.filter(({ frame }) => frame.isNamed)
  const means = pairs.filter(({ frame }) => frame.line.of.role === 'summary')
  return [named, means].find(list => list.length > 0) ?? pairs
}

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
function* amountsIn(clause: Clause): Generator<Assertion> {
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
    if (unit !== 'times' && /[=:：]\s*$/.test(before) && !has(before, 'change', 'up', 'down', 'better', 'worse'))
      continue
    const figures = [figureOf(statement, quantity, 'result')]
    yield assertionIn(statement, 'difference', clause, { figures, quantity: text })
  }
}

/** So few pairs can be checked one by one by whoever reads the finding. */
const MOST_CLEAR = 6

function* byAmount({ assertion, clause, frames, evidence }: Asked): Generator<Reading> {
  const [figure] = assertion.figures
  if (figure === undefined) return
  const { quantity: stated, text: found, offset } = figure
  const changes = clause.statement.quantities.filter(({ signed, unit }) => signed || unit === 'points')
  const isFit = (range: Range): boolean => meets(sizeOf(statedRange(stated)), range)
  const inside = clause.statement.quantities.filter(
    one => one.from >= clause.from && one.to <= clause.to && one !== stated && !changes.includes(one),
  )
  // "About" leaves a fifth open.
  const isAbout = (size: number): boolean => stated.hedge !== null && Math.abs(stated.value / size - 1) < 0.2
  const isLong = (stated.decimals ?? 0) > 0 || Math.abs(stated.value) >= 10
  const ahead =
    clause.statement.text
      .slice(clause.from, stated.from)
      .split(/[,，;；、]/)
      .at(-1) ?? ''
  const isMean = has(ahead, 'mean')
  // Where one table has the line that is named, what another table has elsewhere saves nothing.
  const isSure = frames.some(one => one.isNamed && one.isHere && one.subjects.length > 0 && one.bases.length > 0)
  for (const matrix of new Set(frames.map(({ line }) => line.matrix))) {
    const names = mentionsIn(clause.statement, matrix)
    // "0.3 improves on it": the name of a row.
    if (names.some(isAround(stated))) continue
    if (isLong && (significantDigits(stated) > 2 ? prints(matrix, stated) : isDifferenceIn(matrix, stated)))
      yield held(matrix.table.header[0]?.text ?? '')
    // A mean over lines stands in none of them.
    const isMeant = ({ line, isOwn }: Frame): boolean =>
      !isMean || line.of.role === 'summary' || (isOwn && line.isColumn)
    const ofTable = frames.filter(one => one.line.matrix === matrix && isOfKind(one, clause) && isMeant(one))
    const own = isSure ? ofTable.filter(one => one.isNamed) : ofTable
    const known = own.flatMap(frame => pairsIn(frame, clause))
    const named = known.some(({ frame }) => frame.isNamed) ? meantOf(known) : known
    const meant = meantOf(known)
    // Where somebody is measured against somebody, nothing else is meant.
    const against = named.filter(({ frame: { subjects, bases } }) => subjects.length > 0 && bases.length > 0)
    const pairs = against.length > 0 ? against : named
    const levels = inside.filter(one => !names.some(isAround(one)))
    const means = meansOf(pairs)
    if (means !== null && amounts(...means, stated, clause).some(isFit)) yield held('mean')
    for (const pair of pairs) {
      const { frame, left, right } = pair
      const { line, isNamed, isHere } = frame
      const all = amounts(left.point.quantity, right.point.quantity, stated, clause)
      if (all.some(isFit)) yield held(line.of.name)
      const isClear =
        left.mention.isWhole &&
        right.mention.isWhole &&
        (isNamed || pairs.filter(one => meant.includes(one)).length <= MOST_CLEAR)
      // Of several amounts each has its own two: only "than" and 比 tell which.
      const isOwn = (changes.length < 2 || frame.bases.length > 0) && areIn([left, right], levels)
      const [range] =
        assertion.stance === 'said' && meant.includes(pair) && isClear && isHere && isOwn
          ? nearestFirst(all, stated)
          : []
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

const isAround =
  ({ from, to }: Quantity) =>
  (name: Mention): boolean =>
    name.from <= from && name.to >= to

/** Levels that the clause prints beside its names must be those of the two, or it speaks of others. */
function areIn(sides: readonly Named[], levels: readonly Quantity[]): boolean {
  return levels.length === 0 || levels.some(one => sides.some(({ point }) => areLevel(one, point.quantity)))
}

/** Two digits are in every table by chance: only a column of differences bears them out. */
function isDifferenceIn(matrix: Matrix, { value }: Quantity): boolean {
  return linesOfMatrix(matrix).some(
    ({ of, points }) =>
      of.role === 'difference' && points.some(({ quantity }) => Math.abs(quantity.value) === Math.abs(value)),
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
function nearestFirst(ranges: readonly Range[], { value }: Quantity): readonly Range[] {
  const off = (range: Range): number => Math.abs(Math.log(Math.abs(middle(range) / value)))
  return ranges.toSorted((one, other) => off(one) - off(other))
}

/** The two cells of a line that an amount can be the difference of: of two rows, what is said of one is said of both. */
function pairsIn(frame: Frame, clause: Clause): readonly Pair[] {
  const { line, subjects, bases, isOwn } = frame
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

function amounts(a: Quantity, b: Quantity, stated: Quantity, { text }: Clause): readonly Range[] {
  if (a.ends !== null || b.ends !== null) return []
  // Of scores in percent the difference is meant, unless it is called relative.
  const isOfScores = stated.unit === '%' && a.unit === '%' && b.unit === '%'
  if (isOfScores && !RELATIVE.test(text)) return [sizeOf(subtract(b.range, a.range))]
  const percents = a.unit === '%' || b.unit === '%' || a.value > 1.5
  return changeReadings(a.range, b.range, stated, { percents, isShare: false })
}

const byWords = checkedBy(readings)
const byAmounts = checkedBy(byAmount)

export const comparison: Relation = {
  names: ['comparison', 'difference'],
  inClause: clause => [...wordsIn(clause), ...amountsIn(clause)],
  check: (assertion, evidence) => (assertion.relation === 'comparison' ? byWords : byAmounts)(assertion, evidence),
}
