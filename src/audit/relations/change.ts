import type { Statement } from '../../document/document.js'
import { type Quantity, readTokens } from '../../document/quantity.js'
import { divide, type Range } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, changeReadings, isMisprint, meets, middle, percentOf, sizeOf, statedRange } from '../arithmetic.js'
import { type Assertion, confirmed, type Figure, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import { type Evidence, goalOf, pointName } from '../evidence.js'
import { refute } from '../fault.js'
import { has, source, words } from '../lexicon.js'
import { assertionIn, figureAs, figureOf, masked } from '../read.js'
import { contrastIn } from './contrast.js'
import { looseChanges } from './loose.js'

/**
 * Two figures of one sentence and what is said of their change: "a → b (+12 %)", "from a to b, doubled", "a vs b = 5.9x",
 * and the direction word between them. No table is needed, so this is where the audit is surest; only how many steps a
 * change took is seen in the table that holds both figures.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.percent-change': { en: '“{quote}”: from {from} to {to} is {expected}, not {found}; write {expected}', zh: '“{quote}”：{from} 到 {to} 是 {expected}，不是 {found}；应写 {expected}' },
  'audit.stated-difference': { en: '“{quote}”: {to} and {from} are {expected} apart, not {found}; write {expected}', zh: '“{quote}”：{to} 与 {from} 相差 {expected}，不是 {found}；应写 {expected}' },
  'audit.wrong-multiple': { en: '“{quote}”: {to} against {from} is {expected} times, not {found}; write {expected}', zh: '“{quote}”：{to} 与 {from} 是 {expected} 倍，不是 {found}；应写 {expected}' },
  'audit.sign-contradicted': { en: '“{quote}”: from {from} to {to} is {expected}, not {found}; write the other word, or change the figures', zh: '“{quote}”：{from} 到 {to} 是{expected}，不是“{found}”；应改用词或改数字' },
  'audit.step-span': { en: '“{quote}”: {from} stands at {first} and {to} at {last} (“{line}”): {expected} steps, not {found}; write {expected}', zh: '“{quote}”：{from} 在 {first}，{to} 在 {last}（“{line}”），相隔 {expected} 步，不是 {found}；应写 {expected}' },
  'audit.step-value': { en: '“{quote}”: {found} stands at {first}, and {claimed} has {expected} (“{line}”); write {expected}', zh: '“{quote}”：{found} 在 {first}，而 {claimed} 是 {expected}（“{line}”）；应写 {expected}' },
})

/** Between two figures of a change there is an arrow or a verb, with what belongs to the first one before it. */
const ASIDE = String.raw`(?:\s|\([^()]{0,40}\)|（[^（）]{0,40}）|\)|）|["”])*`
const NAME_AHEAD = String.raw`[^\d→>+\-,，;；。]{0,24}`
const ARROW = new RegExp(
  String.raw`^${ASIDE}(?:(?:的\s?\p{L}{0,6})?\s*(?:→|->|=>|-->|⟶|➜|➡)|\p{L}{0,3}?(?:变为|变成))\s*${NAME_AHEAD}$`,
  'u',
)
const VERB = `(?:${source('up', 'down', 'better', 'worse')}|变为|变成|到|至|(?<![A-Za-z])to(?![A-Za-z]))`
const MOVED = new RegExp(String.raw`^${ASIDE}[^\d,，;；。]{0,16}?${VERB}${NAME_AHEAD}$`, 'iu')
const VERSUS = new RegExp(
  String.raw`^${ASIDE}[^\d,，;；。]{0,12}?(?:(?<![A-Za-z])(?:vs\.?|versus|compared (?:to|with)|against|instead of|rather than|down from|up from|from)(?![A-Za-z])|对比|相比)[^\d;；。]{0,24}$`,
  'iu',
)
const FROM = /(?:从|由|自|(?<![A-Za-z])from(?![A-Za-z]))[^\d,，;；。]{0,24}$/i

const CHANGED = ['change', 'up', 'down', 'better', 'worse'] as const

interface Pair {
  readonly a: Quantity
  readonly b: Quantity
  readonly kind: 'change' | 'versus'
  readonly between: string
}

const LONGEST_GAP = 70
const LONGEST_RESULT_GAP = 44

function pairsIn(statement: Statement, text: string): readonly Pair[] {
  return statement.quantities.slice(1).flatMap((b, i): Pair[] => {
    const a = statement.quantities[i]
    if (a === undefined || a.ends !== null || b.ends !== null || b.from - a.to > LONGEST_GAP) return []
    const before = text.slice(Math.max(0, a.from - 30), a.from)
    const between = text.slice(a.to, b.from)
    const isFrom = FROM.test(before)
    const isOneUnit = (a.unit === '%') === (b.unit === '%') || a.unit === null || b.unit === null
    if (!isOneUnit || a.unit === 'times' || b.unit === 'times' || (b.unit === 'points' && !isFrom)) return []
    // "0.15 vs others: +1.8": a figure with a plus is a change of something, unless both are.
    if ((a.signed !== b.signed && a.value > 0 && b.value > 0) || areListed(statement, a, b)) return []
    const areCounts = [a, b].every(isCount)
    const [isSet, areSet] = [SET.test(before), SET.test(before) && SET.test(between)]
    // "From k=1 to k=8" are two settings.
    if (areCounts && areSet) return []
    const bare = between.replace(/[(（][^)）]*[)）]/g, '')
    if (/(?<![A-Za-z])(?:in|at|of|difference)(?![A-Za-z])/i.test(bare) && !/from|vs/i.test(between)) return []
    // "gens=16 → final 0.41" leads from what is set to what is measured; "10 → 15" may be two steps.
    const isOther = (isSet && !areSet && /\p{L}{2}/u.test(bare)) || (areCounts && !LABELLED.test(before.slice(-24)))
    if ((ARROW.test(between) && !isOther) || (isFrom && MOVED.test(between))) return [{ a, b, kind: 'change', between }]
    return VERSUS.test(between) ? [{ a, b, kind: 'versus', between }] : []
  })
}

