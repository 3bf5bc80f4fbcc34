import { titlesAbove } from '../../document/document.js'
import type { Line } from '../../document/matrix.js'
import { NUMBER_WORDS, type Quantity } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { areLevel } from '../arithmetic.js'
import type { Assertion, Figure, Relation } from '../assertion.js'
import { isOfKind } from '../binding.js'
import { cited, goalOf, goalOfLine, pointName, SPEED } from '../evidence.js'
import { refute } from '../fault.js'
import { adjectives, has, places, source } from '../lexicon.js'
import { type Clause, mentionsIn, namesCorner, OTHERS } from '../mentions.js'
import { areIn, meantOf, type Pair, rivalsOf, unnamed } from '../pairs.js'
import { assertionIn, figureOf } from '../read.js'
import { type Asked, checkedBy, held, missed, type Reading } from '../reading.js'
import { isDenied } from '../stance.js'
import { isAmount } from './amounts.js'
import { levelsWithin } from './levels.js'
import { isDuration } from './reckoned.js'

/**
 * Which of two named points of a line is the larger: "A is above B", 甲 在 Shot≥2 时优于 乙, "every arm beats the baseline".
 * The sign of a difference that the sentence prints decides first, else the tables do.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.named-order': { en: '“{quote}”: in “{line}” {left} has {found} and {owner} has {expected} (line {at}), the other way round; change the word, or name the exception', zh: '“{quote}”：“{line}”中 {left} 是 {found}，{owner} 是 {expected}（第 {at} 行），正好相反；应改用词，或写明例外' },
  'audit.sign-and-word': { en: '“{quote}”: {found} contradicts “{word}”; change the sign or the word', zh: '“{quote}”：{found} 与“{word}”相反；应改符号或用词' },
})

/** Something is compared with something. */
const AGAINST =
  /比|较|相[比对]|对比|[高低大小多少优好差长短劣逊弱强快慢]于|超|胜过|领先|落后|不[如及]|(?<![A-Za-z])(?:than|over|vs|versus|against|compared|relative|above|below|(?:out|under)perform|beats?|surpass|exceed|trails?|behind|ahead)/i
/** 比 Y 高: the bare adjective counts only behind 比. */
const BARE = /(?<=比[^,，。;；]{1,30}?[^最更])(?:[高大多好低少差]|小(?!时))/g
const SOME = /部分|多数|大多|几乎|唯一|的那[几些]|(?<![a-z])(?:most|mostly|some|(?:exactly|just) one)(?![a-z])/i

/** "Only on X", where the figures of X do not follow. */
const ONLY = /[仅只]在|(?<![a-z])only (?:on|in|at)(?![a-z])/i

/** Which way each word points, and whether it tells what is larger, what is faster or what is good. */
const WAYS = [
  ['plain', 'up', ['larger', 'up']],
  ['plain', 'down', ['smaller', 'down']],
  ['speed', 'up', ['faster']],
  ['speed', 'down', ['slower']],
  ['good', 'up', ['better']],
  ['good', 'down', ['worse']],
] as const

