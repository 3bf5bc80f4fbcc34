import type { Statement } from '../../document/document.js'
import type { Quantity } from '../../document/quantity.js'
import { has, source } from '../lexicon.js'

/**
 * Figures that say how far two levels of a sentence are apart: "+12 %", "20 % less", "a gain of 3.5 points", "5.9x",
 * "doubled". Right beside the levels they are surely theirs; elsewhere in the sentence only where it gives nothing else
 * that they could be measured against.
 */
export interface Amount {
  readonly quantity: Quantity
  /** Right beside its levels, somewhere in their sentence, or a word. */
  readonly by: 'near' | 'far' | 'word'
}

interface Two {
  readonly a: Quantity
  readonly b: Quantity
}

export const CHANGED = ['change', 'up', 'down', 'better', 'worse'] as const
const AHEAD = new RegExp(
  String.raw`(?:${source('up', 'down')}|(?<![A-Za-z])(?:up|down)|(?:[↓↑Δ∆]|${source('change')}|(?<![A-Za-z])(?:an? )(?:cut|rise|fall|drop|jump|dip)|(?<![A-Za-z])(?:by|saving|cost us|costs?|saved|removed|removing|lost|lose[sn]?)|[多少高低快慢涨跌降升省减增长短]|[多少][\u4e00-\u9fff]{1,2}|[高低]出|损失|落后|删掉)(?: of| is| was)?\s*[:=]?)\s*(?:仅|约|只|了|just|only|about)?\s*$`,
  'i',
)
const BEHIND =
  /^\s?(?:points? |个点|个百分点|%|[a-z]{3,12} )?\s?(?:less|more|fewer|better|worse|saved|faster|slower|shorter|longer|smaller|larger|cheaper|higher|lower|lost|gain|drop|relative|reduction|improvement|increase|decrease|speed-?up|slow-?down)(?![A-Za-z])/i
/** "Rose to 33.4 %" and "bonus=-0.75" are levels, "gain=0.75" is none. */
const LEVEL = /(?:[至到为达]|(?<![A-Za-z])(?:to|at|is|was|from))\s*$/i
const NAMED = /[A-Za-z_]\s?=\s?$/
const IS = /(?<![A-Za-z])(?:is|was)\s*$/i
const GAP_IS = /(?:(?<![A-Za-z])(?:gap|difference|margin) (?:is|was)|差[距值异][是为])\s*$/i

/** A multiple or points, or a figure with a sign or a word for a change beside it. */
export function isAmount(text: string, { from, to, unit, signed }: Quantity): boolean {
  const [before, behind] = [text.slice(Math.max(0, from - 18), from), text.slice(to, to + 18)]
  // "31 + 12" is a sum.
  if (signed && /[\d)]\s?$/.test(before)) return false
  // "It failed 11 times" says how often.
  if (/times$/i.test(text.slice(from, to)))
    return /^\s?(?:as|the|that|what|its|more|(?!the)[a-z]+er)(?![A-Za-z])/i.test(behind)
  // 得 61.5 分 is a level.
  const isScore = unit === 'points' && !signed && /\d\s?分$/.test(text.slice(from, to))
  if (unit === 'times' || (unit === 'points' && !isScore) || BEHIND.test(behind)) return true
  // "From 40 to 50 is +25 %", "the gap is 3.5".
  if ((signed ? IS : GAP_IS).test(before)) return true
  const isNamed = NAMED.test(before) && !(signed && unit === '%') && !has(before, ...CHANGED)
  if (LEVEL.test(before) || isNamed) return false
  return signed || AHEAD.test(before) || (unit === '%' && has(before.replace(/^.*[,;:。]/, ''), ...CHANGED))
}

