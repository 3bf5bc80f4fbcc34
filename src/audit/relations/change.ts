import type { Statement } from '../../document/document.js'
import type { Quantity } from '../../document/quantity.js'
import { divide, printedRange, type Range } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, changeReadings, isMisprint, meets, middle, percentOf, sizeOf, statedRange } from '../arithmetic.js'
import { type Assertion, confirmed, type Figure, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import { goalOf } from '../evidence.js'
import { refute } from '../fault.js'
import { has, source, words } from '../lexicon.js'
import { assertionIn, figureAs, figureOf, masked } from '../read.js'

/**
 * Two figures of one sentence and what is said of their change: "a → b (+12 %)", "from a to b, doubled", "a vs b = 5.9x",
 * and the direction word between them. No table is needed, so this is where the audit is surest.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.percent-change': { en: '“{quote}”: from {from} to {to} is {expected}, not {found}; write {expected}', zh: '“{quote}”：{from} 到 {to} 是 {expected}，不是 {found}；应写 {expected}' },
  'audit.stated-difference': { en: '“{quote}”: {to} and {from} are {expected} apart, not {found}; write {expected}', zh: '“{quote}”：{to} 与 {from} 相差 {expected}，不是 {found}；应写 {expected}' },
  'audit.wrong-multiple': { en: '“{quote}”: {to} against {from} is {expected} times, not {found}; write {expected}', zh: '“{quote}”：{to} 与 {from} 是 {expected} 倍，不是 {found}；应写 {expected}' },
  'audit.sign-contradicted': { en: '“{quote}”: from {from} to {to} is {expected}, not {found}; write the other word, or change the figures', zh: '“{quote}”：{from} 到 {to} 是{expected}，不是“{found}”；应改用词或改数字' },
})

/** Between two figures of a change there is an arrow or a verb, with what belongs to the first one before it. */
const ASIDE = String.raw`(?:\s|\([^()]{0,40}\)|（[^（）]{0,40}）|\)|）|["”])*`
const NAME_AHEAD = String.raw`[^\d→>+\-,，;；。]{0,24}`
const ARROW = new RegExp(String.raw`^${ASIDE}(?:的\s?\p{L}{0,6})?\s*(?:→|->|=>|-->|⟶|➜|➡)\s*${NAME_AHEAD}$`, 'u')
const VERB = `(?:${source('up', 'down', 'better', 'worse')}|变为|变成|到|至|(?<![A-Za-z])to(?![A-Za-z]))`
const MOVED = new RegExp(String.raw`^${ASIDE}[^\d,，;；。]{0,16}?${VERB}${NAME_AHEAD}$`, 'iu')
const VERSUS = new RegExp(
  String.raw`^${ASIDE}[^\d,，;；。]{0,12}?(?:(?<![A-Za-z])(?:vs\.?|versus|compared (?:to|with)|against|instead of|rather than|down from|up from|from)(?![A-Za-z])|对比|相比)[^\d;；。]{0,24}$`,
  'iu',
)
/** "Peaked at 0.48, then fell back to 0.46": what came before is where it started, if a figure for the change follows. */
const THEN = new RegExp(String.raw`^[^\d;；。]{0,16}?${source('up', 'down')}?(?:至|到|(?<![A-Za-z])to)\s*$`, 'iu')
const FROM = /(?:从|由|自|(?<![A-Za-z])from(?![A-Za-z]))[^\d,，;；。]{0,24}$/i

const CHANGED = ['change', 'up', 'down', 'better', 'worse'] as const

interface Pair {
  readonly a: Quantity
  readonly b: Quantity
  readonly kind: 'change' | 'versus' | 'then'
  readonly between: string
}

const LONGEST_GAP = 70
const LONGEST_RESULT_GAP = 44

const isCount = ({ decimals, unit }: Quantity): boolean => decimals === 0 && unit === null

/** "22.5 to 33.3 is +48 %": what the tokens read as a range is a change where its outcome follows. */
function rangesIn({ quantities, text }: Statement): readonly Pair[] {
  return quantities.flatMap((range): Pair[] => {
    const [first, second] = range.ends ?? []
    const gap = /\s?(?:to|到|至)\s?/i.exec(text.slice(range.from, range.to))
    if (first === undefined || second === undefined || gap === null || range.signed) return []
    if (!/^\s?(?:is|=|,|，|\(|即|就是)/.test(text.slice(range.to))) return []
    const middle = range.from + gap.index
    const one = (value: number, from: number, to: number): Quantity => {
      const decimals = (String(value).split('.')[1] ?? '').length
      return { ...range, value, range: printedRange(value, decimals), ends: null, decimals, from, to }
    }
    const [a, b] = [one(first, range.from, middle), one(second, middle + gap[0].length, range.to)]
    return [{ a, b, kind: 'change', between: gap[0] }]
  })
}

function pairsIn(statement: Statement): readonly Pair[] {
  const text = masked(statement)
  const ranges = rangesIn(statement)
  return [...ranges, ...jointsIn(statement, text)]
}

function jointsIn(statement: Statement, text: string): readonly Pair[] {
  return statement.quantities.slice(1).flatMap((b, i): Pair[] => {
    const a = statement.quantities[i]
    if (a === undefined || a.ends !== null || b.ends !== null || b.from - a.to > LONGEST_GAP) return []
    const isOneUnit = (a.unit === '%') === (b.unit === '%') || a.unit === null || b.unit === null
    const isFrom = FROM.test(text.slice(Math.max(0, a.from - 30), a.from))
    if (!isOneUnit || a.unit === 'times' || b.unit === 'times' || (b.unit === 'points' && !isFrom)) return []
    if (isListed(text, a) || isListed(text, b) || areSettings(text, a, b) || isDelta(a, b)) return []
    const between = text.slice(a.to, b.from)
    const bare = between.replace(/[(（][^)）]*[)）]/g, '')
    if (/(?<![A-Za-z])(?:in|at|of|difference)(?![A-Za-z])/i.test(bare) && !/from|vs/i.test(between)) return []
    if (ARROW.test(between) && !isSetting(text, a, between) && !areSteps(text, a, b))
      return [{ a, b, kind: 'change', between }]
    if (VERSUS.test(between)) return [{ a, b, kind: 'versus', between }]
    if (isFrom && MOVED.test(between)) return [{ a, b, kind: 'change', between }]
    return THEN.test(between) && a.unit === b.unit && a.decimals === b.decimals ? [{ a, b, kind: 'then', between }] : []
  })
}

/** "57.0/56.1 → 58.8/56.6": lists of figures are not read. */
function isListed(text: string, { from, to }: Quantity): boolean {
  return (
    /\d\s?%?\s?\/\s?$/.test(text.slice(Math.max(0, from - 4), from)) || /^\s?%?\s?\/\s?\d/.test(text.slice(to, to + 4))
  )
}

const LABELLED = /(?:from|从|由|[:：])\s*[^\d]{0,8}$/i
/** "Grew by 52 % (512 → 781)", but not "−11 % (10 → 15)", which says between which steps. */
const GROWN = new RegExp(String.raw`${source('change', 'up', 'down')}(?: by)?\s*\d[\d.]*\s?%\s?[(（]\s*$`, 'i')

/** Bare whole numbers with an arrow may be two steps; only "from" or a label before them says what they are. */
function areSteps(text: string, a: Quantity, b: Quantity): boolean {
  const before = text.slice(Math.max(0, a.from - 24), a.from)
  return isCount(a) && isCount(b) && !LABELLED.test(before) && !GROWN.test(before)
}

/** "0.15 vs others: +1.8": a figure with a plus is a change of something, unless both are. */
function isDelta(a: Quantity, b: Quantity): boolean {
  const isPlus = ({ signed, value }: Quantity): boolean => signed && value > 0
  return isPlus(a) !== isPlus(b) && a.value > 0 && b.value > 0
}

/** "from k=1 to k=8" are two settings. */
function areSettings(text: string, a: Quantity, b: Quantity): boolean {
  return [a, b].every(one => isCount(one) && /=\s?$/.test(text.slice(Math.max(0, one.from - 2), one.from)))
}

/** "gens=16 → final 0.41": what is set leads to what is measured; that is no change. */
function isSetting(text: string, { from }: Quantity, between: string): boolean {
  const isAssigned = /[\p{L}_]\s?=\s?$/u.test(text.slice(Math.max(0, from - 3), from))
  return isAssigned && !/=\s?$/.test(between) && /\p{L}{2}/u.test(between.replace(/[(（].*[)）]/, ''))
}

/** What may stand between a pair and the figure that sums it up. */
const RESULT = new RegExp(
  String.raw`^(?:\s?\p{L}{1,12}(?=\s?[(（=,，)）]))?(?:[\s)）,，(（:：;；=≈~、\[*\-–—→>]|[(（][^()（）\d]{0,30}[)）]|units?(?![A-Za-z])|[Δ∆]|约|了|为|是|达|净|共|总共|累计|合计|即|也就是|相对|绝对值?|about|approximately|an?|the|by|of|i\.e\.|which|is|or|loss|rise|fall|cut|saving|less|more|roughly|nearly|over|relative|absolute|overall|total|performance|reward|score|accuracy|${source(...CHANGED)})*$`,
  'iu',
)

function resultBehind(statement: Statement, pair: Pair): Quantity | null {
  const next = statement.quantities.find(({ from }) => from >= pair.b.to)
  if (next === undefined || next.from - pair.b.to > LONGEST_RESULT_GAP) return null
  const between = masked(statement).slice(pair.b.to, next.from)
  if (!RESULT.test(between) || isLabel(statement, pair, between)) return null
  return isResult(statement, pair, next, between) ? next : null
}

/** "(10 → 15), +15 %" and "5 → 10: +17 %": the pair says where, not from what to what. */
function isLabel({ text }: Statement, { a, b, kind }: Pair, between: string): boolean {
  if (kind !== 'change' || !isCount(a) || !isCount(b)) return false
  const isInside =
    /^\s?[)）]/.test(between) && /[(（][^()（）]{0,16}$/.test(text.slice(Math.max(0, a.from - 18), a.from))
  return isInside || /^\s?[:：]/.test(between)
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

function resultBefore(statement: Statement, pair: Pair): Quantity | null {
  const before = statement.quantities.filter(({ to }) => to <= pair.a.from).at(-1)
  if (before === undefined || pair.a.from - before.to > LONGEST_RESULT_GAP) return null
  const between = masked(statement).slice(before.to, pair.a.from)
  // "98 % of the steps from 126 to 400" is a share of what lies between.
  if (!BEFORE_PAIR.test(between) || /^\s?(?:of|的)(?![A-Za-z])/.test(between)) return null
  const ahead = statement.text.slice(Math.max(0, before.from - 30), before.from)
  const isUnit = before.unit === 'times' || before.unit === 'points'
  const isCued = before.signed || isUnit || [between, ahead].some(part => has(part, ...CHANGED))
  const isPlain = before.unit === null && ENDS_CHANGED.test(ahead)
  return (before.unit === '%' || isUnit || isPlain) && isCued && before.ends === null ? before : null
}

const ENDS_CHANGED = new RegExp(`${source('change', 'up', 'down')}\\s?$`, 'i')

function isResult(statement: Statement, { a, b, kind }: Pair, result: Quantity, between: string): boolean {
  const { unit, signed, decimals, to } = result
  if (result.plusMinus) return false
  if (unit === 'times') return true
  const isCalled = has(between, ...CHANGED)
  if (unit === 'points') return signed || isCalled || /[=(（]|loss|rise|fall/i.test(between)
  const isCued = signed || isCalled || /[Δ∆=]|(?<![A-Za-z])by\s*$/.test(between)
  const behind = statement.text.slice(to, to + 24)
  if (unit === '%') return isCued || has(behind, ...CHANGED) || /^\s?(?:less|more|fewer)/i.test(behind)
  if (kind === 'versus') return signed
  // Without a unit it is a difference, which cannot be finer than its terms by much.
  const isCoarse = (decimals ?? 0) <= Math.max(a.decimals ?? 0, b.decimals ?? 0) + 1
  return isCued && isCoarse && (unit === a.unit || unit === b.unit)
}

const MULTIPLES: readonly (readonly [RegExp, number])[] = [
  [/(?<![A-Za-z])(?:doubl(?:es|ed|ing)|twice)(?![A-Za-z])|翻了?一?倍|翻番/i, 2],
  [/(?<![A-Za-z])tripl(?:es|ed|ing)(?![A-Za-z])|翻了?[三3]倍/i, 3],
  [/(?<![A-Za-z])quadrupl(?:es|ed|ing)(?![A-Za-z])|翻了?两番/i, 4],
  [/(?<![A-Za-z])halv(?:es|ed|ing)(?![A-Za-z])|减半/i, 0.5],
]

function* inStatement(statement: Statement): Generator<Assertion> {
  if (statement.quantities.length < 2) return
  const pairs = pairsIn(statement).map(pair => ({
    pair,
    result: resultBehind(statement, pair) ?? resultBefore(statement, pair),
  }))
  if (pairs.every(({ result }) => result === null)) yield* loose(statement)
  yield* apart(statement)
  for (const { pair, result } of pairs) {
    const { a, b, kind } = pair
    const ends = [figureOf(statement, a, 'from'), figureOf(statement, b, 'to')]
    const stretch = { from: Math.min(a.from, result?.from ?? a.from), to: Math.max(b.to, result?.to ?? b.to) }
    if (kind === 'then' && (result === null || result.from < b.to || result.unit === '%')) continue
    const quantity = statement.text.slice(Math.max(0, stretch.from - 40), stretch.from)
    const second = result === null ? null : secondResult(statement, result)
    for (const stated of [result, second]) {
      if (stated === null) continue
      const figures = [...ends, figureOf(statement, stated, 'result')]
      const to = Math.max(stretch.to, stated.to)
      const manner = mannerOf(statement, pair, stated)
      yield assertionIn(statement, 'change', { from: stretch.from, to }, { figures, quantity, manner })
    }
    if (kind !== 'change') continue
    const sense = senseOf(statement, pair, result)
    const from = Math.max(0, a.from - 12)
    if (sense !== null)
      yield assertionIn(statement, 'direction', { from, to: stretch.to }, { figures: ends, quantity, ...sense })
    const around = statement.text.slice(Math.max(0, a.from - 34), b.to + 20)
    const multiple = MULTIPLES.find(([pattern]) => pattern.test(around))
    if (multiple !== undefined)
      yield assertionIn(statement, 'change', stretch, { figures: ends, quantity, manner: `times ${multiple[1]}` })
  }
}

const LEVELS: ReadonlySet<string> = new Set(['s', 'min', 'h', '%', 'token', 'token/s'])

/** The only two levels of one unit in a sentence, and a multiple or points: "66 s (vs 3.7 s) – a 17.8x slowdown". */
function* loose(statement: Statement): Generator<Assertion> {
  const { quantities, text } = statement
  const results = quantities.filter(one => one.unit === 'times' || (one.unit === 'points' && one.bound === null))
  const plain = quantities.filter(one => one.ends === null && !one.signed)
  const measured = plain.filter(({ unit }) => unit !== null && LEVELS.has(unit))
  const levels = measured.length > 0 ? measured : plain.filter(({ unit }) => unit === null)
  const [[result], [a, b]] = [results, levels]
  if (result === undefined || a === undefined || b === undefined || results.length !== 1 || levels.length !== 2) return
  const isAfter = a.to <= result.from && b.to <= result.from && !/[了高低多少净by]\s?$/.test(text.slice(0, b.from))
  // "7 points below X": against what is said.
  if (/比|较|(?<![a-z])(?:than|over|above|below|relative)(?![a-z])/i.test(text.slice(b.to, result.from))) return
  if ((result.unit === 'points' && !isAfter) || a.unit !== b.unit || text.length > 200 || isListed(text, a)) return
  if (a.unit === null && (a.decimals !== b.decimals || quantities.length !== 3)) return
  if (!has(text, ...CHANGED, 'larger', 'smaller', 'faster', 'slower')) return
  const figures = [figureOf(statement, a, 'from'), figureOf(statement, b, 'to'), figureOf(statement, result, 'result')]
  const stretch = { from: Math.min(a.from, result.from), to: Math.max(b.to, result.to) }
  yield assertionIn(statement, 'change', stretch, { figures, quantity: text, manner: 'versus loose' })
}

const APART = /(?:相差|差距(?:为|达|是)?|(?:gap|difference|margin)(?: of| is| was))\s*(?:仅|约|only|just)?\s*$/i

/** "A lost 3.3 points and B 5.9, a gap of 2.6": two figures of one unit, and how far they are apart. */
function* apart(statement: Statement): Generator<Assertion> {
  const { quantities, text } = statement
  for (const [i, result] of quantities.entries()) {
    const [a, b, more] = [quantities[i - 2], quantities[i - 1], quantities[i - 3]]
    if (a === undefined || b === undefined || more !== undefined || !APART.test(text.slice(b.to, result.from))) continue
    const isAlike = [a, b].every(
      ({ unit, decimals, ends }) => unit === result.unit && decimals === result.decimals && ends === null,
    )
    if (!isAlike || result.unit === 'times' || result.hedge !== null) continue
    const figures = [
      figureOf(statement, a, 'from'),
      figureOf(statement, b, 'to'),
      figureOf(statement, result, 'result'),
    ]
    const stretch = { from: a.from, to: result.to }
    yield assertionIn(statement, 'change', stretch, { figures, quantity: text, manner: 'versus loose' })
  }
}

/** "85 % of the baseline" is a share, not a change. */
function mannerOf({ text }: Statement, { kind }: Pair, { signed, to }: Quantity): string {
  const isShare = !signed && /^\s?(?:of(?![a-z])|的(?!提|下|增|减|改|变))/i.test(text.slice(to, to + 6))
  return isShare ? `${kind} share` : kind === 'then' ? 'change loose' : kind
}

const CLAUSE = /(?:[,，;；。:：]|^)([^,，;；。:：]*)$/

/** The word that says which way it went: between the figures, or right before the first, or the sign of the result. */
function senseOf(
  statement: Statement,
  { a, b, between }: Pair,
  result: Quantity | null,
): Pick<Assertion, 'sense' | 'manner'> | null {
  const before = statement.text.slice(Math.max(0, a.from - 26), a.from)
  if (/(?<![A-Za-z])(?:never|not|no|without)(?![A-Za-z])|从未|没有|未/i.test(before)) return null
  // ", from a to b": what is said of it stands before the comma.
  const whole = statement.text.slice(0, a.from)
  const from = /[,，]\s*(?:from|从|由)\s*$/i.exec(whole)?.index
  const lead = CLAUSE.exec(from === undefined ? before : whole.slice(0, from))?.[1] ?? ''
  const behind = result === null ? '' : statement.text.slice(b.to, result.from)
  for (const part of [between, lead, behind]) {
    const [up, down] = [words('up').exec(part)?.[0], words('down').exec(part)?.[0]]
    if (up !== undefined && down !== undefined) return null
    if (up !== undefined) return { sense: 'up', manner: up }
    if (down !== undefined) return { sense: 'down', manner: down }
    const better = words('better').exec(part)?.[0] ?? ''
    if (/^(?:提升|提高|improve)/i.test(better)) return { sense: 'up', manner: `goal ${better}` }
  }
  if (result === null || !result.signed || result.plusMinus || result.value === 0) return null
  return result.value > 0 ? { sense: 'up', manner: 'sign +' } : { sense: 'down', manner: 'sign −' }
}

function check(assertion: Assertion): Outcome {
  const [from, to, result] = [figureAs(assertion, 'from'), figureAs(assertion, 'to'), figureAs(assertion, 'result')]
  if (from === null || to === null) return UNCHECKED
  const [a, b] = [from, to].map(({ quantity }) =>
    quantity.hedge === null && quantity.bound === null ? quantity.range : statedRange(quantity),
  )
  if (a === undefined || b === undefined) return UNCHECKED
  if (assertion.relation === 'direction') return checkDirection(assertion, { from, to }, a, b)
  const params = { quote: assertion.quote, from: from.text, to: to.text, found: result?.text ?? '' }
  if (assertion.manner.startsWith('times ')) {
    const times = Number(assertion.manner.slice(6))
    const ratios = [divide(b, a), divide(a, b)].filter(ratio => ratio !== null)
    const [ratio] = ratios
    if (ratio === undefined) return UNCHECKED
    if (ratios.some(one => meets(one, { low: times * 0.8, high: times * 1.25 })))
      return confirmed(`${from.text} → ${to.text}`)
    const expected = middle(ratio).toFixed(1)
    const message = say('audit.wrong-multiple', { ...params, found: String(times), expected })
    return refute('wrong-multiple', to.offset, message, { severity: 'warning' })
  }
  if (result === null) return UNCHECKED
  const { unit, signed, value, decimals } = result.quantity
  const percents = from.quantity.unit === '%' || to.quantity.unit === '%'
  const all = changeReadings(a, b, result.quantity, { percents, isShare: assertion.manner.endsWith('share') })
  const stated = sizeOf(widened(result.quantity))
  const isFit = all.some(reading => meets(stated, reading))
  const base = isFit && unit === '%' ? otherBase(assertion, result, a, b, all, stated) : null
  if (isFit && base === null) return confirmed(`${from.text} → ${to.text}`)
  if (base !== null) {
    const expected = asPrinted(signed ? middle(base) : Math.abs(middle(base)), result.quantity)
    return refute('percent-base', result.offset, say('audit.percent-change', { ...params, expected }), { isFix: true })
  }
  const best = unit === 'times' ? (all.find(({ high }) => high >= 1) ?? all[0]) : all[0]
  if (best === undefined || !isMisprint(value, middle(best))) return UNCHECKED
  const sign = signed && middle(b) < middle(a) && assertion.manner.startsWith('change') ? -1 : 1
  const finest = Math.max(decimals ?? 0, unit === 'times' ? 1 : 0)
  const expected = asPrinted(sign * middle(best), { ...result.quantity, decimals: finest })
  const rule = unit === 'times' ? 'wrong-multiple' : unit === '%' ? 'percent-change' : 'stated-difference'
  const more = assertion.manner.endsWith('loose') ? ({ severity: 'warning' } as const) : { isFix: true }
  return refute(rule, result.offset, say(`audit.${rule}`, { ...params, expected }), more)
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
  result: Figure,
  a: Range,
  b: Range,
  all: readonly Range[],
  stated: Range,
): Range | null {
  const around = `${quote} ${statement?.text.slice(result.quantity.to, result.quantity.to + 16) ?? ''}`
  const isChange = manner.startsWith('change')
  const [isUp, isDown] = [has(around, 'up', 'larger'), has(around, 'down', 'smaller')]
  if (!isChange && isUp === isDown) return null
  const [low, high] = middle(a) < middle(b) ? [a, b] : [b, a]
  const base = isChange ? a : isUp ? low : high
  const [right, wrong] = [percentOf(base, base === a ? b : a), percentOf(base === a ? b : a, base)]
  if (right === null || middle(base) <= 0) return null
  const isWrong = ({ low: least, high: most }: Range): boolean =>
    wrong !== null && Math.abs(least - sizeOf(wrong).low) < 1e-9 && Math.abs(most - sizeOf(wrong).high) < 1e-9
  const others = [...all.filter(reading => !isWrong(reading)), sizeOf(right)]
  return others.some(reading => meets(stated, reading)) ? null : right
}

/** Quantities of which less is more: time, memory, loss. */
const LESS = /time|latency|memory|loss|error|cost|size|usage|时间|耗时|显存|内存|损失|误差|成本|延迟|KL|步时/i

function checkDirection(
  { sense, manner, quote, quantity, stance, scope: { statement } }: Assertion,
  { from, to }: { readonly from: Figure; readonly to: Figure },
  a: Range,
  b: Range,
): Outcome {
  if (meets(a, b)) return UNCHECKED
  const actual = middle(b) > middle(a) ? 'up' : 'down'
  if (actual === sense) return confirmed(`${from.text} → ${to.text}`)
  // Of negative figures the size may be meant; of a loss, getting better is going down.
  if ((middle(a) < 0 && middle(b) < 0) || stance === 'denied' || stance === 'defined') return UNCHECKED
  const around = [quantity ?? '', ...(statement?.leads ?? []), statement?.section?.title ?? '']
  const found = manner.replace(/^(?:goal|sign) /, '')
  if (found !== manner && (goalOf(around) === 'min' || LESS.test(around.join(' ')))) return UNCHECKED
  const params = { quote, from: from.text, to: to.text, found, expected: actual === 'up' ? '↑' : '↓' }
  return refute('sign-contradicted', to.offset, say('audit.sign-contradicted', params), { expected: actual })
}

export const change: Relation = { names: ['change', 'direction'], inStatement, check }
