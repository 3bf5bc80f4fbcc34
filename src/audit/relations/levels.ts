import type { Statement } from '../../logs/document/document.js'
import type { Quantity } from '../../logs/document/quantity.js'
import { memoByObject } from '../../logs/model/util/memo.js'
import { masked } from '../extract.js'
import { has, source } from '../lexicon.js'

/** Two neighbouring levels of a sentence and what joins them: "a → b", "from a to b", "a vs b", "a, slightly above b". */
export interface Levels {
  readonly a: Quantity
  readonly b: Quantity
  readonly joint: 'change' | 'versus' | 'order' | 'beside'
  /** Figures right beside the two that say how far they are apart. */
  readonly amounts: readonly Quantity[]
}

export const levelsIn = memoByObject((statement: Statement): readonly Levels[] => {
  const { text, quantities } = statement
  if (quantities.length < 2) return []
  const words = masked(statement)
  const figures = quantities.filter(
    ({ from, to }) => !ARM.test(text.slice(Math.max(0, from - 12), from)) && text[to] !== '/',
  )
  const joined = figures.slice(1).flatMap((b, i): Levels[] => {
    const a = figures[i]
    const joint = a === undefined ? null : jointOf(words, a, b)
    // 8 条，比乙少 11 条: the second says by how much.
    if (a === undefined || joint === null || /[比较].*[多少高低快慢]\s?$/.test(text.slice(a.to, b.from))) return []
    const spelt = joint === 'change' ? speltAmounts(words, a, b) : []
    return [{ a, b, joint, amounts: [...nearAmounts(statement, words, a, b), ...spelt] }]
  })
  return joined.length > 0 ? joined : besideIn(statement, figures)
})

const LONGEST = 200
/** What the amount behind two levels may be measured against instead. */
const ELSEWHERE =
  /[。!?]|\.\s|[比较]|[高低大小多少优好差长短]于|超[过越]|不[如及]|(?<![A-Za-z])(?:than|above|below|vs|versus|against|compared|on)(?![A-Za-z])/i

/** "The old build took 7.5 h, the new one 6.0 h: 20 % less": the only two that are printed alike, and the one amount. */
function besideIn({ text, kind }: Statement, figures: readonly Quantity[]): readonly Levels[] {
  if (kind === 'cell' || text.length > LONGEST) return []
  const [amount, another] = figures.filter(one => isAmount(text, one))
  const [a, b, more] = figures.filter(one => !isAmount(text, one))
  if (amount === undefined || another !== undefined || more !== undefined) return []
  if (a === undefined || b === undefined) return []
  const areAlike = a.unit === b.unit && a.decimals === b.decimals && Math.abs(Math.log(a.value / b.value)) < 2
  const isPlain = [a, b, amount].every(one => one.ends === null && one.bound === null && !one.plusMinus)
  const isOwn =
    amount.from >= b.to && !ELSEWHERE.test(text.slice(b.to, amount.from)) && !/^\s?on /.test(text.slice(amount.to))
  // A bare number behind them may be anything.
  const isOpen = a.signed || b.signed || a.unit === 'step' || !['%', 'times', 'points'].includes(amount.unit ?? '')
  return areAlike && isPlain && isOwn && !isOpen ? [{ a, b, joint: 'beside', amounts: [amount] }] : []
}

/** "τ=0.7 的 52 %", "3/5": what names an arm, and a part of a fraction, is no level. */
const ARM = /(?:[αβγδελμτ]|(?<![A-Za-z])(?:beta|alpha|gamma|lambda|tau|lr|seed|[knrKNT]))\s?=\s?$|\d\/$/

const LONGEST_GAP = 70
const between = (joint: string): RegExp => new RegExp(`^[^,;。]{0,16}?(?:${joint})[^,;。→>+-]{0,24}$`, 'i')
const ARROW = between('→|->|=>|⟶|➜|➡|变[为成]')
const MOVED = between(`${source('up', 'down', 'better', 'worse')}|变[为成]|到|至|(?<![A-Za-z])to(?![A-Za-z])`)
const FROM = /(?:从|由|自|(?<![A-Za-z])from(?![A-Za-z]))[^\d,;。]{0,24}$/i
const VERSUS =
  /^[^,;。]{0,24}?(?:,\s?[比较]|(?<![A-Za-z])(?:vs\.?|versus|compared (?:to|with)|against|instead of|rather than|from)(?![A-Za-z])|对比|相比|[^可]比|较)[^,;。]{0,24}$/i
