import type { Matrix } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { type Range, subtract } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, changeReadings, isMisprint, meets, middle, sizeOf, statedRange } from '../arithmetic.js'
import { type Assertion, confirmed, type Figure, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import { type Evidence, goalOf, goalOfAxis, isAround, prints, SPEED } from '../evidence.js'
import { refute } from '../fault.js'
import { has, places, source } from '../lexicon.js'
import { type Clause, clauseOf, focusOf, mentionsIn } from '../mentions.js'
import { BASE, type Compared, cellAt, meanOf, otherPairings, pairingsOf, rivalsOf, valuesOf } from '../pairs.js'
import { assertionIn, figureAs, figureOf } from '../read.js'
import { isDenied } from '../stance.js'

/**
 * Two things of one table set against each other by name: "B is below A", "A gains 5.3 points over B", "between step 100
 * and 250 entropy fell by 0.13". Every line that the names leave must contradict the sentence before it is refuted.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.named-order': { en: '“{quote}”: in “{line}” {left} has {found} and {right} has {expected} (line {at}); turn the word round, or name the exception', zh: '“{quote}”：“{line}”中 {left} 是 {found}，{right} 是 {expected}（第 {at} 行），正好相反；应改用词，或说明例外' },
  'audit.named-difference': { en: '“{quote}”: in “{line}” {left} has {leftValue} and {right} has {rightValue} (line {at}): {expected}, not {found}; write {expected}', zh: '“{quote}”：“{line}”中 {left} 是 {leftValue}，{right} 是 {rightValue}（第 {at} 行），相差 {expected}，不是 {found}；应写 {expected}' },
  'audit.figures-opposed': { en: '“{quote}”: {found} against {expected} is the other way round; change the word, or the figures', zh: '“{quote}”：{found} 与 {expected} 正好相反；应改用词，或改数字' },
  'audit.sign-and-word': { en: '“{quote}”: {found} says the opposite of “{word}”; change the word or the sign', zh: '“{quote}”：{found} 与“{word}”相反；应改用词或改正负号' },
})

function* inClause(clause: Clause): Generator<Assertion> {
  yield* comparisons(clause)
  yield* differences(clause)
}

/** A clause without any of these compares with nothing that it names. */
const AGAINST =
  /比|较|相对|[高低大小多少优好差长短劣逊弱强]于|超[过越出]|胜过|领先|落后|不如|不及|高出|(?<![A-Za-z])(?:than|over|vs\.?|versus|against|compared|relative|(?:out|under)perform|beats?|surpass|exceed|trails|behind|above|below|ahead)/i
/** 比 Y 高: the bare adjective counts only behind 比. */
const BARE = /比[^,，。;；]{1,30}?(?<=[^最更])([高大多好低小少差])/
const EXCEPT =
  /除[^,，。]{1,24}[外了]|部分|多数|大多|(?<![a-z])(?:except|apart from|other than|besides|most|mostly|some)(?![a-z])/i

function* comparisons(clause: Clause): Generator<Assertion> {
  const { statement, from, text } = clause
  if (EXCEPT.test(statement.text) || !AGAINST.test(text)) return
  const found = [...places(text, 'larger', 'smaller', 'better', 'worse', 'faster', 'slower')]
  const bare = found.length === 0 ? BARE.exec(text) : null
  if (bare !== null) {
    const to = bare.index + bare[0].length
    found.push({ from: to - 1, to, text: bare[1] ?? '' })
  }
  for (const word of found) {
    if (isDenied(text, word.from) || /(?:或|(?<![a-z])or )\s?$/i.test(text.slice(0, word.from))) continue
    const isMore = has(word.text, 'larger', 'better', 'faster') || /[高大多好]/.test(word.text)
    const isPlain = has(word.text, 'larger', 'smaller')
    const isGood = (has(word.text, 'better', 'worse') && !isPlain) || /[好差]/.test(word.text)
    const kind = has(word.text, 'faster', 'slower') ? 'speed' : isGood ? 'good' : 'plain'
    yield assertionIn(statement, 'comparison', clause, {
      sense: isMore ? 'up' : 'down',
      quantity: text,
      figures: BASE.test(text.slice(0, word.to)) ? signedBehind(clause, from + word.to) : [],
      manner: `${kind} ${from + word.from} ${from + word.to}`,
    })
  }
}

/** "Below A (−0.6 %)": the difference in brackets behind the one it is against. */
function signedBehind({ statement, to }: Clause, from: number): readonly Figure[] {
  const stated = statement.quantities.find(
    one =>
      one.from >= from &&
      one.from - from < 40 &&
      one.to <= to + 1 &&
      one.signed &&
      !one.plusMinus &&
      /^[^(（]*[(（]\s?(?:vs|仅|差|约)?\s?$/.test(statement.text.slice(from, one.from)),
  )
  return stated === undefined ? [] : [figureOf(statement, stated, 'value')]
}

const CHANGE_UNITS: ReadonlySet<string | null> = new Set([null, '%', 'points', 'times'])
const MORE_BEHIND = new RegExp(
  `^\\s?(?:points?\\s)?(?:${source('larger', 'smaller', 'better', 'worse', 'faster', 'slower')}|(?:more|less|fewer)(?![A-Za-z]))`,
  'i',
)
/** "The difference between the two is". */
const DIFFERENCE_IS =
  /(?:difference|gap|margin) between [^,;.]{1,40} (?:is|was)\s*$|(?:之差|之间?的?(?:差距|差值|差异))(?:为|是)\s*$/i
const BY = /(?<![A-Za-z])by\s*(?:about|only|just)?\s*[`(（]?\s*$/i
const MOVES = ['change', 'up', 'down', 'better', 'worse', 'larger', 'smaller', 'faster', 'slower', 'first'] as const
const MEAN_BEFORE = new RegExp(`${source('mean')}\\s*(?:为|是|[:：=]|of|is)?\\s*$`, 'i')
const AMOUNT =
  /(?:了|(?<![至最不])[高低多少]|净[增降]|幅度?|差距?|相差|提升|提高|下降|降低|减少|增加|上升|领先|落后|(?<![A-Za-z])(?:by|gap|margin|difference|lead|gains?|gained|adds?|added|loses|lost|drop(?:s|ped)?|improvement|reduction|increase|decrease)(?: of| is| was| by)?)\s*[:：=]?\s*(?:约|仅|只|只有|仅有|about|only|just)?\s*[`(（]?\s*$/i

/** A figure that says by how much: signed, in points, a multiple, or beside a word for a change. */
function* differences(clause: Clause): Generator<Assertion> {
  const { statement, from, to, text } = clause
  for (const quantity of statement.quantities) {
    if (quantity.from < from || quantity.to > to || quantity.plusMinus || quantity.ends !== null) continue
    const before = statement.text.slice(Math.max(from, quantity.from - 16), quantity.from)
    const behind = statement.text.slice(quantity.to, Math.min(to, quantity.to + 14))
    const isSure = quantity.signed || quantity.unit === 'points' || quantity.unit === 'times'
    const isMore = MORE_BEHIND.test(behind)
    const isAmount = isMore || AMOUNT.test(before) || DIFFERENCE_IS.test(statement.text.slice(from, quantity.from))
    if ((!CHANGE_UNITS.has(quantity.unit) && !isMore) || (!isSure && !isAmount)) continue
    // "Solved by 800k" compares nothing; and a mean is of what stands before it, not of two rows.
    if (BY.test(before) && !has(statement.text.slice(0, quantity.from), ...MOVES)) continue
    if (MEAN_BEFORE.test(before)) continue
    if (/(?:\/|vs\.?)\s?$/.test(before) || /^\s?(?:\/|vs)/.test(behind)) continue
    if (/(?:从|由|至|到|(?<![A-Za-z])(?:from|to))[\s`]*$/i.test(before)) continue
    if (/[=:：]\s*$/.test(before) && !has(before, 'change', 'up', 'down', 'better', 'worse')) continue
    const figures = [figureOf(statement, quantity, 'result')]
    yield assertionIn(statement, 'comparison', clause, { figures, quantity: text, manner: 'by' })
  }
}

const NEAREST = 8

function check(assertion: Assertion, evidence: Evidence): Outcome {
  const clause = clauseOf(assertion)
  if (clause === null || (assertion.stance !== 'said' && assertion.stance !== 'hedged')) return UNCHECKED
  const figure = figureAs(assertion, 'result')
  const near = evidence.near(assertion.offset).slice(0, NEAREST)
  if (figure !== null) return checkAmount(assertion, clause, figure, near, evidence)
  return checkPrinted(assertion, clause, near) ?? checkOrder(assertion, clause, near, evidence)
}

/** What the sentence prints itself: the sign of a difference, or both figures. */
function checkPrinted(assertion: Assertion, clause: Clause, near: readonly Matrix[]): Outcome | null {
  const { quote, sense } = assertion
  const { text, offsetOf } = clause.statement
  const [kind, at, end] = assertion.manner.split(' ')
  const [signed] = assertion.figures
  if (signed !== undefined && isOpposed(assertion, clause, signed, kind !== 'plain')) {
    const params = { quote, found: signed.text, word: text.slice(Number(at), Number(end)) }
    const expected = sense === 'up' ? '+' : '−'
    return refute('sign-contradicted', signed.offset, say('audit.sign-and-word', params), { expected })
  }
  const own =
    kind === 'plain' && !near.some(matrix => hasNumberNames(clause, matrix)) ? figuresAround(clause, Number(at)) : null
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
function hasNumberNames({ statement, from, to }: Clause, matrix: Matrix): boolean {
  return mentionsIn(statement, matrix).some(
    one => one.from >= from && one.to <= to && /^[\d.]+$/.test(statement.text.slice(one.from, one.to)),
  )
}

/** The lines are what is quantified, not the things that are compared. */
const EVERYWHERE =
  /(?:在|于)(?:所有|全部|各|每)|条件下[都均]|数据[量集]?[上下][都均]|条数据下[都均]|全面|(?<![A-Za-z])(?:on|in|for|across|under|at|with) (?:all|every|each|both)(?![A-Za-z])|everywhere|always/i

function checkOrder(assertion: Assertion, clause: Clause, near: readonly Matrix[], evidence: Evidence): Outcome {
  const { section } = assertion.scope
  const [kind, at] = assertion.manner.split(' ')
  const comparedIn = (matrix: Matrix): readonly Compared[] =>
    rivalsOf(clause, focusOf(clause, matrix), Number(at)).flatMap(valuesOf)
  const inside = near.filter(({ table }) => table.section === section)
  let miss: Compared | null = null
  for (const matrix of inside.some(one => comparedIn(one).length > 0) ? inside : near) {
    const compared = comparedIn(matrix)
    const judged = compared.flatMap(one => {
      const wants = kind === 'speed' && !SPEED.test(one.line.name) ? null : wantedOf(one, kind !== 'plain', assertion)
      const holds = one.left.value > one.right.value === wants
      // What rounding may have made equal holds, and is held against nobody.
      return wants === null || (!holds && meets(one.left.range, one.right.range)) ? [] : [{ one, holds }]
    })
    if (judged.length === 0) {
      const areLevel = compared.length > 0 && compared.every(one => meets(one.left.range, one.right.range))
      if (areLevel && kind === 'plain') return UNCHECKED
      continue
    }
    const isEvery = EVERYWHERE.test(clause.text) || judged.every(({ one }) => one.pairing.isEvery)
    if (isEvery ? judged.every(one => one.holds) : judged.some(one => one.holds))
      return confirmed(judged[0]?.one.line.name ?? '')
    if (isAround(matrix.table.section, section)) miss ??= judged.find(one => !one.holds)?.one ?? null
  }
  if (miss === null || assertion.stance !== 'said') return UNCHECKED
  const { also, ...params } = described(miss, evidence)
  const message = say('audit.named-order', { quote: assertion.quote, ...params })
  return refute('named-comparison', assertion.offset, message, { severity: 'warning', also })
}

/** Whether the left one should be the larger; null where nobody knows what is good. */
function wantedOf({ pairing, line, left }: Compared, isGood: boolean, { sense, quantity }: Assertion): boolean | null {
  if (!isGood) return sense === 'up'
  const goal = goalOfAxis(pairing.matrix, line, pairing.isRow) ?? goalOf([quantity ?? ''])
  if (goal === null && left.unit !== '%') return null
  return (goal !== 'min') === (sense === 'up')
}

function described({ pairing, line }: Compared, { document }: Evidence) {
  const [left, right] = [cellAt(pairing, pairing.left, line), cellAt(pairing, pairing.right, line)]
  const offsets = [left, right].map(cell => cell?.offset ?? pairing.matrix.table.offset)
  return {
    line: line.name,
    left: pairing.left.name,
    right: pairing.right.name,
    found: left?.text ?? '',
    expected: right?.text ?? '',
    at: document.placeOf(offsets[0] ?? 0).line,
    also: offsets,
  }
}

const MOST_READINGS = 90
/** So few lines can be checked one by one by whoever reads the finding. */
const MOST_CLEAR = 6
const TIMED: ReadonlySet<string | null> = new Set(['s', 'min', 'h', 'token/s'])

function checkAmount(
  assertion: Assertion,
  clause: Clause,
  { quantity: stated, text: found, offset }: Figure,
  near: readonly Matrix[],
  evidence: Evidence,
): Outcome {
  const isMean = has(clause.text, 'mean')
  const size = sizeOf(statedRange(stated))
  const isFit = (one: Compared): boolean => amounts(one, stated, clause).some(range => meets(size, range))
  let miss: { readonly one: Compared; readonly expected: number } | null = null
  for (const matrix of near) {
    if (holdsValue(matrix, stated)) return confirmed(matrix.table.header[0]?.text ?? '')
    const compared = pairingsOf(clause, focusOf(clause, matrix)).flatMap(isMean ? meanOf : valuesOf)
    const right = compared.find(isFit)
    if (right !== undefined) return confirmed(right.line.name)
    const [first] = compared
    if (first === undefined || !isAround(matrix.table.section, assertion.scope.section)) continue
    const { isWhole, isOpen, isNamed } = first.pairing
    // A mean over steps may be of a window that the table does not show.
    if ((isMean && first.line.step !== null) || (!isWhole && (compared.length > MOST_READINGS || !isOpen))) continue
    const isClear = isWhole && (isNamed || compared.length <= MOST_CLEAR)
    if (!isClear && anyOther(clause, matrix, isFit)) return UNCHECKED
    const [reading] = amounts(first, stated, clause)
    if (reading !== undefined && isMisprint(stated.value, middle(reading)))
      miss ??= { one: first, expected: Math.sign(stated.value || 1) * middle(reading) }
  }
  // Two times or rates of the sentence itself are what its multiple is of.
  const timed = clause.statement.quantities.filter(({ unit }) => TIMED.has(unit))
  if (miss === null || stated.hedge !== null || assertion.stance !== 'said' || timed.length > 1) return UNCHECKED
  const { also, found: leftValue, expected: rightValue, ...params } = described(miss.one, evidence)
  const expected = asPrinted(miss.expected, stated)
  const message = say('audit.named-difference', {
    quote: assertion.quote,
    ...params,
    leftValue,
    rightValue,
    found,
    expected,
  })
  return refute('named-difference', offset, message, { severity: 'warning', also })
}

const RELATIVE =
  /相对|增长率|提升率|倍|(?<![A-Za-z])(?:relative|relatively|percent of|reduction|improvement|increase|decrease)(?![A-Za-z])/i

function amounts({ left, right }: Compared, stated: Quantity, { text }: Clause): readonly Range[] {
  // A difference is not finer than what it is taken of.
  const finest = Math.max(left.decimals ?? 0, right.decimals ?? 0)
  if (stated.unit === null && (stated.decimals ?? 0) > finest + 1) return []
  // Of scores in percent the difference is meant, unless it is called relative.
  if (stated.unit === '%' && left.unit === '%' && right.unit === '%' && !RELATIVE.test(text))
    return [sizeOf(subtract(right.range, left.range))]
  const percents = left.unit === '%' || right.unit === '%' || left.value > 1.5
  return changeReadings(left.range, right.range, stated, { percents, isShare: false })
}

/** The amount itself stands in the table. */
function holdsValue(matrix: Matrix, stated: Quantity): boolean {
  return ((stated.decimals ?? 0) > 0 || Math.abs(stated.value) >= 10) && prints(matrix, stated)
}

/** Some other two cells, one of them in a row or column that the statement names, are so far apart. */
function anyOther({ statement, text }: Clause, matrix: Matrix, isFit: (one: Compared) => boolean): boolean {
  const whole: Clause = { statement, from: 0, to: statement.text.length, text }
  return otherPairings(whole, focusOf(whole, matrix)).some(pairing => valuesOf(pairing).some(isFit))
}

export const between: Relation = { names: ['comparison'], inClause, check }
