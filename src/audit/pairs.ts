import type { Quantity } from '../document/quantity.js'
import { printedRange } from '../stats/rounding.js'
import type { Statement } from './document.js'

/**
 * Two numbers that a sentence sets against each other: "2.123 vs 2.202", "0.216 → 0.256", "from 50 % to 55 %", "A (2.1)
 * 比 B (2.2)", and what the sentence says about them: "-3.6 %", "0.079 lower", "10 times". Only figures that stand close to
 * their pair count: a sentence may speak of other things as well.
 */
export interface NumberPair {
  readonly first: Quantity
  readonly second: Quantity
  /** `arrow`: from the first to the second, in time or by a change. `than`: the first measured by the second. */
  readonly link: 'versus' | 'arrow' | 'than'
  /** What is said about the pair. */
  readonly said: readonly Quantity[]
}

/** A line with more numbers is a list of data. */
const MOST_NUMBERS = 40
/** Between the two there may be a name and a step, not another clause. */
const MOST_BETWEEN = 40
const VERSUS =
  /^[^,;。，；→]*?(?:(?<![a-z])(?:vs\.?|versus|compared (?:with|to)|against)(?![a-z])|对比|相比)[^,;。，；→]*$/i
const ARROW = /^\)?(?:\s?\([^()]{0,16}\))?\s?(?:→|->|=>|⇒|➜|-->)\s?\(?$/
const ROSE_TO = /^(?:\/(?:step|s|步|秒))?\s?(?:上?升|提升|提高|增加|增长|下?降|降低|减少|变|涨|跌)[至到为]\s?$/
const TO = /^\s?(?:to|到|至)\s?$/i
const THAN = /^[^,;。，；→]{0,12}比[^,;。，；→]{0,24}$/
const INSTEAD = /^\s?(?:instead of|rather than|而不是|而非)\s?$/i
const ENGLISH_THAN =
  /^\s?(?:lower|higher|less|more|better|worse|larger|smaller|above|below|greater|fewer|faster|slower)(?:\s?than|(?<=above|below))?[^,;。，；→]{0,24}$/i

const known = new WeakMap<Statement, readonly NumberPair[]>()
const NONE: readonly NumberPair[] = []

/** Read once, since several rules ask. */
export function pairsIn(statement: Statement): readonly NumberPair[] {
  const { quantities } = statement
  if (quantities.length < 2 || quantities.length > MOST_NUMBERS) return NONE
  const before = known.get(statement)
  if (before !== undefined) return before
  const pairs = readPairs(statement)
  known.set(statement, pairs)
  return pairs
}

function readPairs({ text, quantities }: Statement): readonly NumberPair[] {
  const pairs: { first: Quantity; second: Quantity; link: NumberPair['link']; from: number; to: number }[] = []
  const inPairs = new Set<Quantity>()
  quantities.forEach((quantity, i) => {
    const whole = isPosition(text, quantity) ? null : fromTo(text, quantity)
    if (whole !== null) {
      pairs.push({ ...whole, link: 'arrow', from: quantity.from, to: quantity.to })
      inPairs.add(quantity)
      return
    }
    const next = quantities[i + 1]
    const link = next === undefined ? null : linkBetween(text, quantity, next)
    if (next !== undefined && link !== null) {
      pairs.push({ first: quantity, second: next, link, from: quantity.from, to: next.to })
      inPairs.add(quantity).add(next)
      return
    }
    const third = quantities[i + 2]
    if (third === undefined || !ENGLISH_THAN.test(text.slice(next.to, third.from))) return
    if (text.slice(quantity.to, next.from).length > 24 || inPairs.has(quantity)) return
    if (quantity.unit !== third.unit || quantity.bound !== null || third.bound !== null) return
    pairs.push({ first: quantity, second: third, link: 'than', from: quantity.from, to: third.to })
    inPairs.add(quantity).add(third)
  })
  return pairs.flatMap(({ first, second, link, from, to }, i) => {
    // In a chain, a figure behind it may be about the last step or about the whole way.
    if (pairs[i + 1]?.first === second || pairs[i - 1]?.second === first) return []
    const start = i === 0 ? 0 : pairs[i - 1].to
    const end = pairs[i + 1]?.from ?? text.length
    const around = quantities.filter(q => !inPairs.has(q) && q.from >= start && q.to <= end)
    return [{ first, second, link, said: saidOf(text, around, { from, to }) }]
  })
}

/** From where to where: "a vs b" measures a by b, an arrow goes from a to b. */
export function inOrder({
  first,
  second,
  link,
}: Pick<NumberPair, 'first' | 'second' | 'link'>): readonly [Quantity, Quantity] {
  return link === 'arrow' ? [first, second] : [second, first]
}

function linkBetween(text: string, first: Quantity, second: Quantity): NumberPair['link'] | null {
  if (first.ends !== null || second.ends !== null || first.unit !== second.unit) return null
  if (first.bound !== null || second.bound !== null) return null
  if (isPosition(text, first) || (second.signed && second.value > 0)) return null
  const between = text.slice(first.to, second.from)
  if (between.length > MOST_BETWEEN) return null
  if (ARROW.test(between) || ROSE_TO.test(between)) return 'arrow'
  if (TO.test(between) && FROM.test(text.slice(Math.max(0, first.from - 8), first.from))) return 'arrow'
  if (VERSUS.test(between)) return 'versus'
  return THAN.test(between) || INSTEAD.test(between) ? 'than' : null
}

/** "step 40->45", "(10->15)" behind a figure, "from 2024 to 2025": places on an axis. */
function isPosition(text: string, { from, value, unit, decimals }: Quantity): boolean {
  if (unit !== null || decimals !== 0) return false
  const isYear = value >= 1_990 && value <= 2_100
  return isYear || /(?:steps?|epochs?|步|轮)\s?$|[\d%]\s?\($/i.test(text.slice(Math.max(0, from - 8), from))
}

const FROM = /(?:从|由|(?<![a-z])from)\s?(?:about|约)?\s?$/i
const TWO_NUMBERS = /^([+-]?[\d.,]+(?:e[+-]?\d+)?)(\s?%)?\s?\D{1,4}?([+-]?[\d.,]+(?:e[+-]?\d+)?)/i

/** "from 2.0 to 2.1" is read as a range; behind "from" it is a pair. */
function fromTo(text: string, quantity: Quantity): { readonly first: Quantity; readonly second: Quantity } | null {
  const { ends, from, to } = quantity
  if (ends === null || !FROM.test(text.slice(Math.max(0, from - 8), from))) return null
  const printed = TWO_NUMBERS.exec(text.slice(from, to))
  if (printed === null) return null
  const one = (value: number, digits: string): Quantity => {
    const [mantissa, exponent] = digits.toLowerCase().split('e')
    const decimals = Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - Number(exponent ?? 0))
    return { ...quantity, value, decimals, range: printedRange(value, decimals), ends: null }
  }
  return { first: one(ends[0], printed[1]), second: one(ends[1], printed[3]) }
}

/** How far a figure may stand from its pair, in characters. */
const MOST_DISTANCE = 32

/** Words that may stand between a pair and the figure about it; a noun there means that the figure is about something else. */
const SMALL_WORDS =
  /^(?:[\s(),:=~≈*，、\-–—]|差异|差距|相差|差|仅|只有?|大?约|下降|上升|提升|提高|降低|增加|增长|减少|略|更?低|更?高|变化|了|为|是|即|也就是|共|幅度|达|绝对|相对|Δ|提速|加速|领先|落后|改善|节省|[降增涨]幅|快|慢|\/(?:step|s|步|秒)|per (?:run|step|epoch|token|sample|seed)|(?:a|an|the|about|only|just|roughly|nearly|difference|diff|gap|change|delta|of|is|was|by|that|which|down|up|lower|higher|dropped|fell|rose|gained|increased?|decreased?|improved?|reduced?|drop|gain|loss|improvement|reduction|differs?|differing|i\.e\.|or|relative|absolute|faster|slower|better|worse|longer|shorter|fewer|less|more)(?![a-z]))*$/i
const BEFORE_BRACKET =
  /^\s?(?:左右|以上|加速|提速|faster|slower|speed-?up|(?:over|above|below|than|against|compared (?:with|to)|比|较) [^,;()]{1,30}?)?\s?(?:[(:]\s?(?:从|由|from|即|i\.e\.)?[^\d,;()]{0,12}|,\s?(?:从|由|from)\s?)$/i
const CHANGE_WORD_BEFORE =
  /(?:差异?|差距|领先|落后|节省|[降增涨]幅|低|高|下?降|上?升|增加?|增长|减少?|提[升高]|涨|跌|变化|回[落升撤]|缩[短小]|下滑|(?<![a-z-])(?:by|loss of|improv\w*|increas\w*|decreas\w*|drop\w*|fell|rise|rose|gain\w*|differ\w*|gap|reduc\w*|change[sd]?|up|down)(?: (?:by|of|is|over [^,;()]{1,24} is))?)[了仅约为只:\s(~≈]*(?:(?:only|just|about|roughly|nearly|some) ?)?$/i

/** Two settings: what a sentence says behind them is mostly what came of it. */
const SETTING =
  /(?:学习率|系数|温度|权重|β|λ|γ|(?<![a-z])(?:lr|learning rate|beta|kl_beta|coef\w*|dropout|warm-?up|batch(?: size)?|temperature|weight decay|rank|alpha|gamma|lambda|clip\w*))[\s:=为从由]*(?:from )?$/i

/** Figures right behind the pair, between its two (English "3 % lower than"), or before a pair in brackets. */
function saidOf(
  text: string,
  around: readonly Quantity[],
  pair: { readonly from: number; readonly to: number },
): readonly Quantity[] {
  let reach = pair.to
  const isSetting = SETTING.test(text.slice(Math.max(0, pair.from - MOST_DISTANCE), pair.from))
  const behind: Quantity[] = []
  for (const quantity of around) {
    if (quantity.from < pair.from) continue
    const gap = quantity.to <= pair.to ? '' : text.slice(reach, quantity.from)
    if (gap.length > MOST_DISTANCE || !SMALL_WORDS.test(gap) || isOfSomething(text, quantity)) break
    if (quantity.ends !== null || behind.some(({ unit }) => unit === quantity.unit)) break
    if (isSetting && !/^\s?\(/.test(gap)) break
    behind.push(quantity)
    reach = Math.max(reach, quantity.to)
  }
  if (behind.length > 0) return behind
  const before = around.findLast(quantity => quantity.to <= pair.from)
  if (before === undefined || (before.unit !== 'times' && !isCalledChange(text, before))) return []
  return BEFORE_BRACKET.test(text.slice(before.to, pair.from)) ? [before] : []
}

/** "95 % confidence", "50 % of the prompts", "3 of 5" are no changes. */
function isOfSomething(text: string, { to }: Quantity): boolean {
  return /^\s?(?:of |out of|confidence|CI(?![a-z])|置信|的(?:样本|题|参数|数据|步|时间)|seeds?|runs?|throughput|speed(?!-?up)|memory|more data|吞吐|显存|\/)/i.test(
    text.slice(to, to + 16),
  )
}

const CHANGE_WORD_BEHIND =
  /^\s?(?:relative |absolute )?(?:improvement|increase|decrease|drop|gain|reduction|higher|lower|better|worse|faster|slower|more|less|fewer)(?![a-z])/i

/** The words around it say that something differs, rose or fell by this much. */
export function isCalledChange(text: string, { from, to }: Quantity): boolean {
  if (CHANGE_WORD_BEFORE.test(text.slice(Math.max(0, from - MOST_DISTANCE), from))) return true
  return CHANGE_WORD_BEHIND.test(text.slice(to, to + MOST_DISTANCE))
}

const FALL =
  /(?:下降|降低|减少|跌|(?<![a-z])(?:dropp?(?:ed|s)?|fell|falls?|decreas\w*|down|declin\w*))[了约为:\s(~≈]*(?:by\s)?$/i
const RISE = /(?:上升|增加|增长|涨|(?<![a-z-])(?:rose|rises?|increas\w*|up|grew|grows?))[了约为:\s(~≈]*(?:by\s)?$/i

/** Up or down, by the words before a figure; "improved" may be either. */
export function calledDirection(text: string, { from }: Quantity): 1 | -1 | null {
  const before = text.slice(Math.max(0, from - MOST_DISTANCE), from)
  if (FALL.test(before)) return -1
  return RISE.test(before) ? 1 : null
}
