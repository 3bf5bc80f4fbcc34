import type { Statement } from '../../document/document.js'
import type { Quantity } from '../../document/quantity.js'
import { divide, type Range, subtract } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, isMisprint, meets, middle, percentOf, scale, sizeOf, statedRange } from '../arithmetic.js'
import {
  type Assertion,
  confirmed,
  type Figure,
  type Outcome,
  type Relation,
  refuted,
  UNCHECKED,
} from '../assertion.js'
import { goalOf } from '../evidence.js'
import { fault } from '../fault.js'
import { has, source } from '../lexicon.js'
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
  'audit.up': { en: 'a rise', zh: '上升' },
  'audit.down': { en: 'a fall', zh: '下降' },
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
const FROM = /(?:从|由|自|(?<![A-Za-z])from(?![A-Za-z]))[^\d,，;；。]{0,24}$/i

interface Pair {
  readonly a: Quantity
  readonly b: Quantity
  readonly kind: 'change' | 'versus'
  /** Other figures of the same chain, where an arrow goes on. */
  readonly between: string
}

function pairsIn(statement: Statement): readonly Pair[] {
  const { quantities } = statement
  const text = masked(statement)
  const pairs: Pair[] = []
  for (let i = 0; i + 1 < quantities.length; i += 1) {
    const [a, b] = [quantities[i], quantities[i + 1]]
    if (a === undefined || b === undefined || a.ends !== null || b.ends !== null) continue
    if (b.from - a.to > LONGEST_GAP || a.unit === 'times' || b.unit === 'times' || b.unit === 'points') continue
    const between = text.slice(a.to, b.from)
    if (isListed(text, a) || isListed(text, b) || areSettings(text, a, b) || isDelta(a, b)) continue
    if (
      /(?<![A-Za-z])(?:in|at|of|difference)(?![A-Za-z])/i.test(between.replace(/[(（][^)）]*[)）]/g, '')) &&
      !/from|vs/i.test(between)
    )
      continue
    if (ARROW.test(between) && !isSetting(text, a, between) && !areSteps(text, a, b))
      pairs.push({ a, b, kind: 'change', between })
    else if (VERSUS.test(between)) pairs.push({ a, b, kind: 'versus', between })
    else if (MOVED.test(between) && FROM.test(text.slice(Math.max(0, a.from - 30), a.from))) {
      pairs.push({ a, b, kind: 'change', between })
    }
  }
  return pairs.filter(({ a, b }) => (a.unit === '%') === (b.unit === '%') || a.unit === null || b.unit === null)
}

const LONGEST_GAP = 70

/** "57.0/56.1 → 58.8/56.6": lists of figures are not read. */
function isListed(text: string, { from, to }: Quantity): boolean {
  return (
    /\d\s?%?\s?\/\s?$/.test(text.slice(Math.max(0, from - 4), from)) || /^\s?%?\s?\/\s?\d/.test(text.slice(to, to + 4))
  )
}

/** Bare whole numbers with an arrow may be two steps; only "from" or a label before them says what they are. */
function areSteps(text: string, a: Quantity, b: Quantity): boolean {
  const areCounts = [a, b].every(({ decimals, unit }) => decimals === 0 && unit === null)
  return areCounts && !/(?:from|从|由|[:：])\s*[^\d]{0,8}$/i.test(text.slice(Math.max(0, a.from - 20), a.from))
}

/** "0.15 vs others: +1.8": a figure with a plus is a change of something, unless both are. */
function isDelta(a: Quantity, b: Quantity): boolean {
  const isPlus = ({ signed, value }: Quantity): boolean => signed && value > 0
  return isPlus(a) !== isPlus(b) && a.value > 0 && b.value > 0
}

/** "from k=1 to k=8" are two settings. */
function areSettings(text: string, a: Quantity, b: Quantity): boolean {
  return [a, b].every(
    ({ from, decimals, unit }) =>
      decimals === 0 && unit === null && /=\s?$/.test(text.slice(Math.max(0, from - 2), from)),
  )
}

