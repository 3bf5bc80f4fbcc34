import type { Statement } from '../../document/document.js'
import type { Quantity } from '../../document/quantity.js'
import { has, source } from '../lexicon.js'

/** Figures that say how far two levels of a sentence are apart: "+12 %", "20 % less", "a gain of 3.5 points", "5.9x". */

export const CHANGED = ['change', 'up', 'down', 'better', 'worse'] as const
const AHEAD = new RegExp(
  String.raw`(?:${source('up', 'down', 'change')}|[↓↑Δ∆]|(?<![A-Za-z])(?:up|down|by|an? (?:cut|rise|fall)|saving|saved|costs?|lost|loses?)|损失|[多少高低快慢涨跌降升省减增长短]出?)(?: of| is| was|[为是])?\s*[:=]?\s*(?:仅|约|只|了|just|only|about)?\s*$`,
  'i',
)
const BEHIND =
  /^\s?(?:points? |个点|个百分点|%|[a-z]{3,12} )?\s?(?:less|more|fewer|better|worse|saved|faster|slower|shorter|longer|smaller|larger|cheaper|higher|lower|lost|gain|drop|relative|reduction|improvement|increase|decrease|speed-?up|slow-?down)(?![A-Za-z])/i
/** "Rose to 33.4 %" is a level, and so is "is 33.4 %". */
const LEVEL = /(?:[至到达]|(?<![A-Za-z])(?:to|at|from))\s*$/i
const IS = /(?:[为是]|(?<![A-Za-z])(?:is|was))\s*$/i

/** A multiple or points, or a figure with a sign or a word for a change beside it. */
export function isAmount(text: string, { from, to, unit, signed }: Quantity): boolean {
  const [before, behind] = [text.slice(Math.max(0, from - 18), from), text.slice(to, to + 18)]
  const own = text.slice(from, to)
  // "31 + 12" is a sum.
  if (signed && /[\d)]\s?$/.test(before)) return false
  // "It failed 11 times" says how often, and 得 61.5 分 is a level.
  if (/times$/i.test(own)) return /^\s?(?:as|the|that|what|its|more|(?!the)[a-z]+er)(?![A-Za-z])/i.test(behind)
  const isScore = !signed && /\d\s?分$/.test(own)
  if (unit === 'times' || (unit === 'points' && !isScore) || BEHIND.test(behind)) return true
  // "Bonus=-0.75" is a level.
  const isNamed = unit !== '%' && /[A-Za-z_]\s?=\s?$/.test(before) && !has(before, ...CHANGED)
  if (LEVEL.test(before) || isNamed) return false
  if (signed || AHEAD.test(before)) return true
  return unit === '%' && !IS.test(before) && has(before.replace(/^.*[,;:。]/, ''), ...CHANGED)
}

/** What may stand between two levels and the amount behind them: a unit, brackets, and words for a change. */
const TO_AMOUNT = new RegExp(
  String.raw`^(?:\s?(?:\/|per)?\s?[a-z\u4e00-\u9fff]{1,12}(?=\s?[(=,)]))?(?:[\s),(:;=≈~、*–—-]|\([^()\d]{0,30}\)|[Δ∆]|约|了|为|是|即|相对|损失|about|up|down|an?|the|by|of|i\.e\.|which|is|or|cut|rise|fall|roughly|nearly|relative|absolute|overall|total|${source(...CHANGED)})*$`,
  'i',
)
/** And between an amount and the levels behind it. */
const FROM_AMOUNT =
  /^(?!\s?(?:of|的)(?![A-Za-z]))[a-z\u4e00-\u9fff\s@./_-]{0,46}?(?:[(:]|(?:,\s?)?(?:(?<![A-Za-z])from(?![A-Za-z])|从))[^\d]{0,34}$/i
const SECOND = /^\s?[,/(;]\s?(?:(?:约|about|or|i\.e\.|and|a|relative|即|也就是|相对\p{Script=Han}{0,3}|相当于)\s?)*$/u

const SPELT: readonly (readonly [RegExp, number])[] = [
  [/(?<![A-Za-z])(?:doubl|halv)(?:es|ed|ing)(?![A-Za-z])|翻了?一?倍|翻番|减半/i, 2],
  [/(?<![A-Za-z])tripl(?:es|ed|ing)(?![A-Za-z])|翻了?[三3]倍/i, 3],
]

export const isSpelt = (word: string): boolean => SPELT.some(([pattern]) => pattern.test(word))

/** "Doubled: 38 → 71", 减半 in the clause of a change: nobody doubles to the digit. */
export function speltAmounts(words: string, a: Quantity, b: Quantity): readonly Quantity[] {
  const start = a.from - (/[^,;。]{0,34}$/.exec(words.slice(0, a.from))?.[0].length ?? 0)
  const clause = words.slice(start, b.to) + (/^[^\d;。]{0,20}/.exec(words.slice(b.to))?.[0] ?? '')
  return SPELT.flatMap(([pattern, times]) => {
    const { index, 0: word = '' } = pattern.exec(clause) ?? {}
    if (index === undefined) return []
    const [from, to, range] = [start + index, start + index + word.length, { low: 0.8 * times, high: 1.25 * times }]
    return [{ ...b, from, to, value: times, range, decimals: 1, unit: 'times', signed: false } as const]
  })
}

/** The figure right behind two levels or right before them, and a percentage that says it a second time. */
export function nearAmounts(statement: Statement, words: string, a: Quantity, b: Quantity): readonly Quantity[] {
  const { text, quantities } = statement
  const isOwn = (one: Quantity | undefined, gap: RegExp, from: number, to: number): boolean =>
    one !== undefined && one.ends === null && !one.plusMinus && gap.test(words.slice(from, to)) && isAmount(text, one)
  const next = quantities.find(({ from, unit }) => from >= b.to && unit !== 'step' && unit !== 'epoch')
  const previous = quantities.findLast(({ to }) => to <= a.from)
  // "640 → 832: +19 %" says where, and "from 5 to 60 it gains 20 % (3.5 → 4.2)" has other levels.
  const isWhere = [a, b].every(one => one.decimals <= 0 && one.unit === null) && /^\s?[:)]/.test(words.slice(b.to))
  const isOther = isWhere || /^\s?\(\s?[\d.]+\s?%?\s?(?:→|->|to|vs)/.test(words.slice(next?.to))
  const isNext = isOwn(next, TO_AMOUNT, b.to, next?.from ?? 0) && !isOther
  const first = isNext ? next : isOwn(previous, FROM_AMOUNT, previous?.to ?? 0, a.from) ? previous : undefined
  if (first === undefined) return []
  // A difference cannot be much finer than its terms.
  const finest = Math.max(a.decimals, b.decimals)
  if (first.unit !== '%' && first.unit !== 'times' && first.decimals > (finest > 0 ? finest + 1 : 0)) return []
  const second = quantities.find(({ from }) => from >= first.to)
  return second?.unit === '%' && isOwn(second, SECOND, first.to, second.from) ? [first, second] : [first]
}
