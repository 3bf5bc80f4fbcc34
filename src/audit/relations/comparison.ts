import type { Line, Point } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { meets } from '../arithmetic.js'
import type { Assertion, Figure, Relation } from '../assertion.js'
import { type Asked, checkedBy, type Frame, held, isOfKind, missed, type Reading, rivalsIn } from '../binding.js'
import { cited, goalOf, goalOfLine, pointName, SPEED } from '../evidence.js'
import { refute } from '../fault.js'
import { has, places, source } from '../lexicon.js'
import { type Clause, mentionsInText } from '../mentions.js'
import { assertionIn, figureOf } from '../read.js'
import { isDenied } from '../stance.js'

/**
 * "A is above B", 甲 在 Shot≥2 时优于 乙, "every arm beats the baseline", "A is smaller (3.2 vs 3.4)": one thing against
 * another. What the sentence prints itself decides first: the sign of a difference, or both figures; else the tables do.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.named-order': { en: '“{quote}”: in “{line}” {left} has {found} and {owner} has {expected} (line {at}), the other way round; change the word, or name the exception', zh: '“{quote}”：“{line}”中 {left} 是 {found}，{owner} 是 {expected}（第 {at} 行），正好相反；应改用词，或写明例外' },
  'audit.sign-and-word': { en: '“{quote}”: {found} contradicts “{word}”; change the sign or the word', zh: '“{quote}”：{found} 与“{word}”相反；应改符号或用词' },
  'audit.figures-opposed': { en: '“{quote}”: {found} against {expected} is the other way round; change the word, or the figures', zh: '“{quote}”：{found} 与 {expected} 正好相反；应改用词或数字' },
})

/** Something is compared with something. */
const AGAINST =
  /比|较|相[比对]|对比|[高低大小多少优好差长短劣逊弱强快慢]于|超|胜过|领先|落后|不[如及]|(?<![A-Za-z])(?:than|over|vs|versus|against|compared|relative|above|below|(?:out|under)perform|beats?|surpass|exceed|trails?|behind|ahead)/i
/** 比 Y 高: the bare adjective counts only behind 比. */
const BARE = /比[^,，。;；]{1,30}?(?<=[^最更])([高大多好低小少差])/
const SOME = /部分|多数|大多|(?<![a-z])(?:most|mostly|some)(?![a-z])/i

/** Which way each word points, and whether it tells what is larger, what is faster or what is good. */
const WAYS = [
  ['plain', 'up', ['larger', 'up'], /^[高大多]$/],
  ['plain', 'down', ['smaller', 'down'], /^[低小少]$/],
  ['speed', 'up', ['faster'], /^快$/],
  ['speed', 'down', ['slower'], /^慢$/],
  ['good', 'up', ['better'], /^好$/],
  ['good', 'down', ['worse'], /^差$/],
] as const

const COMPARING = ['larger', 'smaller', 'better', 'worse', 'faster', 'slower'] as const

function* inClause(clause: Clause): Generator<Assertion> {
  const { statement, from, text } = clause
  if (SOME.test(text) || !AGAINST.test(text)) return
  const found = [...places(text, ...COMPARING)]
  const bare = found.length === 0 ? BARE.exec(text) : null
  if (bare !== null) found.push({ from: bare.index, to: bare.index + bare[0].length, text: bare[1] ?? '' })
  // "Lowers KL relative to B": without a comparing word the verb says which way.
  if (found.length === 0) found.push(...[...places(text, 'up', 'down')].slice(0, 1))
  for (const word of found) {
    const way = WAYS.find(([, , senses, char]) => has(word.text, ...senses) || char.test(word.text))
    const isOr = /(?:或|(?<![a-z])or )\s?$/i.test(text.slice(0, word.from))
    if (way === undefined || isOr || isDenied(text, word.from)) continue
    const [start, end] = [from + word.from, from + word.to]
    const draft = { quantity: text, figures: figuresOf(clause, start, end), manner: `${way[0]} ${start} ${end}` }
    yield assertionIn(statement, 'comparison', clause, { sense: way[1], ...draft })
  }
}

