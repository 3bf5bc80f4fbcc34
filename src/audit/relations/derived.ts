import { type Axis, isDifferenceName, type Matrix } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { divide, exactly, multiply, type Range, subtract } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, isMisprint, meets, middle, percentOf, scale, sizeOf, statedRange } from '../arithmetic.js'
import { type Assertion, confirmed, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import { goalOf, significantDigits } from '../evidence.js'
import { refute } from '../fault.js'
import { type Mention, mentionsInName, mentionsInText } from '../mentions.js'
import { assertionInCell, figureAs } from '../read.js'
import { asFigure, type Term, termAt, type View, viewsOf } from './view.js'

/**
 * Cells that follow from two others: columns and rows of differences, percentages and multiples, and measured columns
 * that are the product or the share of two others. Which they follow from is solved, not guessed: the operation and the
 * two terms that explain most of a column are what its author meant; a cell is wrong when that does not give it and, in
 * a column of differences, no other operation on its row does.
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
  readonly isFlipped: boolean
  /** Of two lines; else of one line here and at another item. */
  readonly isTwoSided: boolean
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
  if (operation === 'product') return [multiply(a, b)]
  const made = operation === 'percent' ? percentOf(a, b) : divide(b, a)
  return made === null ? [] : [operation === 'share' ? scale(made, 100) : made]
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

function explains(formula: Formula, item: Axis, stated: Quantity): boolean {
  return resultsAt(formula, item, stated).some(range => isResult(range, stated))
}

function* inTable(matrix: Matrix): Generator<Assertion> {
  for (const view of viewsOf(matrix)) {
    if (view.isTurned && !matrix.alongColumns) continue
    for (const target of view.lines)
      if (target.role === 'difference' || (target.role === 'value' && !view.isTurned)) yield* inLine(view, target)
  }
}

interface Stated extends Term {
  readonly item: Axis
}

/** The figures of a derived line; a cell of words that holds one is none. */
function statedIn(view: View, target: Axis): readonly Stated[] {
  return itemsOf(view).flatMap(item => {
    const term = termAt(view, item, target)
    const isMore = (term?.cell.quantities.length ?? 0) > 2
    const isNone = term === null || isMore || term.quantity.ends !== null || term.quantity.plusMinus
    return isNone ? [] : [{ item, ...term }]
  })
}

const itemsOf = ({ items, isTurned }: View): readonly Axis[] =>
  isTurned ? items : items.filter(({ role }) => role !== 'summary')

const MOST_LINES = 14
const MOST_CELLS = 2_000
/** Of the cells of a line of differences, how many its formula may leave unexplained. */
const MOST_MISSED = 0.4
const RELATIVE = /^rel|相对|ratio|占|share/i
const VERSUS = /(?:vs\.?|versus|相对于?|对比)\s*(.*)$/i

function* inLine(view: View, target: Axis): Generator<Assertion> {
  const { lines, isTurned, matrix } = view
  const isMade = target.role === 'value'
  // A column "min" or "mean" is a term like any other.
  const isTerm = ({ role }: Axis): boolean => role === 'value' || (role === 'summary' && !isTurned && !isMade)
  const values = lines.filter(axis => isTerm(axis) && axis !== target)
  const before = values.filter(({ index }) => index < target.index)
  // A block of columns may repeat; the nearest before it are meant.
  const pool = isMade ? before : isTurned ? before.slice(-4) : values.length > MOST_LINES ? before.slice(-6) : values
  // One column alone gives shares of itself, and nothing else.
  if (isMade && pool.length < 2 && !RELATIVE.test(target.name)) return
  const filled = pool.filter(axis => view.items.some(item => termAt(view, item, axis) !== null))
  // "B − A" says itself what it is made of.
  const said = mentionsInName(target, matrix)
  const called = filled.filter(axis => said.some(({ axes: [one, more] }) => one === axis && more === undefined))
  const sources = called.length === 2 ? called : filled
  const cells = statedIn(view, target)
  if (sources.length === 0 || cells.length > MOST_CELLS) return
  // Two digits are soon the product of two others.
  const isCoarse = cells.every(({ quantity }) => quantity.decimals > 0 && significantDigits(quantity) < 3)
  const isWhole =
    cells.length > (isCoarse ? 5 : 3) && cells.length === itemsOf(view).length && sources.length < MOST_LINES / 2
  if (isMade && !isWhole) return
  const operations = isMade ? (MADE[cells[0]?.quantity.unit ?? ''] ?? ['product']) : OPERATIONS.slice(0, 3)
  const inside = isMade && !RELATIVE.test(target.name) ? [] : [...within(view, target, said, sources, operations)]
  const formulas = [...ofTwo(view, sources, operations), ...inside]
  const solution = best(formulas, cells, isMade ? 1 : MOST_MISSED * cells.length)
  // "vs X", where X is no column, refers to a row or to another table; and two quantities have no difference.
  const against = VERSUS.exec(target.name)?.[1]
  const named = mentionsInText(against ?? '', matrix).flatMap(({ axes }) => axes)
  const isElsewhere = against !== undefined && !named.some(axis => sources.includes(axis))
  const isCalled = isDifferenceName(target.name) || called.length === 2
  const isPlain = !isMade && (isTurned || matrix.alongRows) && !isElsewhere && isCalled && sources.length === 2
  // Where nothing of the two gives a single row of several, they come from elsewhere.
  const isAny =
    cells.length < 3 || cells.some(({ item, quantity }) => formulas.some(one => explains(one, item, quantity)))
  for (const { item, ...stated } of cells) {
    const { unit, signed } = stated.quantity
    // Of two lines alone the second minus the first, in the unit that fits best.
    const isPercent = unit === '%' && termAt(view, item, sources[0])?.quantity.unit !== '%'
    const operation = unit === 'times' ? 'ratio' : isPercent ? 'percent' : 'difference'
    const meant =
      solution ?? (isPlain && isAny ? formulas.find(one => one.isTwoSided && one.operation === operation) : null)
    if (meant == null) continue
    // Another formula may explain a difference, but none that turns its sign round.
    const mayBe = (one: Formula): boolean =>
      one === meant ||
      // Of a column of percentages, what has none is a plain difference.
      (meant.operation === 'percent' && one.operation === 'difference' && unit !== '%') ||
      (!isMade &&
        (solution === null || (sources.length === 2 && one.isTwoSided)) &&
        (one.isFlipped === meant.isFlipped || !signed))
    const formula = formulas.find(one => mayBe(one) && explains(one, item, stated.quantity)) ?? meant
    const pair = formula.pairOf(item)
    // "12 racks left" is no multiple.
    // "9 / 2 / 1" is no term.
    const isSingle = solution !== null || (pair?.every(({ cell }) => cell.quantities.length === 1) ?? false)
    if (pair === null || !isSingle || (unit === 'times') !== (formula.operation === 'ratio')) continue
    yield assertionInCell(matrix, stated.cell, 'derived', {
      subjects: [item.name],
      quantity: target.name,
      figures: [asFigure(pair[0], 'from'), asFigure(pair[1], 'to'), asFigure(stated, 'result')],
      manner: `${isTurned ? 'row' : 'column'} ${formula.operation} ${isMade ? 'made' : formula.isTwoSided ? '' : 'within'}`,
    })
  }
}

/** The formula that explains most of the cells, and leaves no more than so many of them unexplained. */
function best(formulas: readonly Formula[], cells: readonly Stated[], mostMissed: number): Formula | null {
  let found: Formula | null = null
  let fewest = Math.min(Math.floor(mostMissed) + 1, cells.length - 1)
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

/** Of one line here, and at the item that the header names, the first or the one before; or of two figures of a cell. */
function* within(
  view: View,
  target: Axis,
  said: readonly Mention[],
  sources: readonly Axis[],
  operations: readonly Operation[],
): Generator<Formula> {
  const bases = said.flatMap(({ isRow, axes }) => (isRow === view.isTurned ? [] : axes))
  const means = view.lines.filter(axis => axis.role === 'summary' && axis !== target)
  for (const line of [...sources, ...means]) {
    const filled = itemsOf(view).flatMap(item => termAt(view, item, line) ?? [])
    const previous = new Map(filled.slice(1).map((term, i) => [term.cell, filled[i]]))
    for (const base of [
      ...bases.map(at => () => termAt(view, at, line)),
      () => filled[0],
      ({ cell }: Term) => previous.get(cell),
    ])
      yield* bothWays(operations, false, item => {
        const own = termAt(view, item, line)
        return own === null ? [] : [base(own), own]
      })
  }
  // "31.0 → 36.2" in one cell.
  for (const line of sources)
    yield* bothWays(operations, true, item => {
      const cell = view.cellAt(item, line)
      return cell?.quantities.length === 2 && /→|->/.test(cell.text)
        ? cell.quantities.map(quantity => ({ cell, quantity }))
        : []
    })
}

const ofTwo = (view: View, lines: readonly Axis[], operations: readonly Operation[]): readonly Formula[] =>
  lines.flatMap((left, i) =>
    lines
      .slice(i + 1)
      .flatMap(right => bothWays(operations, true, item => [termAt(view, item, left), termAt(view, item, right)])),
  )

function bothWays(
  operations: readonly Operation[],
  isTwoSided: boolean,
  termsOf: (item: Axis) => readonly (Term | null | undefined)[],
): readonly Formula[] {
  return operations.flatMap(operation =>
    [false, true].map(isFlipped => ({
      operation,
      isTwoSided,
      isFlipped,
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
  const isSize = how !== 'within' && ranges.some(one => meets(sizeOf(one), sizeOf(statedRange(stated))))
  if (isSize && (IMPROVEMENT.test(name) || goalOf([subject]) === 'min')) return UNCHECKED
  const expected = asPrinted(middle(range), stated)
  const terms = { left: from.text, right: to.text, operation: SIGNS[operation], found: result.text, expected }
  const [row, column] = place === 'row' ? [name, subject] : [subject, name]
  const rule = place === 'row' ? 'difference-row' : operation === 'ratio' ? 'wrong-multiple' : 'difference-column'
  const more = how === 'made' ? ({ severity: 'warning' } as const) : { isFix: true }
  return refute(rule, result.offset, say('audit.difference-column', { ...terms, row, column }), more)
}

export const derived: Relation = { names: ['derived'], inTable, check }
