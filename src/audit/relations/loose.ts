import type { Statement } from '../../document/document.js'
import type { Quantity } from '../../document/quantity.js'
import { has } from '../lexicon.js'

/**
 * "The old build took 7.5 h, the new one 6.0 h: 20 % less": two levels anywhere in a sentence and what became of them, without the
 * words that join a pair. Only the one pair of figures that are printed alike is taken, and only where the sentence
 * itself gives what the result is measured against.
 */
export interface LooseChange {
  readonly levels: readonly [Quantity, Quantity]
  readonly result: Quantity
}

const LONGEST = 240
const MOST_FIGURES = 7

/** The only two levels of a sentence that are printed alike, and the figures that say by how much. */
export function levelsIn({ text, quantities, kind }: Statement) {
  if (kind === 'cell' || kind === 'code' || text.length > LONGEST || quantities.length > MOST_FIGURES) return null
  // 88.4 分 and 90.6 分 are levels where a third figure says how far they are apart.
  const isScored = quantities.filter(({ unit }) => unit === 'points').length > 2
  const results = quantities.filter(one => isResult(text, one) && (!isScored || AHEAD.test(text.slice(0, one.from))))
  const pair = pairOf(
    quantities.filter(one => !results.includes(one) && isLevel(one) && !PACED.test(text.slice(one.to, one.to + 12))),
    text,
  )
  return pair === null ? null : { pair, results }
}

export function looseChanges(statement: Statement): readonly LooseChange[] {
  const { pair, results } = levelsIn(statement) ?? { pair: null, results: [] }
  if (pair === null || results.length > 2) return []
  // A second one of the same kind is that of something else.
  const own = results.filter(({ unit }, i) => results.findIndex(one => one.unit === unit) === i)
  return own.flatMap(result => (isOfPair(statement.text, pair, result) ? [{ levels: pair, result }] : []))
}

const CHANGED = ['change', 'up', 'down', 'better', 'worse'] as const
const AHEAD =
  /(?:[↓↑Δ∆]|(?<![A-Za-z])(?:by|gain|loss|saving|cut|lead|gap|margin|cost us|costs?|saved|removed|removing|lost|lose[sn]?)(?: of| is| was)?(?: just| only| about)?|[多少高低快慢涨跌降升省减增]了?|[多少]\p{Script=Han}{1,2}|损失|差距?|相差|领先|落后|删掉|回落|缩短|(?:缩短|减少|增加|提升|下降)了)\s*[:：=]?\s*(?:仅|约|只|了)?\s*$/iu
const BEHIND =
  /^\s?(?:points? |个点|个百分点|%|[a-z]{3,12} (?=fewer|less|more))?\s?(?:less|more|fewer|saved|faster|slower|shorter|longer|smaller|larger|cheaper|higher|lower|lost|gain|drop|relative|reduction|improvement|increase|decrease|speed-?up|slow-?down)(?![A-Za-z])/i

/** A figure that says by how much: a multiple or points, or one with a sign or a word for a change beside it. */
function isResult(text: string, { from, to, unit, signed, plusMinus, ends }: Quantity): boolean {
  if (plusMinus || ends !== null || unit === 'step' || unit === 'epoch') return false
  const [before, behind] = [text.slice(Math.max(0, from - 18), from), text.slice(to, to + 18)]
  // "It failed 11 times" says how often.
  if (
    /times$/i.test(text.slice(from, to)) &&
    !/^\s?(?:as|the|that|what|its|more|(?!the)\p{L}+er)(?![A-Za-z])/iu.test(behind)
  )
    return false
  if (unit === 'times' || unit === 'points') return true
  // "Rose to 33.4 %" and "bonus=-0.75" are levels.
  if (LEVEL.test(before) || (NAMED.test(before) && !has(before, ...CHANGED))) return false
  if (signed || AHEAD.test(before) || BEHIND.test(behind)) return true
  return unit === '%' && has(before.replace(/^.*[,，;；:：。]/, ''), ...CHANGED)
}

const LEVEL = /(?:[至到为达]|(?<![A-Za-z])(?:to|at|is|was|from))\s*$/i

/** 300 万步, "2M steps". */
const PACED = /^\s?[万kKM]?\s?(?:步|轮|steps?|epochs?|iterations?)/
const NAMED = /[A-Za-z_]\s?=\s?$/

function isLevel({ unit, signed, plusMinus, ends, bound, value, decimals }: Quantity): boolean {
  const isYear = unit === null && decimals === 0 && value > 1900 && value < 2100
  return unit !== 'step' && unit !== 'epoch' && !signed && !plusMinus && ends === null && bound === null && !isYear
}

/** The only two figures that are printed alike; bare whole numbers only where there is nothing else. */
function pairOf(levels: readonly Quantity[], text: string): readonly [Quantity, Quantity] | null {
  const groups = new Map<string, Quantity[]>()
  for (const one of levels) {
    const key = `${one.unit ?? suffix(text, one)} ${one.decimals}`
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  const telling = [...groups].filter(([key, list]) => list.length > 1 && key !== ' 0')
  const bare = groups.get(' 0') ?? []
  const [only, another] = telling.length > 0 ? telling.map(([, list]) => list) : [bare]
  if (only === undefined || another !== undefined || only.length !== 2) return null
  const [a, b] = only
  if (a === undefined || b === undefined || a.value === b.value || a.value * b.value <= 0) return null
  // "From level 2 to level 9" are two settings; and a third bare count may be what is meant.
  const labelOf = ({ from }: Quantity): string =>
    /(\p{L}+)\s$/u.exec(text.slice(Math.max(0, from - 24), from))?.[1] ?? ''
  const areSet = labelOf(a) !== '' && labelOf(a) === labelOf(b)
  return telling.length === 0 && (areSet || levels.length > 2) ? null : [a, b]
}

/** "1.2M", "$152", "72 GPUs": what stands at a figure without being a unit that is known. */
function suffix(text: string, { from, to }: Quantity): string {
  return /^[$¥€£]/.exec(text.slice(from - 1, from))?.[0] ?? /^[kKMBG](?![A-Za-z])/.exec(text.slice(to))?.[0] ?? ''
}

const ELSEWHERE =
  /比|较|相[比对](?!涨|提|降|减|增|改|误)|[高低大小多少优好差长短劣逊弱强快慢]于|超[过越]|不[如及]|(?<![A-Za-z])(?:than|over|above|below|beats?|outperforms?|vs\.?|versus|against|compared|relative to|from)(?![A-Za-z])/i
/** What stands farther from both levels is about something else. */
const FARTHEST = 60
const STOP = /[。！？!?]|\.\s/
const TWO = /前者|后者|两者|二者|the (?:latter|former)|both/i

/** What the result is measured against is one of the two, not something that only has a name. */
function isOfPair(text: string, [a, b]: LooseChange['levels'], { from, to, unit }: Quantity): boolean {
  const before = [a, b].findLast(one => one.to <= from)
  const next = [a, b].find(one => one.from >= to)
  const ahead = text.slice(before?.to ?? 0, from)
  const behind = text.slice(to, next?.from ?? text.length)
  if (unit === 'points' && a.unit !== null && a.unit !== '%') return false
  // Another sentence is about something else.
  if (STOP.test(before === undefined ? behind : ahead)) return false
  if ((before === undefined ? behind : ahead).length > FARTHEST) return false
  if (TWO.test(ahead)) return true
  if (before !== undefined && ELSEWHERE.test(ahead)) return false
  return next !== undefined || !ELSEWHERE.test(behind.slice(0, 24).replace(/(?<![A-Za-z])from(?![A-Za-z])/i, ''))
}
