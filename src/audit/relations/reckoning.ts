import type { Statement } from '../../document/document.js'
import { everyMatch } from '../../document/matches.js'
import { countAt, NUMBER_WORDS, type Quantity } from '../../document/quantity.js'
import { exactly } from '../../stats/rounding.js'
import { isMistyped, meets, statedRange } from '../arithmetic.js'
import { has, places } from '../lexicon.js'
import { exact, inUnitOf, isDuration, type Reckoning, reckoned, sumOf } from './reckoned.js'

/**
 * What a sentence reckons from its own figures: "A 5.5 h and B 2.2 h, 7.7 h in total", "4 rates and 3 seeds, so 12 runs",
 * "80 failures: 50 x, 21 y, 9 z", "the mean of a, b and c is d". A word says which figure is the result. Where no
 * operation is written out, it is held against its author only if it is a slip of the one operation that comes near it
 * and no other reckoning of any of the figures gives it. What is left of a hundred percent is a reckoning as well.
 */
const isPlain = ({ ends, plusMinus, bound, value }: Quantity): boolean =>
  ends === null && !plusMinus && bound === null && value !== 0
const isTerm = (one: Quantity): boolean =>
  isPlain(one) && !one.signed && one.hedge === null && one.value > 0 && one.unit !== 'points'

const LONGEST = 300
const MOST_FIGURES = 12

/** Where some are written out, of the rest only slips are held against their author. */
export function reckoningsIn(statement: Statement, written: readonly Reckoning[]): readonly Reckoning[] {
  const { text, kind } = statement
  const isIn = (list: readonly Quantity[], { from }: Quantity): boolean => list.some(one => one.from === from)
  const quantities = [...(EACH.test(text) ? speltIn(text) : []), ...statement.quantities]
    .filter(one => !written.some(({ terms }) => isIn(terms, one)) && !ARM.test(text.slice(0, one.from)))
    .sort((a, b) => a.from - b.from)
  const [results, isWritten] = [written.map(({ result }) => result), written.length > 0]
  if (quantities.length < 3 || quantities.length > MOST_FIGURES || text.length > LONGEST) return []
  // In a cell only what is written out.
  if (kind === 'cell' && !/[×*]/.test(text)) return []
  const totals = quantities.map(one => (isIn(results, one) ? null : totalOf({ text, quantities }, one, isWritten)))
  const others = isWritten
    ? []
    : [restOf(statement), meanOf(statement)].filter(one => one !== null && isTold(one, text))
  return [isWritten ? null : (breakdown(statement) ?? keyed(statement)), ...others, ...totals].filter(
    one => one !== null,
  )
}

/** "K=4" is what something was done with. */
const ARM = /(?<![A-Za-z])[A-Za-zα-ω]{1,2}=$/

const SPELT =
  /(?<![A-Za-z])(two|three|four|five|six|seven|eight|nine|ten)(?= [a-z])|[两二三四五六七八九十](?=[个类种组轮次张道台块项套])/gi

/** "Six sites", 四个子集. */
function speltIn(text: string): readonly Quantity[] {
  return everyMatch(text, SPELT).map(({ index: from, 0: word }) =>
    countAt({ from, to: from + word.length }, NUMBER_WORDS.get(word.toLowerCase()) ?? 0),
  )
}

/** Words for something that was taken away, weighed, or not counted. */
const UNTOLD =
  /剩|余|过滤|去掉|去除|去重|丢弃|排除|除[了去外]|扣除|失败|加权|主要|其中|[^同平]等[,;。)]|重叠|多选|共[享有]|有效|实际|平均每|另[外有加]|额外|(?<![A-Za-z])(?:remain\w*|left|filter\w*|remov\w*|dropp\w*|discard\w*|dedup\w*|exclud\w*|except|minus|skip\w*|crash\w*|unique|valid|kept|retain\w*|weight\w*|mostly|mainly|top|includ\w*|such as|overlap\w*|overhead|multiple|up to|median|of which|at least one|after|billed|actual\w*|because|due to|extra|additional\w*|plus|also|parallel|on average|shared|both)(?![A-Za-z])/i