const SET = /[\p{L}_]\s?=\s?$/u
/** What says of bare whole numbers that they were measured: "from", a label, or "grew by 52 % (". */
const LABELLED = new RegExp(
  String.raw`(?:from|从|由|[:：])\s*[^\d]{0,8}$|${source('change', 'up', 'down')}(?: by)?\s*\d[\d.]*\s?%\s?[(（]\s*$`,
  'i',
)

const isCount = ({ decimals, unit }: Quantity): boolean => decimals === 0 && unit === null

/** "57.0/56.1 → 58.8/56.6": lists of figures are not read. */
function areListed({ text }: Statement, a: Quantity, b: Quantity): boolean {
  const isNext = ({ from, to }: Quantity): boolean =>
    /\d\s?%?\s?\/\s?$/.test(text.slice(Math.max(0, from - 4), from)) || /^\s?%?\s?\/\s?\d/.test(text.slice(to, to + 4))
  return isNext(a) || isNext(b)
}

/** What may stand between a pair and the figure that sums it up. */
const RESULT = new RegExp(
  String.raw`^(?:\s?\p{L}{1,12}(?=\s?[(（=,，)）]))?(?:[\s)）,，(（:：;；=≈~、\[*\-–—→>]|[(（][^()（）\d]{0,30}[)）]|units?(?![A-Za-z])|[Δ∆]|约|了|为|是|达|净|共|总共|累计|合计|即|也就是|相对|绝对值?|about|approximately|an?|the|by|of|i\.e\.|which|is|or|loss|rise|fall|cut|saving|less|more|roughly|nearly|over|relative|absolute|overall|total|performance|reward|score|accuracy|${source(...CHANGED)})*$`,
  'iu',
)

