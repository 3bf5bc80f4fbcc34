import type { Statement } from '../../document/document.js'
import type { Quantity } from '../../document/quantity.js'
import { source } from '../lexicon.js'
import type { Clause } from '../mentions.js'
import { masked } from '../read.js'
import { type Amount, farAmounts, isAmount, nearAmounts, speltAmounts } from './amounts.js'

/**
 * Two levels of a sentence and how they are joined: "a → b", "from a to b", "a vs b", "a, slightly above b". Where nothing
 * joins them, as in "the old build took 7.5 h, the new one 6.0 h: 20 % less", only the one pair of figures that are printed
 * alike is taken.
 */
export interface Levels {
  readonly a: Quantity
  readonly b: Quantity
  readonly joint: 'change' | 'versus' | 'order' | 'none'
  readonly between: string
  readonly amounts: readonly Amount[]
}

let last: { readonly statement: Statement; readonly levels: readonly Levels[] } | null = null

/** Several relations ask about one statement in turn, so the last answer is kept. */
export function levelsIn(statement: Statement): readonly Levels[] {
  if (last?.statement !== statement) last = { statement, levels: readLevels(statement) }
  return last.levels
}

/** Those of one joint that stand in a clause. */
export function levelsWithin({ statement, from, to }: Clause, joint: Levels['joint']): readonly Levels[] {
  return levelsIn(statement).filter(one => one.joint === joint && one.a.from >= from && one.b.to <= to)
}

function readLevels(statement: Statement): readonly Levels[] {
  const { text, quantities } = statement
  if (quantities.length < 2) return []
  const words = masked(statement)
  // "τ=0.7 的 52 %", "the 13B", "3/5": what names an arm, and a part of a fraction, is no level.
  const figures = quantities.filter(one => !isArm(text, one))
  const joined = figures.slice(1).flatMap((b, i): Levels[] => {
    const a = figures[i]
    const joint = a === undefined ? null : jointOf(words, a, b)
    if (a === undefined || joint === null) return []
    const amounts = [...nearAmounts(statement, words, { a, b }), ...speltAmounts(words, { a, b }, joint === 'change')]
    return [{ a, b, joint, between: words.slice(a.to, b.from), amounts }]
  })
  const alike = alikeIn(statement)
  if (alike === null) return joined
  const { a, b, others } = alike
  const between = words.slice(a.to, b.from)
  const own = joined.find(one => one.a === a && one.b === b) ?? {
    joint: 'none',
    between,
    amounts: speltAmounts(words, alike, false),
  }
  const isTold = joined.some(({ amounts }) => amounts.some(({ by }) => by === 'near'))
  const amounts = [...own.amounts, ...(isTold ? [] : farAmounts(text, alike, others))]
  return [...joined.filter(one => one !== own), { ...own, a, b, amounts }]
}

const ARM = /(?:[αβγδελμτ]|(?<![A-Za-z])(?:beta|alpha|gamma|lambda|tau|lr|seed|[knrKNT]))\s?=\s?$/
const isArm = (text: string, { from, to }: Quantity): boolean =>
  ARM.test(text.slice(Math.max(0, from - 12), from)) ||
  /\dB(?![A-Za-z])|^\d+\/\d/.test(text.slice(from, to + 2)) ||
  /\d\/$/.test(text.slice(Math.max(0, from - 2), from))
const LONGEST_GAP = 70
const VERB = `${source('up', 'down', 'better', 'worse')}|变[为成]|到|至|(?<![A-Za-z])to(?![A-Za-z])`
const between = (joint: string): RegExp => new RegExp(`^[^,;。]{0,16}?(?:${joint})[^,;。→>+-]{0,24}$`, 'i')
const ARROW = between('→|->|=>|-->|⟶|➜|➡|变[为成]')
const MOVED = between(VERB)
const VERSUS =
  /^[^,;。]{0,24}?(?:,[^,;。]{0,8}?(?:up|down) from|,\s?[比较]|(?<![A-Za-z])(?:vs\.?|versus|compared (?:to|with)|against|instead of|rather than|from)(?![A-Za-z])|对比|相比|[^可]比|较)[^,;。]{0,24}$/i