const WEIGHED =
  /加权|按[\u4e00-\u9fff]{1,4}平均|weight|median|(?<![A-Za-z])(?:over|across) (?:all|\d|the (?:last|full|other|whole))(?![A-Za-z])/i

/** The figures are right, or nothing explains why they are not. */
function isTold({ operation, terms, result }: Reckoning, text: string): boolean {
  const range = reckoned(operation, terms)
  if (range === null || meets(statedRange(result), range)) return range !== null
  return !(operation === 'mean' ? WEIGHED.test(text) : isUntold(text))
}

/** What a label says holds for all that stands behind it. */
const isUntold = (text: string): boolean => UNTOLD.test(text.replace(/^[^:\d]{0,40}:/, ''))

const isNear = (a: number, b: number, most: number): boolean => a > 0 && b > 0 && Math.max(a / b, b / a) < most

/** Between two figures of a list: what the first one counts, a comma, and what the second one is called. */
const LIST_GAP =
  /^(?!.*(?:→|->|[到至]|(?<![A-Za-z])(?:to|vs\.?|versus)(?![A-Za-z])))[^\d,;、/]{0,30}(?:[,;、/]|and|[和与及])[^\d,;、/]{0,24}$/i
/** What stands in brackets, and the numbers of what is counted: "round 2", 第 3 批. */
const ASIDE =
  /\([^()]*\)|(?<![A-Za-z])(?:round|phase|stage|part|batch|fold|split|run|seed)s? \d{1,2}(?!\d)|第?\s?\d{1,2}\s?[轮批期]/i
const gapsIn = (text: string, list: readonly Quantity[]): readonly string[] =>
  list.slice(1).map((one, i) => text.slice(list[i]?.to, one.from).replace(ASIDE, ''))
export const isList = (text: string, list: readonly Quantity[]): boolean =>
  gapsIn(text, list).every(gap => LIST_GAP.test(gap))

const SUMMED =
  /(?:共[\u4e00-\u9fff]{0,3}|(?<![A-Za-z])(?:whole|entire|full) [a-z\u4e00-\u9fff]{2,12} [a-z\u4e00-\u9fff]{2,10}|[合总]计|总和|总[\u4e00-\u9fff]{0,4}|得到|(?<![A-Za-z])(?:total(?:l?ing| of|s)?|in total|sum(?:s to)?|altogether|overall|so|hence|thus|makes|making|giving|gives|comes? to|came to|add(?:s|ed)? up to|amount(?:s|ed)? to))(?:为|是|[:=]| of| is| was)?\s?[$¥€£]?\s?$/i
export const isCalledTotal = (text: string, { from, to }: Quantity): boolean =>
  SUMMED.test(text.slice(Math.max(0, from - 24), from)) || SUMMED_BEHIND.test(text.slice(to, to + 40))
const SUMMED_BEHIND = /^[\sa-z\u4e00-\u9fff-]{0,24}?(?:in (?:total|sum|all)|overall|altogether|all told)(?![A-Za-z])/i
/** Whose very name is a product. */
const COMPOUND =
  /^[\d.,]+k?\s?(?:(?:gpu|tpu|cpu|card|node|device|person|machine)[- ](?:hours?|days?|h|minutes?)|[卡机人]时|[卡人]天)/i
const EACH =
  /每|各(?!自|[种类方位])|(?<![A-Za-z])(?:each|per|apiece|every)(?![A-Za-z])|[@×]|\/\s?(?:h|hr|hour|day|week)(?![A-Za-z])/i

const ARROW = /(?:[:=]|→|->|=>)\s*[$¥€£]?$/

const SMALLEST_WHOLE = 20
const SMALLEST_OPEN = 1000

/**
 * A figure that is called a total, and what it can be the total of: some of the others multiplied, or added up where they
 * are alike. Where none of it gives the figure, it is a mistyped one of them, or near what all of them give.
 */