function resultBehind({ quantities, text }: Statement, words: string, { a, b, kind }: Pair): Quantity | null {
  const next = quantities.find(({ from }) => from >= b.to)
  if (next === undefined || next.from - b.to > LONGEST_RESULT_GAP || next.plusMinus) return null
  const [between, behind] = [words.slice(b.to, next.from), text.slice(next.to, next.to + 24)]
  // "(10 → 15), +15 %" and "5 → 10: +17 %": the pair says where, not from what to what.
  const isInside =
    /^\s?[)）]/.test(between) && /[(（][^()（）]{0,16}$/.test(words.slice(Math.max(0, a.from - 18), a.from))
  const isPlace = kind === 'change' && [a, b].every(isCount) && (isInside || /^\s?[:：]/.test(between))
  if (isPlace || !RESULT.test(between)) return null
  const { unit, signed, decimals } = next
  const isCalled = signed || has(between, ...CHANGED)
  const isCued = isCalled || /[Δ∆=]|(?<![A-Za-z])by\s*$/.test(between)
  // Without a unit it is a difference, which cannot be finer than its terms by much.
  const isCoarse = (decimals ?? 0) <= Math.max(a.decimals ?? 0, b.decimals ?? 0) + 1
  const isResult =
    unit === 'times' ||
    (unit === 'points' &&
      decimals <= Math.max(a.decimals, b.decimals) &&
      (isCued || /[(（]|loss|rise|fall/i.test(between))) ||
    (unit === '%' && (isCued || has(behind, ...CHANGED) || /^\s?(?:less|more|fewer)/i.test(behind))) ||
    (kind === 'versus'
      ? signed
      : isCued && isCoarse && (unit === a.unit || unit === b.unit || (signed && a.unit === '%')))
  return isResult ? next : null
}

/** "(-8.0 points, 12 % lower)": a second way to say the same change. */
function secondResult({ text, quantities }: Statement, first: Quantity): Quantity | null {
  const next = quantities.find(({ from }) => from >= first.to)
  if (next === undefined || next.unit !== '%' || next.ends !== null) return null
  if (!/^\s?[,，/(（]\s?(?:约|about)?\s?$/.test(text.slice(first.to, next.from))) return null
  return next.signed || has(text.slice(next.to, next.to + 12), ...CHANGED, 'larger', 'smaller') ? next : null
}

/** "+50 % improvement (6.3 vs 4.2)", "up 12 % (50 → 56)": the figure may stand before its pair. */
const BEFORE_PAIR = /^\s*[\p{L}\s@./_-]{0,44}?\s*(?:[(（:：]|(?<![A-Za-z])from(?![A-Za-z])|从)\s*[^\d]{0,32}$/iu
const ENDS_CHANGED = new RegExp(`${source('change', 'up', 'down')}\\s?$`, 'i')

function resultBefore({ quantities, text }: Statement, words: string, { a }: Pair): Quantity | null {
  const before = quantities.findLast(({ to }) => to <= a.from)
  if (before === undefined || a.from - before.to > LONGEST_RESULT_GAP || before.ends !== null) return null
  const [ahead, between] = [text.slice(Math.max(0, before.from - 30), before.from), words.slice(before.to, a.from)]
  // "98 % of the steps from 126 to 400" is a share of what lies between.
  if (!BEFORE_PAIR.test(between) || /^\s?(?:of|的)(?![A-Za-z])/.test(between)) return null
  // "… to 18 %, and the score fell from a to b": a level of something else.
  if (/(?:[至到]|(?<![A-Za-z])(?:to|at))\s*$/i.test(ahead)) return null
  const { unit, signed } = before
  const isCued = unit === null ? ENDS_CHANGED.test(ahead) : signed || has(between, ...CHANGED) || has(ahead, ...CHANGED)
  return unit === 'times' || unit === 'points' || (isCued && (unit === null || unit === '%')) ? before : null
}

const MULTIPLES: readonly (readonly [RegExp, number])[] = [
  [/(?<![A-Za-z])(?:doubl(?:es|ed|ing)|twice)(?![A-Za-z])|翻了?一?倍|翻番/i, 2],
  [/(?<![A-Za-z])tripl(?:es|ed|ing)(?![A-Za-z])|翻了?[三3]倍/i, 3],
  [/(?<![A-Za-z])quadrupl(?:es|ed|ing)(?![A-Za-z])|翻了?两番/i, 4],
  [/(?<![A-Za-z])halv(?:es|ed|ing)(?![A-Za-z])|减半/i, 0.5],
]

function* inStatement(statement: Statement): Generator<Assertion> {
  if (statement.quantities.length < 2) return
  const { text, quantities, steps, offsetOf } = statement
  const words = masked(statement)
  const pairs = pairsIn(statement, words)
  let [isTold, isTurned] = [false, false]
  for (const pair of pairs) {
    const { a, b, kind } = pair
    const result = resultBehind(statement, words, pair) ?? resultBefore(statement, words, pair)
    isTold ||= result !== null
    const [first, last] = [Math.min(a.from, result?.from ?? a.from), Math.max(b.to, result?.to ?? b.to)]
    const ends = [figureOf(statement, a, 'from'), figureOf(statement, b, 'to')]
    const quantity = text.slice(Math.max(0, first - 40), first)
    const claim = (results: readonly Figure[], to: number, manner: string): Assertion =>
      assertionIn(statement, 'change', { from: first, to }, { figures: [...ends, ...results], quantity, manner })
    for (const stated of result === null ? [] : [result, secondResult(statement, result)]) {
      if (stated === null) continue
      // "85 % of the baseline" is a share, not a change.
      const isShare = !stated.signed && /^\s?(?:of(?![a-z])|的(?!提|下|增|减|改|变))/i.test(text.slice(stated.to))
      const manner = isShare ? `${kind} share` : kind
      yield claim([figureOf(statement, stated, 'result')], Math.max(last, stated.to), manner)
    }
    if (kind !== 'change') continue
    isTurned = true
    const sense = senseOf(statement, pair, result)
    const from = Math.max(0, a.from - 12)
    if (sense !== null)
      yield assertionIn(statement, 'direction', { from, to: last }, { figures: ends, quantity, ...sense })
    const around = text.slice(Math.max(0, a.from - 34), b.to + 20)
    const times = MULTIPLES.find(([pattern]) => pattern.test(around))?.[1]
    const [amount] = times === undefined ? [] : readTokens(`${times}x`).quantities
    if (amount !== undefined)
      yield claim([{ role: 'result', quantity: amount, offset: offsetOf(b.from), text: String(times) }], last, 'word')
    const count = quantities.find(({ unit, from }) => unit === 'step' && from >= b.to && from - b.to < 8)
    const isTimed = count !== undefined && count.bound === null && count.hedge === null
    if (isTimed || steps.some(one => one.first < one.last))
      yield claim(isTimed ? [figureOf(statement, count, 'span')] : [], count?.to ?? last, 'steps')
  }
  const contrast = isTurned ? null : contrastIn(statement)
  if (contrast !== null) {
    const { subject, against, sense, word } = contrast
    const figures = [figureOf(statement, against, 'from'), figureOf(statement, subject, 'to')]
    const stretch = { from: 0, to: text.length }
    yield assertionIn(statement, 'direction', stretch, { figures, quantity: text, sense, manner: `loose ${word}` })
  }
  for (const { levels, result } of isTold ? [] : looseChanges(statement)) {
    const all = [...levels, result]
    const [from, to] = [Math.min(...all.map(one => one.from)), Math.max(...all.map(one => one.to))]
    const roles = ['from', 'to', 'result'] as const
    const figures = all.map((one, i) => figureOf(statement, one, roles[i] ?? 'result'))
    yield assertionIn(statement, 'change', { from, to }, { figures, quantity: text, manner: 'versus loose' })
  }
}

const CLAUSE = /(?:[,，;；。:：]|^)([^,，;；。:：]*)$/

/** The word that says which way it went: between the figures, or right before the first, or the sign of the result. */
function senseOf(
  { text }: Statement,
  { a, b, between }: Pair,
  result: Quantity | null,
): Pick<Assertion, 'sense' | 'manner'> | null {
  const before = text.slice(Math.max(0, a.from - 26), a.from)
  if (/(?<![A-Za-z])(?:never|not|no|without)(?![A-Za-z])|从未|没有|未/i.test(before)) return null
  // ", from a to b": what is said of it stands before the comma.
  const whole = text.slice(0, a.from)
  const comma = /[,，]\s*(?:from|从|由)\s*$/i.exec(whole)?.index
  const lead = CLAUSE.exec(comma === undefined ? before : whole.slice(0, comma))?.[1] ?? ''
  // 回复变短：640 → 860: or before a colon.
  const title = /([^,，;；。:：]{1,30})[:：][^,，;；。:：]{0,8}$/.exec(whole)?.[1] ?? ''
  for (const part of [between, lead, result === null ? '' : text.slice(b.to, result.from), title]) {
    const [up, down, better = ''] = (['up', 'down', 'better'] as const).map(sense => words(sense).exec(part)?.[0])
    if (up !== undefined && down !== undefined) return null
    if (up !== undefined) return { sense: 'up', manner: up }
    if (down !== undefined) return { sense: 'down', manner: down }
    if (/^(?:提升|提高|improve)/i.test(better)) return { sense: 'up', manner: `goal ${better}` }
  }
  const arrow = /^\s?[(（]?\s?([↑↓])/.exec(text.slice(b.to, b.to + 6))?.[1]
  if (arrow !== undefined) return { sense: arrow === '↑' ? 'up' : 'down', manner: arrow }
  if (result === null || !result.signed || result.plusMinus || result.value === 0) return null
  return result.value > 0 ? { sense: 'up', manner: 'sign +' } : { sense: 'down', manner: 'sign −' }
}

function check(assertion: Assertion, evidence: Evidence): Outcome {
  const [from, to, result] = (['from', 'to', 'result'] as const).map(role => figureAs(assertion, role))
  if (from == null || to == null) return UNCHECKED
  const [a, b] = [rangeOf(from), rangeOf(to)]
  if (assertion.manner === 'steps') return checkSteps(assertion, from, to, evidence)
  if (assertion.relation === 'direction') return checkDirection(assertion, from, to)
  if (result == null) return UNCHECKED
  const { unit, signed, value, decimals } = result.quantity
  const isWord = assertion.manner === 'word'
  const percents = from.quantity.unit === '%' || to.quantity.unit === '%'
  const all = isWord
    ? [divide(b, a), divide(a, b)].filter(ratio => ratio !== null)
    : changeReadings(a, b, result.quantity, { percents, isShare: assertion.manner.endsWith('share') })
  const stated = isWord ? { low: value * 0.8, high: value * 1.25 } : sizeOf(widened(result.quantity))
  const isFit = all.some(reading => meets(stated, reading))
  const base = isFit && unit === '%' ? otherBase(assertion, result, a, b, all, stated) : null
  const params = { quote: assertion.quote, from: from.text, to: to.text, found: result.text }
  if (base !== null) {
    const expected = asPrinted(signed ? middle(base) : Math.abs(middle(base)), result.quantity)
    return refute('percent-base', result.offset, say('audit.percent-change', { ...params, expected }), { isFix: true })
  }
  if (isFit) return confirmed(`${from.text} → ${to.text}`)
  const best = unit === 'times' ? (all.find(({ high }) => high >= 1) ?? all[0]) : all[0]
  if (best === undefined || !isMisprint(value, middle(best))) return UNCHECKED
  const isLoose = assertion.manner.endsWith('loose')
  if (isLoose && !isSlip(value, best)) return UNCHECKED
  const sign = signed && middle(b) < middle(a) && assertion.manner.startsWith('change') ? -1 : 1
  const finest = Math.max(decimals ?? 0, unit === 'times' ? 1 : 0)
  const expected = asPrinted(sign * middle(best), { ...result.quantity, decimals: finest })
  const rule = unit === 'times' ? 'wrong-multiple' : unit === '%' ? 'percent-change' : 'stated-difference'
  const more = isWord || isLoose ? ({ severity: 'warning' } as const) : { isFix: true }
  return refute(rule, result.offset, say(`audit.${rule}`, { ...params, expected }), more)
}

/** Of a pair that nothing joins, only a slip is held against its author, and only where rounding leaves no doubt. */
function isSlip(found: number, expected: Range): boolean {
  const ratio = Math.abs(found / middle(expected))
  return ratio > 0.35 && ratio < 2.9 && expected.high - expected.low < 0.25 * Math.abs(middle(expected))
}

function rangeOf({ quantity }: Figure): Range {
  return quantity.hedge === null && quantity.bound === null ? quantity.range : statedRange(quantity)
}

/** Nobody says 19.92 times; multiples are rounded by up to a twentieth. */
function widened(result: Quantity): Range {
  const range = statedRange(result)
  const slack = result.unit === 'times' ? 0.06 * Math.abs(result.value) : 0
  return { low: range.low - slack, high: range.high + slack }
}

/**
 * What the percentage is of, where only the wrong base gives it: a change is a share of what it started from, and "lower"
 * a share of the larger one. Null where the right base gives it too, or the words leave the base open.
 */
function otherBase(
  { scope: { statement }, quote, manner }: Assertion,
  { quantity: { to } }: Figure,
  a: Range,
  b: Range,
  all: readonly Range[],
  stated: Range,
): Range | null {
  const around = `${quote} ${statement?.text.slice(to, to + 16) ?? ''}`
  const isChange = manner.startsWith('change')
  const [isUp, isDown] = [has(around, 'up', 'larger'), has(around, 'down', 'smaller')]
  if (!isChange && isUp === isDown) return null
  const isFirst = isChange || middle(a) < middle(b) === isUp
  const [base, other] = isFirst ? [a, b] : [b, a]
  const [right, wrong] = [percentOf(base, other), percentOf(other, base)]
  if (right === null || wrong === null || middle(base) <= 0) return null
  const isWrong = ({ low, high }: Range): boolean =>
    Math.abs(low - sizeOf(wrong).low) < 1e-9 && Math.abs(high - sizeOf(wrong).high) < 1e-9
  const others = [...all.filter(reading => !isWrong(reading)), sizeOf(right)]
  return others.some(reading => meets(stated, reading)) ? null : right
}

/** Quantities of which less is more: time, memory, loss. */
const LESS = /time|latency|memory|loss|error|cost|size|usage|时间|耗时|显存|内存|损失|误差|成本|延迟|KL|步时/i

function checkDirection(
  { sense, manner, quote, quantity, stance, scope: { statement } }: Assertion,
  from: Figure,
  to: Figure,
): Outcome {
  const [a, b] = [rangeOf(from), rangeOf(to)]
  if (meets(a, b)) return UNCHECKED
  const actual = middle(b) > middle(a) ? 'up' : 'down'
  if (actual === sense) return confirmed(`${from.text} → ${to.text}`)
  // Of negative figures the size may be meant; of a loss, getting better is going down.
  if ((middle(a) < 0 && middle(b) < 0) || stance === 'denied' || stance === 'defined') return UNCHECKED
  const around = [quantity ?? '', ...(statement?.leads ?? []), statement?.section?.title ?? '']
  const found = manner.replace(/^(?:goal|sign|loose) /, '')
  const isLoose = manner.startsWith('loose ')
  if (found !== manner && !isLoose && (goalOf(around) === 'min' || LESS.test(around.join(' ')))) return UNCHECKED
  const params = { quote, from: from.text, to: to.text, found, expected: actual === 'up' ? '↑' : '↓' }
  return refute('sign-contradicted', to.offset, say('audit.sign-contradicted', params), {
    expected: actual,
    ...(isLoose ? { severity: 'warning' as const } : {}),
  })
}

/** Where both figures stand in one line: so many steps apart, and the first at the step that the sentence names. */
function checkSteps({ quote, figures, scope }: Assertion, a: Figure, b: Figure, evidence: Evidence): Outcome {
  const lines = evidence.holding(a.quantity).flatMap(({ line, point: from }) => {
    const start = from.at.step
    const to = line.points.find(
      ({ at, quantity }) => quantity.value === b.quantity.value && (at.step ?? 0) > (start ?? 0),
    )
    return start === null || to === undefined ? [] : [{ line, from, to, start, gap: (to.at.step ?? 0) - start }]
  })
  const [one] = lines
  if (one === undefined) return UNCHECKED
  const { line, from, to, gap } = one
  const params = { quote, line: line.of.name, first: pointName(line, from), last: pointName(line, to) }
  const count = figures.find(({ role }) => role === 'span')
  if (count !== undefined && !lines.some(other => Math.abs(other.gap - count.quantity.value) <= 1)) {
    const figure = { from: a.text, to: b.text, found: count.quantity.value, expected: gap }
    const also = [from.cell.offset, to.cell.offset]
    return refute('step-span', count.offset, say('audit.step-span', { ...params, ...figure }), { also })
  }
  const [range, more] = scope.statement?.steps ?? []
  const start = line.points.find(({ at }) => at.step === range?.first)
  const isMet = lines.some(other => other.start === range?.first) || start?.quantity.value === a.quantity.value
  if (range === undefined || more !== undefined || start === undefined || isMet) return confirmed(line.of.name)
  const claimed = { found: a.text, claimed: pointName(line, start), expected: start.cell.text }
  const also = [start.cell.offset]
  return refute('named-value', a.offset, say('audit.step-value', { ...params, ...claimed }), { also })
}

export const change: Relation = { names: ['change', 'direction'], inStatement, check }