/** What the second figure is below or above, said right before it. */
const ORDER =
  /^(?!-)[^;。:]{0,14}?(?:(?<![A-Za-z])(?:(?:high|low|larg|small|great|long|short)er than|(?:more|less|fewer)(?: [\w-]+){0,2} than|above|below|short of|exceed(?:s|ed)?)(?![A-Za-z])|[高低大小多少长短]于|超[过出]|不及)[^,;。:]{0,40}$/i
const UP_TO_LEVEL =
  /(?:于|超[过出]|不及|的|(?<![A-Za-z])(?:the|of|than|above|below|exceeds?|at)|['’]s)\s?\(?\s*$|\([^()]{0,8}$/i
const FROM = /(?:从|由|自|(?<![A-Za-z])from(?![A-Za-z]))[^\d,;。]{0,24}$/i
/** What says of bare whole numbers that they were measured: "from", a label, "grew (" or "grew by 52 % (". */
const LABELLED = new RegExp(
  String.raw`(?:from|从|由|:)\s*[^\d]{0,8}$|${source('change', 'up', 'down')}(?:(?: by)?\s*\d[\d.]*\s?%)?\s?\(\s*$|${source('up', 'down', 'better', 'worse')}[^\d,;。]{0,4},\s*$`,
  'i',
)

const CHANGES = new RegExp(`${source('up', 'down')}\\s*$`, 'i')

/** A figure of its own: no range, no spread, no multiple. */
const isFigure = ({ ends, plusMinus, unit }: Quantity): boolean => ends === null && !plusMinus && unit !== 'times'
const isCount = ({ decimals, unit }: Quantity): boolean => decimals === 0 && unit === null

/** "From k=1 to k=8", "level 2 and level 9": whole numbers behind one name are two settings. */
function areSet(text: string, a: Quantity, b: Quantity): boolean {
  const [first, second] = [a, b].map(
    ({ from }) => /([\p{L}_]+)[\s=]$/u.exec(text.slice(Math.max(0, from - 24), from))?.[1],
  )
  return first !== undefined && first === second && [a, b].every(isCount)
}

function jointOf(words: string, a: Quantity, b: Quantity): Levels['joint'] | null {
  const [before, gap] = [words.slice(Math.max(0, a.from - 30), a.from), words.slice(a.to, b.from)]
  const isOneUnit = a.unit === b.unit || a.unit === null || b.unit === null
  // "0.15 vs others: +1.8": a figure with a plus is a change of something, unless both are.
  const isAside = a.signed && /^\s?\)/.test(gap)
  const isOneKind = !isAside && (a.signed === b.signed || a.value < 0 || b.value < 0)
  // "45 → 80 steps" is how long something is; "20 steps to 26 steps" is when.
  const areFigures = isFigure(a) && (isFigure(b) || (b.unit === 'step' && b.ends === null))
  if (!areFigures || !isOneUnit || !isOneKind || gap.length > LONGEST_GAP || areSet(words, a, b)) return null
  // 从上升 3% → 下降 1%: changes, whose signs are words.
  if (CHANGES.test(before) && CHANGES.test(gap)) return null
  const bare = gap.replace(/\([^)]*\)/g, '')
  // "A 54 % → mean score 1.6": another thing, in another unit.
  if ((a.unit === '%') !== (b.unit === '%') && /→|->|=>/.test(bare) && /[a-z]{2}|[\u4e00-\u9fff]{2}/i.test(bare))
    return null
  // "width=48 → score 0.67" leads from what is set to what is measured; "10 → 15" may be two steps.
  const isMeasured = /=\s?$/.test(before) && !/=\s?$/.test(gap) && /\p{L}{2}/u.test(bare)
  const isOther = isMeasured || ([a, b].every(isCount) && !LABELLED.test(before))
  const isFrom = FROM.test(before) || (a.value > b.value && /^\s?(?:to|到|至)\s?$/i.test(bare))
  if ((ARROW.test(bare) && !isOther) || (isFrom && MOVED.test(bare))) return 'change'
  // "Grew by 48 instead of 94": two amounts.
  const isOnward = /from\s$/i.test(bare) && /^ on(?:wards?)?\s?(?:[.,;]|$)/i.test(words.slice(b.to))
  if (VERSUS.test(bare) && !isOnward && !/(?<![a-z])by\s$/i.test(before)) return 'versus'
  const areAlike = a.unit === b.unit && a.decimals === b.decimals && a.value / b.value > 0.4 && a.value / b.value < 2.5
  // 低于基线 2.0% tells by how much, not below what.
  return areAlike && ![a, b].every(isCount) && ORDER.test(gap) && UP_TO_LEVEL.test(gap) ? 'order' : null
}

