import type { Statement } from '../../document/document.js'
import { readTokens } from '../../document/quantity.js'
import { add, divide, multiply, type Range, subtract } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, meets, middle, scale, statedRange } from '../arithmetic.js'
import {
  type Assertion,
  confirmed,
  type Figure,
  type Outcome,
  type Relation,
  refuted,
  UNCHECKED,
} from '../assertion.js'
import { fault } from '../fault.js'
import { assertionIn, figureAs, figuresAs } from '../read.js'

/** "4 x 2 = 8", "0.3 + 0.4 = 0.7", "(57.0 + 56.1) / 2 = 56.55": sums that a sentence writes out. */
const say = sentences({
  'audit.wrong-equation': {
    en: '“{quote}”: it makes {expected}, not {found}; write {expected}',
    zh: '“{quote}”：结果是 {expected}，不是 {found}；应写 {expected}',
  },
})

const NUMBER = String.raw`[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|[-+]?\d{1,12}(?:\.\d{1,12})?(?:e[-+]?\d{1,3})?`
const UNIT = String.raw`(?:\s?%|\s?(?:s|h|min|ms|steps?|epochs?|tokens?|GPUs?|cards?|samples?|prompts?|GB|MB|k|K|M|B)(?![\w(])|\s?[步题条个张卡轮秒])?`
const TERM = String.raw`[(（]?\s?(?:${NUMBER})${UNIT}\s?[)）]?`
const OPERATOR = String.raw`\s?[-+×x*/÷−–]\s?`
const EQUATION = new RegExp(
  String.raw`(?<![\w.=/^*)）%\]+×-]\s?)(${TERM}(?:${OPERATOR}${TERM}){1,11})\s?(?:=|≈)\s?(${NUMBER})(\s?%)?(?![\w.]*\s?[-+×x*/÷^(]\s?[\w(])`,
  'giu',
)
const SIGNS = /[-+×x*/÷−–]/
const LONGEST = 400

function* read(statements: readonly Statement[]): Generator<Assertion> {
  for (const statement of statements) {
    if (statement.kind === 'code' || !/[=≈]/.test(statement.text) || statement.text.length > LONGEST) continue
    for (const match of statement.text.matchAll(EQUATION)) {
      const [whole, left = '', right = '', percent = ''] = match
      const parsed = parse(left)
      if (parsed === null) continue
      const at = match.index + whole.indexOf(left)
      const terms = parsed.terms.map(({ text, from }) => figure(statement, text, at + from, 'term'))
      const result = figure(statement, right + percent.trim(), match.index + whole.lastIndexOf(right), 'result')
      yield assertionIn(statement, 'equation', {
        from: match.index,
        to: match.index + whole.length,
        figures: [...terms, result],
        manner: parsed.operators.join(''),
      })
    }
  }
}

interface Parsed {
  readonly terms: readonly { readonly text: string; readonly from: number }[]
  /** With brackets kept, as `(+)/`: one sign between each two terms. */
  readonly operators: readonly string[]
}

/** Terms and the signs between them; a bracket may hold a sum that is then divided. */
function parse(left: string): Parsed | null {
  const terms: { text: string; from: number }[] = []
  const operators: string[] = []
  const pattern = new RegExp(NUMBER, 'gi')
  let end = 0
  for (const match of left.matchAll(pattern)) {
    let [printed] = match
    let from = match.index
    const gap = left.slice(end, from)
    // "10 - 8": the sign was taken for the number's own.
    if (terms.length > 0 && !SIGNS.test(gap.replace(/[a-zA-Z]+/g, ''))) {
      const sign = /^[-+]/.exec(printed)?.[0]
      if (sign === undefined) return null
      operators.push(brackets(gap) + sign)
      printed = printed.slice(1)
      from += 1
    } else if (terms.length > 0)
      operators.push(brackets(gap) + (SIGNS.exec(gap.replace(/(?<=\w)x(?=\w)/, ''))?.[0] ?? ''))
    else operators.push(brackets(gap))
    terms.push({ text: printed, from })
    end = from + printed.length
  }
  operators.push(brackets(left.slice(end)))
  return terms.length < 2
    ? null
    : { terms, operators: operators.map(sign => sign.replace(/[x*×]/, '×').replace('÷', '/').replace(/[−–]/, '-')) }
}

function brackets(gap: string): string {
  return gap.replace(/（/g, '(').replace(/）/g, ')').replace(/[^()]/g, '')
}