function* inClause(clause: Clause): Generator<Assertion> {
  const { statement, from, text } = clause
  // A line that ends in a colon says what follows.
  if (!AGAINST.test(text) || SOME.test(text) || /[:：]\s*$/.test(text)) return
  // What the clause itself gives the two levels of is told by them; and where it prints two, "only on X" has its figures.
  if (levelsWithin(clause, 'change').length > 0) return
  if (ONLY.test(text) && levelsWithin(clause, 'versus').length === 0) return
  const compared = places(text, 'larger', 'smaller', 'better', 'worse', 'faster', 'slower')
  const bare = adjectives(text, BARE)
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
  if (wants === null || left.quantity.unit !== right.quantity.unit) return []
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

const EVERY = new RegExp(`${source('all')}|${OTHERS.source}`, 'i')
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
    const named = OTHERS.test(before) ? mentionsIn(statement, frame.line.matrix).filter(({ to }) => to <= from) : []
    const others = points.filter(
      point => bases.every(base => base.point !== point) && !named.some(({ axes }) => axes.includes(point.at)),
    )
    const everybody = others.flatMap(point => bases.map(right => ({ frame, left: { ...right, point }, right })))
    const isEvery =
      EVERY.test(before) && subjects.length === 0 && (count === null || (frame.isNamed && count === others.length))
    const pairs = isEvery ? everybody : rivalsOf(frame, clause)
    return isOfKind(frame, clause) ? pairs : []
  })
  const printed = compared.filter(pair => isPrinted(pair, clause))
  const levels = statement.quantities.filter(
    one => one.from >= from && one.to <= clause.to && isOwn(one, statement.text),
  )
  const pairs = printed.length > 0 ? printed : compared
  const matrices = [...new Set(pairs.map(({ frame }) => frame.line.matrix))]
  const inside = matrices.filter(({ table }) => table.section === assertion.scope.section)
  const isEverywhere = EVERYWHERE.test(clause.text)
  const ofKind = isEverywhere ? matrices.filter(matrix => namesCorner(clause.text, matrix)) : []
  for (const matrix of [inside, ofKind].find(list => list.length > 0) ?? matrices) {
    const ofMatrix = pairs.filter(({ frame }) => frame.line.matrix === matrix)
    const rows = isEverywhere ? rowByRow(ofMatrix, clause.text) : []
    const meant = rows.length > 0 ? rows : meantOf(ofMatrix)
    const own = unnamed(levels, clause, matrix)
    // The only table of such rows is meant, wherever it stands.
    const isOnly = rows.length > 0 && ofKind.length === 1 && ofKind[0] === matrix
    const weightOf = ({ frame, left, right }: Pair): number =>
      (frame.isHere || isOnly) && assertion.stance === 'said' && areIn([left, right], own) ? 2 : 0
    const made = meant.flatMap(pair => reading(asked, pair, kind, weightOf(pair)))
    const areAll =
      rows.length > 0 ||
      meant.every(({ frame }) => frame.isConfined || (EVERY.test(before) && frame.subjects.length === 0))
    const failed = areAll ? made.filter(({ holds }) => !holds) : []
    // Where it fails in most rows, others are meant; where it fails in all, the word is the wrong one.
    const isOther = rows.length > 0 && 2 * failed.length > rows.length && failed.length < rows.length
    if (!isOther) yield* failed.length > 0 ? failed : made
  }
}

const EVERYWHERE =
  /(?<![A-Za-z])(?:on|in|for|across|at|under) (?:every|each|all|both)(?![A-Za-z])|(?<![A-Za-z])everywhere|[上下里中档个项种类组集轮][^,，。]{0,4}(?:都|均(?!值)|全部?)/i
/** "In all four domains", 四档都. */
const COUNTED =
  /(?:all|each of the) (two|three|four|five|six|seven|eight|nine|ten|\d+)(?![a-z\d])|(\d+|[两二三四五六七八九十])\s?[个项种类组档]/i

/** One against one in every row of what is measured: as many rows as the clause counts, where it counts them. */
function rowByRow(pairs: readonly Pair[], text: string): readonly Pair[] {
  const rows = pairs.filter(({ frame: { line } }) => line.of.role === 'value')
  const sides = new Set(rows.flatMap(({ left, right }) => [left.point.at, right.point.at]))
  const [, english, han] = COUNTED.exec(text) ?? []
  const counted = english ?? han
  const count = counted === undefined ? rows.length : (NUMBER_WORDS.get(counted.toLowerCase()) ?? Number(counted))
  const kinds = new Set(rows.map(({ left: { point } }) => `${point.quantity.unit} ${point.quantity.decimals}`))
  return sides.size === 2 && rows.length > 2 && rows.length === count && kinds.size === 1 ? rows : []
}

/** What is measured, or a time that says when. */
const isOwn = (one: Quantity, text: string): boolean => (one.decimals > 0 || isDuration(one)) && !isAmount(text, one)

/** "A is worse than B (17 vs 15)": the cells that hold both figures are meant. */
function isPrinted({ left, right }: Pair, clause: Clause): boolean {
  const values = [left.point.quantity.value, right.point.quantity.value]
  return levelsWithin(clause, 'versus').some(({ a, b }) => values.includes(a.value) && values.includes(b.value))
}

export const comparison: Relation = { names: ['comparison'], inClause, check: checkedBy(readings) }