const LONGEST = 240
const MOST_FIGURES = 7
const MOST_APART = 10
/** 300 万步, "2M steps". */
const PACED = /^\s?[万kKM]?\s?(?:步|轮|steps?|epochs?|iterations?)/

/** The only two levels of a sentence that are printed alike, and the figures that say by how much. */
function alikeIn({ text, quantities, kind }: Statement) {
  if (kind === 'cell' || text.length > LONGEST || quantities.length > MOST_FIGURES) return null
  const plain = quantities.filter(
    one => isFigure(one) && !one.signed && one.bound === null && one.unit !== 'step' && one.unit !== 'epoch',
  )
  if (plain.length < 2) return null
  const others = quantities.filter(one => one.ends === null && !one.plusMinus && isAmount(text, one))
  const levels = plain.filter(
    one =>
      !others.includes(one) && !isSide(text, one) && !isArm(text, one) && !PACED.test(text.slice(one.to, one.to + 12)),
  )
  const keyOf = (one: Quantity): string => `${one.unit ?? suffix(text, one)} ${one.decimals}`
  const pairs = [...new Set(levels.map(keyOf))].map(key => levels.filter(one => keyOf(one) === key))
  // Bare whole numbers only where there is nothing else.
  const telling = pairs.filter(
    ([one, ...more]) => more.length > 0 && (levels.length === 2 || (one !== undefined && keyOf(one) !== ' 0')),
  )
  // "310 tokens before, 412 after": the unit stands once.
  const [first, second, more] = levels
  const isOneUnit = first?.unit !== '%' && second?.unit === null && first?.decimals === second.decimals
  const isOnce = isOneUnit && first !== undefined && first.unit !== null && more === undefined
  const [[a, b, third] = [], another] = isOnce ? [[first, second]] : telling
  if (a === undefined || b === undefined || third !== undefined || another !== undefined) return null
  // "In heat 4 it sold 310": a name and a number.
  const isFar = [a, b].every(isCount) && Math.max(a.value / b.value, b.value / a.value) > MOST_APART
  // "640 → 832: …" says where.
  const isWhere = [a, b].every(one => one.decimals <= 0 && one.unit === null) && /^\s?:/.test(text.slice(b.to))
  return a.value === b.value || a.value * b.value <= 0 || isFar || isWhere || areSet(text, a, b)
    ? null
    : { a, b, others }
}

/** "57:43" is one score of two sides. */
const isSide = (text: string, { from, to }: Quantity): boolean =>
  /\d:$/.test(text.slice(Math.max(0, from - 2), from)) || /^:\d/.test(text.slice(to, to + 2))

/** "1.2M", "$152", "72 GPUs": what stands at a figure without being a unit that is known. */
function suffix(text: string, { from, to }: Quantity): string {
  return /^[$¥€£]/.exec(text.slice(from - 1, from))?.[0] ?? /^[kKMBG](?![A-Za-z])/.exec(text.slice(to))?.[0] ?? ''
}
