import { type Axis, isDifferenceName, type Matrix } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { divide, exactly, multiply, type Range, subtract } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, isMisprint, meets, middle, percentOf, scale, sizeOf, statedRange } from '../arithmetic.js'
import { type Assertion, confirmed, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import { significantDigits } from '../evidence.js'
import { refute } from '../fault.js'
import { mentionsInName } from '../mentions.js'
import { assertionInCell, figureAs } from '../read.js'
import { asFigure, type Term, termAt, type View, viewsOf } from './view.js'

/**
 * Cells that follow from two others: columns and rows of differences, percentages and multiples, and measured columns
 * that are the product or the share of two others. Which they follow from is solved, not guessed: the operation and the
 * two terms that explain most of a column are what its author meant, and a cell is wrong when that does not give it.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.difference-column': { en: '“{found}” in row “{row}”, column “{column}”: {operation} of {left} and {right} is {expected}; write {expected}', zh: '“{row}”行“{column}”列的“{found}”：由 {left} 和 {right} 得到的{operation}是 {expected}；应写 {expected}' },
})

const SIGNS = { difference: '−', percent: '%', ratio: '÷', product: '×', share: '÷' } as const
type Operation = keyof typeof SIGNS
const OPERATIONS = ['difference', 'percent', 'ratio', 'product', 'share'] as const satisfies readonly Operation[]

/** What a measured column may be made by, by its unit. */
const MADE: { readonly [unit: string]: readonly Operation[] } = { '%': ['percent', 'share'], times: ['ratio'] }

type Pair = readonly [from: Term, to: Term]

/** What is done with which two cells of each item. */
interface Formula {
  readonly operation: Operation
  readonly pairOf: (item: Axis) => Pair | null
}

/** What an operation can be printed as. */
function results(operation: Operation, pair: readonly [Quantity, Quantity], stated: Quantity): readonly Range[] {
  if (pair.some(({ ends }) => ends !== null)) return []
  const isMade = operation === 'product' || operation === 'share'
  // What is counted is not rounded.
  const [a, b] = pair.map(({ value, range, decimals }) => (isMade && decimals === 0 ? exactly(value) : range))
  const difference = subtract(b, a)
  // Shares between 0 and 1 are often compared in points.
  if (operation === 'difference')
    return stated.unit === '%' && pair[0].unit === null ? [difference, scale(difference, 100)] : [difference]
  const ratio = divide(b, a)
  const share = ratio === null ? null : scale(ratio, 100)
  const made = { percent: percentOf(a, b), ratio, product: multiply(a, b), share }[operation]
  if (made === null) return []
  // In a column of percentages what has none may be a plain difference.
  return operation === 'percent' && stated.unit !== '%' ? [made, difference] : [made]
}

/** A figure without a sign may be a size. */
function isResult(range: Range, stated: Quantity): boolean {
  const { low, high } = statedRange(stated)
  const slack = stated.unit === 'times' ? 0.05 * Math.abs(stated.value) : 0
  return meets({ low: low - slack, high: high + slack }, stated.signed ? range : sizeOf(range))
}

/** A range that holds half the numbers explains nothing. */
function isNarrow({ low, high }: Range, { decimals }: Quantity): boolean {
  return high - low <= 0.25 * Math.abs(low + high) + 3 * 10 ** -(decimals ?? 3)
}

function resultsAt({ operation, pairOf }: Formula, item: Axis, stated: Quantity): readonly Range[] {
  const isOfUnit = (stated.unit === 'times') === (operation === 'ratio')
  const pair = isOfUnit ? pairOf(item) : null
  return pair === null ? [] : results(operation, [pair[0].quantity, pair[1].quantity], stated)
}

function* inTable(matrix: Matrix): Generator<Assertion> {
  for (const view of viewsOf(matrix)) {
    for (const target of view.lines)
      if (target.role === 'difference' || (target.role === 'value' && !view.isTurned)) yield* inLine(view, target)
  }
}

interface Stated extends Term {
  readonly item: Axis
}

const itemsOf = ({ items }: View): readonly Axis[] => items.filter(({ role }) => role !== 'summary')

const MOST_LINES = 14
const MOST_CELLS = 2_000
/** Of the cells of a line of differences, how many its formula may leave unexplained. */
const MOST_MISSED = 0.5

function* inLine(view: View, target: Axis): Generator<Assertion> {
  const { lines, isTurned, matrix } = view
  const isMade = target.role === 'value'
  const values = lines.filter(axis => axis.role === 'value' && axis !== target)
  const before = values.filter(({ index }) => index < target.index)
  // A block of columns may repeat; the nearest before it are meant.
  const sources = isMade ? before : values.length > MOST_LINES ? before.slice(-6) : values
  const cells = itemsOf(view).flatMap((item): readonly Stated[] => {
    const term = termAt(view, item, target)
    return term === null || term.cell.dates.length > 0 ? [] : [{ item, ...term }]
  })
  // Two digits are soon the product of two others, and few figures that of two of many.
  const isCoarse = cells.every(({ quantity }) => quantity.decimals > 0 && significantDigits(quantity) < 3)
  const isAny = cells.length <= (isCoarse ? 5 : 3) || sources.length >= MOST_LINES / 2
  if (cells.length > MOST_CELLS || (isMade && isAny)) return
  const operations = isMade ? (MADE[cells[0]?.quantity.unit ?? ''] ?? ['product']) : OPERATIONS.slice(0, 3)
  const formulas = [...ofTwo(view, sources, operations), ...within(view, target, sources, operations)]
  // Of the two columns beside "diff" one row is enough to tell what is meant.
  const fewestRight = sources.length === 2 && isDifferenceName(target.name) ? 1 : 2
  const meant = best(formulas, cells, isMade ? 1 : MOST_MISSED * cells.length, fewestRight)
  if (meant === null) return
  for (const { item, ...stated } of cells) {
    const pair = meant.pairOf(item)
    // "12 racks left" is no multiple.
    if (pair === null || (stated.quantity.unit === 'times') !== (meant.operation === 'ratio')) continue
    yield assertionInCell(matrix, stated.cell, 'derived', {
      subjects: [item.name],
      quantity: target.name,
      figures: [asFigure(pair[0], 'from'), asFigure(pair[1], 'to'), asFigure(stated, 'result')],
      manner: `${isTurned ? 'row' : 'column'} ${meant.operation} ${isMade ? 'made' : ''}`,
    })
  }
}

/** The formula that explains most of the cells, so many at least, and leaves no more than so many of them unexplained. */
function best(
  formulas: readonly Formula[],
  cells: readonly Stated[],
  mostMissed: number,
  fewestRight: number,
): Formula | null {
  let found: Formula | null = null
  let fewest = Math.min(Math.floor(mostMissed), cells.length - fewestRight) + 1
  for (const formula of formulas) {
    let missed = 0
    for (const { item, quantity } of cells) {
      const ranges = resultsAt(formula, item, quantity)
      if (!ranges.some(range => isResult(range, quantity) && isNarrow(range, quantity))) missed += 1
      if (missed >= fewest) break
    }
    if (missed < fewest) [found, fewest] = [formula, missed]
  }
  return found
}

/** Of one line here, and at the item that the header names, the first or the one before. */
function* within(
  view: View,
  target: Axis,
  sources: readonly Axis[],
  operations: readonly Operation[],
): Generator<Formula> {
  const { matrix, isTurned } = view
  const bases = mentionsInName(target, matrix).flatMap(({ isRow, axes }) => (isRow === isTurned ? [] : axes))
  const means = view.lines.filter(axis => axis.role === 'summary' && axis !== target)
  for (const line of [...sources, ...means]) {
    const filled = itemsOf(view).flatMap(item => termAt(view, item, line) ?? [])
    const previous = new Map(filled.slice(1).map((term, i) => [term.cell, filled[i]]))
    for (const base of [
      ...bases.map(at => () => termAt(view, at, line)),
      () => filled[0],
      ({ cell }: Term) => previous.get(cell),
    ])
      yield* bothWays(operations, item => {
        const own = termAt(view, item, line)
        return own === null ? [] : [base(own), own]
      })
  }
}

const ofTwo = (view: View, lines: readonly Axis[], operations: readonly Operation[]): readonly Formula[] =>
  lines.flatMap((left, i) =>
    lines
      .slice(i + 1)
      .flatMap(right => bothWays(operations, item => [termAt(view, item, left), termAt(view, item, right)])),
  )

function bothWays(
  operations: readonly Operation[],
  termsOf: (item: Axis) => readonly (Term | null | undefined)[],
): readonly Formula[] {
  return operations.flatMap(operation =>
    [false, true].map(isFlipped => ({
      operation,
      pairOf: item => {
        const [a, b] = termsOf(item)
        return a == null || b == null ? null : isFlipped ? [b, a] : [a, b]
      },
    })),
  )
}

/** Improvement of a loss is a fall, so its sign says nothing. */
const IMPROVEMENT = /提升|改善|改进|improve|gain|speed|reduction|drop|降/i

function check(assertion: Assertion): Outcome {
  const [from, to, result] = [figureAs(assertion, 'from'), figureAs(assertion, 'to'), figureAs(assertion, 'result')]
  const [place, called, how] = assertion.manner.split(' ')
  const operation = OPERATIONS.find(one => one === called)
  if (from === null || to === null || result === null || operation === undefined) return UNCHECKED
  const stated = result.quantity
  const ranges = results(operation, [from.quantity, to.quantity], stated)
  const [range] = ranges
  if (ranges.some(one => isResult(one, stated))) return confirmed(`${from.text}, ${to.text}`)
  if (range === undefined || !isMisprint(stated.value, middle(range))) return UNCHECKED
  const [subject = ''] = assertion.subjects
  const name = assertion.quantity ?? ''
  // The size fits, so the sign is what is wrong; but the gain of a loss is a fall.
  const isSize = ranges.some(one => meets(sizeOf(one), sizeOf(statedRange(stated))))
  if (isSize && IMPROVEMENT.test(name)) return UNCHECKED
  const expected = asPrinted(middle(range), stated)
  const terms = { left: from.text, right: to.text, operation: SIGNS[operation], found: result.text, expected }
  const [row, column] = place === 'row' ? [name, subject] : [subject, name]
  const rule = place === 'row' ? 'difference-row' : operation === 'ratio' ? 'wrong-multiple' : 'difference-column'
  const more = how === 'made' ? ({ severity: 'warning' } as const) : { isFix: true }
  return refute(rule, result.offset, say('audit.difference-column', { ...terms, row, column }), more)
}

export const derived: Relation = { names: ['derived'], inTable, check }
