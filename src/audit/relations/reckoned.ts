import type { Statement } from '../../document/document.js'
import { everyMatch } from '../../document/matches.js'
import { NUMBER_WORDS, type Quantity, readTokens, type Unit } from '../../document/quantity.js'
import { exactly, multiply, type Range, subtract } from '../../stats/rounding.js'
import { meets, statedRange } from '../arithmetic.js'
import { has, places } from '../lexicon.js'

/**
 * What a sentence reckons from its own figures: "A 5.5 h and B 2.2 h, 7.7 h in total", "4 rates and 3 seeds, so 12 runs",
 * "80 failures: 50 x, 21 y, 9 z", "the mean of a, b and c is d". A word says which figure is the result. Where no
 * operation is written out, it is held against its author only if it is a slip of the one operation that comes near it
 * and no other reckoning of any of the figures gives it. What is left of a hundred percent is a reckoning as well.
 */
export type Operation = 'sum' | 'product' | 'mean' | 'rest'

export interface Reckoning {
  readonly kind: Operation
  readonly terms: readonly Quantity[]
  readonly result: Quantity
  /** Nothing but figures and commas stand in the list. */
  readonly isSure: boolean
}

const LONGEST = 300
const MOST_FIGURES = 12

export function reckoningsIn(statement: Statement): readonly Reckoning[] {
  const { text, quantities, kind } = statement
  if (quantities.length < 3 || quantities.length > MOST_FIGURES || text.length > LONGEST || kind === 'cell') return []
  const found = [
    breakdown(statement),
    restOf(statement),
    meanOf(statement),
    ...quantities.map(result => totalOf(statement, result)),
  ]
  return found.filter(one => one !== null).filter(one => isTold(one, text, quantities))
}

/** The figures are right, or they are a slip that nothing explains. */
function isTold({ kind, terms, result }: Reckoning, text: string, all: readonly Quantity[]): boolean {
  const stated = statedRange(result)
  if (meets(stated, reckoned(kind, terms))) return true
  if (kind === 'mean') return !WEIGHED.test(text)
  const others = all.filter(one => one !== result && isPlain(one))
  // Parts of one unit are not multiplied.
  const factors = kind === 'sum' && result.unit !== null ? [] : TIMED.test(text) ? FACTORS : [1]
  return !UNTOLD.test(text) && (kind === 'rest' || !isOtherwise(others, stated, factors))
}

const isPlain = ({ ends, plusMinus, bound, value }: Quantity): boolean =>
  ends === null && !plusMinus && bound === null && value !== 0
const isLevel = (one: Quantity): boolean => isPlain(one) && !one.signed && one.hedge === null

const sumOf = (list: readonly Quantity[]): number => list.reduce((sum, { value }) => sum + value, 0)
const gapsIn = (text: string, list: readonly Quantity[]): readonly string[] =>
  list.slice(1).map((one, i) => text.slice(list[i]?.to, one.from))

/** Words for something that was taken away, weighed, or not counted. */
const UNTOLD =
  /剩|余|过滤|去掉|去除|去重|丢弃|排除|除[了去外]|扣除|失败|加权|主要|其中|[^同平]等[,，;；。)]|重叠|多选|共[享有]|有效|实际|平均每|另[外有加]|额外|(?<![A-Za-z])(?:remain\w*|left|filter\w*|remov\w*|dropp\w*|discard\w*|dedup\w*|exclud\w*|except|minus|skip\w*|crash\w*|unique|valid|kept|retain\w*|weight\w*|mostly|mainly|top|includ\w*|such as|overlap\w*|overhead|multiple|up to|median|of which|at least one|after|billed|actual\w*|because|due to|extra|additional\w*|plus|also|parallel|on average|shared|both)(?![A-Za-z])/i

const WEIGHED =
  /加权|按\p{Script=Han}{1,4}平均|weight|median|(?<![A-Za-z])(?:over|across) (?:all|\d|the (?:last|full|other|whole))(?![A-Za-z])/iu

/** Seconds, minutes, hours and days may be turned into each other on the way. */
const TIMED =
  /小时|分钟|[秒天周时]|(?<![A-Za-z])(?:h|s|hours?|hourly|days?|daily|weeks?|minutes?|min|seconds?|sec)(?![A-Za-z])/i