/** "gens=16 → final 0.41": what is set leads to what is measured; that is no change. */
function isSetting(text: string, { from }: Quantity, between: string): boolean {
  const isAssigned = /[\p{L}_]\s?=\s?$/u.test(text.slice(Math.max(0, from - 3), from))
  return isAssigned && !/=\s?$/.test(between) && /\p{L}{2}/u.test(between.replace(/[(（].*[)）]/, ''))
}

/** What may stand between a pair and the figure that sums it up. */
const RESULT = new RegExp(
  String.raw`^(?:\s?\p{L}{1,12}(?=\s?[(（=,，)）]))?(?:[\s)）,，(（:：;；=≈~、\[*\-–—→>]|[(（][^()（）\d]{0,30}[)）]|units?(?![A-Za-z])|[Δ∆]|约|了|为|是|达|净|即|也就是|相对|绝对值?|about|approximately|an?|the|by|of|i\.e\.|which|is|or|loss|rise|fall|cut|saving|less|more|roughly|nearly|over|relative|absolute|overall|total|performance|reward|score|accuracy|${source('change', 'up', 'down', 'better', 'worse')})*$`,
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
  if (kind !== 'change') return false
  const areCounts = [a, b].every(({ decimals, unit }) => decimals === 0 && unit === null)
  const isInside =
    /^\s?[)）]/.test(between) && /[(（][^()（）]{0,16}$/.test(text.slice(Math.max(0, a.from - 18), a.from))
  return areCounts && (isInside || /^\s?[:：]/.test(between))
}

