import type { Cell } from '../../document/document.js'
import { type Axis, type Matrix, mainQuantity, matrixOf } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { divide, type Range, subtract } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, isMisprint, meets, middle, percentOf, scale, sizeOf, statedRange } from '../arithmetic.js'
import { type Assertion, confirmed, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import { goalOf } from '../evidence.js'
import { refute } from '../fault.js'
import { mentionsInName, mentionsInText } from '../mentions.js'
import { assertionInCell, cellFigure } from '../read.js'

/**
 * Cells that follow from other cells: columns and rows of differences, percentages and multiples. Which cells they follow
 * from is solved, not guessed: the operation and the two terms that explain most of the column are what its author
 * meant; a cell is wrong when that does not give it and no other operation on its row does.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.difference-column': { en: '“{found}” in row “{row}”, column “{column}”: {operation} of {left} and {right} is {expected}; write {expected}', zh: '“{row}”行“{column}”列的“{found}”：由 {left} 和 {right} 得到的{operation}是 {expected}；应写 {expected}' },
})

const SIGNS = { difference: '−', percent: '%', ratio: '×' } as const
type Operation = keyof typeof SIGNS
const OPERATIONS = ['difference', 'percent', 'ratio'] as const satisfies readonly Operation[]

/** What is done with which two cells: of two lines, of one line here and at another item, or with a base in the header. */
interface Formula {
  readonly operation: Operation
  readonly left:
    | { readonly line: number }
    | { readonly item: number }
    | { readonly base: Quantity }
    | 'first'
    | 'previous'
  readonly right: number
  readonly flipped: boolean
}

/** A table seen so that derived lines are its columns. */
interface View {
  readonly matrix: Matrix
  readonly transposed: boolean
  readonly lines: readonly Axis[]
  readonly items: readonly Axis[]
  readonly cellAt: (item: number, line: number) => Cell | undefined
}

function views(matrix: Matrix): readonly View[] {
  const { table, rows, columns } = matrix
  const items = rows.filter(({ role }) => role !== 'summary')
  const upright: View = { matrix, transposed: false, lines: columns, items, cellAt: (i, j) => table.rows[i]?.[j] }
  if (!matrix.alongColumns) return [upright]
  const lying = { matrix, transposed: true, lines: rows, items: columns.slice(1) }
  return [upright, { ...lying, cellAt: (i, j) => table.rows[j]?.[i] }]
}

interface Derived {
  readonly view: View
  readonly target: Axis
  readonly formula: Formula | null
  readonly sources: readonly Axis[]
  /** All formulas that a cell of the line may follow. */
  readonly formulas: readonly Formula[]
  /** The terms are told by words alone: two sources, or both named in the header. */
  readonly isNamed: boolean
}

const solved = new WeakMap<Matrix, readonly Derived[]>()

/** The derived lines of a table, each with the formula that explains most of it. */
function derivedLines(matrix: Matrix): readonly Derived[] {
  const known = solved.get(matrix)
  if (known !== undefined) return known
  const made = views(matrix).flatMap(view =>
    view.lines.filter(({ role }) => role === 'difference').flatMap(target => solve(view, target) ?? []),
  )
  solved.set(matrix, made)
  return made
}

const MOST_LINES = 14
const MOST_CELLS = 2_000
/** Of the cells of a line, how many its formula may leave unexplained. */
const MOST_MISSED = 0.4

function solve(view: View, target: Axis): Derived | null {
  const { lines, items, transposed, matrix } = view
  const { table } = matrix
  const all = lines.filter(({ role, index }) => role === 'value' && index !== target.index && (transposed || index > 0))
  const before = all.filter(({ index }) => index < target.index)
  // A block of columns may repeat; the nearest before it are meant.
  const pool = transposed ? before.slice(-4) : all.length > MOST_LINES ? before.slice(-6) : all
  const sources = pool.filter(axis => items.some(({ index }) => numberAt(view, index, axis.index) !== null))
  const cells = items.flatMap(({ index }) => {
    const stated = statedAt(view, index, target.index)
    return stated === null ? [] : [{ index, stated }]
  })
  if (sources.length === 0 || cells.length === 0 || cells.length > MOST_CELLS) return null
  const mentioned = mentionsInName(target, matrix)
  const named = sources.filter(axis => mentioned.some(one => one.isRow === transposed && one.axes.includes(axis)))
  const bases = mentioned.filter(one => one.isRow !== transposed && one.axes.length === 1).flatMap(({ axes }) => axes)
  const means = lines.filter(({ role, index }) => role === 'summary' && index !== target.index)
  const header = transposed ? table.rows[target.index]?.[0] : table.header[target.index]
  const printed = (header?.quantities ?? []).filter(({ decimals, unit }) => (decimals ?? 0) > 0 && unit !== 'times')
  const formulas = [
    ...printed.flatMap(base => sources.flatMap(({ index }) => inBothWays({ base }, index))),
    ...[...sources, ...means].flatMap(({ index }) => withinLine(index, bases)),
    ...pairsOf(sources),
  ]
  let best: Formula | null = null
  let most = 1
  for (const formula of formulas) {
    let missed = 0
    for (const { index, stated } of cells) {
      if (!explains(view, formula, index, stated, true)) missed += 1
      if (cells.length - missed <= most || missed > MOST_MISSED * cells.length) break
    }
    const count = cells.length - missed
    if (count > most && missed <= MOST_MISSED * cells.length) [best, most] = [formula, count]
  }
  // "vs X", where X is no column, refers to a row or to another table; and two quantities have no difference.
  const against = VERSUS.exec(target.name)
  const isElsewhere =
    against !== null &&
    !named.some(axis => mentionsInText(against[1] ?? '', matrix).some(one => one.axes.includes(axis)))
  const isNamed = (transposed || matrix.alongRows) && !isElsewhere && (sources.length === 2 || named.length === 2)
  return { view, target, formula: best, formulas, sources: named.length === 2 ? named : sources, isNamed }
}

const VERSUS = /(?:vs\.?|versus|相对于?|对比)\s*(.*)$/i

function inBothWays(left: Formula['left'], right: number): readonly Formula[] {
  return OPERATIONS.flatMap(operation => [false, true].map(flipped => ({ operation, left, right, flipped })))
}

function pairsOf(sources: readonly Axis[]): readonly Formula[] {
  return sources.flatMap(({ index }, i) =>
    sources.slice(i + 1).flatMap(right => inBothWays({ line: index }, right.index)),
  )
}

/** Against the first, the one before, or the one that the header names, in one line. */
function withinLine(line: number, bases: readonly Axis[]): readonly Formula[] {
  const others = [...bases.map(({ index }) => ({ item: index })), 'first', 'previous'] as const
  return others.flatMap(left => inBothWays(left, line))
}

function numberAt({ cellAt }: View, item: number, line: number): Quantity | null {
  const cell = cellAt(item, line)
  return cell === undefined || cell.pending ? null : mainQuantity(cell)
}

/** The figure of a derived cell; a cell of words that holds one is none. */
function statedAt(view: View, item: number, line: number): Quantity | null {
  const quantity = numberAt(view, item, line)
  const isMore = (view.cellAt(item, line)?.quantities.length ?? 0) > 2
  return quantity === null || isMore || quantity.ends !== null || quantity.plusMinus ? null : quantity
}

type Terms = readonly [Quantity, Quantity]

/** The cells that a formula takes, and where both hold a second figure in brackets, those: "30 (1.5)", "20 (1.4)". */
function termsOf(view: View, { left, right, flipped }: Formula, item: number): readonly Terms[] {
  const [b, a] = [numberAt(view, item, right), leftOf(view, left, right, item)]
  if (a === null || b === null || a.ends !== null || b.ends !== null) return []
  const pairs: Terms[] = [[a, b]]
  if (typeof left === 'object' && 'line' in left) {
    const [first = [], second = []] = [left.line, right].map(line => view.cellAt(item, line)?.quantities)
    const [c, d] = [first[1], second[1]]
    if (c !== undefined && d !== undefined && first.length === 2 && second.length === 2) pairs.push([c, d])
  }
  return flipped ? pairs.map(([x, y]) => [y, x]) : pairs
}

function leftOf(view: View, left: Formula['left'], line: number, item: number): Quantity | null {
  if (typeof left !== 'string') {
    if ('base' in left) return left.base
    return 'line' in left ? numberAt(view, item, left.line) : numberAt(view, left.item, line)
  }
  const neighbours = neighboursIn(view, line).get(item)
  return neighbours === undefined ? null : numberAt(view, neighbours[left], line)
}

type Neighbours = ReadonlyMap<number, { readonly first: number; readonly previous: number }>
const orders = new WeakMap<View, Map<number, Neighbours>>()

/** For each item of a line the first one that has a number, and the one before it; -1 where there is none. */
function neighboursIn(view: View, line: number): Neighbours {
  const known = orders.get(view) ?? new Map<number, Neighbours>()
  orders.set(view, known)
  const found = known.get(line)
  if (found !== undefined) return found
  const filled = view.items.map(({ index }) => index).filter(index => numberAt(view, index, line) !== null)
  const made = new Map(filled.map((index, i) => [index, { first: filled[0] ?? -1, previous: filled[i - 1] ?? -1 }]))
  known.set(line, made)
  return made
}

/** All values that an operation on two cells can be printed as. */
function results(operation: Operation, [a, b]: Terms, stated: Quantity): readonly Range[] {
  const difference = subtract(b.range, a.range)
  // Shares between 0 and 1 are often compared in points.
  if (operation === 'difference')
    return stated.unit === '%' && a.unit === null ? [difference, scale(difference, 100)] : [difference]
  const made = operation === 'ratio' ? divide(b.range, a.range) : percentOf(a.range, b.range)
  return made === null ? [] : [made]
}

function resultsAt(view: View, formula: Formula, item: number, stated: Quantity): readonly Range[] {
  if ((stated.unit === 'times') !== (formula.operation === 'ratio')) return []
  return termsOf(view, formula, item).flatMap(terms => results(formula.operation, terms, stated))
}

function explains(view: View, formula: Formula, item: number, stated: Quantity, isSharp = false): boolean {
  const { low, high } = statedRange(stated)
  const slack = formula.operation === 'ratio' ? 0.05 * Math.abs(stated.value) : 0
  return resultsAt(view, formula, item, stated).some(
    range => meets({ low: low - slack, high: high + slack }, range) && (!isSharp || isNarrow(range, stated)),
  )
}

/** A range that holds half the numbers explains nothing. */
function isNarrow({ low, high }: Range, { decimals }: Quantity): boolean {
  return high - low <= 0.25 * Math.abs(low + high) + 3 * 10 ** -(decimals ?? 3)
}

function* inTable(matrix: Matrix): Generator<Assertion> {
  for (const { view, target, formula, isNamed } of derivedLines(matrix)) {
    if (formula === null && !isNamed) continue
    for (const { index, name } of view.items) {
      const [stated, cell] = [statedAt(view, index, target.index), view.cellAt(index, target.index)]
      if (stated === null || cell === undefined) continue
      yield assertionInCell(matrix, cell, 'derived', {
        subjects: [name],
        quantity: target.name,
        figures: [cellFigure(cell, stated)],
        manner: `${view.transposed ? 'row' : 'column'} ${target.index} ${index}`,
      })
    }
  }
}

function check({ manner, scope, figures: [figure], subjects: [subject = ''], quantity }: Assertion): Outcome {
  const [axis, line, place] = manner.split(' ')
  const derived = (scope.table === null ? [] : derivedLines(matrixOf(scope.table))).find(
    one => one.view.transposed === (axis === 'row') && one.target.index === Number(line),
  )
  if (derived === undefined || figure === undefined) return UNCHECKED
  const { view, formula, formulas, sources, isNamed, target } = derived
  const [item, stated] = [Number(place), figure.quantity]
  if (formula !== null && explains(view, formula, item, stated)) return confirmed('the formula of its column')
  const isTurned = signTurned(derived, item, stated)
  const others = formulas.filter(one => explains(view, one, item, stated))
  const isTwoSided = ({ left }: Formula): boolean => typeof left === 'object' && 'line' in left
  if (formula === null ? others.length > 0 : sources.length === 2 && others.some(isTwoSided)) {
    if (!isTurned) return confirmed('another operation on its row')
  }
  const meant = formula ?? (isNamed ? guess(view, sources, item, stated) : null)
  const [terms] = meant === null ? [] : termsOf(view, meant, item)
  const [range] = meant === null || terms === undefined ? [] : results(meant.operation, terms, stated)
  if (meant === null || terms === undefined || range === undefined || !isMisprint(stated.value, middle(range)))
    return UNCHECKED
  // The size fits, so the sign is what is wrong; an unsigned figure may be a size, and the gain of a loss is a fall.
  const size = sizeOf(statedRange(stated))
  const isSize = formulas.some(
    one => isTwoSided(one) && resultsAt(view, one, item, stated).some(result => meets(size, sizeOf(result))),
  )
  if (isSize && stated.value !== 0 && (stated.signed || meant.operation === 'difference')) {
    if (!stated.signed && stated.value > 0) return confirmed('its size')
    if (IMPROVEMENT.test(target.name) || goalOf([subject]) === 'min') return UNCHECKED
  }
  const [row, column] = view.transposed ? [target.name, subject] : [subject, quantity ?? '']
  const params = { found: figure.text, row, column, operation: SIGNS[meant.operation] }
  const [left, right] = terms.map(({ value }) => String(value))
  return refute(
    view.transposed ? 'difference-row' : meant.operation === 'ratio' ? 'wrong-multiple' : 'difference-column',
    figure.offset,
    say('audit.difference-column', {
      ...params,
      left: left ?? '',
      right: right ?? '',
      expected: asPrinted(middle(range), stated),
    }),
    { isFix: true },
  )
}

/** Improvement of a loss is a fall, so its sign says nothing. */
const IMPROVEMENT = /提升|改善|改进|improve|gain|speed|reduction|drop|降/i

/** In a line of plain differences of two others, the other items say which way it is taken. */
function signTurned({ view, sources: [left, right, third], target }: Derived, item: number, stated: Quantity): boolean {
  if (!stated.signed || stated.value === 0 || left === undefined || right === undefined || third !== undefined)
    return false
  const signAt = (index: number): number => {
    const [a, b] = [numberAt(view, index, left.index), numberAt(view, index, right.index)]
    const difference = index === item ? stated : statedAt(view, index, target.index)
    if (a === null || b === null || difference === null || meets(a.range, b.range)) return 0
    return Math.sign(b.value - a.value) * Math.sign(difference.value)
  }
  const others = view.items.filter(({ index }) => index !== item).map(({ index }) => signAt(index))
  const usual = others.every(sign => sign === 0) ? 1 : Math.sign(others.reduce((sum, sign) => sum + sign, 0))
  return usual !== 0 && signAt(item) !== 0 && signAt(item) !== usual
}

/** Two lines and a header that says difference: the second minus the first, in the unit that fits best. */
function guess(view: View, [left, right, third]: readonly Axis[], item: number, { unit }: Quantity): Formula | null {
  if (left === undefined || right === undefined || third !== undefined) return null
  const isPercent = unit === '%' && numberAt(view, item, left.index)?.unit !== '%'
  const operation = unit === 'times' ? 'ratio' : isPercent ? 'percent' : 'difference'
  return { operation, left: { line: left.index }, right: right.index, flipped: false }
}

export const derived: Relation = { names: ['derived'], inTable, check }
