import type { Statement } from '../../document/document.js'
import type { Quantity } from '../../document/quantity.js'
import { exactly } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted } from '../arithmetic.js'
import { type Assertion, confirmed, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import type { Entry } from '../entries.js'
import { refute } from '../fault.js'
import { has } from '../lexicon.js'
import { assertionIn, assertionOver, figureAs, figureOf } from '../read.js'
import { CHANGED } from './amounts.js'
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
  const none = {
    ends: null,
    decimals: 0,
    unit: null,
    signed: false,
    plusMinus: false,
    hedge: null,
    bound: null,
  } as const
  const marks = steps.map(({ from, to, last }): Quantity => ({ ...none, from, to, value: last, range: exactly(last) }))
  return [...quantities, ...marks].sort((a, b) => a.from - b.from)
}

function* inStatement(statement: Statement): Generator<Assertion> {
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
    const isBehind = behind !== undefined && TO_PERCENT.test(text.slice(whole.to, behind.from))
    const isAhead = before !== undefined && /^\s?\(\s?$/.test(text.slice(before.to, part.from))
    const percent = isBehind ? behind : isAhead ? before : undefined
    const isMoved = percent !== undefined && /^\s?(?:→|->)/.test(text.slice(percent.to))
    if (percent?.unit === '%' && !isMoved && isCount(part) && isCount(whole)) yield assert(part, whole, percent, 'sure')
  }
  const loose = looseShare(statement)
  if (loose !== null) yield assert(...loose, 'unsure')
}

const TO_PERCENT = /^[^\d%;。,/]{0,24}?(?:[(=:→]|is)\s?[~≈约<>≤≥]?\s?$/i
const SCORE = /(?<![A-Za-z])(?:score|得分|评分|分数|accuracy|正确率)[^\d\n]{0,12}$/i

/** What stands at the whole: "of the 550 passages", 共 880 条, 360 个视频中. */
const OF_WHOLE =
  /(?:(?<![A-Za-z])(?:of(?: the| all| our| its| these)?|total(?: of)?|among(?: the)?)|共|总\p{Script=Han}{0,4}|全部)\s*[:=]?\s*$/iu
const WHOLE_IN = /^\s?\p{Script=Han}{0,8}[中里内]/u
const LONGEST_LOOSE = 200

/** The only share of a sentence, its two counts wherever they stand: "of 400 checked, 52 were relevant (13 %)". */
function looseShare({ text, quantities, kind }: Statement): readonly [Quantity, Quantity, Quantity] | null {
  const [percent, more] = quantities.filter(({ unit }) => unit === '%')
  const [a, b, third] = quantities.filter(one => isCount(one) && one.unit !== 'times' && one.unit !== 'points')
  if (percent === undefined || more !== undefined || a === undefined || b === undefined || third !== undefined)
    return null
  const { from, to, signed, ends } = percent
  const isChange =
    signed ||
    /(?:(?<![A-Za-z])to|[到至])\s?$/i.test(text.slice(0, from)) ||
    has(text.slice(Math.max(0, from - 8), to + 10), ...CHANGED)
  if (kind === 'cell' || text.length > LONGEST_LOOSE || ends !== null || isChange) return null
  const isWhole = (one: Quantity): boolean =>
    OF_WHOLE.test(text.slice(Math.max(0, one.from - 14), one.from)) || WHOLE_IN.test(text.slice(one.to, one.to + 12))
  // What comes first and is not "of" them is a share of something else.
  if (to <= a.from && !/^\s?(?:of(?![A-Za-z])|的)/i.test(text.slice(to))) return null
  // "On 5/6 sheets it is 90 % sure".
  if (/^\s?\/\s?$/.test(text.slice(a.to, b.from))) return null
  const [part, whole] = a.value < b.value ? [a, b] : [b, a]
  const stated = percent.value / ((100 * part.value) / whole.value)
  return isWhole(whole) && !isWhole(part) && stated > 0.5 && stated < 2 ? [part, whole, percent] : null
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
  // "4/80 failed (95 % passed)".
  if (isShare(part, whole, result.quantity) || isShare(whole - part, whole, result.quantity))
    return confirmed(`${part} / ${whole}`)
  const expected = asPrinted(percent, result.quantity)
  const severity = sureness === 'unsure' ? 'warning' : 'error'
  const message = say('audit.share', { quote, part, whole, expected, found: result.text })
  return refute('wrong-share', result.offset, message, { severity, isFix: true })
}

export const share: Relation = { names: ['share'], inStatement, inTable, inEntries, check }
