import type { Statement } from '../../logs/document/document.js'
import { everyMatch } from '../../logs/document/matches.js'
import { type Quantity, readTokens } from '../../logs/document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, combine, isDuration, isWithin, meets, middle, type Operation, statedRange } from '../arithmetic.js'
import { type Assertion, type CheckOutcome, confirmed, type Relation, refute, UNCHECKED } from '../assertion.js'
import { assertionOver, figureAs, figureOf, figuresAs } from '../extract.js'

/** Sums, products and means that are written out: "4 x 2 = 8", "0.61 - 0.52 = 0.09", "(57.0 + 56.1) / 2 = 56.55". */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.wrong-equation': { en: '“{quote}”: the result is {expected}, not {found}', zh: '“{quote}”：结果是 {expected}，不是 {found}' },
})

interface Combination {
  readonly operation: Operation
  readonly terms: readonly Quantity[]
  readonly result: Quantity
}

const LONGEST = 300
/** "= 4 × 8 …": the result is a term of something longer. */
const GOES_ON = /^\s?(?:[×*÷^/]|[-+x]\s)\s?[\d(]/
/** What is left of a sum without its words: one sign throughout, or a sum in brackets that is divided. */
const WRITTEN: readonly (readonly [Operation, RegExp])[] = [
  ['sum', /#(?:[+-]#)+$/],
  ['product', /#(?:×#)+$/],
  ['mean', /\(#(?:\+#)+\)[/÷]#$/],
]
/** Before it nothing, or what ends a clause; "x × 4 × 8" is only read in part, and "8 for x = 15 + 8" is no chain. */
const BEGINS = /(?:^|[,;:。→(]|(?<!#)=)$/

function* inStatement(statement: Statement): Generator<Assertion> {
  for (const { operation, terms, result } of combinationsIn(statement)) {
    const figures = [...terms.map(one => figureOf(statement, one, 'term')), figureOf(statement, result, 'result')]
    yield assertionOver(statement, 'equation', figures, { manner: operation })
  }
}

/** What is written out left of an equals sign. */
function combinationsIn(statement: Statement): readonly Combination[] {
  const { text, quantities, kind } = statement
  if (kind === 'code' || quantities.length < 2 || text.length > LONGEST || !/[=≈]/.test(text)) return []
  const written = everyMatch(text, /[=≈]/g).flatMap(({ index }): Combination[] => {
    const result = quantities.find(({ from }) => from > index)
    const isNext = result !== undefined && /^[\s~≈约$]*$/.test(text.slice(index + 1, result.from))
    if (!isNext || GOES_ON.test(text.slice(result.to, result.to + 6))) return []
    const before = quantities.filter(({ to }) => to <= index)
    const skeleton = skeletonOf(masked(statement).slice(0, index))
    return WRITTEN.flatMap(([operation, pattern]): Combination[] => {
      const [sum = ''] = pattern.exec(skeleton) ?? []
      if (sum === '' || !BEGINS.test(skeleton.slice(0, -sum.length))) return []
      const terms = before.slice(1 - sum.split('#').length)
      const isWhole = operation !== 'mean' || terms.pop()?.value === terms.length
      // Of whole numbers a dash may be a range.
      const isSigned = sum.split('-').length - 1 === terms.filter(one => one.value < 0 && one.decimals > 0).length
      const isRead = isWhole && isSigned && [...terms, result].every(({ ends }) => ends === null)
      return isRead ? [{ operation, terms, result }] : []
    })
  })
  return [...written, ...differencesIn(statement)]
}

/** "0.61 - 0.52 = 0.09": a dash between two figures reads as a range, so that the form is looked for by itself. */
const DIFFERENCE =
  /(?<![\w.,)+–-]|[-–] |[-–+×*/] )(\d{1,9}\.\d{1,6}) ?%? [-–] (\d{1,9}\.\d{1,6}) ?%? ?= ?([+-]?\d{1,9}(?:\.\d{1,6})? ?%?)(?!\w|[.,]\d| ?[-+×*/] ?\d)/dg

function differencesIn({ text }: Statement): readonly Combination[] {
  return everyMatch(text, DIFFERENCE).flatMap(({ indices }) => {
    const [left, right, result] = [1, 2, 3].map(group => figureAt(text, indices?.[group]))
    if (left == null || right == null || result == null) return []
    const { value, range } = right
    const taken = { ...right, value: -value, range: { low: -range.high, high: -range.low } }
    return [{ operation: 'sum', terms: [left, taken], result }]
  })
}

function figureAt(text: string, [from, to]: readonly [number, number] = [0, 0]): Quantity | null {
  const [figure] = readTokens(text.slice(from, to)).quantities
  return figure === undefined ? null : { ...figure, from: from + figure.from, to: from + figure.to }
}

/** The text with every digit that belongs to a name, a step or a date made a letter: what is left is measured. */
function masked({ text, quantities }: Statement): string {
  let words = ''
  let at = 0
  for (const { from, to } of quantities) {
    words += text.slice(at, from).replace(/\d/g, 'n') + text.slice(Math.max(at, from), to)
    at = Math.max(at, to)
  }
  return words + text.slice(at).replace(/\d/g, 'n')
}

/** Nothing but signs and brackets, and `#` for each figure. */
const skeletonOf = (words: string): string =>
  words
    .replace(/\d[\d.,]*\d|\d/g, '#')
    .replace(/(?<=[\s#])[x*](?=[\s#])/g, '×')
    .replace(/\((?=[^#)]*\))[^)]*\)|[-/.](?=\p{L})|[\p{L}\s%$¥€£"'.、]/gu, '')

/** People work with more digits than they print. */
const UNPRINTED = 0.002

function check(assertion: Assertion): CheckOutcome {
  const [operation] = WRITTEN.find(([name]) => name === assertion.manner) ?? []
  const terms = figuresAs(assertion, 'term').map(({ quantity }) => quantity)
  const result = figureAs(assertion, 'result')
  const value = operation === undefined ? null : combine(operation, terms)
  if (result === null || value === null) return UNCHECKED
  const slack = UNPRINTED * Math.max(Math.abs(value.low), Math.abs(value.high))
  const made = { low: value.low - slack, high: value.high + slack }
  const { quantity } = result
  if (meets(statedRange(quantity), made)) return confirmed(assertion.quote)
  // "6 clips × 9 rooms = 108 s" has a factor that goes unsaid, "50 % × 800 = 400" another unit.
  const isUnsaid =
    (isDuration(quantity) && !terms.some(isDuration)) || terms.some(({ unit }) => unit === '%' && quantity.unit !== '%')
  if (isUnsaid || !isWithin(3, quantity.value / middle(value))) return UNCHECKED
  const expected = asPrinted(middle(value), quantity)
  const message = say('audit.wrong-equation', { quote: assertion.quote, found: result.text, expected })
  return refute('wrong-equation', result.offset, message)
}

export const equation: Relation = { name: 'equation', inStatement, check }
