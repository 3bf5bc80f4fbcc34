import type { Line, Point } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { meets } from '../arithmetic.js'
import { type Assertion, confirmed, type Figure, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import { type Frame, framesOf, isBaseIn, kindest, type Reading } from '../binding.js'
import { type Evidence, goalOf, goalOfLine, pointName, SPEED } from '../evidence.js'
import { refute } from '../fault.js'
import { has, places, source } from '../lexicon.js'
import { type Clause, clauseOf, mentionsInText } from '../mentions.js'
import { assertionIn, figureOf } from '../read.js'
import { isDenied } from '../stance.js'

/**
 * "A is above B", 甲 在 Shot≥2 时优于 乙, "every arm beats the baseline", "A is smaller (3.2 vs 3.4)": one thing against
 * another. What the sentence prints itself decides first: the sign of a difference, or both figures; else the tables do.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.named-order': { en: '“{quote}”: in “{line}” {left} has {found} and {right} has {expected} (line {at}), the other way round; change the word, or name the exception', zh: '“{quote}”：“{line}”中 {left} 是 {found}，{right} 是 {expected}（第 {at} 行），正好相反；应改用词，或写明例外' },
  'audit.sign-and-word': { en: '“{quote}”: {found} contradicts “{word}”; change the sign or the word', zh: '“{quote}”：{found} 与“{word}”相反；应改符号或用词' },
  'audit.figures-opposed': { en: '“{quote}”: {found} against {expected} is the other way round; change the word, or the figures', zh: '“{quote}”：{found} 与 {expected} 正好相反；应改用词或数字' },
})

/** Something is compared with something. */
const AGAINST =
  /比|较|相[比对]|对比|[高低大小多少优好差长短劣逊弱强快慢]于|超|胜过|领先|落后|不[如及]|(?<![A-Za-z])(?:than|over|vs|versus|against|compared|relative|above|below|(?:out|under)perform|beats?|surpass|exceed|trails?|behind|ahead)/i
/** 比 Y 高: the bare adjective counts only behind 比. */
const BARE = /比[^,，。;；]{1,30}?(?<=[^最更])([高大多好低小少差])/
const SOME = /部分|多数|大多|(?<![a-z])(?:most|mostly|some)(?![a-z])/i

const MORE = ['larger', 'better', 'faster', 'up'] as const
const LESS = ['smaller', 'worse', 'slower', 'down'] as const

function* inClause(clause: Clause): Generator<Assertion> {
  const { statement, from, text } = clause
  if (SOME.test(text) || !AGAINST.test(text)) return
  const found = [...places(text, 'larger', 'smaller', 'better', 'worse', 'faster', 'slower')]
  const bare = found.length === 0 ? BARE.exec(text) : null
  // "Lowers KL relative to B": without a comparing word the verb says which way.
  if (bare !== null) found.push({ from: bare.index, to: bare.index + bare[0].length, text: bare[1] ?? '' })
  if (found.length === 0) found.push(...[...places(text, 'up', 'down')].slice(0, 1))
  for (const word of found) {
    if (isDenied(text, word.from) || /(?:或|(?<![a-z])or )\s?$/i.test(text.slice(0, word.from))) continue
    const isGood = (has(word.text, 'better', 'worse') && !has(word.text, ...PLAIN)) || /^[好差]$/.test(word.text)
    const kind = has(word.text, 'faster', 'slower') ? 'speed' : isGood ? 'good' : 'plain'
    const isMore = has(word.text, ...MORE) || /^[高大多好]$/.test(word.text)
    const isLess = has(word.text, ...LESS) || /^[低小少差]$/.test(word.text)
    if (isMore === isLess) continue
    yield assertionIn(statement, 'comparison', clause, {
      sense: isMore ? 'up' : 'down',
      quantity: text,
      figures: figuresOf(clause, from + word.from, from + word.to),
      manner: `${kind} ${from + word.from} ${from + word.to}`,
    })
  }
}

const PLAIN = ['larger', 'smaller', 'up', 'down'] as const
const VERSUS = /^\s?\)?\s?(?:vs\.?|versus|against|对比?)\s?[^\d;；。]{0,16}$/i
const BEFORE_VERSUS = /^[^\d;；。]{0,40}[(（:：,，]?\s?$/
const IN_BRACKETS = /^[^(（]*[(（]\s?(?:vs|仅|差|约)?\s?$/

/** The figures of the comparison itself: "(3.2 vs 3.4)" behind the word, or a difference with its sign in brackets. */
function figuresOf({ statement, to: end }: Clause, word: number, to: number): readonly Figure[] {
  const { quantities, text } = statement
  const next = quantities.findIndex(({ from }) => from >= to)
  const [a, b] = [quantities[next], quantities[next + 1]]
  if (a === undefined || a.from > end + 1) return []
  const isPair = b !== undefined && a.unit === b.unit && a.ends === null && b.ends === null && !a.signed
  if (isPair && VERSUS.test(text.slice(a.to, b.from)) && BEFORE_VERSUS.test(text.slice(to, a.from)))
    return [figureOf(statement, a, 'from'), figureOf(statement, b, 'to')]
  const isSigned = a.signed && !a.plusMinus && a.from - to < 40 && IN_BRACKETS.test(text.slice(to, a.from))
  return isSigned && AGAINST.test(text.slice(Math.max(0, word - 12), to)) ? [figureOf(statement, a, 'value')] : []
}

function check(assertion: Assertion, evidence: Evidence): Outcome {
  const clause = clauseOf(assertion)
  if (clause === null || (assertion.stance !== 'said' && assertion.stance !== 'hedged')) return UNCHECKED
  return (
    checkPrinted(assertion, clause, evidence) ??
    kindest([...byFigures(assertion, clause, evidence), ...byNames(assertion, clause, evidence)])
  )
}

/** What the sentence prints itself: the sign of a difference, or both figures. */
function checkPrinted(assertion: Assertion, clause: Clause, evidence: Evidence): Outcome | null {
  const { quote, sense, figures } = assertion
  const { text, offsetOf } = clause.statement
  const [kind, at, end] = assertion.manner.split(' ')
  const signed = figures.find(({ role }) => role === 'value')
  if (signed !== undefined && isOpposed(assertion, clause, signed, kind !== 'plain')) {
    const params = { quote, found: signed.text, word: text.slice(Number(at), Number(end)) }
    const expected = sense === 'up' ? '+' : '−'
    return refute('sign-contradicted', signed.offset, say('audit.sign-and-word', params), { expected })
  }
  const own = kind === 'plain' && !areNames(clause, evidence) ? figuresAround(clause, Number(at)) : null
  if (own === null) return null
  const [found = '', expected = ''] = own.map(({ from, to }) => text.slice(from, to))
  if (own[0].value > own[1].value === (sense === 'up')) return confirmed(`${found}, ${expected}`)
  const message = say('audit.figures-opposed', { quote, found, expected })
  return refute('sign-contradicted', offsetOf(own[1].from), message, { expected: sense === 'up' ? '>' : '<' })
}

/** The difference in brackets has the sign of the word, unless less is better or a size is printed. */
function isOpposed(
  { sense }: Assertion,
  { statement }: Clause,
  { quantity: { value, unit } }: Figure,
  isGood: boolean,
): boolean {
  if (value === 0 || Math.sign(value) === (sense === 'up' ? 1 : -1)) return false
  const isScore = unit === '%' || unit === 'points'
  return !isGood || (isScore && goalOf([statement.text, ...statement.leads]) !== 'min')
}

const ADVERBS =
  /^[\s)）,，`]*(?:(?:最终|甚至|仍然?|略微?|显著|明显|也|均|都|稍|远|大幅|大大|已|已经|which|is|are|was|still|slightly|significantly|well|far|much|just|also|clearly|and)\s*)*$/i

/** "0.59, slightly above the baseline's 0.57": both figures stand in the sentence. */
function figuresAround({ statement, from, to }: Clause, word: number): readonly [Quantity, Quantity] | null {
  const { quantities, text } = statement
  const left = quantities.filter(one => one.to <= word).at(-1)
  const right = quantities.find(one => one.from > word && one.from >= from && one.to <= to)
  if (left === undefined || right === undefined || left.unit !== right.unit || left.signed || right.signed) return null
  // "1.3 points above": that is by how much, not what.
  if (left.unit === 'points' || left.unit === 'times' || /^\s*$/.test(text.slice(left.to, word))) return null
  if (left.ends !== null || right.ends !== null || meets(left.range, right.range) || left.decimals !== right.decimals)
    return null
  return ADVERBS.test(text.slice(left.to, word)) ? [left, right] : null
}

/** "0.12 is below 0.15": figures that are the names of rows are no figures. */
function areNames(clause: Clause, evidence: Evidence): boolean {
  const { text } = clause.statement
  return framesOf(clause, evidence).some(({ subjects, bases }) =>
    [...subjects, ...bases].some(({ mention: { from, to } }) => /^[\d.]+$/.test(text.slice(from, to))),
  )
}

/** "S is smaller (a vs b)": the table that holds both figures says whose they are; without one, the first is that of S. */
function* byFigures(assertion: Assertion, clause: Clause, evidence: Evidence): Generator<Reading> {
  const [a, b] = ['from', 'to'].map(role => assertion.figures.find(figure => figure.role === role))
  if (a === undefined || b === undefined || meets(a.quantity.range, b.quantity.range)) return
  const [kind = '', at] = assertion.manner.split(' ')
  const text = clause.statement.text.slice(0, Number(at))
  let isFound = false
  for (const { line, point } of evidence.holding(a.quantity)) {
    const other = line.points.find(one => one !== point && one.quantity.value === b.quantity.value)
    const named = mentionsInText(text, line.matrix).flatMap(({ axes }) => (axes.length === 1 ? axes : []))
    const [only, another] = other === undefined ? [] : [point, other].filter(one => named.includes(one.at))
    const wants = wantedIn(line, kind, assertion)
    if (other === undefined || only === undefined || another !== undefined || wants === null) continue
    const rival = only === point ? other : point
    isFound = true
    yield reading(assertion, { line, left: only, right: rival }, wants, 3, evidence)
  }
  // Without a table; of negative figures the size may be meant, and a name between the two may turn them round.
  const between = clause.statement.text.slice(a.quantity.to, b.quantity.from)
  if (isFound || kind !== 'plain' || assertion.stance !== 'said' || !/^\s?(?:vs\.?|versus|对比?)\s?$/i.test(between))
    return
  const isMore = a.quantity.value > b.quantity.value
  const message = say('audit.figures-opposed', { quote: assertion.quote, found: a.text, expected: b.text })
  yield {
    holds: isMore === (assertion.sense === 'up'),
    weight: a.quantity.value < 0 || b.quantity.value < 0 ? 0 : 1,
    outcome: () =>
      isMore === (assertion.sense === 'up')
        ? confirmed(`${a.text} vs ${b.text}`)
        : refute('sign-contradicted', a.offset, message, { severity: 'warning' }),
  }
}

interface Compared {
  readonly line: Line
  readonly left: Point
  readonly right: Point
}

function reading(
  assertion: Assertion,
  compared: Compared,
  wants: boolean,
  weight: number,
  evidence: Evidence,
): Reading {
  const { line, left, right } = compared
  const holds = left.quantity.value > right.quantity.value === wants
  const outcome = (): Outcome => {
    if (holds) return confirmed(line.of.name)
    const names = { line: line.of.name, left: pointName(line, left), right: pointName(line, right) }
    const at = evidence.document.placeOf(left.cell.offset).line
    const params = { quote: assertion.quote, ...names, found: left.cell.text, expected: right.cell.text, at }
    const also = [left.cell.offset, right.cell.offset]
    const severity = weight > 2 ? 'error' : 'warning'
    return refute('named-comparison', assertion.offset, say('audit.named-order', params), { severity, also })
  }
  return { holds, weight, outcome }
}

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

/** Named against named, line by line: where no line is named, one that fits is enough, unless all are meant. */
function* byNames(assertion: Assertion, clause: Clause, evidence: Evidence): Generator<Reading> {
  const [kind = '', word] = assertion.manner.split(' ')
  const frames = framesOf(clause, evidence)
  const compared = frames.flatMap(frame =>
    (GAIN.test(clause.text) && frame.line.of.role !== 'difference') || frame.line.of.role === 'remark'
      ? []
      : rivalsIn(frame, clause, Number(word)).map(pair => ({ ...pair, frame })),
  )
  const matrices = [...new Set(compared.map(({ line }) => line.matrix))]
  const { section } = assertion.scope
  const inside = matrices.filter(({ table }) => table.section === section)
  for (const matrix of inside.length > 0 ? inside : matrices) {
    const own = compared.filter(({ line }) => line.matrix === matrix)
    // Where no line is named, the mean speaks for all.
    const named = own.filter(({ frame }) => frame.isNamed)
    const means = own.filter(({ line }) => line.of.role === 'summary')
    const judged = ([named, means].find(list => list.length > 0) ?? own).flatMap(one => {
      const wants = wantedIn(one.line, kind, assertion)
      const weight = one.frame.isHere && assertion.stance === 'said' ? 2 : 0
      return wants === null ? [] : [{ one, made: reading(assertion, one, wants, weight, evidence) }]
    })
    // What rounding may have made equal is held against nobody.
    const clear = judged.filter(
      ({ one: { left, right }, made }) => made.holds || !meets(left.quantity.range, right.quantity.range),
    )
    const areAll = EVERYWHERE.test(clause.text) || judged.every(({ one }) => one.frame.isConfined || one.isEvery)
    const failed = clear.filter(({ made }) => !made.holds)
    yield* (areAll && failed.length > 0 ? failed : clear).map(({ made }) => made)
  }
}

/** Gains are compared, not scores. */
const GAIN =
  /幅度|增益|差距|增量|(?<![A-Za-z])(?:gains?|improvements?|drops?|gaps?|margins?) (?:is|are|was|were|of|on|for)(?![A-Za-z])/i
const EVERY = new RegExp(`${source('all')}|其余|其他|(?<![a-z])others?(?![a-z])`, 'i')

/** Who is compared with whom in one line. */
function rivalsIn(
  { line, subjects, bases, earlier, points }: Frame,
  { statement: { text }, from }: Clause,
  word: number,
): readonly (Compared & { readonly isEvery: boolean })[] {
  const rivals = bases.map(({ point }) => point)
  const isRival = (point: Point): boolean => rivals.includes(point)
  const before = earlier.filter(({ mention }) => !isBaseIn(text, mention)).slice(0, 1)
  const isEvery = subjects.length === 0 && EVERY.test(text.slice(from, word))
  const named = subjects.length > 0 ? subjects : isEvery ? [] : before
  const left = isEvery ? points : named.map(({ point }) => point)
  return left
    .filter(point => !isRival(point))
    .flatMap(one => rivals.map(right => ({ line, left: one, right, isEvery })))
}

export const comparison: Relation = { names: ['comparison'], inClause, check }