function figure(statement: Statement, text: string, at: number, role: Figure['role']): Figure {
  const [quantity] = readTokens(text).quantities
  const value = Number(text.replace(/[,%]/g, ''))
  return {
    role,
    quantity: quantity ?? {
      from: 0,
      to: text.length,
      value,
      range: { low: value, high: value },
      ends: null,
      decimals: 0,
      unit: null,
      signed: false,
      plusMinus: false,
      hedge: null,
      bound: null,
    },
    offset: statement.offsetOf(at),
    text,
  }
}

function check(assertion: Assertion): Outcome {
  const terms = figuresAs(assertion, 'term')
  const result = figureAs(assertion, 'result')
  if (result === null || terms.length < 2) return UNCHECKED
  const signs = assertion.manner
  // A dash may be a range and a slash an alternative; only what is plainly a sum is held against its author.
  const isPlain = /^\(?[+×/()-]*\)?$/.test(signs)
  const isRange =
    /^-$/.test(signs.replace(/[()]/g, '')) && terms.every(({ quantity }) => Number.isInteger(quantity.value))
  if (!isPlain || isRange) return UNCHECKED
  const ranges = terms.map(({ quantity }) =>
    Number.isInteger(quantity.value) && quantity.decimals === 0 ? exact(quantity.value) : quantity.range,
  )
  const value = evaluate(ranges, signs)
  if (value === null) return UNCHECKED
  const stated = statedRange(result.quantity)
  const asPercents = [value, scale(value, 100), scale(value, 0.01)]
  if (asPercents.some(range => meets(stated, range)) || meets(stated, wider(value))) return confirmed(assertion.quote)
  const expected = asPrinted(middle(value), {
    ...result.quantity,
    decimals: Math.max(result.quantity.decimals ?? 0, 0),
  })
  return refuted(
    fault(
      'wrong-equation',
      result.offset,
      say('audit.wrong-equation', { quote: assertion.quote, found: result.text, expected }),
      { isFix: true },
    ),
  )
}

const exact = (value: number): Range => ({ low: value, high: value })

/** People work with more digits than they print. */
function wider({ low, high }: Range): Range {
  const slack = 0.002 * Math.max(Math.abs(low), Math.abs(high))
  return { low: low - slack, high: high + slack }
}

/** By precedence, brackets first; null where brackets do not match or something is divided by zero. */
function evaluate(terms: readonly Range[], signs: string): Range | null {
  const tokens: (Range | string)[] = []
  const pieces = signs.match(/\(|\)|[-+×/]/g) ?? []
  let next = 0
  const hasSign = (piece: string): boolean => /[-+×/]/.test(piece)
  for (const piece of pieces) {
    if (piece === '(') tokens.push('(')
    else if (piece === ')') {
      if (typeof tokens.at(-1) === 'string' || tokens.length === 0) tokens.push(terms[next++] ?? exact(0))
      tokens.push(')')
    } else if (hasSign(piece)) {
      if (tokens.length === 0 || typeof tokens.at(-1) === 'string') {
        if (tokens.at(-1) !== ')') tokens.push(terms[next++] ?? exact(0))
      }
      tokens.push(piece)
    }
  }
  if (next < terms.length) tokens.push(terms[next++] ?? exact(0))
  if (next !== terms.length) return null
  const position = { at: 0 }
  const value = sum(tokens, position)
  return value !== null && position.at === tokens.length ? value : null
}

type Tokens = readonly (Range | string)[]

function sum(tokens: Tokens, position: { at: number }): Range | null {
  let value = product(tokens, position)
  while (value !== null && (tokens[position.at] === '+' || tokens[position.at] === '-')) {
    const isPlus = tokens[position.at] === '+'
    position.at += 1
    const next = product(tokens, position)
    value = next === null ? null : isPlus ? add(value, next) : subtract(value, next)
  }
  return value
}

function product(tokens: Tokens, position: { at: number }): Range | null {
  let value = atom(tokens, position)
  while (value !== null && (tokens[position.at] === '×' || tokens[position.at] === '/')) {
    const isTimes = tokens[position.at] === '×'
    position.at += 1
    const next = atom(tokens, position)
    value = next === null ? null : isTimes ? multiply(value, next) : divide(value, next)
  }
  return value
}

function atom(tokens: Tokens, position: { at: number }): Range | null {
  const token = tokens[position.at]
  position.at += 1
  if (token === '(') {
    const value = sum(tokens, position)
    const isClosed = tokens[position.at] === ')'
    position.at += 1
    return isClosed ? value : null
  }
  return token === undefined || typeof token === 'string' ? null : token
}

export const equation: Relation = {
  name: 'equation',
  read: ({ document }) => read(document.statements),
  check,
}