const VERSUS = /^\s?\)?\s?(?:vs\.?|versus|against|对比?)\s?[^\d;；。]{0,16}$/i
const BEFORE_VERSUS = /^[^\d;；。]{0,40}[(（:：,，]?\s?$/
const IN_BRACKETS = /^[^(（]*[(（]\s?(?:vs|仅|差|约)?\s?$/
const ADVERBS =
  /^[\s)）,，`]*(?:(?:最终|甚至|仍然?|略微?|显著|明显|也|均|都|稍|远|大幅|大大|已|已经|which|is|are|was|still|slightly|significantly|well|far|much|just|also|clearly|and)\s*)*$/i

/** The figures of the comparison itself: a difference with its sign in brackets, or the two that are compared. */
function figuresOf({ statement, to: end }: Clause, word: number, to: number): readonly Figure[] {
  const { quantities, text } = statement
  const next = quantities.findIndex(({ from }) => from >= to)
  const [left, a, b] = [quantities[next - 1], quantities[next], quantities[next + 1]]
  if (a === undefined || a.from > end + 1) return []
  const pair = (one: Quantity, other: Quantity): readonly Figure[] =>
    one.unit === other.unit && one.ends === null && other.ends === null && !one.signed
      ? [figureOf(statement, one, 'from'), figureOf(statement, other, 'to')]
      : []
  // "(3.2 vs 3.4)" behind the word.
  if (b !== undefined && VERSUS.test(text.slice(a.to, b.from)) && BEFORE_VERSUS.test(text.slice(to, a.from)))
    return pair(a, b)
  // "0.59, slightly above the baseline's 0.57"; but "1.3 points above" tells by how much, not what.
  const between = left === undefined ? '' : text.slice(left.to, word)
  const isLevel = left?.unit !== 'points' && left?.unit !== 'times' && left?.decimals === a.decimals && !a.signed
  if (left !== undefined && isLevel && a.to <= end && between.trim() !== '' && ADVERBS.test(between))
    return pair(left, a)
  const isSigned = a.signed && !a.plusMinus && a.from - to < 40 && IN_BRACKETS.test(text.slice(to, a.from))
  return isSigned && AGAINST.test(text.slice(Math.max(0, word - 12), to)) ? [figureOf(statement, a, 'value')] : []
}

function* readings(asked: Asked): Generator<Reading> {
  const { assertion, clause } = asked
  const { quote, sense, figures, manner } = assertion
  const [kind = '', from, to] = manner.split(' ')
  const [signed] = figures
  if (signed?.role === 'value' && isOpposed(assertion, clause, signed, kind)) {
    const params = { quote, found: signed.text, word: clause.statement.text.slice(Number(from), Number(to)) }
    const expected = sense === 'up' ? '+' : '−'
    yield missed(3, () => refute('sign-contradicted', signed.offset, say('audit.sign-and-word', params), { expected }))
    return
  }
  const printed = [...byFigures(asked, kind, Number(from))]
  yield* printed
  // "0.59, above the 0.57 of B" needs no table; of "(0.59 vs 0.57)" the names may tell whose is which.
  if (printed.length === 0 || (signed?.quantity.from ?? 0) > Number(from)) yield* byNames(asked, kind, Number(from))
}

/** The difference in brackets has the sign of the word, unless less is better or a size is printed. */
function isOpposed({ sense }: Assertion, { statement }: Clause, { quantity }: Figure, kind: string): boolean {
  const { value, unit } = quantity
  if (value === 0 || Math.sign(value) === (sense === 'up' ? 1 : -1)) return false
  const isScore = unit === '%' || unit === 'points'
  return kind === 'plain' || (isScore && goalOf([statement.text, ...statement.leads]) !== 'min')
}

/** The table that holds both figures says whose they are; without one, the first is that of whom is spoken. */
function* byFigures(asked: Asked, kind: string, word: number): Generator<Reading> {
  const { assertion, clause, frames, evidence } = asked
  const [a, b] = assertion.figures
  if (a === undefined || b === undefined || meets(a.quantity.range, b.quantity.range)) return
  const { text } = clause.statement
  const isVersus = a.quantity.from > word
  let isFound = false
  for (const { line, point } of isVersus ? evidence.holding(a.quantity) : []) {
    const other = line.points.find(one => one !== point && one.quantity.value === b.quantity.value)
    const named = mentionsInText(text.slice(0, word), line.matrix).flatMap(({ axes }) =>
      axes.length === 1 ? axes : [],
    )
    const [only, another] = other === undefined ? [] : [point, other].filter(one => named.includes(one.at))
    if (other === undefined || only === undefined || another !== undefined) continue
    const made = reading(asked, line, [only, only === point ? other : point], kind, 3)
    isFound ||= made.length > 0
    yield* made
  }
  // Without a table; of negative figures the size may be meant, and a name between the two may turn them round.
  const isBare = !isVersus || /^\s?(?:vs\.?|versus|对比?)\s?$/i.test(text.slice(a.quantity.to, b.quantity.from))
  // "Lower rates work better (0.62 vs 0.58)": the first word names the thing, a later one is said of it.
  const isNamed = isVersus && has(text.slice(word, a.quantity.from).replace(/^[a-z]+/i, ''), ...COMPARING, 'works')
  if (isFound || kind !== 'plain' || !isBare || isNamed || areNames(frames, text)) return
  const { quote, sense } = assertion
  if (a.quantity.value > b.quantity.value === (sense === 'up')) yield held(`${a.text}, ${b.text}`)
  const isSize = isVersus && (a.quantity.value < 0 || b.quantity.value < 0 || assertion.stance !== 'said')
  const message = say('audit.figures-opposed', { quote, found: a.text, expected: b.text })
  const severity = isVersus ? 'warning' : 'error'
  yield missed(isSize ? 0 : 3, () => refute('sign-contradicted', b.offset, message, { severity }))
}

/** "0.12 is below 0.15": figures that are the names of rows are no figures. */
function areNames(frames: readonly Frame[], text: string): boolean {
  const names = frames.flatMap(({ subjects, bases }) => [...subjects, ...bases])
  return names.some(({ mention: { from, to } }) => /^[\d.]+$/.test(text.slice(from, to)))
}

/** None where nobody knows what is good, or what rounding may have made equal. */
function reading(asked: Asked, line: Line, [left, right]: Two, kind: string, weight: number): readonly Reading[] {
  const { assertion, evidence } = asked
  const wants = wantedIn(line, kind, assertion)
  if (wants === null) return []
  if (left.quantity.value > right.quantity.value === wants) return [held(line.of.name)]
  if (meets(left.quantity.range, right.quantity.range)) return []
  const sides = { left: pointName(line, left), found: left.cell.text, ...cited(line, right, evidence) }
  const severity = weight > 2 ? 'error' : 'warning'
  const also = [left.cell.offset, right.cell.offset]
  const message = say('audit.named-order', { quote: assertion.quote, ...sides })
  const tell = () => refute('named-comparison', assertion.offset, message, { severity, also })
  return [missed(weight, tell, weight < 3 ? line : null)]
}

type Two = readonly [Point, Point]

/** `kl.loss.coef=0.1` is a setting and tells nothing of what is good. */
const SETTING = /[\w./-]+\s?=\s?[\d.e+-]+|loss[ ._-]?(?:coef\w*|weight|系数)/gi

/** Whether the left one should be the larger; null where nobody knows what is good. */
function wantedIn(line: Line, kind: string, { sense, quantity }: Assertion): boolean | null {
  if (kind === 'plain') return sense === 'up'
  if (kind === 'speed' && !SPEED.test(line.of.name)) return null
  // What the sentence names goes before what a title above the table may tell.
  const goal = goalOf([line.of.name, quantity?.replace(SETTING, '') ?? '']) ?? goalOfLine(line)
  if (goal === null && line.points[0]?.quantity.unit !== '%') return null
  return (goal !== 'min') === (sense === 'up')
}

/** The lines are what is quantified, not the things that are compared. */
const EVERYWHERE =
  /(?:在|于)(?:所有|全部|各|每)|条件下[都均]|数据[量集]?[上下][都均]|条数据下[都均]|全面|(?<![A-Za-z])(?:on|in|for|across|under|at|with) (?:all|every|each|both)(?![A-Za-z])|everywhere|always/i

const EVERY = new RegExp(`${source('all')}|其余|其他|(?<![a-z])others?(?![a-z])`, 'i')

/** Named against named, line by line: where no line is named, one that fits is enough, unless all are meant. */
function* byNames(asked: Asked, kind: string, word: number): Generator<Reading> {
  const { assertion, clause, frames } = asked
  const { statement, from, text } = clause
  const compared = frames.flatMap(frame => {
    const isEvery = frame.subjects.length === 0 && EVERY.test(statement.text.slice(from, word))
    const bases = frame.bases.map(({ point }) => point)
    const others = frame.points.filter(point => !bases.includes(point))
    const pairs: readonly Two[] = isEvery
      ? others.flatMap(left => bases.map(right => [left, right] as const))
      : rivalsIn(frame, statement.text).map(([left, right]) => [left.point, right.point])
    return isOfKind(frame, clause) ? pairs.map(pair => ({ pair, frame, isEvery })) : []
  })
  const matrices = [...new Set(compared.map(({ frame }) => frame.line.matrix))]
  const inside = matrices.filter(({ table }) => table.section === assertion.scope.section)
  for (const matrix of inside.length > 0 ? inside : matrices) {
    const own = compared.filter(({ frame }) => frame.line.matrix === matrix)
    // Where no line is named, the mean speaks for all.
    const named = own.filter(({ frame }) => frame.isNamed)
    const means = own.filter(({ frame }) => frame.line.of.role === 'summary')
    const meant = [named, means].find(list => list.length > 0) ?? own
    const weightOf = ({ isHere }: Frame): number => (isHere && assertion.stance === 'said' ? 2 : 0)
    const made = meant.flatMap(({ pair, frame }) => reading(asked, frame.line, pair, kind, weightOf(frame)))
    const areAll = EVERYWHERE.test(text) || meant.every(({ frame, isEvery }) => frame.isConfined || isEvery)
    const failed = areAll ? made.filter(({ holds }) => !holds) : []
    yield* failed.length > 0 ? failed : made
  }
}

export const comparison: Relation = { names: ['comparison'], inClause, check: checkedBy(readings) }