/** "(-8.0 points, 12 % lower)": a second way to say the same change. */
function secondResult({ text, quantities }: Statement, first: Quantity): Quantity | null {
  const next = quantities.find(({ from }) => from >= first.to)
  if (next === undefined || next.unit !== '%' || next.ends !== null) return null
  if (!/^\s?[,，/(（]\s?(?:约|about)?\s?$/.test(text.slice(first.to, next.from))) return null
  const behind = text.slice(next.to, next.to + 12)
  return next.signed || has(behind, 'up', 'down', 'better', 'worse', 'larger', 'smaller') ? next : null
}

const LONGEST_RESULT_GAP = 44

/** "+50 % improvement (6.3 vs 4.2)", "up 12 % (50 → 56)": the figure may stand before its pair. */
const BEFORE_PAIR =
  /^\s*(?:[\p{L}\s-]{0,32}?)(?:improvement|increase|decrease|drop|gain|reduction|higher|lower|better|worse|faster|more|longer|smaller|larger|提升|下降|增加|减少|更高|更低)?\s*(?:[(（:：]|(?<![A-Za-z])from(?![A-Za-z])|从)\s*[^\d]{0,16}$/iu

function resultBefore(statement: Statement, pair: Pair): Quantity | null {
  const before = statement.quantities.filter(({ to }) => to <= pair.a.from).at(-1)
  if (before === undefined || pair.a.from - before.to > LONGEST_RESULT_GAP) return null
  const between = masked(statement).slice(before.to, pair.a.from)
  if (!BEFORE_PAIR.test(between) || !/[(（:：]|from|从/.test(between)) return null
  // "98 % of the steps from 126 to 400" is a share of what lies between.
  if (/^\s?(?:of|的)(?![A-Za-z])/.test(between)) return null
  const ahead = statement.text.slice(Math.max(0, before.from - 30), before.from)
  const isCued =
    before.signed ||
    before.unit === 'times' ||
    before.unit === 'points' ||
    [between, ahead].some(words => has(words, 'change', 'up', 'down', 'better', 'worse'))
  const isPlain = before.unit === null && new RegExp(`${source('change', 'up', 'down')}\\s?$`, 'i').test(ahead)
  const isSure = before.unit === '%' || before.unit === 'times' || before.unit === 'points' || isPlain
  return isSure && isCued && before.ends === null ? before : null
}

function isResult(statement: Statement, { a, b, kind }: Pair, result: Quantity, between: string): boolean {
  if (result.plusMinus) return false
  if (result.unit === 'times') return true
  if (result.unit === 'points')
    return (
      result.signed ||
      /[=(（]/.test(between) ||
      has(between, 'change', 'up', 'down', 'better', 'worse') ||
      /loss|rise|fall/i.test(between)
    )
  const cued =
    result.signed ||
    /[Δ∆=]|(?<![A-Za-z])by\s*$/.test(between) ||
    has(between, 'change', 'up', 'down', 'better', 'worse')
  if (result.unit === '%') {
    const behind = statement.text.slice(result.to, result.to + 24)
    return cued || has(behind, 'change', 'up', 'down', 'better', 'worse') || /^\s?(?:less|more|fewer)/i.test(behind)
  }
  if (!cued || kind === 'versus') return cued && result.signed
  // Without a unit it is a difference, which cannot be finer than its terms by much.
  return (
    (result.decimals ?? 0) <= Math.max(a.decimals ?? 0, b.decimals ?? 0) + 1 &&
    (result.unit === a.unit || result.unit === b.unit)
  )
}

const DOUBLED = /(?<![A-Za-z])(?:doubled|twice)(?![A-Za-z])|翻了?一?倍|翻番/i
const TRIPLED = /(?<![A-Za-z])tripled(?![A-Za-z])|翻了?[三3]倍/i
const HALVED = /(?<![A-Za-z])halved(?![A-Za-z])|减半/i
const MULTIPLES: readonly (readonly [RegExp, number])[] = [
  [DOUBLED, 2],
  [TRIPLED, 3],
  [HALVED, 0.5],
]

function* read(statements: readonly Statement[]): Generator<Assertion> {
  for (const statement of statements) {
    if (statement.quantities.length < 2 || statement.kind === 'code') continue
    const pairs = pairsIn(statement).map(pair => ({
      pair,
      result: resultBehind(statement, pair) ?? resultBefore(statement, pair),
    }))
    if (pairs.every(({ result }) => result === null)) yield* loose(statement)
    for (const { pair, result } of pairs) {
      const { a, b } = pair
      const figures = [
        figureOf(statement, a, 'from'),
        figureOf(statement, b, 'to'),
        ...(result === null ? [] : [figureOf(statement, result, 'result')]),
      ]
      const from = Math.min(a.from, result?.from ?? a.from)
      const to = Math.max(b.to, result?.to ?? b.to)
      const quantity = statement.text.slice(Math.max(0, from - 40), from)
      if (result !== null)
        yield assertionIn(statement, 'change', {
          from,
          to,
          figures,
          quantity,
          manner: mannerOf(statement, pair, result),
        })
      const second = result === null ? null : secondResult(statement, result)
      if (second !== null) {
        const both = [...figures.slice(0, 2), figureOf(statement, second, 'result')]
        const manner = mannerOf(statement, pair, second)
        yield assertionIn(statement, 'change', { from, to: second.to, figures: both, quantity, manner })
      }
      if (pair.kind === 'versus') continue
      const sense = senseOf(statement, pair, result)
      if (sense !== null) {
        const start = Math.max(0, a.from - 12)
        yield assertionIn(statement, 'direction', { from: start, to, figures: figures.slice(0, 2), quantity, ...sense })
      }
      const window = statement.text.slice(Math.max(0, a.from - 30), Math.min(statement.text.length, b.to + 20))
      const multiple = MULTIPLES.find(([pattern]) => pattern.test(window))
      if (multiple !== undefined) {
        yield assertionIn(statement, 'change', {
          from,
          to,
          figures: figures.slice(0, 2),
          quantity,
          manner: `times ${multiple[1]}`,
        })
      }
    }
  }
}

/** The only two levels of one unit in a sentence, and a multiple or a change in percent: "66 s (vs 3.7 s) – a 17.8x slowdown". */
function* loose(statement: Statement): Generator<Assertion> {
  const { quantities, text } = statement
  const results = quantities.filter(one => one.unit === 'times' || (one.unit === 'points' && one.bound === null))
  const [result] = results
  const measured = quantities.filter(
    one => one.unit !== null && LEVELS.has(one.unit) && one.ends === null && !one.signed,
  )
  const levels =
    measured.length > 0 ? measured : quantities.filter(one => one.unit === null && one.ends === null && !one.signed)
  const [a, b] = levels
  if (result === undefined || a === undefined || b === undefined || results.length !== 1 || levels.length !== 2) return
  const isAfter = a.to <= result.from && b.to <= result.from && !/[了高低多少净by]\s?$/.test(text.slice(0, b.from))
  if (result.unit === 'points' && !isAfter) return
  if (a.unit !== b.unit || (a.unit === null && a.decimals !== b.decimals) || text.length > 200 || isListed(text, a))
    return
  if (
    (a.unit === null && quantities.length !== 3) ||
    !has(text, 'change', 'up', 'down', 'better', 'worse', 'larger', 'smaller', 'faster', 'slower')
  )
    return
  const figures = [figureOf(statement, a, 'from'), figureOf(statement, b, 'to'), figureOf(statement, result, 'result')]
  const [from, to] = [Math.min(a.from, result.from), Math.max(b.to, result.to)]
  yield assertionIn(statement, 'change', { from, to, figures, quantity: text, manner: 'versus loose' })
}

const LEVELS: ReadonlySet<string> = new Set(['s', 'min', 'h', '%', 'token', 'token/s'])

/** "85 % of the baseline" is a share, not a change. */
function mannerOf({ text }: Statement, { kind }: Pair, result: Quantity): string {
  const isShare =
    !result.signed && /^\s?(?:of(?![a-z])|的(?!提|下|增|减|改|变))/i.test(text.slice(result.to, result.to + 6))
  return isShare ? `${kind} share` : kind
}

/** The word that says which way it went: between the figures, or right before the first, or the sign of the result. */
function senseOf(
  statement: Statement,
  { a, b, between }: Pair,
  result: Quantity | null,
): { readonly sense: 'up' | 'down'; readonly manner: string } | null {
  const before = statement.text.slice(Math.max(0, a.from - 26), a.from)
  if (/(?<![A-Za-z])(?:never|not|no|without)(?![A-Za-z])|从未|没有|未/i.test(before)) return null
  const lead = /(?:[,，;；。:：]|^)([^,，;；。:：]*)$/.exec(before)?.[1] ?? ''
  const behind = result === null ? '' : statement.text.slice(b.to, result.from)
  for (const words of [between, lead, behind]) {
    const [up, down] = [firstOf(words, 'up'), firstOf(words, 'down')]
    if ((up === null) !== (down === null)) {
      return { sense: up === null ? 'down' : 'up', manner: up ?? down ?? '' }
    }
    if (up !== null) return null
    const better = firstOf(words, 'better')
    if (better !== null && /^(?:提升|提高|improve)/i.test(better)) return { sense: 'up', manner: `goal ${better}` }
  }
  if (result?.signed && !result.plusMinus && result.value !== 0) {
    return { sense: result.value > 0 ? 'up' : 'down', manner: `sign ${result.value > 0 ? '+' : '−'}` }
  }
  return null
}

function firstOf(text: string, sense: 'up' | 'down' | 'better'): string | null {
  return new RegExp(source(sense), 'i').exec(text)?.[0] ?? null
}

/** All that the change of two figures can be called, by what the result's unit admits. */
export function changeReadings(
  from: Range,
  to: Range,
  result: Quantity,
  { percents, isShare }: { readonly percents: boolean; readonly isShare: boolean },
): readonly Range[] {
  const found: Range[] = []
  const push = (range: Range | null): void => {
    if (range !== null) found.push(range)
  }
  const difference = subtract(to, from)
  if (result.unit === 'times') {
    for (const ratio of [divide(to, from), divide(from, to)]) {
      push(ratio)
      if (ratio !== null) push({ low: ratio.low - 1, high: ratio.high - 1 })
    }
    return found.map(sizeOf)
  }
  if (result.unit === '%') {
    push(percentOf(from, to))
    push(percentOf(to, from))
    if (isShare) for (const ratio of [divide(to, from), divide(from, to)]) if (ratio !== null) push(scale(ratio, 100))
    push(percents ? difference : scale(difference, 100))
    // Sizes of negative figures: "the absolute value shrank by 90 %".
    push(percentOf(sizeOf(from), sizeOf(to)))
  } else {
    push(difference)
    if (result.unit === 'points' && !percents) push(scale(difference, 100))
  }
  return found.map(sizeOf)
}

function check(assertion: Assertion): Outcome {
  const [from, to, result] = [figureAs(assertion, 'from'), figureAs(assertion, 'to'), figureAs(assertion, 'result')]
  if (from === null || to === null) return UNCHECKED
  if (assertion.relation === 'direction') return checkDirection(assertion, from, to)
  if (assertion.manner.startsWith('times ')) return checkMultiple(assertion, Number(assertion.manner.slice(6)))
  if (result === null) return UNCHECKED
  const percents = from.quantity.unit === '%' || to.quantity.unit === '%'
  const [a, b] = [statedIfHedged(from.quantity), statedIfHedged(to.quantity)]
  const isShare = assertion.manner.endsWith('share')
  const all = changeReadings(a, b, result.quantity, { percents, isShare })
  if (all.length === 0) return UNCHECKED
  const stated = sizeOf(widened(result.quantity))
  const isFit = all.some(reading => meets(stated, reading))
  const rightBase = isFit && result.quantity.unit === '%' ? otherBase(assertion, a, b, all, stated) : null
  if (isFit && rightBase === null) return confirmed(`${from.text} → ${to.text}`)
  if (rightBase !== null) return wrongBase(assertion, { from, to, result }, rightBase)
  const best = result.quantity.unit === 'times' ? (all.find(({ high }) => high >= 1) ?? all[0]) : all[0]
  if (best === undefined) return UNCHECKED
  if (!isMisprint(result.quantity.value, middle(best))) return UNCHECKED
  const sign = result.quantity.signed && middle(b) < middle(a) && assertion.manner.startsWith('change') ? -1 : 1
  const expected = asPrinted(sign * middle(best), {
    ...result.quantity,
    decimals: Math.max(result.quantity.decimals ?? 0, result.quantity.unit === 'times' ? 1 : 0),
  })
  const rule =
    result.quantity.unit === 'times'
      ? 'wrong-multiple'
      : result.quantity.unit === '%'
        ? 'percent-change'
        : 'stated-difference'
  const params = { quote: assertion.quote, from: from.text, to: to.text, found: result.text, expected }
  const isLoose = assertion.manner.endsWith('loose')
  return refuted(
    fault(rule, result.offset, say(`audit.${rule}`, params), isLoose ? { severity: 'warning' } : { isFix: true }),
  )
}

/**
 * What the percentage is of, where only the wrong base gives it: a change is a share of what it started from, and "lower"
 * a share of the larger one. Null where the right base gives it too, or the words leave the base open.
 */
function otherBase(assertion: Assertion, a: Range, b: Range, all: readonly Range[], stated: Range): Range | null {
  const { statement } = assertion.scope
  const result = figureAs(assertion, 'result')
  if (statement === null || result === null) return null
  const around = `${assertion.quote} ${statement.text.slice(result.quantity.to, result.quantity.to + 16)}`
  const isChange = assertion.manner.startsWith('change')
  const [isUp, isDown] = [has(around, 'up', 'larger'), has(around, 'down', 'smaller')]
  if (!isChange && isUp === isDown) return null
  const [low, high] = middle(a) < middle(b) ? [a, b] : [b, a]
  const base = isChange ? a : isUp ? low : high
  const right = percentOf(base, base === a ? b : a)
  if (right === null || middle(base) <= 0) return null
  const wrong = percentOf(base === a ? b : a, base)
  const others = all.filter(reading => wrong === null || !sameRange(reading, sizeOf(wrong)))
  if (others.some(reading => meets(stated, reading)) || meets(stated, sizeOf(right))) return null
  return right
}

function sameRange(a: Range, b: Range): boolean {
  return Math.abs(a.low - b.low) < 1e-9 && Math.abs(a.high - b.high) < 1e-9
}

function wrongBase(
  assertion: Assertion,
  { from, to, result }: { readonly from: Figure; readonly to: Figure; readonly result: Figure },
  right: Range,
): Outcome {
  const size = result.quantity.signed ? middle(right) : Math.abs(middle(right))
  const expected = asPrinted(size, result.quantity)
  const params = { quote: assertion.quote, from: from.text, to: to.text, found: result.text, expected }
  return refuted(fault('percent-base', result.offset, say('audit.percent-change', params), { isFix: true }))
}

function statedIfHedged(quantity: Quantity): Range {
  return quantity.hedge === null && quantity.bound === null ? quantity.range : statedRange(quantity)
}

/** Nobody says 19.92 times; multiples are rounded by up to a twentieth. */
function widened(result: Quantity): Range {
  const range = statedRange(result)
  const slack = result.unit === 'times' ? 0.06 * Math.abs(result.value) : 0
  return { low: range.low - slack, high: range.high + slack }
}

function checkMultiple(assertion: Assertion, times: number): Outcome {
  const [from, to] = [figureAs(assertion, 'from'), figureAs(assertion, 'to')]
  if (from === null || to === null) return UNCHECKED
  const ratios = [divide(to.quantity.range, from.quantity.range), divide(from.quantity.range, to.quantity.range)]
  const allowed = { low: times * 0.8, high: times * 1.25 }
  const known = ratios.filter(ratio => ratio !== null)
  if (known.length === 0) return UNCHECKED
  if (known.some(ratio => meets(ratio, allowed))) return confirmed(`${from.text} → ${to.text}`)
  const expected = middle(known[0] ?? allowed).toFixed(1)
  const params = { quote: assertion.quote, from: from.text, to: to.text, found: String(times), expected }
  return refuted(fault('wrong-multiple', to.offset, say('audit.wrong-multiple', params), { severity: 'warning' }))
}

function checkDirection(
  assertion: Assertion,
  from: { quantity: Quantity; text: string },
  to: { quantity: Quantity; text: string; offset: number },
): Outcome {
  const [a, b] = [statedIfHedged(from.quantity), statedIfHedged(to.quantity)]
  if (meets(a, b)) return UNCHECKED
  const actual = middle(b) > middle(a) ? 'up' : 'down'
  if (actual === assertion.sense) return confirmed(`${from.text} → ${to.text}`)
  // Of negative figures the size may be meant; of a loss, getting better is going down.
  if (middle(a) < 0 && middle(b) < 0) return UNCHECKED
  const words = assertion.scope.statement
  const around = [assertion.quantity ?? '', ...(words?.leads ?? []), words?.section?.title ?? '']
  const word = assertion.manner.replace(/^(?:goal|sign) /, '')
  const isGoal = assertion.manner.startsWith('goal ') || assertion.manner.startsWith('sign ')
  if (isGoal && (goalOf(around) === 'min' || LESS.test(around.join(' ')))) return UNCHECKED
  if (assertion.stance === 'denied' || assertion.stance === 'defined') return UNCHECKED
  const expected = { key: `audit.${actual}`, params: {} }
  const params = {
    quote: assertion.quote,
    from: from.text,
    to: to.text,
    found: word,
    expected: actual === 'up' ? '↑' : '↓',
  }
  return refuted(
    fault('sign-contradicted', to.offset, say('audit.sign-contradicted', params), {
      expected: expected.key === 'audit.up' ? 'up' : 'down',
    }),
  )
}

/** Quantities of which less is more: time, memory, loss. */
const LESS = /time|latency|memory|loss|error|cost|size|usage|时间|耗时|显存|内存|损失|误差|成本|延迟|KL|步时/i

export const change: Relation = { name: 'change', read: ({ document }) => read(document.statements), check }

export const direction: Relation = { name: 'direction', read: () => [], check }