const FACTORS = [1, 60, 3600, 24, 7].flatMap(factor => [factor, 1 / factor])
const MOST_TERMS = 6

const exact = (one: Quantity): Quantity => ({ ...one, range: exactly(one.value) })
const exactIfCount = (one: Quantity): Quantity => (one.decimals <= 0 ? exact(one) : one)

/** Whether some reckoning of some of the figures gives it. */
function isOtherwise(terms: readonly Quantity[], stated: Range, factors: readonly number[]): boolean {
  if (terms.length > MOST_TERMS) return true
  for (let set = 1; set < 1 << terms.length; set += 1) {
    const own = terms.filter((_, i) => set & (1 << i)).map(exactIfCount)
    const [first, second, more] = own
    if (first === undefined || second === undefined) continue
    const { low, high } = reckoned('product', own)
    const ranges = [reckoned('sum', own), ...factors.map(factor => ({ low: low * factor, high: high * factor }))]
    if (more === undefined) ranges.push(exactly(Math.abs(first.value - second.value)))
    if (ranges.some(range => meets(stated, range))) return true
  }
  return false
}

/** Rounding errors of many figures cancel out: two standard deviations of them are enough. Counts have none. */
export function reckoned(kind: Operation, terms: readonly Quantity[]): Range {
  if (kind === 'rest') return subtract(exactly(100), reckoned('sum', terms))
  if (kind === 'product') return terms.map(one => exactIfCount(one).range).reduce(multiply, exactly(1))
  const share = kind === 'mean' ? 1 / terms.length : 1
  const sum = sumOf(terms)
  const spread = 1.155 * Math.hypot(...terms.map(({ range }) => (range.high - range.low) / 2))
  return { low: (sum - spread) * share, high: (sum + spread) * share }
}

const isNear = (a: number, b: number, most = 1.4): boolean => a > 0 && b > 0 && Math.max(a / b, b / a) < most

const SUMMED =
  /(?:共\p{Script=Han}{0,3}|[合总]计|总和|总\p{Script=Han}{0,4}|得到|(?<![A-Za-z])(?:total(?:l?ing| of|s)?|in total|sum(?:s to)?|altogether|overall|so|hence|thus|makes|making|giving|gives|comes? to|came to|add(?:s|ed)? up to|amount(?:s|ed)? to))(?:为|是|[:：=]| of| is| was)?\s?[$¥€£]?\s?$/iu
const SUMMED_BEHIND = /^[\s\p{L}-]{0,24}?(?:in (?:total|sum|all)|overall|altogether|all told)(?![A-Za-z])/iu
/** Whose very name is a product. */
const COMPOUND =
  /^[\d.,]+k?\s?(?:(?:gpu|tpu|cpu|card|node|device|person|machine)[- ](?:hours?|days?|h|minutes?)|[卡机人]时|[卡人]天)/i
const BATCH =
  /(?:(?<![A-Za-z])(?:effective|global|total)|有效|全局|等效|总)[\s-]?(?:train(?:ing)?[\s-])?(?:batch|批)\p{L}{0,4}(?:[\s-]size)?\s?(?:[:：=]|is|was|of|为|是)?\s?$/iu
const PER_DEVICE = /accum|累[积计]|micro/i
const EACH = /每|各|(?<![A-Za-z])(?:each|per|apiece|every)(?![A-Za-z])|[@×]|\/\s?(?:h|hr|hour|day|week)(?![A-Za-z])/i

