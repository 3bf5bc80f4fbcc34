import type { Statement } from '../../document/document.js'
import type { Quantity } from '../../document/quantity.js'
import { has, source } from '../lexicon.js'
import { masked } from '../read.js'
import { looseChanges } from './loose.js'

/**
 * Two figures of one sentence that are held against each other: "a → b", "from a to b", "a vs b", "a, slightly above b";
 * and the figure that sums them up, where one stands behind or before them.
 */
export interface Pair {
  readonly a: Quantity
  readonly b: Quantity
  /** Of loose ones nothing but their being printed alike tells that they belong together. */
  readonly kind: 'change' | 'versus' | 'order' | 'loose'
  readonly between: string
  readonly result: Quantity | null
}

/** Between two figures of a change there is an arrow or a verb, with what belongs to the first one before it. */
const ASIDE = String.raw`(?:\s|\([^()]{0,40}\)|（[^（）]{0,40}）|\)|）|["”])*`
const NAME_AHEAD = String.raw`[^\d→>+\-,，;；。]{0,24}`
const ARROW = new RegExp(
  String.raw`^${ASIDE}(?:(?:的\s?\p{L}{0,6})?\s*(?:→|->|=>|-->|⟶|➜|➡)|\p{L}{0,3}?(?:变为|变成))\s*${NAME_AHEAD}$`,
  'u',
)
const VERB = `(?:${source('up', 'down', 'better', 'worse')}|变为|变成|到|至|(?<![A-Za-z])to(?![A-Za-z]))`
const MOVED = new RegExp(String.raw`^${ASIDE}[^\d,，;；。]{0,16}?${VERB}${NAME_AHEAD}$`, 'iu')
const VERSUS = new RegExp(
  String.raw`^${ASIDE}[^\d,，;；。]{0,12}?(?:(?<![A-Za-z])(?:vs\.?|versus|compared (?:to|with)|against|instead of|rather than|down from|up from|from)(?![A-Za-z])|对比|相比)[^\d;；。]{0,24}$`,
  'iu',
)
/** Both figures right beside the word, but for adverbs. */
const ORDER = new RegExp(
  String.raw`^(?=[^]*\S[^]*${source('larger', 'smaller')})[\s)）,，\x60]*(?:(?:最终|甚至|仍然?|略微?|显著|明显|也|均|都|稍|远|大幅|大大|已|已经|which|is|are|was|still|slightly|significantly|well|far|much|just|also|clearly|and)\s*)*${source('larger', 'smaller')}[^\d,，;；。]{0,40}$`,
  'i',
)
const FROM = /(?:从|由|自|(?<![A-Za-z])from(?![A-Za-z]))[^\d,，;；。]{0,24}$/i

export const CHANGED = ['change', 'up', 'down', 'better', 'worse'] as const

const LONGEST_GAP = 70
const LONGEST_RESULT_GAP = 44

let last: { readonly statement: Statement; readonly pairs: readonly Pair[] } | null = null

/** Several relations ask about one statement in turn, so the last answer is kept. */
export function pairsIn(statement: Statement): readonly Pair[] {
  if (last?.statement === statement) return last.pairs
  const joined = readPairs(statement, masked(statement))
  const rest = joined.some(({ result }) => result !== null) ? [] : looseChanges(statement)
  const loose = rest.map(({ levels: [a, b], result }): Pair => ({ a, b, kind: 'loose', between: '', result }))
  last = { statement, pairs: [...joined, ...loose] }
  return last.pairs
}

type Two = Omit<Pair, 'result'>

