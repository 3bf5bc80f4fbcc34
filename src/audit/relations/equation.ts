import type { Statement } from '../../document/document.js'
import { everyMatch } from '../../document/matches.js'
import type { Quantity } from '../../document/quantity.js'
import { add, divide, exactly, multiply, type Range, subtract } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, meets, middle, scale, sizeOf, statedRange } from '../arithmetic.js'
import { type Assertion, confirmed, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import { refute } from '../fault.js'
import { assertionIn, figureAs, figureOf, figuresAs } from '../read.js'

/** "4 x 2 = 8", "0.3 + 0.4 = 0.7", "(57.0 + 56.1) / 2 = 56.55": sums that a sentence writes out. */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.wrong-equation': { en: '“{quote}”: it makes {expected}, not {found}; write {expected}', zh: '“{quote}”：结果是 {expected}，不是 {found}；应写 {expected}' },
})

/** Between two terms: words of what the first one counts, one sign, and words before the second. */
const GAP = /^([^\d=≈+×*÷/,，;；。:：→<>]{0,24}?)(\s?[-+×x*/÷−–]\s?|)([^\d=≈+×*÷/,，;；。:：→<>]{0,12})$/iu
const EQUALS = /[=≈]/g
const LONGEST = 400
const MOST_TERMS = 12

interface Terms {
  readonly quantities: readonly Quantity[]
  readonly signs: string
  readonly from: number
}

function* inStatement(statement: Statement): Generator<Assertion> {
  const { text, quantities } = statement
  if (quantities.length < 3 || text.length > LONGEST) return
  for (const { index } of everyMatch(text, EQUALS)) {
    const result = quantities.find(({ from }) => from > index)
    if (
      result === undefined ||
      result.ends !== null ||
      !/^[\s~≈约$]*$/.test(text.slice(index + 1, result.from)) ||
      goesOn(text, result.to)
    )
      continue
    const left = termsBefore(statement, index)
    if (left === null) continue
    const terms = left.quantities.map(one => figureOf(statement, one, 'term'))
    const figures = [...terms, figureOf(statement, result, 'result')]
    yield assertionIn(statement, 'equation', { from: left.from, to: result.to }, { figures, manner: left.signs })
  }
}

/** "= 4 × 8 …": the result is a term of something longer. */
function goesOn(text: string, at: number): boolean {
  return /^\s?(?:[×*÷^/]|[-+x]\s)\s?[\d(]/.test(text.slice(at, at + 6))
}

/** The terms that stand before an equals sign, walking back as long as one sign joins two of them. */
function termsBefore({ text, quantities }: Statement, equals: number): Terms | null {
  const before = quantities.filter(({ to }) => to <= equals)
  const last = before.at(-1)
  if (last === undefined || !/^[^\d=,，;；。:：→]{0,28}$/.test(text.slice(last.to, equals))) return null
  const terms = [last]
  let signs = /^[^(（]*[)）]/.test(text.slice(last.to, equals)) ? ')' : ''
  for (let i = before.length - 2; i >= 0 && terms.length < MOST_TERMS; i -= 1) {
    const [one, next] = [before[i], terms[0]]
    if (one === undefined || next === undefined) break
    const gap = GAP.exec(text.slice(one.to, next.from))
    const isBare = /^\s*[)）]*\s*$/.test(text.slice(one.to, next.from))
    const sign = gap?.[2]?.trim() || (next.signed && isBare ? (text[next.from] ?? '') : '')
    if (gap === null || !/^[-+×x*/÷−–]$/.test(sign) || one.plusMinus || one.ends !== null) break
    const brackets = (part: string | undefined): string => (part ?? '').replace(/[^()（）]/g, '')
    signs = brackets(gap[1]) + sign + brackets(gap[3]) + signs
    terms.unshift(one)
  }
  const [first] = terms
  if (first === undefined || terms.length < 2) return null
  const open = /[(（]\s?$/.test(text.slice(0, first.from)) && /[)）]/.test(signs) ? '(' : ''
  if (/[\w)）]\s?[-+×*/÷^]\s?[(（]?$/.test(text.slice(0, first.from))) return null
  const plain = (open + signs)
    .replace(/（/g, '(')
    .replace(/）/g, ')')
    .replace(/[x*]/g, '×')
    .replace(/÷/g, '/')
    .replace(/[−–]/g, '-')
  const bare = terms.map((one, at) =>
    at > 0 && one.signed ? { ...one, value: Math.abs(one.value), range: sizeOf(one.range) } : one,
  )
  return { quantities: bare, signs: plain, from: first.from }
}

function check(assertion: Assertion): Outcome {
  const terms = figuresAs(assertion, 'term')
  const result = figureAs(assertion, 'result')
  if (result === null || terms.length < 2) return UNCHECKED
  const signs = assertion.manner
  // A dash may be a range and a slash an alternative; only what is plainly a sum is held against its author.
  const isRange =
    /^-$/.test(signs.replace(/[()]/g, '')) && terms.every(({ quantity }) => Number.isInteger(quantity.value))
  if (isRange) return UNCHECKED
  const ranges = terms.map(({ quantity }) =>
    Number.isInteger(quantity.value) && quantity.decimals === 0 ? exactly(quantity.value) : quantity.range,
  )
  const value = evaluate(ranges, signs)
  if (value === null) return UNCHECKED
  const stated = statedRange(result.quantity)
  const asPercents = [value, scale(value, 100), scale(value, 0.01)]
  if (asPercents.some(range => meets(stated, range)) || meets(stated, wider(value))) return confirmed(assertion.quote)
  if (isConverted(result.quantity.value / middle(value))) return confirmed(assertion.quote)
  const expected = asPrinted(middle(value), result.quantity)
  const params = { quote: assertion.quote, found: result.text, expected }
  return refute('wrong-equation', result.offset, say('audit.wrong-equation', params), { isFix: true })
}

/** Another unit of the same: thousands, minutes, hours. */
function isConverted(ratio: number): boolean {
  const size = Math.abs(Math.log10(Math.abs(ratio)))
  const isThousands = size > 0.9 && Math.abs(size - Math.round(size)) < 0.01
  return (
    isThousands ||
    [60, 3600, 24, 8, 1024].some(factor => [ratio, 1 / ratio].some(one => Math.abs(one / factor - 1) < 0.02))
  )
}

/** People work with more digits than they print. */
function wider({ low, high }: Range): Range {
  const slack = 0.002 * Math.max(Math.abs(low), Math.abs(high))
  return { low: low - slack, high: high + slack }
}

/** One sign throughout, or a sum in brackets that is divided; nothing else is read. */
function evaluate(terms: readonly Range[], signs: string): Range | null {
  const [first, ...rest] = terms
  if (first === undefined) return null
  const operations = { '+': add, '-': subtract, '×': multiply, '/': divide }
  const folded = (list: readonly Range[], sign: keyof typeof operations): Range | null =>
    list.reduce((all: Range | null, one) => (all === null ? null : operations[sign](all, one)), first)
  const plain = signs.replace(/[()]/g, '')
  for (const sign of ['+', '-', '×', '/'] as const)
    if (plain === sign.repeat(rest.length) && (sign !== '/' || rest.length === 1)) return folded(rest, sign)
  const divisor = rest.at(-1)
  const sum = /^\(\+*\)\/$/.test(signs) ? folded(rest.slice(0, -1), '+') : null
  return sum === null || divisor === undefined ? null : divide(sum, divisor)
}

export const equation: Relation = { names: ['equation'], inStatement, check }