/** What may stand between two levels and the amount behind them, and between an amount and the levels behind it. */
const TO_AMOUNT = new RegExp(
  String.raw`^(?:\s?(?:\/|per)\s?[a-z\u4e00-\u9fff]{1,12})?(?:\s?[a-z\u4e00-\u9fff]{1,12}(?=\s?[(=,)])|\s(?:with|for|by|at|after|in|on|under|during|over)\s[a-z\u4e00-\u9fff\d\s_+-]{1,24}(?=\s?[(=]|,\s(?:i\.e\.|that is|which is)))?(?:[\s),(:;=≈~、\[*\-–—>]|\([^()\d]{0,30}\)|units?(?![A-Za-z])|[Δ∆]|约|了|为|是|达|净|原来的?|此前的?|之前的?|共|总共|累计|合计|即|也就是|相对|绝对值?|about|approximately|an?|the|by|of|i\.e\.|which|is|or|loss|rise|fall|cut|saving|less|more|roughly|nearly|over|relative|absolute|overall|total|performance|reward|score|accuracy|${source(...CHANGED)})*$`,
  'i',
)
const FROM_AMOUNT =
  /^(?!\s?(?:of|的)(?![A-Za-z]))[a-z\u4e00-\u9fff\s@./_-]{0,46}?(?:[(:]|(?:,\s?)?(?:(?<![A-Za-z])from(?![A-Za-z])|从))[^\d]{0,34}$/i
/** "From 5 to 60 it gains 20 % (3.5 → 4.2)": the amount has levels of its own. */
const OWN_LEVELS = /^\s?\(\s?[\d.]+\s?%?\s?(?:→|->|to|vs)/i
const SECOND =
  /^\s?[,/(;]\s?(?:(?:约|about|or|i\.e\.|that is|and|a|relative|即|也就是|相对\p{Script=Han}{0,3}|相当于|折合)\s?)*$/u

/** The figure right behind two levels or right before them, and a percentage that says it a second time. */
export function nearAmounts({ text, quantities }: Statement, words: string, { a, b }: Two): readonly Amount[] {
  const isOwn = (one: Quantity | undefined, gap: RegExp, from: number, to: number): boolean =>
    one !== undefined && one.ends === null && gap.test(words.slice(from, to)) && isAmount(text, one)
  const next = quantities.find(({ from, unit }) => from >= b.to && unit !== 'step' && unit !== 'epoch')
  const previous = quantities.findLast(({ to }) => to <= a.from)
  const isBehind = isOwn(next, TO_AMOUNT, b.to, next?.from ?? 0) && !OWN_LEVELS.test(words.slice(next?.to))
  const first = isBehind ? next : isOwn(previous, FROM_AMOUNT, previous?.to ?? 0, a.from) ? previous : undefined
  // "640 → 832: +19 %": the pair says where.
  const isWhere =
    isBehind && [a, b].every(one => one.decimals <= 0 && one.unit === null) && /^\s?[:)]/.test(words.slice(b.to))
  // ", i.e. +2 points on the other set".
  const isOther =
    isBehind && /,/.test(words.slice(b.to, first?.from)) && /^\s?on (?:the|a|its) /.test(words.slice(first?.to))
  if (first === undefined || first.plusMinus || isWhere || isOther) return []
  // A difference cannot be much finer than its terms.
  const finest = Math.max(a.decimals, b.decimals)
  const isDifference = first.unit !== '%' && first.unit !== 'times'
  if (isDifference && first.decimals > (finest > 0 ? finest + 1 : 0)) return []
  const second = quantities.find(({ from }) => from >= first.to)
  const isSecond = second?.unit === '%' && isOwn(second, SECOND, first.to, second.from)
  return [first, ...(isSecond ? [second] : [])].map(quantity => ({ quantity, by: 'near' }))
}

const ELSEWHERE =
  /比|较|相[比对](?!涨|提|降|减|增|改|误)|[高低大小多少优好差长短劣逊弱强快慢]于|超[过越]|不[如及]|(?<![A-Za-z])(?:than|over|above|below|beats?|outperforms?|vs\.?|versus|against|compared|relative to|from)(?![A-Za-z])/i
/** What stands farther from both levels is about something else, and so is another sentence. */
const FARTHEST = 60
const STOP = /[。!?]|\.\s/
const TWO = /前者|后者|两者|二者|the (?:latter|former)|both/i

/** Where the sentence itself gives what an amount is measured against: one of the two, not what only has a name. */
export function farAmounts(text: string, { a, b }: Two, others: readonly Quantity[]): readonly Amount[] {
  const isOwn = ({ from, to, unit, decimals }: Quantity, i: number): boolean => {
    // A second one of the same kind is that of something else.
    if (others.findIndex(one => one.unit === unit) !== i) return false
    if (unit === 'points' && a.unit !== null && a.unit !== '%' && a.unit !== unit) return false
    // "8 % is free, 40 % takes 6.5 points": finer than its terms.
    if (unit !== '%' && unit !== 'times' && decimals > Math.max(a.decimals, b.decimals)) return false
    const before = [a, b].findLast(one => one.to <= from)
    const next = [a, b].find(one => one.from >= to)
    const behind = text.slice(to, next?.from ?? text.length)
    const gap = before === undefined ? behind : text.slice(before.to, from)
    if (STOP.test(gap) || gap.length > FARTHEST) return false
    // "Twice as many, yet in fewer groups (a vs b)": the clause of the levels tells something else of them.
    if (before === undefined && has(gap.replace(/^[^,;]*/, ''), ...CHANGED, 'larger', 'smaller')) return false
    // "+3 % on the other one".
    if (/(?<![A-Za-z])on(?![A-Za-z])/.test(gap) && /^\s?on /.test(behind)) return false
    if (before === undefined || TWO.test(gap)) return true
    return !ELSEWHERE.test(gap) && (next !== undefined || !ELSEWHERE.test(behind.slice(0, 24).replace('from', '')))
  }
  return others.filter(isOwn).map(quantity => ({ quantity, by: 'far' }))
}

const SPELT: readonly (readonly [RegExp, number])[] = [
  [
    /(?<![A-Za-z])(?:doubl|halv)(?:es|ed|ing)|half(?: of)? (?:the|its|that)(?![A-Za-z])|翻了?一?倍|翻番|减半|的一半/i,
    2,
  ],
  [/(?<![A-Za-z])(?:(?<!\d )triples|tripl(?:ed|ing)|(?:a|one)[ -]third of)(?![A-Za-z])|翻了?[三3]倍|的三分之一/i, 3],
  [/(?<![A-Za-z])(?:quadrupl(?:es|ed|ing)|(?:a|one)[ -]quarter of)(?![A-Za-z])|翻了?两番|的四分之一/i, 4],
]

/** "Doubled" in the clause of a change; "a third of the" right before the second level, 的三分之一 right behind it. */
export function speltAmounts(words: string, { a, b }: Two, isChange: boolean): readonly Amount[] {
  const lead = isChange ? (/[^,;。]*$/.exec(words.slice(Math.max(0, a.from - 34), a.from))?.[0] ?? '') : ''
  const start = a.from - lead.length
  const clause = words.slice(start, b.to) + (/^[^\d]{0,20}/.exec(words.slice(b.to))?.[0] ?? '')
  return SPELT.flatMap(([pattern, times]): Amount[] => {
    const { index, 0: word = '' } = pattern.exec(clause) ?? {}
    if (index === undefined) return []
    const [from, to] = [start + index, start + index + word.length]
    if (!isChange && Math.min(Math.abs(b.from - to), Math.abs(from - b.to)) > 5) return []
    // Nobody doubles to the digit, and what is doubled one way is halved the other.
    const range = { low: 0.8 * times, high: 1.25 * times }
    return [
      { quantity: { ...b, from, to, value: times, range, decimals: 0, unit: 'times', signed: false }, by: 'word' },
    ]
  })
}