/** A figure that is called a total, and all others: their product, or their sum where they are alike. */
function totalOf({ text, quantities }: Statement, result: Quantity): Reckoning | null {
  const ahead = text.slice(Math.max(0, result.from - 24), result.from)
  const isEach = EACH.test(text)
  const isLast = quantities.at(-1) === result && isEach && /[:：=]\s*[$¥€£]?$/.test(ahead)
  const isCalled = SUMMED.test(ahead) || SUMMED_BEHIND.test(text.slice(result.to, result.to + 40))
  const isCompound = COMPOUND.test(text.slice(result.from, result.to + 16))
  if (!isLevel(result) || result.unit === '%') return null
  const isBatch = BATCH.test(ahead) && quantities.length === 4 && PER_DEVICE.test(text)
  // "600 answers (100 prompts × 6 each)".
  const isOpened =
    quantities[0] === result &&
    /^[^\d(（]{0,16}[(（]/.test(text.slice(result.to, quantities[1]?.from)) &&
    /×.*(?:每|各|each|per)|(?:每|各|each|per).*×/i.test(text)
  if (!isCalled && !isCompound && !isLast && !isBatch && !isOpened) return null
  const terms = [...spelt(text), ...quantities.filter(one => one !== result)]
  const areCounts = [result, ...terms].every(({ decimals }) => decimals <= 0)
  const isTerm = (one: Quantity): boolean => isLevel(one) && one.value > 0 && one.unit !== '%' && one.unit !== 'points'
  if (terms.length < 2 || !terms.every(isTerm)) return null
  const product = terms.reduce((all, { value }) => all * value, 1)
  const sum = sumOf(terms)
  const areAlike = terms.every(({ unit, decimals }) => unit === result.unit && decimals === result.decimals)
  const isProduct = isEach || isCompound || (areCounts && !isNear(result.value, sum))
  const mayBeProduct = isProduct && isNear(result.value, product, isBatch ? 4 : 1.4)
  if (mayBeProduct && terms.every(({ value }) => value !== 1)) return { kind: 'product', terms, result, isSure: false }
  // "3 tasks and 4 models, 8 in all" counts something else; two figures of one unit are parts.
  const areParts = areAlike && (result.unit !== null || (terms.length > 2 && sum > 20)) && result.unit !== 'times'
  const isSum = areParts && !isEach && isNear(result.value, sum, 1.3) && terms.every(({ to }) => to <= result.from)
  return isSum && !gapsIn(text, terms).some(gap => NO_LIST.test(gap))
    ? { kind: 'sum', terms, result, isSure: false }
    : null
}

const SPELT =
  /(?<![A-Za-z-])(two|three|four|five|six|seven|eight|nine|ten)(?= [a-z-]+s(?![a-z]))|([两三四五六七八九])(?=[个组次种台张名轮])/gi

/** "Three retrains", 四次: counts in words. */
function spelt(text: string): readonly Quantity[] {
  return everyMatch(text, SPELT).flatMap(({ index: from, 0: word }) => {
    const { quantities } = readTokens(`${NUMBER_WORDS.get(word.toLowerCase())}`)
    return quantities.map(one => ({ ...one, from, to: from + word.length }))
  })
}

/** "from a to b" and "a vs b" are no list. */
const NO_LIST = /→|->|到|至|(?<![A-Za-z])(?:to|vs\.?|versus)(?![A-Za-z])|^[^,，、/和与]*$(?<!and.*)/i
const SEPARATOR = /^\s?(?:[,，、/]|and|和|与|[,，] and)\s?$/i
/** Between two parts: what the first one counts, a comma, and what the second one is called. */
const PARTS_GAP = /^[^\d,，;；、/]{0,30}(?:[,，;；、/]|and|和)[^\d,，;；、/]{0,24}$/i
const SMALLEST_WHOLE = 20
const COUNTED: ReadonlySet<Unit | null> = new Set([null, 'other', 'sample', 'times'])

/** "80 failures: 50 timeouts, 21 crashes, 9 others": how many, a colon, and how many of each. */
function breakdown({ text, quantities }: Statement): Reckoning | null {
  const colon = text.search(/[:：](?!\/)/)
  const [result, ...before] = quantities.filter(({ to }) => to <= colon)
  const counts = quantities.filter(({ from, unit }) => from > colon && unit !== '%')
  if (colon < 0 || result === undefined || before.length > 0 || counts.length < 3) return null
  const isCount = (one: Quantity): boolean => isLevel(one) && one.decimals <= 0 && COUNTED.has(one.unit)
  const gaps = gapsIn(text, counts).map(gap => gap.replace(/[(（][^()（）]*[)）]/, ''))
  const isList = gaps.every(gap => PARTS_GAP.test(gap)) && /\p{L}/u.test(text.slice(colon + 1).replace(/and|和/g, ''))
  if (![result, ...counts].every(isCount) || !isList || EACH.test(text) || result.value < SMALLEST_WHOLE) return null
  if (!/\p{L}\s*$/u.test(text.slice(result.from, colon)) || text.slice(result.to, colon).length > 30) return null
  const sum = sumOf(counts)
  // What falls short may be a list of the most frequent ones, unless it is closed.
  const isClosed = /(?:and|和|及)[^\d]{0,16}$/i.test(gaps.at(-1) ?? '')
  return isNear(result.value, sum, sum > result.value ? 1.3 : isClosed ? 1.18 : 1.08)
    ? { kind: 'sum', terms: counts.map(exact), result: exact(result), isSure: false }
    : null
}

const MIXED =
  /配比|占比|构成|组成|分布|比例|(?<![A-Za-z])(?:mix(?:ture)?|split|composition|breakdown|distribution|proportions?|made up of|consists? of)(?![A-Za-z])/i

/** "Mixture: 45 % code, 35 % prose, 20 % dialogue": shares of one whole, and nothing else. */
function restOf({ text, quantities }: Statement): Reckoning | null {
  const [result, terms] = [quantities.at(-1), quantities.slice(0, -1)]
  if (result === undefined || !MIXED.test(text) || /率|rate|accuracy|score/i.test(text)) return null
  const areShares = quantities.every(one => one.unit === '%' && isLevel(one))
  if (!areShares || !gapsIn(text, quantities).every(gap => PARTS_GAP.test(gap))) return null
  const sum = sumOf(quantities)
  return sum > 93 && sum < 115 ? { kind: 'rest', terms, result, isSure: false } : null
}

const AFTER_LIST = /^[)）]?[^\d,，;；]{0,16}(?:[:：=]|is|was|为|是)\s?$/i
const BEFORE_MEAN = /^[^\d;；。]{0,30}$/
const RIGHT_BEHIND = /^[^\d(（,，;；]{0,24}$/

/** A word for the mean, the figures right before or behind it, and the one that is said to be their mean. */
function meanOf({ text, quantities }: Statement): Reckoning | null {
  const [word, another] = has(text, 'mean') ? places(text, 'mean') : []
  if (word === undefined || another !== undefined) return null
  const start = Math.max(...[...':：;；。'].map(mark => text.lastIndexOf(mark, word.from)))
  const before = quantities.filter(({ to }) => to <= word.from)
  const behind = quantities.filter(({ from }) => from >= word.to)
  const [next] = behind
  const own = before.filter(({ from }) => from > start)
  if (next !== undefined && own.length > 1 && RIGHT_BEHIND.test(text.slice(word.to, next.from)))
    return meanFrom(text, own, next)
  const [last, previous] = [behind.at(-1), behind.at(-2)]
  if (last !== undefined && behind.length > 2 && AFTER_LIST.test(text.slice(previous?.to, last.from)))
    return meanFrom(text, behind.slice(0, -1), last)
  const stated = before.at(-1)
  const isOf = /^\s?(?:of|over|across)(?![A-Za-z])[^\d]{0,24}$/i.test(text.slice(word.to, next?.from ?? word.to))
  const isNamed = stated !== undefined && isOf && BEFORE_MEAN.test(text.slice(stated.to, word.from))
  return isNamed && behind.length > 1 ? meanFrom(text, behind, stated) : null
}

function meanFrom(text: string, list: readonly Quantity[], result: Quantity): Reckoning | null {
  const unit = list.at(-1)?.unit ?? null
  // "33 / 41 / 45 ms": the unit stands once.
  const areAlike = list.every(
    (one, i) =>
      (one.unit === unit || (one.unit === null && i < list.length - 1 && result.unit === unit)) &&
      Math.abs(one.decimals - result.decimals) <= (result.unit === unit && list.length > 2 ? 1 : 0) &&
      one.signed === result.signed &&
      isPlain(one),
  )
  const gaps = gapsIn(text, list)
  if (!areAlike || result.hedge !== null || (unit !== result.unit && unit !== null)) return null
  if (gaps.some(gap => NO_LIST.test(gap)) || !isPlain(result)) return null
  const isSure = list.length > 2 && gaps.every(gap => SEPARATOR.test(gap))
  return { kind: 'mean', terms: list, result, isSure }
}