function readPairs(statement: Statement, text: string): readonly Pair[] {
  return statement.quantities.slice(1).flatMap((b, i): Pair[] => {
    const a = statement.quantities[i]
    if (a === undefined || a.ends !== null || b.ends !== null || b.from - a.to > LONGEST_GAP) return []
    const before = text.slice(Math.max(0, a.from - 30), a.from)
    const between = text.slice(a.to, b.from)
    const pair = (kind: 'change' | 'versus'): Pair[] => {
      const two = { a, b, kind, between }
      return [{ ...two, result: resultBehind(statement, text, two) ?? resultBefore(statement, text, two) }]
    }
    const isFrom = FROM.test(before)
    const isOneUnit = (a.unit === '%') === (b.unit === '%') || a.unit === null || b.unit === null
    if (!isOneUnit || a.unit === 'times' || b.unit === 'times' || (b.unit === 'points' && !isFrom)) return []
    // "0.15 vs others: +1.8": a figure with a plus is a change of something, unless both are.
    if ((a.signed !== b.signed && a.value > 0 && b.value > 0) || areListed(statement, a, b)) return []
    const areCounts = [a, b].every(isCount)
    const [isSet, areSet] = [SET.test(before), SET.test(before) && SET.test(between)]
    // "From k=1 to k=8" are two settings.
    if (areCounts && areSet) return []
    const bare = between.replace(/[(（][^)）]*[)）]/g, '')
    if (/(?<![A-Za-z])(?:in|at|of|difference)(?![A-Za-z])/i.test(bare) && !/from|vs/i.test(between)) return []
    // "gens=16 → final 0.41" leads from what is set to what is measured; "10 → 15" may be two steps.
    const isOther = (isSet && !areSet && /\p{L}{2}/u.test(bare)) || (areCounts && !LABELLED.test(before.slice(-24)))
    if ((ARROW.test(between) && !isOther) || (isFrom && MOVED.test(between))) return pair('change')
    if (VERSUS.test(between)) return pair('versus')
    // "52.1 % is below the goal by 3.2 %" tells by how much, not below what.
    const isLike = a.value / b.value > 0.4 && a.value / b.value < 2.5 && !/(?:(?<![a-z])by|[了出])\s*$/i.test(between)
    const areLevels = isLike && a.unit === b.unit && a.decimals === b.decimals && !a.signed && !b.signed
    return areLevels && ORDER.test(between) ? [{ a, b, kind: 'order', between, result: null }] : []
  })
}

const SET = /[\p{L}_]\s?=\s?$/u
/** What says of bare whole numbers that they were measured: "from", a label, or "grew by 52 % (". */
const LABELLED = new RegExp(
  String.raw`(?:from|从|由|[:：])\s*[^\d]{0,8}$|${source('change', 'up', 'down')}(?: by)?\s*\d[\d.]*\s?%\s?[(（]\s*$`,
  'i',
)

const isCount = ({ decimals, unit }: Quantity): boolean => decimals === 0 && unit === null

/** "41.0/40.2 → 43.8/42.5": lists of figures are not read. */
function areListed({ text }: Statement, a: Quantity, b: Quantity): boolean {
  const isNext = ({ from, to }: Quantity): boolean =>
    /\d\s?%?\s?\/\s?$/.test(text.slice(Math.max(0, from - 4), from)) || /^\s?%?\s?\/\s?\d/.test(text.slice(to, to + 4))
  return isNext(a) || isNext(b)
}

/** What may stand between a pair and the figure that sums it up. */
const RESULT = new RegExp(
  String.raw`^(?:\s?\p{L}{1,12}(?=\s?[(（=,，)）]))?(?:[\s)）,，(（:：;；=≈~、\[*\-–—→>]|[(（][^()（）\d]{0,30}[)）]|units?(?![A-Za-z])|[Δ∆]|约|了|为|是|达|净|共|总共|累计|合计|即|也就是|相对|绝对值?|about|approximately|an?|the|by|of|i\.e\.|which|is|or|loss|rise|fall|cut|saving|less|more|roughly|nearly|over|relative|absolute|overall|total|performance|reward|score|accuracy|${source(...CHANGED)})*$`,
  'iu',
)

