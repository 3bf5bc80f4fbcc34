import type { Statement } from '../../document/document.js'
import type { Quantity } from '../../document/quantity.js'
import { has, source } from '../lexicon.js'
import { masked } from '../read.js'

/**
 * Two levels of a sentence and the amounts that say how far they are apart: "a → b (+12 %)", "from a to b, doubled",
 * "a vs b = 5.9x", "a, slightly above b". What joins them says how they are meant. Where nothing does, as in "the old
 * build took 7.5 h, the new one 6.0 h: 20 % less", only the one pair of figures that are printed alike is taken.
 */
export interface Levels {
  readonly a: Quantity
  readonly b: Quantity
  readonly joint: 'change' | 'versus' | 'order' | 'none'
  readonly between: string
  readonly amounts: readonly Amount[]
}

export interface Amount {
  readonly quantity: Quantity
  /** Right beside its levels, somewhere in their sentence, or a word such as "doubled". */
  readonly by: 'near' | 'far' | 'word'
}

let last: { readonly statement: Statement; readonly levels: readonly Levels[] } | null = null

/** Several relations ask about one statement in turn, so the last answer is kept. */
export function levelsIn(statement: Statement): readonly Levels[] {
  if (last?.statement !== statement) last = { statement, levels: readLevels(statement) }
  return last.levels
}

function readLevels(statement: Statement): readonly Levels[] {
  const words = masked(statement)
  const joined = statement.quantities.slice(1).flatMap((b, i): Levels[] => {
    const a = statement.quantities[i]
    const joint = a === undefined ? null : jointOf(words, a, b)
    if (a === undefined || joint === null) return []
    const amounts = joint === 'order' ? [] : [...nearAmounts(statement, words, a, b), ...spelt(words, a, b, joint)]
    return [{ a, b, joint, between: words.slice(a.to, b.from), amounts }]
  })
  const alike = alikeIn(statement)
  if (alike === null) return joined
  const { a, b } = alike
  const own = joined.find(one => one.a === a && one.b === b)
  const isTold = joined.some(({ amounts }) => amounts.some(({ by }) => by === 'near'))
  const far = isTold ? [] : farAmounts(statement.text, alike)
  const amounts = [...(own?.amounts ?? spelt(words, a, b, 'none')), ...far]
  const single: Levels = { joint: 'none', between: words.slice(a.to, b.from), ...own, a, b, amounts }
  return [...joined.filter(one => one !== own), single]
}

/* What joins two figures. */

const LONGEST_GAP = 70
const VERB = `${source('up', 'down', 'better', 'worse')}|变[为成]|到|至|(?<![A-Za-z])to(?![A-Za-z])`
const between = (joint: string): RegExp => new RegExp(`^[^,;。]{0,16}?(?:${joint})[^,;。→>+-]{0,24}$`, 'iu')
const ARROW = between('→|->|=>|-->|⟶|➜|➡|变[为成]')
const MOVED = between(VERB)
const VERSUS =
  /^[^,;。]{0,24}?(?:,[^,;。]{0,8}?(?:up|down) from|,\s?[比较]|(?<![A-Za-z])(?:vs\.?|versus|compared (?:to|with)|against|instead of|rather than|from)(?![A-Za-z])|对比|相比|[^可]比|较)[^;。]{0,24}$/iu
/** What the second figure is below or above, said right before it. */
const ORDER =
  /^(?!-)[^;。:]{0,14}?(?:(?<![A-Za-z])(?:(?:high|low|larg|small|great|long|short)er than|(?:more|less|fewer)(?: [\w-]+){0,2} than|above|below|short of|exceed(?:s|ed)?)(?![A-Za-z])|[高低大小多少长短]于|超[过出]|不及)[^,;。:]{0,40}$/iu
