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

/** "= 4 × 8 …": the result is a term of something longer. */
const GOES_ON = /^\s?(?:[×*÷^/]|[-+x]\s)\s?[\d(]/

function* inStatement(statement: Statement): Generator<Assertion> {
  const { text, quantities } = statement
  if (quantities.length < 3 || text.length > LONGEST) return
  for (const { index } of everyMatch(text, EQUALS)) {
    const result = quantities.find(({ from }) => from > index)
    const isNext = result !== undefined && /^[\s~≈约$]*$/.test(text.slice(index + 1, result.from))
    if (!isNext || result.ends !== null || GOES_ON.test(text.slice(result.to, result.to + 6))) continue
    const left = termsBefore(statement, index)
    if (left === null) continue
    const figures = [...left.terms.map(one => figureOf(statement, one, 'term')), figureOf(statement, result, 'result')]
    yield assertionIn(statement, 'equation', { from: left.from, to: result.to }, { figures, manner: left.signs })
  }
}

const PLAIN: { readonly [sign: string]: string } = {
  '（': '(',
  '）': ')',
  x: '×',
  '*': '×',
  '÷': '/',
  '−': '-',
  '–': '-',
}
const brackets = (text = ''): string => text.replace(/[^()（）]/g, '')

interface Terms {
  readonly terms: readonly Quantity[]
  readonly signs: string
  readonly from: number
}

/** The terms that stand before an equals sign, walking back as long as one sign joins two of them. */
function termsBefore({ text, quantities }: Statement, equals: number): Terms | null {
  const before = quantities.filter(({ to }) => to <= equals)
  const last = before.pop()
  const behind = text.slice(last?.to ?? 0, equals)
  if (last === undefined || !/^[^\d=,，;；。:：→{}_^]{0,28}$/.test(behind)) return null
  let terms: readonly Quantity[] = [last]
  let first = last
  let signs = /^[^(（]*[)）]/.test(text.slice(last.to, equals)) ? ')' : ''
  for (const one of before.slice(-MOST_TERMS).reverse()) {
    const between = text.slice(one.to, first.from)
    const [, words, joint, ahead] = GAP.exec(between) ?? []
    // "0.6 speed + 0.4 size": a sign with room on both sides joins, whatever words stand before it.
    const isJoint = /^\s*[)）]*\s*$/.test(between) || /^[+×]\s/.test(text.slice(first.from))
    const sign = joint?.trim() || (first.signed && isJoint ? (text[first.from] ?? '') : '')
    if (joint === undefined || !/^[-+×x*/÷−–]$/.test(sign) || one.plusMinus || one.ends !== null) break
    signs = brackets(words) + sign + brackets(ahead) + signs
    // The sign that joins a term is none of its own.
    const bare = first.signed ? { ...first, value: Math.abs(first.value), range: sizeOf(first.range) } : first
    terms = [one, bare, ...terms.slice(1)]
    first = one
  }
  const ahead = text.slice(0, first.from)
  // Terms that are named before their figure belong to it as well: what is only read in part is not read.
  if (
    terms.length < 2 ||
    /[\w)）]\s?[-+×*/÷^]\s?[(（]?$|\d[^\d,，;；。=:：]{0,8}[×*÷]\s?[^\d,，;；。=:：]{0,8}$/.test(ahead)
  )
    return null
  // "128 for x = 15 + 128 for y = 8" is no chain.
  if (/=\s?$/.test(ahead) && /\p{L}/u.test(behind)) return null
  const open = /[(（]\s?$/.test(ahead) && /[)）]/.test(signs) ? '(' : ''
  return { terms, signs: (open + signs).replace(/./gu, sign => PLAIN[sign] ?? sign), from: first.from }
}

/** Another unit of the same: thousands, minutes, hours. */
function isConverted(ratio: number): boolean {
  const size = Math.abs(Math.log10(Math.abs(ratio)))
  if (size > 0.9 && Math.abs(size - Math.round(size)) < 0.01) return true
  return [60, 3600, 24, 8, 1024].some(factor => [ratio, 1 / ratio].some(one => Math.abs(one / factor - 1) < 0.02))
}

function check(assertion: Assertion): Outcome {
  const { manner: signs, quote } = assertion
  const terms = figuresAs(assertion, 'term').map(({ quantity }) => quantity)
  const result = figureAs(assertion, 'result')
  // A dash may be a range and a slash an alternative; only what is plainly a sum is held against its author.
  const isRange = signs.replace(/[()]/g, '') === '-' && terms.every(({ value }) => Number.isInteger(value))
  const ranges = terms.map(one => (one.decimals === 0 ? exactly(one.value) : one.range))
  const value = evaluate(ranges, signs)
  // "360 samples × batch 8 = 45": by the batch, not times it.
  const quotient = signs === '×' ? evaluate(ranges, '/') : null
  if (result === null || isRange || value === null) return UNCHECKED
  const stated = statedRange(result.quantity)
  // People work with more digits than they print.
  const slack = 0.002 * Math.max(Math.abs(value.low), Math.abs(value.high))
  const readings = [
    value,
    quotient ?? value,
    scale(value, 100),
    scale(value, 0.01),
    { low: value.low - slack, high: value.high + slack },
  ]
  const isFit = readings.some(range => meets(stated, range)) || isConverted(result.quantity.value / middle(value))
  if (isFit) return confirmed(quote)
  const params = { quote, found: result.text, expected: asPrinted(middle(value), result.quantity) }
  return refute('wrong-equation', result.offset, say('audit.wrong-equation', params), { isFix: true })
}

const OPERATIONS = { '+': add, '-': subtract, '×': multiply, '/': divide } as const

/** One sign throughout, or a sum in brackets that is divided; nothing else is read. */
function evaluate([first, ...rest]: readonly Range[], signs: string): Range | null {
  if (first === undefined) return null
  const folded = (list: readonly Range[], sign: keyof typeof OPERATIONS): Range | null =>
    list.reduce((all: Range | null, one) => (all === null ? null : OPERATIONS[sign](all, one)), first)
  const plain = signs.replace(/[()]/g, '')
  for (const sign of ['+', '-', '×', '/'] as const)
    if (plain === sign.repeat(rest.length) && (sign !== '/' || rest.length === 1)) return folded(rest, sign)
  const divisor = rest.at(-1)
  const sum = /^\(\+*\)\/$/.test(signs) ? folded(rest.slice(0, -1), '+') : null
  return sum === null || divisor === undefined ? null : divide(sum, divisor)
}

export const equation: Relation = { names: ['equation'], inStatement, check }
