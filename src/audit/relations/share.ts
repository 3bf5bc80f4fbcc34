import type { Statement } from '../../document/document.js'
import { lastAtMost } from '../../document/places.js'
import { countAt, type Quantity, readTokens } from '../../document/quantity.js'
import { remembered } from '../../document/remembered.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, isMistyped, statedRange } from '../arithmetic.js'
import { type Assertion, confirmed, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import type { Entry } from '../entries.js'
import { type Evidence, significantDigits } from '../evidence.js'
import { refute } from '../fault.js'
import { has } from '../lexicon.js'
import { assertionIn, assertionOver, figureAs, figureOf } from '../read.js'
import { CHANGED } from './amounts.js'
import { isDuration } from './reckoned.js'
import { FRACTION, inTable, isCount, isShare } from './share-columns.js'

/**
 * A part, a whole, and what share it is: "12/80 tasks solved (15 %)", "of 400 checked, 52 were relevant (13 %)", "score
 * 1.4 / 1.0", and counts with their shares one under the other, which must be shares of one whole. That whole is solved
 * from those that agree, and from what is printed as a total near by.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.share': { en: '“{quote}”: {part} of {whole} is {expected}, not {found}; write {expected}', zh: '“{quote}”：{whole} 中的 {part} 是 {expected}，不是 {found}；应写 {expected}' },
  'audit.impossible-score': { en: '“{quote}”: {part} is more than the {whole} that can be reached; one of the two is wrong', zh: '“{quote}”：{part} 超过了满分 {whole}；两个数中必有一个不对' },
})

/** "Step 40/80" is progress: of what counts, a step is a part as well. */
function figuresIn({ quantities, steps }: Statement): readonly Quantity[] {
  const marks = steps.map(step => countAt(step, step.last))
  return [...quantities, ...marks].sort((a, b) => a.from - b.from)
}

function* inStatement(statement: Statement, evidence: Evidence): Generator<Assertion> {
  const { text } = statement
  const assert = (part: Quantity, whole: Quantity, percent: Quantity | null, manner: string): Assertion => {
    const result = percent === null ? [] : [figureOf(statement, percent, 'result')]
    const figures = [figureOf(statement, part, 'part'), figureOf(statement, whole, 'whole'), ...result]
    return assertionOver(statement, 'share', { figures, manner })
  }
  if (!/%|\d\s?\//.test(text)) return
  const figures = figuresIn(statement)
  for (const [i, part] of figures.entries()) {
    const [before, whole, behind] = [figures[i - 1], figures[i + 1], figures[i + 2]]
    if (whole === undefined || !FRACTION.test(text.slice(part.to, whole.from))) continue
    const isScore = Number.isInteger(whole.value) && SCORE.test(text.slice(Math.max(0, part.from - 24), part.from))
    if (isScore) yield assert(part, whole, null, 'score')
    // 45 册（共 60 册，75%）.
    const isEnclosed = /\(共\s?$/.test(text.slice(part.to, whole.from))
    const toPercent = isEnclosed ? /^[^\d%;。(]{0,6},\s?$/ : TO_PERCENT
    const isBehind = behind !== undefined && toPercent.test(text.slice(whole.to, behind.from))
    const isAhead = before !== undefined && /^\s?\(\s?$/.test(text.slice(before.to, part.from))
    const percent = isBehind ? behind : isAhead ? before : undefined
    const isMoved = percent !== undefined && /^\s?(?:→|->)/.test(text.slice(percent.to))
    const areAlike = [part, whole].every(isCount) || (isDuration(part) && part.unit === whole.unit)
    if (percent?.unit === '%' && !percent.signed && !isMoved && areAlike) yield assert(part, whole, percent, 'sure')
  }
  const loose = looseShare(statement)
  if (loose !== null) yield assert(...loose, 'unsure')
  else yield* besideShares(statement, evidence)
}

/** "71 were kept (23.5 %)", 丢弃 52 例，占 13.0%: a count, and right behind it which share it is of something. */
const BESIDE = /^[^\d,;。(:]{0,40}\(\s?(?:占比?|即|or|i\.e\.)?\s?$|^[^\d,;。(]{0,12},\s?占[\u4e00-\u9fff]{0,4}\s?$/i
const FEWEST_DIGITS = 3
const LINES_AHEAD = 3
/** Of more, some give any share. */
const MOST_TOTALS = 40

/**
 * A share of something that stands elsewhere: of a number that is called a whole, that a line above gives, or that stands
 * in the row of the count. Wrong is only what no printed number gives, where for one of these it is a misprint.
 */
function* besideShares(statement: Statement, evidence: Evidence): Generator<Assertion> {
  const { text, quantities, kind } = statement
  for (const [i, part] of kind === 'cell' ? [] : quantities.entries()) {
    const percent = quantities[i + 1]
    // "3/40 (7.5 %)", "ranks 1–8 (15 %)": the end of something else.
    const isEnd = /\d\s?[/–—-]\s?$/.test(text.slice(0, part.from))
    if (percent?.unit !== '%' || !isCount(part) || isEnd || !BESIDE.test(text.slice(part.to, percent.from))) continue
    const counted = countedAs(statement, percent, evidence)
    const isPlain =
      !percent.signed &&
      (!isOfOther(text, percent) || counted.length === 1) &&
      percent.ends === null &&
      percent.bound === null &&
      percent.hedge === null
    // "52 fewer (13.0 %)", 减少 52 例（13.0%）, "52 (a drop of 13.0 %)".
    const isMore = /(?<![A-Za-z])(?:more|fewer|less)|[多少]$/.test(text.slice(part.to, percent.from))
    const [behind = ''] = text.slice(percent.to, percent.to + 10).split(/[),;。]/)
    const isChanged = isMore || has(`${text.slice(Math.max(0, part.from - 8), part.from)} ${behind}`, ...CHANGED)
    if (!isPlain || isChanged || part.value < 2) continue
    const isRight = (whole: number): boolean =>
      isShare(part.value, whole, percent) || isShare(whole - part.value, whole, percent)
    const all = counted.length === 1 ? counted : new Set(wholesFor(statement, part, evidence))
    const wholes = [...all].filter(whole => whole > part.value)
    const [right] = wholes.filter(isRight)
    const isOpen = counted.length !== 1 && isShareOfAny(part, percent, evidence)
    const [only] = counted
    const whole = right ?? (isOpen ? undefined : (only ?? slipOf(statement, part, percent, wholes)))
    if (whole === undefined) continue
    const draft = { figures: [figureOf(statement, percent, 'result')], manner: `unsure ${part.value} ${whole}` }
    yield assertionIn(statement, 'share', { from: part.from, to: percent.to }, draft)
  }
}

/** "6 in total (0.08 % of episodes)": how many episodes the lines above say there are. */
function countedAs(statement: Statement, { to }: Quantity, { document, indexOf }: Evidence): readonly number[] {
  const [, noun] = /^\s?of (?:all |the )?([a-z]{4,}?)s?(?![a-z])/i.exec(statement.text.slice(to)) ?? []
  if (noun === undefined) return []
  const at = indexOf(statement)
  const around = document.statements.slice(Math.max(0, at - LINES_AHEAD), at + 1)
  const isCalled = (text: string, one: Quantity): boolean =>
    isCount(one) && text.slice(one.to).trimStart().toLowerCase().startsWith(noun.toLowerCase())
  const named = around.flatMap(({ text, quantities }) => quantities.filter(one => isCalled(text, one)))
  return [...new Set(named.map(({ value }) => value))]
}

/** The whole that is meant: the only one that the sentence calls so, or the only one for which it is a misprint. */
function slipOf({ text, quantities }: Statement, part: Quantity, percent: Quantity, wholes: readonly number[]) {
  const [own, another] = quantities.filter(
    one => isCount(one) && one.value > part.value && one.to <= part.from && isWholeIn(text, one),
  )
  const ratio = own === undefined ? 0 : percent.value / ((100 * part.value) / own.value)
  if (another === undefined && ratio > 0.5 && ratio < 2) return own?.value
  const isClear = significantDigits(percent) >= FEWEST_DIGITS
  const slips = wholes.filter(
    whole => isClear && isMistyped(percent.value, (100 * part.value) / whole, percent.decimals),
  )
  return slips.length === 1 ? slips[0] : undefined
}

/** Whether some number of the report is a whole of which, or of the rest of which, it is this share. */
function isShareOfAny({ value }: Quantity, percent: Quantity, evidence: Evidence): boolean {
  const { low, high } = statedRange(percent)
  const numbers = numbersIn(evidence)
  const isPrinted = (least: number, most: number): boolean => (numbers[lastAtMost(numbers, most)] ?? 0) >= least
  return (
    isPrinted((100 * value) / high, (100 * value) / low) ||
    isPrinted((100 * value) / (100 - low), (100 * value) / (100 - high))
  )
}

function* wholesFor(statement: Statement, part: Quantity, evidence: Evidence): Generator<number> {
  const { document, holding, indexOf } = evidence
  const at = indexOf(statement)
  const around = document.statements.slice(Math.max(0, at - LINES_AHEAD), at + 1)
  for (const { quantities, section } of around)
    if (section === statement.section) for (const one of quantities) if (isCount(one)) yield one.value
  // "Of the 8,000 that were read:" stands above all of its list.
  for (const lead of statement.leads) for (const one of readTokens(lead).quantities) if (isCount(one)) yield one.value
  const totals = totalsIn(evidence)
  if (totals.length <= MOST_TOTALS) yield* totals
  for (const { line, point } of holding(part))
    for (const cell of line.matrix.table.rows[point.cell.row] ?? [])
      for (const one of cell.quantities) if (isCount(one)) yield one.value
}

/** What the report calls a whole. */
const totalsIn = remembered(({ document }: Evidence) =>
  document.statements.flatMap(({ text, quantities }) =>
    quantities.filter(one => isCount(one) && isCalledWhole(text, one)).map(({ value }) => value),
  ),
)

const numbersIn = remembered(({ document: { statements, tables } }: Evidence): readonly number[] => {
  const cells = tables.flatMap(({ rows }) => rows.flat())
  const counts = [...statements, ...cells].flatMap(({ quantities }) => quantities.filter(isCount))
  return [...new Set(counts.map(({ value }) => value))].sort((a, b) => a - b)
})

const TO_PERCENT = /^[^\d%;。,/]{0,24}?(?:[(=:→]|is|,\s?(?:or|i\.e\.|that is|leaving|即|占))\s?[~≈约<>≤≥]?\s?$/i
const SCORE = /(?<![A-Za-z])(?:score|得分|评分|分数|accuracy|正确率)[^\d\n]{0,12}$/i

/** What stands at the whole: "of the 550 passages", 共 880 条, 360 个视频中. */
const OF_WHOLE =
  /(?:(?<![A-Za-z])(?:of(?: the| all| our| its| these)?|total(?: of)?|among(?: the)?)|共[计采样抽取]{0,2}|占|总[\u4e00-\u9fff]{0,4}|全部|原始[\u4e00-\u9fff]{0,4})\s*[:=]?\s*$/i
const WHOLE_IN = /^\s?\p{Script=Han}{0,8}[中里内]/u
/** "(31 % of the tokens)". */
const isOfOther = (text: string, { to }: Quantity): boolean =>
  /^\s?of (?!them|these|those|the (?:total|whole))/.test(text.slice(to))
const isCalledWhole = (text: string, { from, to }: Quantity): boolean =>
  OF_WHOLE.test(text.slice(Math.max(0, from - 14), from)) || /^[^\d,;]{0,16}in total/.test(text.slice(to, to + 30))
const isWholeIn = (text: string, one: Quantity): boolean =>
  isCalledWhole(text, one) || WHOLE_IN.test(text.slice(one.to, one.to + 12))
const LONGEST_LOOSE = 200
const LONGEST_RATE = 80
const RATE = /^[^\d;。]{0,8},\s?\p{Script=Han}{0,4}(?:率|占比|比例)[为是达]?\s?$/u

/** The only share of a sentence, its two counts wherever they stand: "of 400 checked, 52 were relevant (13 %)". */
function looseShare({ text, quantities, kind }: Statement): readonly [Quantity, Quantity, Quantity] | null {
  const [percent, more] = quantities.filter(({ unit }) => unit === '%')
  const [a, b, third] = quantities.filter(one => isCount(one) && one.unit !== 'times' && one.unit !== 'points')
  if (percent === undefined || more !== undefined || a === undefined || b === undefined || third !== undefined)
    return null
  const { from, to, signed, ends } = percent
  const isChange =
    signed ||
    /(?:(?<![A-Za-z])(?:to|against|vs\.?|versus|than)|[到至比])\s?$/i.test(text.slice(0, from)) ||
    (from > b.to && isOfOther(text, percent)) ||
    has(text.slice(Math.max(0, from - 8), to + 10), ...CHANGED)
  if (kind === 'cell' || text.length > LONGEST_LOOSE || ends !== null || isChange) return null
  const isWhole = (one: Quantity): boolean => isWholeIn(text, one)
  // What comes first and is not "of" them is a share of something else.
  if (to <= a.from && !/^\s?(?:of(?![A-Za-z])|的)/i.test(text.slice(to))) return null
  // "On 5/6 sheets it is 90 % sure".
  if (/^\s?\/\s?$/.test(text.slice(a.to, b.from))) return null
  const [part, whole] = a.value < b.value ? [a, b] : [b, a]
  const stated = percent.value / ((100 * part.value) / whole.value)
  // 做 25 题对了 17 题，正确率 68%.
  const isRate = whole === a && text.length < LONGEST_RATE && RATE.test(text.slice(b.to, from))
  return (isWhole(whole) || isRate) && !isWhole(part) && stated > 0.5 && stated < 2 ? [part, whole, percent] : null
}

/** A count, its share, and the statement that holds both. */
interface Share {
  readonly statement: Statement
  readonly part: Quantity
  readonly percent: Quantity
}

/** Lines of one list that each hold a count and its share: "30 (25 %)", 30 个（25%）. */
function* inEntries(entries: readonly Entry[]): Generator<Assertion> {
  const lists = new Map<string, Share[]>()
  for (const { statement, section, leads } of entries) {
    const { text = '', quantities = [] } = statement ?? {}
    const at = quantities.findIndex((part, i) => {
      const percent = quantities[i + 1]
      const isPair = percent?.unit === '%' && percent.bound === null && isCount(part)
      return isPair && /^\s?\p{L}{0,8}\s?\(\s?$/u.test(text.slice(part.to, percent.from))
    })
    const [part, percent] = quantities.slice(at)
    if (statement === null || at < 0 || part === undefined || percent === undefined) continue
    const key = `${section?.offset} ${leads[0]}`
    lists.set(key, [...(lists.get(key) ?? []), { statement, part, percent }])
  }
  for (const shares of lists.values()) yield* ofOneWhole(shares)
}

/** The whole that most of the shares agree on. */
function* ofOneWhole(shares: readonly Share[]): Generator<Assertion> {
  const sum = shares.reduce((total, { part }) => total + part.value, 0)
  const implied = shares.map(({ part, percent }) => Math.round((100 * part.value) / percent.value))
  const rightOf = (whole: number): number =>
    shares.filter(({ part, percent }) => isShare(part.value, whole, percent)).length
  const largest = Math.max(1, ...shares.map(({ part }) => part.value))
  const candidates = [sum, ...implied].filter(whole => Number.isFinite(whole) && whole >= largest)
  const [whole = sum] = candidates.sort((a, b) => rightOf(b) - rightOf(a))
  if (rightOf(whole) < 2 || rightOf(whole) < 0.6 * shares.length) return
  const sureness = whole === sum || shares.length > 3 ? 'sure' : 'unsure'
  for (const { statement, part, percent } of shares) {
    const draft = { figures: [figureOf(statement, percent, 'result')], manner: `${sureness} ${part.value} ${whole}` }
    yield assertionIn(statement, 'share', { from: part.from, to: percent.to }, draft)
  }
}

function check(assertion: Assertion): Outcome {
  const { manner, quote } = assertion
  const [sureness, solvedPart, solvedWhole] = manner.split(' ')
  const part = figureAs(assertion, 'part')?.quantity.value ?? Number(solvedPart)
  const whole = figureAs(assertion, 'whole')?.quantity.value ?? Number(solvedWhole)
  if (!(whole > 0)) return UNCHECKED
  if (sureness === 'score') {
    if (part <= whole) return confirmed(`${part} ≤ ${whole}`)
    const more = { found: String(part), expected: `≤ ${whole}` }
    return refute('impossible-score', assertion.offset, say('audit.impossible-score', { quote, part, whole }), more)
  }
  const result = figureAs(assertion, 'result')
  if (result === null) return UNCHECKED
  const percent = (100 * part) / whole
  // "4/80 failed (95 % passed)": the rest, which has another name or is far from the part; rounded and not cut off.
  const { range, to } = result.quantity
  const isCalled = !/^\s?[)）]/.test(assertion.scope.statement?.text.slice(to) ?? ')') || Math.abs(percent - 50) > 30
  const isRest = isCalled && 100 - percent >= range.low && 100 - percent <= range.high
  if (isShare(part, whole, result.quantity) || isRest) return confirmed(`${part} / ${whole}`)
  const expected = asPrinted(percent, result.quantity)
  const severity = sureness === 'unsure' ? 'warning' : 'error'
  const message = say('audit.share', { quote, part, whole, expected, found: result.text })
  return refute('wrong-share', result.offset, message, { severity, isFix: true })
}

export const share: Relation = { names: ['share'], inStatement, inTable, inEntries, check }