function totalOf(
  { text, quantities }: Pick<Statement, 'text' | 'quantities'>,
  result: Quantity,
  isWritten: boolean,
): Reckoning | null {
  const isEach = EACH.test(text)
  const ahead = text.slice(Math.max(0, result.from - 24), result.from)
  const isCompound = COMPOUND.test(text.slice(result.from, result.to + 16))
  const isCalled = isCompound || isCalledTotal(text, result)
  // "600 answers (100 prompts × 6 each)", "3 h each at $2/h: $6", "4 cards, 8 each → 32", "300 steps of 36 s each, 3 h".
  const isFirst = quantities[0] === result && /^[^\d(]{0,24}\(/.test(text.slice(result.to))
  const isLast = quantities.at(-1) === result && (isDuration(result) || ARROW.test(ahead))
  const isEnd = isEach && (isFirst || isLast)
  // "24 each, so 50 steps see 1,200", "first 410, then 520, last 630 → 1,560": called so by nothing but its digits.
  const isOpen =
    quantities.at(-1) === result &&
    result.value >= (isEach && quantities.length === 3 ? 100 : SMALLEST_OPEN) &&
    (isEach || ARROW.test(ahead))
  const isCertain = isCalled || isEnd
  if (!isTerm({ ...result, hedge: null }) || result.unit === '%' || !(isCertain || isOpen)) return null
  const others = quantities.filter(one => one !== result).map(one => inUnitOf(one, result))
  const terms = others.filter(one => isTerm(one) && one.value !== 1 && one.unit !== '%')
  const areAlike = (list: readonly Quantity[]): boolean =>
    // "3, 5, 8 notes": the unit stands once.
    list.every(({ unit, decimals }) => (unit ?? list.at(-1)?.unit) === result.unit && decimals === result.decimals)
  const isCourse = !isCertain && !isEach
  const parts = isCourse ? [terms].filter(own => own.length > 2 && isList(text, own)) : partsOf(terms)
  const ways = parts.flatMap((own): Reckoning[] => [
    ...(isCourse ? [] : [{ operation: 'product', terms: own, result, isSure: false } as const]),
    ...(areAlike(own) && (isCertain || isCourse)
      ? [{ operation: 'sum', terms: own, result, isSure: false } as const]
      : []),
  ])
  const made = ({ operation, terms: own }: Reckoning): number =>
    operation === 'sum' ? sumOf(own) : own.reduce((all, { value }) => all * value, 1)
  const right = ways.find(way => meets(statedRange(result), reckoned(way.operation, way.terms) ?? exactly(Number.NaN)))
  const [first, last] = [terms[0], terms.at(-1)]
  const isWholeList = first !== undefined && last !== undefined && terms.length > 2 && isList(text, terms)
  // What was skipped is no excuse where it is one of the parts.
  const around = isWholeList ? `${text.slice(0, first.from)} ${text.slice(Math.max(last.to + 8, result.from))}` : text
  if (right !== undefined || isUntold(around)) return right ?? null
  const isLong = result.value >= 10 ** ((quantities.length === 3 || isWholeList ? 2 : 3) - Math.max(0, result.decimals))
  const mostApart = isUntold(text) ? 1.2 : isCertain ? Number.POSITIVE_INFINITY : 1.5
  const mistyped = ways.filter(
    way => isLong && isMistyped(result.value, made(way), result.decimals) && isNear(result.value, made(way), mostApart),
  )
  const [slip, another] = new Map(mistyped.map(way => [made(way), way])).values()
  const all = mistyped.find(way => way.operation === 'sum' && isWholeList && way.terms.length === terms.length)
  if (slip !== undefined || isWritten || !isCertain || isUntold(text))
    return all ?? (another === undefined ? (slip ?? null) : null)
  const whole = ways.filter(way => way.terms.length === others.length)
  const areCounts = [result, ...terms].every(({ decimals }) => decimals <= 0)
  // Of small numbers any is near some product; two figures of one unit are parts.
  const most = isDuration(result) || result.value >= SMALLEST_WHOLE ? 2.1 : 1.4
  const isMeant = (way: Reckoning): boolean =>
    way.operation === 'product'
      ? (isEach || isCompound || (areCounts && !isNear(result.value, sumOf(terms), 1.4))) &&
        isNear(result.value, made(way), most)
      : !isEach &&
        (result.unit !== null || (terms.length > 2 && made(way) > 20)) &&
        result.unit !== 'times' &&
        isNear(result.value, made(way), 1.3) &&
        terms.every(({ to }) => to <= result.from) &&
        isList(text, terms)
  return whole.find(isMeant) ?? null
}

const MOST_TERMS = 6

/** Any two, three or four of some figures, and all of them. */
function partsOf(terms: readonly Quantity[]): readonly (readonly Quantity[])[] {
  if (terms.length > MOST_TERMS) return []
  const sets = Array.from({ length: 1 << terms.length }, (_, set) => terms.filter((_one, i) => set & (1 << i)))
  return sets.filter(({ length }) => length > 1)
}

/** "Of the 80 failures, 50 …", 80 个失败里，…: what follows need not be all of it. */
const OF_WHOLE =
  /^(?:(?:out )?of|among)(?: the| all)? [\d,]+\s[^,:\d]{2,30}(?=,)|^[^,:\d]{0,12}\d[\d,]*\s?[^,:\d]{1,8}(?:[里中](?=,)|,其中)/i
/** What explains that parts make more than their whole; that something is missing does not. */
const OVERLAP =
  /重叠|多选|共[享有]|另|含|涉及|同时|抵消|抵掉|减去|扣|(?<![A-Za-z])(?:offset\w*|minus|less|overlap\w*|multiple|shared|both|also|at least|plus|extra|contain\w*|involv\w*|ha(?:s|ve)|mention\w*)(?![A-Za-z])/i

const OF = /(?<![A-Za-z])(?:of|over|in|out of)\s*$|共\s*$/i

/** "won=60, drawn=25, lost=15 of 100": parts under names, and their whole behind them. */
function keyed({ text, quantities }: Pick<Statement, 'text' | 'quantities'>): Reckoning | null {
  const named = quantities.filter(({ from }) => /\p{L}\s?=\s?$/u.test(text.slice(Math.max(0, from - 3), from)))
  const listed = quantities.slice(0, -1)
  const terms = named.length > 0 || !isList(text, listed) ? named : listed
  const result = quantities.find(({ from }) => from >= (terms.at(-1)?.to ?? text.length))
  if (result === undefined || terms.length < 3 || !OF.test(text.slice(0, result.from))) return null
  const areCounts = [result, ...terms].every(one => one.ends === null && one.decimals === 0 && !one.signed)
  if (!areCounts || !isNear(result.value, sumOf(terms), 1.15)) return null
  return { operation: 'sum', terms: terms.map(exact), result: { ...exact(result), bound: null }, isSure: false }
}

/** "80 failures: 50 timeouts, 21 crashes, 9 others": how many, a colon, and how many of each. */
function breakdown({ text, quantities }: Statement): Reckoning | null {
  const head = OF_WHOLE.exec(text)?.[0].length ?? 0
  const colon = head > 0 ? head : text.search(/:(?!\/)/)
  const [result, ...before] = quantities.filter(({ to }) => to <= colon)
  const terms = quantities.filter(({ from, unit }) => from > colon && unit !== '%')
  if (result === undefined || before.length > 0 || terms.length < 3 || result.value < SMALLEST_WHOLE) return null
  const isNamed = /^.{0,30}\p{L}\s*$/u.test(text.slice(result.from, colon).replace(/,其中$/, ''))
  const areCounts = [result, ...terms].every(one => isTerm(one) && one.decimals <= 0)
  if (!areCounts || !isNamed || !isList(text, terms) || EACH.test(text)) return null
  const sum = sumOf(terms)
  const more = sum - result.value
  const isSlip = more === 0 || terms.some(({ value }) => more > 0 && isMistyped(value, value - more, 0))
  if ((head > 0 && !isSlip) || (more > 0 ? OVERLAP.test(text) : more < 0 && isUntold(text))) return null
  // What falls short may be a list of the most frequent ones, unless it is closed.
  const isClosed = /(?:and|[和及])[^\d]{0,16}$/i.test(gapsIn(text, terms).at(-1) ?? '')
  if (!isNear(result.value, sum, sum > result.value ? 1.3 : isClosed ? 1.18 : 1.08)) return null
  return { operation: 'sum', terms: terms.map(exact), result: exact(result), isSure: false }
}

const MIXED =
  /配比|占比|构成|组成|分布|比例|(?<![A-Za-z])(?:mix(?:ture)?|split|composition|breakdown|distribution|proportions?|made up of|consists? of)(?![A-Za-z])/i

/** "Mixture: 45 % code, 35 % prose, 20 % dialogue": shares of one whole, and nothing else. */
function restOf({ text, quantities }: Statement): Reckoning | null {
  const [result, terms] = [quantities.at(-1), quantities.slice(0, -1)]
  if (result === undefined || !MIXED.test(text) || /率|rate|accuracy|score/i.test(text)) return null
  const areShares = quantities.every(one => one.unit === '%' && isTerm(one))
  const sum = sumOf(quantities)
  if (!areShares || !isList(text, quantities) || sum < 93 || sum > 115) return null
  return { operation: 'rest', terms, result, isSure: false }
}

const AFTER_LIST = /^\)?[^\d,;]{0,16}(?:[:=]|is|was|为|是)\s?$/i
const BEHIND_WORD = /^[^\d(,;]{0,24}$/

/** A word for the mean, the figures right before or behind it, and the one that is said to be their mean. */
function meanOf({ text, quantities }: Statement): Reckoning | null {
  const [word, another] = has(text, 'mean') ? places(text, 'mean') : []
  if (word === undefined || another !== undefined) return null
  const start = Math.max(...[...':;。'].map(mark => text.lastIndexOf(mark, word.from)))
  const before = quantities.filter(({ to }) => to <= word.from)
  const behind = quantities.filter(({ from }) => from >= word.to)
  const own = before.filter(({ from }) => from > start)
  const [next, last, stated] = [behind[0], behind.at(-1), before.at(-1)]
  const isBeside = next !== undefined && BEHIND_WORD.test(text.slice(word.to, next.from))
  if (next !== undefined && isBeside && own.length > (next.from - word.to < 6 ? 1 : 2)) return meanFrom(text, own, next)
  if (last !== undefined && behind.length > 2 && AFTER_LIST.test(text.slice(behind.at(-2)?.to, last.from)))
    return meanFrom(text, behind.slice(0, -1), last)
  const isListed =
    behind.length > 3 &&
    /^\s?\([^\d()]*$/.test(text.slice(next?.to, behind[1]?.from)) &&
    /^\)/.test(text.slice(last?.to))
  if (next !== undefined && isBeside && isListed && !has(text, 'minimum', 'maximum'))
    return meanFrom(text, behind.slice(1), next)
  const isReckoned = stated !== undefined && /(?:i\.e\.|that is|即|[=:—])\s*$/.test(text.slice(0, stated.from))
  if (isReckoned && own.length > 2 && word.from - stated.to < 2) return meanFrom(text, own.slice(0, -1), stated)
  const isOf = /^\s?(?:of|over|across)(?![A-Za-z])[^\d]{0,24}$/i.test(text.slice(word.to, next?.from ?? word.to))
  return isOf && stated !== undefined && behind.length > 1 && /^[^\d;。]{0,30}$/.test(text.slice(stated.to, word.from))
    ? meanFrom(text, behind, stated)
    : null
}

function meanFrom(text: string, terms: readonly Quantity[], result: Quantity): Reckoning | null {
  // "33 / 41 / 45 ms": the unit stands once.
  const unit = terms.at(-1)?.unit ?? null
  const most = result.unit === unit && terms.length > 2 ? 1 : 0
  const areAlike = terms.every(
    one =>
      (one.unit === unit || one.unit === null) &&
      one.signed === result.signed &&
      Math.abs(one.decimals - result.decimals) <= most,
  )
  if (!areAlike || (unit !== result.unit && unit !== null) || result.hedge !== null) return null
  // "width=1.0, rate=0.1, mean 67.7": what was set is not averaged.
  const areSet = terms.length < 3 && terms.every(({ from }) => /[A-Za-z_]\s?=\s?$/.test(text.slice(0, from)))
  if (areSet || ![...terms, result].every(isPlain) || !isList(text, terms)) return null
  const isSure = terms.length > 2 && gapsIn(text, terms).every(gap => gap.trim().length < 4)
  return { operation: 'mean', terms, result, isSure }
}