function resultBehind({ quantities, text }: Statement, words: string, { a, b, kind }: Two): Quantity | null {
  const next = quantities.find(({ from }) => from >= b.to)
  if (next === undefined || next.from - b.to > LONGEST_RESULT_GAP || next.plusMinus) return null
  const [between, behind] = [words.slice(b.to, next.from), text.slice(next.to, next.to + 24)]
  // "(10 → 15), +15 %" and "5 → 10: +17 %": the pair says where, not from what to what.
  const isInside =
    /^\s?[)）]/.test(between) && /[(（][^()（）]{0,16}$/.test(words.slice(Math.max(0, a.from - 18), a.from))
  const isPlace = kind === 'change' && [a, b].every(isCount) && (isInside || /^\s?[:：]/.test(between))
  // "a → b → c" goes on.
  if (isPlace || /→|->/.test(between) || !RESULT.test(between)) return null
  const { unit, signed, decimals } = next
  const isCalled = signed || has(between, ...CHANGED)
  const isCued = isCalled || /[Δ∆=]|(?<![A-Za-z])by\s*$/.test(between)
  // Without a unit it is a difference, which cannot be finer than its terms by much.
  const isCoarse = (decimals ?? 0) <= Math.max(a.decimals ?? 0, b.decimals ?? 0) + 1
  const isResult =
    unit === 'times' ||
    (unit === 'points' &&
      decimals <= Math.max(a.decimals, b.decimals) &&
      (isCued || /[(（]|loss|rise|fall/i.test(between))) ||
    (unit === '%' && (isCued || has(behind, ...CHANGED) || /^\s?(?:less|more|fewer)/i.test(behind))) ||
    (kind === 'versus'
      ? signed
      : isCued && isCoarse && (unit === a.unit || unit === b.unit || (signed && a.unit === '%')))
  return isResult ? next : null
}

/** "(-8.0 points, 12 % lower)": a second way to say the same change. */
export function secondResult({ text, quantities }: Statement, first: Quantity): Quantity | null {
  const next = quantities.find(({ from }) => from >= first.to)
  if (next === undefined || next.unit !== '%' || next.ends !== null) return null
  if (!/^\s?[,，/(（]\s?(?:约|about)?\s?$/.test(text.slice(first.to, next.from))) return null
  return next.signed || has(text.slice(next.to, next.to + 12), ...CHANGED, 'larger', 'smaller') ? next : null
}

/** "+50 % improvement (6.3 vs 4.2)", "up 12 % (50 → 56)": the figure may stand before its pair. */
const BEFORE_PAIR = /^\s*[\p{L}\s@./_-]{0,44}?\s*(?:[(（:：]|(?<![A-Za-z])from(?![A-Za-z])|从)\s*[^\d]{0,32}$/iu
const ENDS_CHANGED = new RegExp(`${source('change', 'up', 'down')}\\s?$`, 'i')

function resultBefore({ quantities, text }: Statement, words: string, { a }: Two): Quantity | null {
  const before = quantities.findLast(({ to }) => to <= a.from)
  if (before === undefined || a.from - before.to > LONGEST_RESULT_GAP || before.ends !== null) return null
  const [ahead, between] = [text.slice(Math.max(0, before.from - 30), before.from), words.slice(before.to, a.from)]
  // "98 % of the steps from 126 to 400" is a share of what lies between.
  if (!BEFORE_PAIR.test(between) || /^\s?(?:of|的)(?![A-Za-z])/.test(between)) return null
  // "… to 18 %, and the score fell from a to b": a level of something else.
  if (/(?:[至到]|(?<![A-Za-z])(?:to|at))\s*$/i.test(ahead)) return null
  const { unit, signed } = before
  const isCued = unit === null ? ENDS_CHANGED.test(ahead) : signed || has(between, ...CHANGED) || has(ahead, ...CHANGED)
  return unit === 'times' || unit === 'points' || (isCued && (unit === null || unit === '%')) ? before : null
}
