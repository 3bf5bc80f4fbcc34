import type { Statement } from '../../document/document.js'
import { add, divide, multiply, type Range, subtract } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, meets, middle, scale, statedRange } from '../arithmetic.js'
import { type Assertion, confirmed, type Outcome, type Relation, refuted, UNCHECKED } from '../assertion.js'
import { fault } from '../fault.js'
import { assertionIn, figureAs, figuresAs, printedFigure } from '../read.js'

/** "4 x 2 = 8", "0.3 + 0.4 = 0.7", "(57.0 + 56.1) / 2 = 56.55": sums that a sentence writes out. */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.wrong-equation': { en: '“{quote}”: it makes {expected}, not {found}; write {expected}', zh: '“{quote}”：结果是 {expected}，不是 {found}；应写 {expected}' },
})

const NUMBER = String.raw`[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|[-+]?\d{1,12}(?:\.\d{1,12})?(?:e[-+]?\d{1,3})?`
const UNIT = String.raw`(?:\s?%|\s?(?:s|h|min|ms|steps?|epochs?|tokens?|GPUs?|cards?|samples?|prompts?|GB|MB|k|K|M|B)(?![\w(])|\s?[步题条个张卡轮秒])?`
const TERM = String.raw`[(（]?\s?(?:${NUMBER})${UNIT}\s?[)）]?`
const OPERATOR = String.raw`\s?[-+×x*/÷−–]\s?`
const EQUATION = new RegExp(
  String.raw`(?<![\w.,=/^*)）%\]+×-]\s?)(${TERM}(?:${OPERATOR}${TERM}){1,11})\s?(?:=|≈)\s?(${NUMBER})(\s?%)?(?![\w.]*\s?[-+×x*/÷^(]\s?[\w(])`,
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
      const terms = parsed.terms.map(({ text, from }) => printedFigure(statement, text, at + from, 'term'))
      const result = printedFigure(statement, right + percent.trim(), match.index + whole.lastIndexOf(right), 'result')
      yield assertionIn(statement, 'equation', {
        from: match.index,
        to: match.index + whole.length,
        figures: [...terms, result],
        manner: parsed.signs,
      })
    }
  }
}

/** Terms and the signs between them; a bracket may hold a sum that is then divided. */
function parse(
  left: string,
): { readonly terms: readonly { text: string; from: number }[]; readonly signs: string } | null {
  const terms: { text: string; from: number }[] = []
  let signs = ''
  let end = 0
  for (const match of left.matchAll(new RegExp(NUMBER, 'gi'))) {
    const gap = left.slice(end, match.index).replace(/[a-wyzA-Z步题条个张卡轮秒%\s]+/g, ' ')
    // "10 - 8": the sign was taken for the number's own.
    const own = terms.length > 0 && !SIGNS.test(gap) ? (/^[-+]/.exec(match[0])?.[0] ?? null) : ''
    if (own === null) return null
    const from = match.index + own.length
    terms.push({ text: match[0].slice(own.length), from })
    signs += gap.replace(/[^()（）×x*/÷+−–-]/g, '') + own
    end = match.index + match[0].length
  }
  signs += left.slice(end).replace(/[^()（）]/g, '')
  const plain = signs
    .replace(/（/g, '(')
    .replace(/）/g, ')')
    .replace(/[x*]/g, '×')
    .replace(/÷/g, '/')
    .replace(/[−–]/g, '-')
  return terms.length < 2 ? null : { terms, signs: plain }
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

/** One sign throughout, or a sum in brackets that is divided; nothing else is read. */
function evaluate(terms: readonly Range[], signs: string): Range | null {
  const [first, ...rest] = terms
  if (first === undefined) return null
  const folded = (list: readonly Range[], sign: string): Range | null =>
    list.reduce((all: Range | null, one) => {
      if (all === null) return null
      return sign === '+'
        ? add(all, one)
        : sign === '-'
          ? subtract(all, one)
          : sign === '×'
            ? multiply(all, one)
            : divide(all, one)
    }, first)
  const same = /^([-+×/])\1*$/.exec(signs.replace(/[()]/g, ''))?.[1]
  if (same !== undefined && (same !== '/' || terms.length === 2)) return folded(rest, same)
  const divisor = rest.at(-1)
  const sum = /^\(\+*\)\/$/.test(signs) ? folded(rest.slice(0, -1), '+') : null
  return sum === null || divisor === undefined ? null : divide(sum, divisor)
}

export const equation: Relation = { name: 'equation', read: ({ document }) => read(document.statements), check }
