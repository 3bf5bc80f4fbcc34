import type { Statement } from '../../logs/document/document.js'
import { everyMatch } from '../../logs/document/matches.js'
import type { Quantity } from '../../logs/document/quantity.js'
import { sentences } from '../../text/sentences.js'
import {
  asPrinted,
  type Combination,
  combine,
  isDuration,
  isList,
  isMistyped,
  isPlain,
  isSlip,
  meets,
  middle,
  type Operation,
  statedRange,
} from '../arithmetic.js'
import { type Assertion, type CheckOutcome, confirmed, type Relation, refute, UNCHECKED } from '../assertion.js'
import { significantDigits } from '../evidence.js'
import { assertionOver, figureAs, figureOf, figuresAs, masked } from '../extract.js'
import { has, places } from '../lexicon.js'

/**
 * What a sentence reckons from its own figures, written out as in "4 x 2 = 8" and "(57.0 + 56.1) / 2 = 56.55" or told in
 * words, where one says which figure is the result. What is told is held against its author only where it comes near
 * what all the others make, and no reckoning of any of them gives it.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.wrong-equation': { en: '“{quote}”: it makes {expected}, not {found}; write {expected}', zh: '“{quote}”：结果是 {expected}，不是 {found}；应写 {expected}' },
})

function* inStatement(statement: Statement): Generator<Assertion> {
  const written = writtenIn(statement)
  const isWritten = written.length > 0
  for (const { operation, terms, result } of isWritten ? written : toldIn(statement)) {
    const figures = [...terms.map(one => figureOf(statement, one, 'term')), figureOf(statement, result, 'result')]
    yield assertionOver(statement, 'equation', { figures, manner: `${operation} ${isWritten ? 'written' : 'told'}` })
  }
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

/** Sums that are written out, left of an equals sign. */
function writtenIn(statement: Statement): readonly Combination[] {
  const { text, quantities } = statement
  if (quantities.length < 3 || text.length > LONGEST) return []
  return everyMatch(text, /[=≈]/g).flatMap(({ index }): Combination[] => {
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
}

/** Nothing but signs and brackets, and `#` for each figure. */
const skeletonOf = (words: string): string =>
  words
    .replace(/\d[\d.,]*\d|\d/g, '#')
    .replace(/(?<=[\s#])[x*](?=[\s#])/g, '×')
    .replace(/\((?=[^#)]*\))[^)]*\)|[-/.](?=\p{L})|[\p{L}\s%$¥€£"'.、]/gu, '')

const MOST_FIGURES = 7

/** In words: "A 5.5 h and B 2.2 h, 7.7 h in total", "30 a step, so 420 steps see 12,600", "33 / 41 / 46, mean 40". */
function toldIn({ text, quantities, kind }: Statement): readonly Combination[] {
  if (kind === 'cell' || quantities.length < 3 || quantities.length > MOST_FIGURES || text.length > LONGEST) return []
  const told = [meanIn(text, quantities), ...quantities.map(one => totalIn(text, quantities, one))]
  return told.filter(one => one !== undefined).filter(one => isRight(one) || !UNTOLD.test(text))
}

/** Words for something that was taken away, weighed, or not counted. */
const UNTOLD =
  /剩|余|过滤|去[掉除重]|丢弃|排除|除[了去外]|扣除|失败|跳过|加权|按|主要|其中|重叠|有效|实际|平均每|另|额外|(?<![A-Za-z])(?:remain|left|filter|remov|dropp|discard|dedup|exclud|except|minus|skip|crash|unique|valid|kept|retain|weight|mostly|mainly|top|includ|such as|overlap|overhead|multiple|up to|median|of which|after|billed|actual|(?<=\S )because|due to|extra|addition|plus|also|parallel|on average|shared|both|over (?:all|\d)|across)/i
/** Words for something that is multiplied. */
const EACH = /每|各(?!自|[种类方位])|(?<![A-Za-z])(?:each|per|apiece|every)(?![A-Za-z])|[@×]/i
/** A factor that is no figure. */
const IN_WORDS = /(?<![a-z])(?:two|three|four|five|six|seven|eight|nine|ten|twice)(?![a-z])|[两二三四五六七八九十]/i
const SO = /(?::|→|->|也?就是|即|(?<![a-z])(?:i\.e\.|so|that is))\s*[$¥€£]?$/i
const SMALLEST_UNCALLED = 1000

/** A figure that is called a total, or the last one where something is said of each, and what the others make. */
function totalIn(text: string, quantities: readonly Quantity[], result: Quantity): Combination | undefined {
  const isEach = EACH.test(text)
  const isLast = quantities.at(-1) === result
  const [ahead = ''] = /[^\d,;。]{0,16}$/.exec(text.slice(0, result.from)) ?? []
  const [behind = ''] = /^[^\d,;。]{0,24}/.exec(text.slice(result.to)) ?? []
  const isCalled = has(`${ahead} ${behind}`, 'total') || (isEach && SO.test(ahead))
  const isMeant = isCalled || (isEach && isLast && result.value >= SMALLEST_UNCALLED)
  if (!isMeant || !quantities.every(one => isPlain(one) && one.unit !== '%')) return
  // "…, so 32 in total; 4 epochs": what stands before it in its part of the sentence, where that is enough.
  const start = Math.max(...[...';；'].map(mark => text.lastIndexOf(mark, result.from)))
  const before = quantities.filter(({ from, to }) => from > start && to <= result.from)
  const terms = (before.length > 1 ? before : quantities).filter(one => one !== result && one.value !== 1)
  // Any two or more of them may be meant.
  const parts = Array.from({ length: 1 << terms.length }, (_, set) => terms.filter((_one, i) => set & (1 << i)))
  const isWrong = ({ operation }: Combination): boolean => {
    const made = middle(combine(operation, terms) ?? result.range)
    const isSaid = operation === 'product' ? isEach && !IN_WORDS.test(text) : !isEach && isList(text, terms)
    // What follows a total need not be all of it.
    const apart = made > result.value ? made / result.value : isLast ? result.value / made : Number.POSITIVE_INFINITY
    const isNear = isCalled && isSaid && apart < (operation === 'product' ? 2.1 : 1.3)
    return isNear || (significantDigits(result) > 2 && isMistyped(result.value, made, result.decimals))
  }
  return parts.flatMap(own => waysOf(own, result)).find(isRight) ?? waysOf(terms, result).find(isWrong)
}

/** All of some figures multiplied, or added up where they are alike. */
function waysOf(terms: readonly Quantity[], result: Quantity): readonly Combination[] {
  const product = { operation: 'product', terms, result } as const
  return areAlike(terms, result) ? [{ operation: 'sum', terms, result }, product] : [product]
}

/** The unit may stand once, with the result. */
const areAlike = (terms: readonly Quantity[], { unit, decimals }: Quantity): boolean =>
  terms.every(one => (one.unit ?? unit) === unit && one.decimals === decimals)

function isRight({ operation, terms, result }: Combination): boolean {
  const made = combine(operation, terms)
  return made !== null && meets(statedRange(result), made)
}

/** "33 / 41 / 46 ms (average 40 ms)": a list, a word for the mean, and what it is. */
function meanIn(text: string, quantities: readonly Quantity[]): Combination | undefined {
  const [word, another] = has(text, 'mean') ? places(text, 'mean') : []
  if (word === undefined || another !== undefined) return
  const start = Math.max(...[...':;。'].map(mark => text.lastIndexOf(mark, word.from)))
  const terms = quantities.filter(({ from, to }) => from > start && to <= word.from)
  const result = quantities.find(({ from }) => from >= word.to)
  if (result === undefined || !/^[^\d(,;]{0,24}$/.test(text.slice(word.to, result.from))) return
  const isListed =
    terms.length > 2 && areAlike(terms, result) && isList(text, terms) && [result, ...terms].every(isPlain)
  return isListed ? { operation: 'mean', terms, result } : undefined
}

function check(assertion: Assertion): CheckOutcome {
  const { quote, stance, manner } = assertion
  const [operation] = WRITTEN.find(([name]) => manner.startsWith(name)) ?? []
  const terms = figuresAs(assertion, 'term').map(({ quantity }) => quantity)
  const result = figureAs(assertion, 'result')
  const value = operation === undefined ? null : combine(operation, terms)
  if (result === null || value === null) return UNCHECKED
  const isWritten = manner.endsWith('written')
  if (!isWritten && (stance === 'planned' || stance === 'advised')) return UNCHECKED
  // People work with more digits than they print.
  const slack = isWritten ? 0.002 * Math.max(Math.abs(value.low), Math.abs(value.high)) : 0
  if (meets(statedRange(result.quantity), { low: value.low - slack, high: value.high + slack })) return confirmed(quote)
  // Far off is another unit; "6 clips × 9 rooms = 108 s": a factor goes unsaid.
  const isUnsaid = isDuration(result.quantity) && !terms.some(isDuration)
  if (isUnsaid || !isSlip(result.quantity.value, middle(value))) return UNCHECKED
  const expected = asPrinted(middle(value), result.quantity)
  const message = say('audit.wrong-equation', { quote, found: result.text, expected })
  const isNamed = !isWritten && (operation === 'sum' || operation === 'mean')
  const severity = isWritten ? 'error' : 'warning'
  return refute(isNamed ? `wrong-${operation}` : 'wrong-equation', result.offset, message, { severity, isFix: true })
}

export const equation: Relation = { names: ['equation'], inStatement, check }