/** The second figure is what the first is above: 低于基线 2.0 % tells by how much, 低于基线的 2.0 % below what. */
const ORDER =
  /^(?!-)[^;。:]{0,30}?(?:(?<![A-Za-z])(?:than|above|below|short of|exceed(?:s|ed)?)(?![A-Za-z])|[高低大小多少长短]于|超[过出]|不及)(?:[^,;。:]{0,40}(?:的|(?<![A-Za-z])(?:the|of|at)|['’]s|\([^()]{0,8}))?\s*\(?\s*$/i
/** What says of bare whole numbers that they were measured, not set: "from", a label, "grew (", "grew by 52 % (". */
const LABELLED = new RegExp(
  String.raw`(?:from|从|由|:)\s*[^\d]{0,8}$|${source('change', 'up', 'down')}(?:(?: by)?\s*\d[\d.]*\s?(?:%|-fold|x))?\s?\(\s*$`,
  'i',
)
const CHANGED_BY = new RegExp(`^\\s?,\\s?${source('up', 'down')}`, 'i')
const CHANGES = new RegExp(`${source('up', 'down')}\\s*$`, 'i')

function jointOf(words: string, a: Quantity, b: Quantity): Levels['joint'] | null {
  const [before, gap] = [words.slice(Math.max(0, a.from - 30), a.from), words.slice(a.to, b.from)]
  if (gap.length > LONGEST_GAP || [a, b].some(one => one.ends !== null || one.plusMinus || one.unit === 'times'))
    return null
  const bare = gap.replace(/\([^)]*\)/g, '')
  // "2.61 → that of the last 200 steps" goes on, and "0 → 400 steps" says when.
  const isOfSteps = b.unit === 'step' || b.unit === 'epoch'
  const isOneUnit = a.unit === b.unit || (a.unit === null && !isOfSteps) || b.unit === null
  // "+1.8 → 0.15": a figure with a plus is a change of something, unless both are; and "rose 3 % → fell 1 %" are two.
  const isOneKind = a.signed === b.signed || a.value < 0 || b.value < 0
  // "54 % → mean score 1.6", "width=48 → score 0.67": the one leads to the other, which is something else.
  const isOther = (a.unit === '%') !== (b.unit === '%') || (/=\s?$/.test(before) && !/=\s?$/.test(gap))
  const isLed = isOther && /[a-z]{2}|[\u4e00-\u9fff]{2}/i.test(bare)
  if (!isOneUnit || !isOneKind || isLed || (CHANGES.test(before) && CHANGES.test(gap))) return null
  const areCounts = [a, b].every(({ decimals, unit }) => decimals === 0 && unit === null)
  // "From depth 2 to depth 9": whole numbers behind one name are two settings.
  const [first, second] = [before, gap].map(ahead => /([\p{L}_]+)[\s=]$/u.exec(ahead)?.[1])
  if (areCounts && first !== undefined && first === second) return null
  const isFrom = FROM.test(before) || (a.value > b.value && /^\s?(?:to|到|至)\s?$/i.test(bare))
  const isSaid = !areCounts || LABELLED.test(before) || CHANGED_BY.test(words.slice(b.to))
  if ((ARROW.test(bare) && isSaid) || (isFrom && MOVED.test(bare))) return 'change'
  // "Grew by 48 instead of 94": two amounts.
  if (VERSUS.test(bare) && !/(?<![a-z])by\s$/i.test(before)) return 'versus'
  const areAlike = a.unit === b.unit && a.decimals === b.decimals && Math.abs(Math.log(a.value / b.value)) < 0.9
  return areAlike && !areCounts && ORDER.test(gap) ? 'order' : null
}

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
function speltAmounts(words: string, a: Quantity, b: Quantity): readonly Quantity[] {
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
function nearAmounts(statement: Statement, words: string, a: Quantity, b: Quantity): readonly Quantity[] {
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
