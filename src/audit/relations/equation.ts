import type { Statement } from '../../document/document.js'
import { everyMatch } from '../../document/matches.js'
import type { Quantity } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, meets, middle, sizeOf, statedRange } from '../arithmetic.js'
import { type Assertion, confirmed, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import { refute } from '../fault.js'
import { assertionOver, figureAs, figureOf, figuresAs, masked } from '../read.js'
import type { RuleId } from '../rules.js'
import { isDuration, type Operation, type Reckoning, reckoned } from './reckoned.js'
import { reckoningsIn } from './reckoning.js'
import { isCount } from './share-columns.js'

/**
 * What a sentence reckons from its own figures, written out as in "4 x 2 = 8" and "(57.0 + 56.1) / 2 = 56.55" or told in
 * words, and whether it comes to that.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.wrong-equation': { en: '“{quote}”: it makes {expected}, not {found}; write {expected}', zh: '“{quote}”：结果是 {expected}，不是 {found}；应写 {expected}' },
})

function* inStatement(statement: Statement): Generator<Assertion> {
  const written = writtenIn(statement)
  const told = reckoningsIn(statement, written)
  for (const reckoning of [...written, ...told]) {
    const { operation, terms, result, isSure } = reckoning
    const figures = [...terms.map(one => figureOf(statement, one, 'term')), figureOf(statement, result, 'result')]
    const sureness = written.includes(reckoning) ? 'written' : isSure ? 'sure' : 'unsure'
    yield assertionOver(statement, 'equation', { figures, manner: `${operation} ${sureness}` })
  }
}

const LONGEST = 400
/** "= 4 × 8 …": the result is a term of something longer. */
const GOES_ON = /^\s?(?:[×*÷^/]|[-+x]\s)\s?[\d(]/
/** What is left of a sum without its words: one sign throughout, or a sum in brackets that is divided. */
const SUMS: readonly (readonly [Operation, RegExp])[] = [
  ['sum', /#(?:\+#)+$/],
  ['product', /#(?:×#)+$/],
  ['difference', /#-#$/],
  ['quotient', /#\/#$/],
  ['product', /#(?:[×/]#)*(?:×#\/#|\/#×#)(?:[×/]#)*$/],
  ['mean', /\(#(?:\+#)+\)\/#$/],
]
/** Before it nothing, or what ends a clause; "x × 4 × 8" is only read in part, and "8 for x = 15 + 8" is no chain. */
const BEGINS = /(?:^|[,;:。→(]|(?<!#)=)$/

/** Sums that are written out, left of an equals sign. */
function writtenIn(statement: Statement): readonly Reckoning[] {
  const { text, quantities } = statement
  if (quantities.length < 3 || text.length > LONGEST) return []
  return everyMatch(text, /[=≈]/g).flatMap(({ index }): Reckoning[] => {
    const result = quantities.find(({ from }) => from > index)
    const isNext = result !== undefined && /^[\s~≈约$]*$/.test(text.slice(index + 1, result.from))
    if (!isNext || result.ends !== null || GOES_ON.test(text.slice(result.to, result.to + 6))) return []
    const before = quantities.filter(({ to }) => to <= index)
    const skeleton = skeletonOf(masked(statement), before, index)
    return SUMS.flatMap(([operation, pattern]): Reckoning[] => {
      const found = pattern.exec(skeleton)
      const signs = found?.[0].replace(/#/g, '') ?? ''
      const terms = before.slice(-(found?.[0].split('#').length ?? 1) + 1).map((one, i) => {
        const isDivisor = operation === 'product' && signs[i - 1] === '/'
        return isDivisor ? inverse(one) : unsigned(one)
      })
      if (found === null || !BEGINS.test(skeleton.slice(0, found.index)) || !terms.every(({ ends }) => ends === null))
        return []
      const own = operation === 'mean' ? terms.slice(0, -1) : terms
      return operation === 'mean' && terms.at(-1)?.value !== own.length
        ? []
        : [{ operation, terms: own, result, isSure: true }]
    })
  })
}

/** Nothing but signs and brackets, and `#` for each figure. */
function skeletonOf(words: string, quantities: readonly Quantity[], end: number): string {
  let skeleton = ''
  let at = 0
  for (const { from, to, signed } of quantities) {
    skeleton += `${words.slice(at, from)}${signed ? words[from] : ''}#`
    at = to
  }
  return (skeleton + words.slice(at, end))
    .replace(/[-/.](?=\p{L})/gu, '')
    .replace(/(?<=[\s#])[x*](?=[\s#])/g, '×')
    .replace(/÷/g, '/')
    .replace(/–/g, '-')
    .replace(/\((?=[^#)]*\))[^)]*\)|[\p{L}\s%$¥€£"'.、]/gu, '')
}

/** The sign that joins a term is none of its own. */
const unsigned = (one: Quantity): Quantity =>
  one.signed ? { ...one, value: Math.abs(one.value), range: sizeOf(one.range) } : one

const inverse = (one: Quantity): Quantity => {
  const { low, high } = one.range
  return { ...one, value: 1 / one.value, range: { low: 1 / high, high: 1 / low } }
}

/** Another unit of the same: thousands, minutes, hours. */
function isConverted(ratio: number): boolean {
  const size = Math.abs(Math.log10(Math.abs(ratio)))
  if (size > 0.9 && Math.abs(size - Math.round(size)) < 0.01) return true
  return [60, 3600, 24, 8, 1024].some(factor => [ratio, 1 / ratio].some(one => Math.abs(one / factor - 1) < 0.02))
}

const RULES = {
  sum: 'wrong-sum',
  rest: 'wrong-sum',
  mean: 'wrong-mean',
  product: 'wrong-equation',
  difference: 'wrong-equation',
  quotient: 'wrong-equation',
} as const satisfies { readonly [operation in Operation]: RuleId }

const isOperation = (name = ''): name is Operation => name in RULES

function check(assertion: Assertion): Outcome {
  const { quote, stance } = assertion
  const [operation, sureness] = assertion.manner.split(' ')
  const terms = figuresAs(assertion, 'term').map(({ quantity }) => quantity)
  const result = figureAs(assertion, 'result')
  const value = isOperation(operation) ? reckoned(operation, terms) : null
  const isWritten = sureness === 'written'
  if (result === null || value === null || !isOperation(operation)) return UNCHECKED
  // A dash may be a range.
  const isRange = operation === 'difference' && terms.every(({ value: one }) => Number.isInteger(one))
  // "3/4 = 12, 4/4 = 8": so many of each kind.
  const isTally = operation === 'quotient' && value.high <= 1 && [...terms, result.quantity].every(isCount)
  if (isRange || isTally || (!isWritten && (stance === 'planned' || stance === 'advised'))) return UNCHECKED
  // People work with more digits than they print; "360 samples × batch 8 = 45": by the batch, not times it.
  const slack = isWritten ? 0.002 * Math.max(Math.abs(value.low), Math.abs(value.high)) : 0
  const quotient = isWritten && operation === 'product' ? reckoned('quotient', terms) : null
  const readings = [{ low: value.low - slack, high: value.high + slack }, ...(quotient === null ? [] : [quotient])]
  const stated = statedRange(result.quantity)
  const isFit = readings.some(range => meets(stated, range))
  if (isFit || (isWritten && isConverted(result.quantity.value / middle(value)))) return confirmed(quote)
  // "6 clips × 9 rooms = 108 s": a factor goes unsaid.
  if (isDuration(result.quantity) && !terms.some(isDuration)) return UNCHECKED
  const expected = asPrinted(middle(value), result.quantity)
  const message = say('audit.wrong-equation', { quote, found: result.text, expected })
  const rule = isWritten ? 'wrong-equation' : RULES[operation]
  const severity = sureness === 'unsure' ? 'warning' : 'error'
  return refute(rule, result.offset, message, { severity, isFix: operation !== 'rest' })
}

export const equation: Relation = { names: ['equation'], inStatement, check }