const UP_TO_LEVEL =
  /(?:于|超[过出]|不及|的|(?<![A-Za-z])(?:the|of|than|above|below|exceeds?|at)|['’]s)\s?\(?\s*$|\([^()]{0,8}$/i
const FROM = /(?:从|由|自|(?<![A-Za-z])from(?![A-Za-z]))[^\d,;。]{0,24}$/i
const SET = /[\p{L}_]\s?=\s?$/u
/** What says of bare whole numbers that they were measured: "from", a label, or "grew by 52 % (". */
const LABELLED = new RegExp(
  String.raw`(?:from|从|由|:)\s*[^\d]{0,8}$|${source('change', 'up', 'down')}(?: by)?\s*\d[\d.]*\s?%\s?\(\s*$`,
  'i',
)

const isCount = ({ decimals, unit }: Quantity): boolean => decimals === 0 && unit === null

function jointOf(words: string, a: Quantity, b: Quantity): Levels['joint'] | null {
  if (a.ends !== null || b.ends !== null || b.from - a.to > LONGEST_GAP) return null
  const before = words.slice(Math.max(0, a.from - 30), a.from)
  const gap = words.slice(a.to, b.from)
  const isFrom = FROM.test(before)
  const isOneUnit = (a.unit === '%') === (b.unit === '%') || a.unit === null || b.unit === null
  if (!isOneUnit || a.unit === 'times' || b.unit === 'times' || (b.unit === 'points' && !isFrom)) return null
  // "0.15 vs others: +1.8": a figure with a plus is a change of something, unless both are.
  if (a.signed !== b.signed && a.value > 0 && b.value > 0) return null
  const areCounts = [a, b].every(isCount)
  const [isSet, areSet] = [SET.test(before), SET.test(before) && SET.test(gap)]
  // "From k=1 to k=8" are two settings.
  if (areCounts && areSet) return null
  const bare = gap.replace(/\([^)]*\)/g, '')
  // "gens=16 → final 0.41" leads from what is set to what is measured; "10 → 15" may be two steps.
  const isOther = (isSet && !areSet && /\p{L}{2}/u.test(bare)) || (areCounts && !LABELLED.test(before.slice(-24)))
  if ((ARROW.test(bare) && !isOther) || (isFrom && MOVED.test(bare))) return 'change'
  if (VERSUS.test(bare)) return 'versus'
  // 低于基线 2.0% tells by how much, not below what.
  const isLike = a.value / b.value > 0.4 && a.value / b.value < 2.5 && UP_TO_LEVEL.test(gap)
  const areLevels = isLike && a.unit === b.unit && a.decimals === b.decimals && !a.signed && !b.signed
  return areLevels && !areCounts && ORDER.test(gap) ? 'order' : null
}

/* What says by how much. */

export const CHANGED = ['change', 'up', 'down', 'better', 'worse'] as const
const AHEAD = new RegExp(
  String.raw`(?:${source('up', 'down')}|(?:[↓↑Δ∆]|${source('change')}|(?<![A-Za-z])(?:by|saving|cost us|costs?|saved|removed|removing|lost|lose[sn]?)|[多少高低快慢涨跌降升省减增]|[多少]\p{Script=Han}{1,2}|损失|落后|删掉)(?: of| is| was)?\s*[:=]?)\s*(?:仅|约|只|了|just|only|about)?\s*$`,
  'iu',
)
const BEHIND =
  /^\s?(?:points? |个点|个百分点|%|[a-z]{3,12} )?\s?(?:less|more|fewer|saved|faster|slower|shorter|longer|smaller|larger|cheaper|higher|lower|lost|gain|drop|relative|reduction|improvement|increase|decrease|speed-?up|slow-?down)(?![A-Za-z])/i
/** "Rose to 33.4 %" and "bonus=-0.75" are levels. */
const LEVEL = /(?:[至到为达]|(?<![A-Za-z])(?:to|at|is|was|from))\s*$/i
const NAMED = /[A-Za-z_]\s?=\s?$/

/** A multiple or points, or a figure with a sign or a word for a change beside it. */
export function isAmount(text: string, { from, to, unit, signed, plusMinus, ends }: Quantity): boolean {
  if (plusMinus || ends !== null || unit === 'step' || unit === 'epoch') return false
  const [before, behind] = [text.slice(Math.max(0, from - 18), from), text.slice(to, to + 18)]
  // "It failed 11 times" says how often.
  if (/times$/i.test(text.slice(from, to)))
    return /^\s?(?:as|the|that|what|its|more|(?!the)\p{L}+er)(?![A-Za-z])/iu.test(behind)
  if (unit === 'times' || unit === 'points') return true
  if (BEHIND.test(behind)) return true
  if (NAMED.test(before) && !has(before, ...CHANGED)) return false
  // "From 40 to 50 is +25 %".
  if (signed && /(?<![A-Za-z])(?:is|was)\s*$/i.test(before)) return true
  if (LEVEL.test(before)) return false
  if (signed || AHEAD.test(before)) return true
  return unit === '%' && has(before.replace(/^.*[,;:。]/, ''), ...CHANGED)
}

/** What may stand between two levels and the amount behind them, and between an amount and the levels behind it. */
const TO_AMOUNT = new RegExp(
  String.raw`^(?:\s?\p{L}{1,12}(?=\s?[(=,)]))?(?:[\s),(:;=≈~、\[*\-–—>]|\([^()\d]{0,30}\)|units?(?![A-Za-z])|[Δ∆]|约|了|为|是|达|净|共|总共|累计|合计|即|也就是|相对|绝对值?|about|approximately|an?|the|by|of|i\.e\.|which|is|or|loss|rise|fall|cut|saving|less|more|roughly|nearly|over|relative|absolute|overall|total|performance|reward|score|accuracy|${source(...CHANGED)})*$`,
  'iu',
)
const FROM_AMOUNT =
  /^(?!\s?(?:of|的)(?![A-Za-z]))\s*[\p{L}\s@./_-]{0,44}?\s*(?:[(:]|(?<![A-Za-z])from(?![A-Za-z])|从)\s*[^\d]{0,32}$/iu
/** "From 0 to 900 it gains 9 % (0.50 → 0.55)": the amount has levels of its own. */
const OWN_LEVELS = /^\s?\(\s?[\d.]+\s?%?\s?(?:→|->|to|vs)/i
const SECOND = /^\s?[,/(]\s?(?:约|about)?\s?$/

/** The figure right behind two levels or right before them, and a percentage that says it a second time. */
function nearAmounts({ text, quantities }: Statement, words: string, a: Quantity, b: Quantity): readonly Amount[] {
  const next = quantities.find(({ from }) => from >= b.to)
  const previous = quantities.findLast(({ to }) => to <= a.from)
  const isBehind =
    next !== undefined &&
    TO_AMOUNT.test(words.slice(b.to, next.from)) &&
    isAmount(text, next) &&
    !OWN_LEVELS.test(words.slice(next.to))
  const isAhead =
    previous !== undefined && FROM_AMOUNT.test(words.slice(previous.to, a.from)) && isAmount(text, previous)
  const first = isBehind ? next : isAhead ? previous : undefined
  // A difference cannot be much finer than its terms.
  const finest = Math.max(a.decimals, b.decimals)
  const isDifference = first !== undefined && first.unit !== '%' && first.unit !== 'times'
  const isFine = isDifference && first.decimals > (finest > 0 ? finest + 1 : 0)
  if (first === undefined || isFine) return []
  const second = quantities.find(({ from }) => from >= first.to)
  const isSecond = second?.unit === '%' && SECOND.test(text.slice(first.to, second.from)) && isAmount(text, second)
  return [first, ...(isSecond ? [second] : [])].map(quantity => ({ quantity, by: 'near' }))
}

const SPELT: readonly (readonly [RegExp, number])[] = [
  [
    /(?<![A-Za-z])(?:doubl(?:es|ed|ing)|twice|halv(?:es|ed|ing)|half(?: of)? (?:the|its|that))(?![A-Za-z])|翻了?一?倍|翻番|减半|的一半/i,
    2,
  ],
  [/(?<![A-Za-z])(?:tripl(?:es|ed|ing)|(?:a|one)[ -]third of)(?![A-Za-z])|翻了?[三3]倍|的三分之一/i, 3],
  [/(?<![A-Za-z])(?:quadrupl(?:es|ed|ing)|(?:a|one)[ -]quarter of)(?![A-Za-z])|翻了?两番|的四分之一/i, 4],
]

/** "Doubled" in the clause of a change; "a third of the" right before the second level, 的三分之一 right behind it. */
function spelt(words: string, a: Quantity, b: Quantity, joint: Levels['joint']): readonly Amount[] {
  const lead =
    joint === 'change' ? (/[^,;。]*$/.exec(words.slice(Math.max(0, a.from - 34), a.from))?.[0].length ?? 0) : 0
  const start = joint === 'change' ? a.from - lead : a.to
  const rest = /^[^\d]{0,20}/.exec(words.slice(b.to))?.[0] ?? ''
  const around = words.slice(start, b.to) + rest
  for (const [pattern, times] of SPELT) {
    const { index = -1, 0: word = '' } = pattern.exec(around) ?? {}
    const [from, to] = [start + index, start + index + word.length]
    const isAt =
      (to <= b.from && /^\s?(?:the )?$/i.test(words.slice(to, b.from))) ||
      (from >= b.to && /^\s?\)?$/.test(words.slice(b.to, from)) && word.startsWith('的'))
    if (index < 0 || (joint !== 'change' && !isAt)) continue
    // Nobody doubles to the digit, and what is doubled one way is halved the other.
    const range = { low: 0.8 * times, high: 1.25 * times }
    return [
      { quantity: { ...b, from, to, value: times, range, decimals: 0, unit: 'times', signed: false }, by: 'word' },
    ]
  }
  return []
}

/* Levels that nothing joins. */

const LONGEST = 240
const MOST_FIGURES = 7
const MOST_APART = 10
/** 300 万步, "2M steps". */
const PACED = /^\s?[万kKM]?\s?(?:步|轮|steps?|epochs?|iterations?)/

interface Alike {
  readonly a: Quantity
  readonly b: Quantity
  readonly others: readonly Quantity[]
}

/** The only two levels of a sentence that are printed alike, and the figures that say by how much. */
export function alikeIn({ text, quantities, kind }: Statement): Alike | null {
  if (kind === 'cell' || kind === 'code' || text.length > LONGEST || quantities.length > MOST_FIGURES) return null
  // 88.4 分 and 90.6 分 are levels where a third figure says how far they are apart.
  const isScored = quantities.filter(({ unit }) => unit === 'points').length > 2
  const others = quantities.filter(one => isAmount(text, one) && (!isScored || AHEAD.test(text.slice(0, one.from))))
  const levels = quantities.filter(
    one => !others.includes(one) && isLevel(one) && !isSide(text, one) && !PACED.test(text.slice(one.to, one.to + 12)),
  )
  const groups = new Map<string, Quantity[]>()
  for (const one of levels) {
    const key = `${one.unit ?? suffix(text, one)} ${one.decimals}`
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  // Bare whole numbers only where there is nothing else.
  const telling = [...groups].filter(([key, list]) => list.length > 1 && key !== ' 0')
  const [only, another] = telling.length > 0 ? telling.map(([, list]) => list) : [groups.get(' 0') ?? []]
  const [a, b, third] = only ?? []
  if (a === undefined || b === undefined || third !== undefined || another !== undefined) return null
  if (a.value === b.value || a.value * b.value <= 0) return null
  // "In group 3 it wins 196": a number and a name.
  if (telling.length === 0 && Math.max(a.value / b.value, b.value / a.value) > MOST_APART) return null
  // "From level 2 to level 9" are two settings; and a third bare count may be what is meant.
  const labelOf = ({ from }: Quantity): string =>
    /(\p{L}+)\s$/u.exec(text.slice(Math.max(0, from - 24), from))?.[1] ?? ''
  const areSet = labelOf(a) !== '' && labelOf(a) === labelOf(b)
  return telling.length === 0 && (areSet || levels.length > 2) ? null : { a, b, others }
}

/** "109:91" is one score of two sides. */
const isSide = (text: string, { from, to }: Quantity): boolean =>
  /\d:$/.test(text.slice(Math.max(0, from - 2), from)) || /^:\d/.test(text.slice(to, to + 2))

function isLevel({ unit, signed, plusMinus, ends, bound, value, decimals }: Quantity): boolean {
  const isYear = unit === null && decimals === 0 && value > 1900 && value < 2100
  return unit !== 'step' && unit !== 'epoch' && !signed && !plusMinus && ends === null && bound === null && !isYear
}

/** "1.2M", "$152", "72 GPUs": what stands at a figure without being a unit that is known. */
function suffix(text: string, { from, to }: Quantity): string {
  return /^[$¥€£]/.exec(text.slice(from - 1, from))?.[0] ?? /^[kKMBG](?![A-Za-z])/.exec(text.slice(to))?.[0] ?? ''
}

const ELSEWHERE =
  /比|较|相[比对](?!涨|提|降|减|增|改|误)|[高低大小多少优好差长短劣逊弱强快慢]于|超[过越]|不[如及]|(?<![A-Za-z])(?:than|over|above|below|beats?|outperforms?|vs\.?|versus|against|compared|relative to|from)(?![A-Za-z])/i
/** What stands farther from both levels is about something else, and so is another sentence. */
const FARTHEST = 60
const STOP = /[。!?]|\.\s/
const TWO = /前者|后者|两者|二者|the (?:latter|former)|both/i

/** Where the sentence itself gives what an amount is measured against: one of the two, not what only has a name. */
function farAmounts(text: string, { a, b, others }: Alike): readonly Amount[] {
  if (others.length > 2) return []
  const isOwn = ({ from, to, unit }: Quantity, i: number): boolean => {
    // A second one of the same kind is that of something else.
    if (others.findIndex(one => one.unit === unit) !== i) return false
    if (unit === 'points' && a.unit !== null && a.unit !== '%') return false
    const before = [a, b].findLast(one => one.to <= from)
    const next = [a, b].find(one => one.from >= to)
    const ahead = text.slice(before?.to ?? 0, from)
    const behind = text.slice(to, next?.from ?? text.length)
    const gap = before === undefined ? behind : ahead
    if (STOP.test(gap) || gap.length > FARTHEST) return false
    if (TWO.test(ahead)) return true
    if (before !== undefined && ELSEWHERE.test(ahead)) return false
    return next !== undefined || !ELSEWHERE.test(behind.slice(0, 24).replace(/(?<![A-Za-z])from(?![A-Za-z])/i, ''))
  }
  return others.filter(isOwn).map(quantity => ({ quantity, by: 'far' }))
}
