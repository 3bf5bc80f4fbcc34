import type { Cell } from '../../document/document.js'
import { type Axis, type Matrix, mainQuantity, matrixOf } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { divide, type Range, subtract } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, isMisprint, meets, middle, percentOf, scale, sizeOf, statedRange } from '../arithmetic.js'
import { type Assertion, confirmed, type Outcome, type Relation, refuted, UNCHECKED } from '../assertion.js'
import { type Evidence, goalOf, mentionAt, namesOf } from '../evidence.js'
import { fault } from '../fault.js'

/**
 * Cells that follow from other cells: columns and rows of differences, percentages and multiples. Which cells they follow
 * from is solved, not guessed: the operation and the two lines that explain most of the column are what its author
 * meant; a cell is wrong when that does not give it and no other operation on its row does.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.difference-column': { en: '“{found}” in row “{row}”, column “{column}”: {operation} of {left} and {right} is {expected}; write {expected}', zh: '“{row}”行“{column}”列的“{found}”：由 {left} 和 {right} 得到的{operation}是 {expected}；应写 {expected}' },
  'audit.operation.difference': { en: 'the difference', zh: '差值' },
  'audit.operation.percent': { en: 'the change in percent', zh: '变化百分比' },
  'audit.operation.ratio': { en: 'the multiple', zh: '倍数' },
})

type Operation = 'difference' | 'percent' | 'ratio'

/** Which two cells, and what is done with them. */
interface Formula {
  readonly operation: Operation
  /** Positions along the axis; `first` and `previous` refer to the same line at another place. */
  readonly left: number | 'first' | 'previous'
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
  const upright: View = {
    matrix,
    transposed: false,
    lines: columns,
    items: rows.filter(({ role }) => role !== 'summary'),
    cellAt: (item, line) => table.rows[item]?.[line],
  }
  if (!matrix.alongColumns) return [upright]
  return [
    upright,
    {
      matrix,
      transposed: true,
      lines: rows,
      items: columns.slice(1),
      cellAt: (item, line) => table.rows[line]?.[item],
    },
  ]
}

const MOST_LINES = 14

interface Derived {
  readonly view: View
  readonly target: Axis
  readonly formula: Formula | null
  readonly sources: readonly Axis[]
  /** Whether the cells are explained by words alone: two sources, or both named in the header. */
  readonly isNamed: boolean
}

const solved = new WeakMap<Matrix, readonly Derived[]>()

/** The derived lines of a table, each with the formula that explains most of it. */
export function derivedLines(matrix: Matrix): readonly Derived[] {
  const known = solved.get(matrix)
  if (known !== undefined) return known
  const made = views(matrix).flatMap(view =>
    view.lines.filter(({ role }) => role === 'difference').flatMap(target => solve(view, target) ?? []),
  )
  solved.set(matrix, made)
  return made
}

function solve(view: View, target: Axis): Derived | null {
  const all = view.lines.filter(
    ({ role, index }) => role === 'value' && index !== target.index && (view.transposed || index > 0),
  )
  const before = all.filter(({ index }) => index < target.index)
  // A block of columns may repeat; the nearest before it are meant.
  const sources = (view.transposed ? before.slice(-4) : all.length > MOST_LINES ? before.slice(-6) : all).filter(axis =>
    holdsNumbers(view, axis),
  )
  if (sources.length === 0) return null
  const named = sources.filter(axis => mentionAt(target.name, namesOf(view.matrix, axis, view.transposed)) >= 0)
  const pairs = pairsOf(sources)
  const means = view.lines.filter(({ role, index }) => role === 'summary' && index !== target.index)
  const formulas = [...[...sources, ...means].flatMap(({ index }) => withinLine(index)), ...pairs]
  let best: { formula: Formula; count: number } | null = null
  const cells = view.items.flatMap(({ index }) => {
    const stated = statedAt(view, index, target.index)
    return stated === null ? [] : [{ index, stated }]
  })
  if (cells.length === 0 || cells.length > MOST_CELLS) return null
  for (const formula of formulas) {
    const count = cells.filter(({ index, stated }) => explains(view, formula, index, stated, true)).length
    if (count > (best?.count ?? 0)) best = { formula, count }
  }
  // "vs X", where X is no column, refers to a row or to another table; and two quantities have no difference.
  const isElsewhere = /vs|相对|对比|versus/i.test(target.name) && named.length === 0
  const isComparable = view.transposed || view.matrix.alongRows
  const isNamed = isComparable && !isElsewhere && (sources.length === 2 || named.length === 2)
  const isSolved = best !== null && best.count >= 2 && best.count >= 0.6 * cells.length
  return {
    view,
    target,
    formula: isSolved ? (best?.formula ?? null) : null,
    sources: named.length === 2 ? named : sources,
    isNamed,
  }
}

const MOST_CELLS = 2_000

function holdsNumbers(view: View, axis: Axis): boolean {
  return view.items.some(({ index }) => numberAt(view, index, axis.index) !== null)
}

function pairsOf(sources: readonly Axis[]): readonly Formula[] {
  return sources.flatMap((left, i) =>
    sources.slice(i + 1).flatMap(right =>
      (['difference', 'percent', 'ratio'] as const).flatMap(operation => [
        { operation, left: left.index, right: right.index, flipped: false },
        { operation, left: left.index, right: right.index, flipped: true },
      ]),
    ),
  )
}

/** Against the first or the row before, in one column. */
function withinLine(line: number): readonly Formula[] {
  return (['first', 'previous'] as const).flatMap(left =>
    (['difference', 'percent', 'ratio'] as const).flatMap(operation =>
      [false, true].map(flipped => ({ operation, left, right: line, flipped })),
    ),
  )
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

function termsOf(view: View, { left, right, flipped }: Formula, item: number): readonly [Quantity, Quantity] | null {
  const b = numberAt(view, item, right)
  const a =
    typeof left === 'number' ? numberAt(view, item, left) : numberAt(view, neighbour(view, item, right, left), right)
  if (a === null || b === null || a.ends !== null || b.ends !== null) return null
  return flipped ? [b, a] : [a, b]
}

const orders = new WeakMap<
  View,
  Map<number, ReadonlyMap<number, { readonly first: number; readonly previous: number }>>
>()

/** The first item of a line that has a number, or the one before this; -1 where there is none. */
function neighbour(view: View, item: number, line: number, which: 'first' | 'previous'): number {
  const known = orders.get(view) ?? new Map()
  orders.set(view, known)
  const made = known.get(line) ?? neighboursIn(view, line)
  known.set(line, made)
  return made.get(item)?.[which] ?? -1
}

function neighboursIn(
  view: View,
  line: number,
): ReadonlyMap<number, { readonly first: number; readonly previous: number }> {
  const filled = view.items.map(({ index }) => index).filter(index => numberAt(view, index, line) !== null)
  return new Map(filled.map((index, i) => [index, { first: filled[0] ?? -1, previous: filled[i - 1] ?? -1 }]))
}

/** All values that an operation on two cells can be printed as. */
function results(operation: Operation, [a, b]: readonly [Quantity, Quantity], stated: Quantity): readonly Range[] {
  if (operation === 'difference') {
    const difference = subtract(b.range, a.range)
    // Shares between 0 and 1 are often compared in points.
    return stated.unit === '%' && a.unit === null ? [difference, scale(difference, 100)] : [difference]
  }
  if (operation === 'ratio') {
    const ratio = divide(b.range, a.range)
    return ratio === null ? [] : [ratio]
  }
  const percent = percentOf(a.range, b.range)
  return percent === null ? [] : [percent]
}

function explains(view: View, formula: Formula, item: number, stated: Quantity, isSharp = false): boolean {
  if (stated.unit === 'times' ? formula.operation !== 'ratio' : formula.operation === 'ratio') return false
  return allTerms(view, formula, item).some(terms =>
    results(formula.operation, terms, stated).some(
      range => meets(tolerant(stated, formula), range) && (!isSharp || sharp(range, stated)),
    ),
  )
}

/** A range that holds half the numbers explains nothing. */
function sharp({ low, high }: Range, { decimals }: Quantity): boolean {
  return high - low <= 0.25 * Math.abs(low + high) + 3 * 10 ** -(decimals ?? 3)
}

/** "30 (1.5)" against "20 (1.4)": the figures in brackets may be meant. */
function allTerms(view: View, formula: Formula, item: number): readonly (readonly [Quantity, Quantity])[] {
  const main = termsOf(view, formula, item)
  if (main === null) return []
  if (typeof formula.left !== 'number') return [main]
  const [left, right] = [
    view.cellAt(item, formula.left)?.quantities ?? [],
    view.cellAt(item, formula.right)?.quantities ?? [],
  ]
  if (left.length !== 2 || right.length !== 2) return [main]
  const [a, b] = [left[1], right[1]]
  if (a === undefined || b === undefined) return [main]
  return [main, formula.flipped ? [b, a] : [a, b]]
}

/** Signs are part of a difference, but an unsigned figure may be a size. */
function tolerant(stated: Quantity, { operation }: Formula): Range {
  const range = statedRange(stated)
  const slack = operation === 'ratio' ? 0.05 * Math.abs(stated.value) : 0
  return { low: range.low - slack, high: range.high + slack }
}

function* read({ matrices, document }: Evidence): Generator<Assertion> {
  for (const matrix of matrices) {
    for (const derived of derivedLines(matrix)) {
      const { view, target, formula, isNamed } = derived
      if (formula === null && !isNamed) continue
      for (const item of view.items) {
        if (item.index === 0 && view.transposed) continue
        const stated = statedAt(view, item.index, target.index)
        const cell = view.cellAt(item.index, target.index)
        if (stated === null || cell === undefined || document.text === '') continue
        yield {
          relation: 'derived',
          stance: 'said',
          quote: cell.text,
          offset: cell.offset,
          subjects: [item.name],
          quantity: target.name,
          figures: [
            { role: 'result', quantity: stated, offset: cell.offset, text: cell.text.slice(stated.from, stated.to) },
          ],
          sense: null,
          scope: { section: matrix.table.section, table: matrix.table, steps: null, statement: null, stretch: null },
          manner: `${view.transposed ? 'row' : 'column'} ${target.index} ${item.index}`,
        }
      }
    }
  }
}

function check(assertion: Assertion): Outcome {
  const [, axis = '', line = '', item = ''] = /^(row|column) (\d+) (\d+)$/.exec(assertion.manner) ?? []
  const matrix = assertion.scope.table === null ? undefined : matrixOf(assertion.scope.table)
  const [figure] = assertion.figures
  if (matrix === undefined || figure === undefined) return UNCHECKED
  const derived = derivedLines(matrix).find(
    one => one.view.transposed === (axis === 'row') && one.target.index === Number(line),
  )
  if (derived === undefined) return UNCHECKED
  const { view, formula, sources, isNamed } = derived
  const place = Number(item)
  const stated = figure.quantity
  if (formula !== null && explains(view, formula, place, stated)) return confirmed('the formula of its column')
  const means = view.lines.filter(({ role }) => role === 'summary')
  const all = [...pairsOf(sources), ...[...sources, ...means].flatMap(({ index }) => withinLine(index))]
  const others = all.filter(one => explains(view, one, place, stated))
  const twoSided = all.filter(one => typeof one.left === 'number')
  const anySize = twoSided.some(one => explainsSize(view, one, place, stated))
  if (others.length > 0 && formula === null && !contradictsSign(view, sources, place, stated))
    return confirmed('an operation on its row')
  if (formula === null && !isNamed) return UNCHECKED
  if (formula !== null && others.some(one => typeof one.left === 'number' && sources.length === 2)) {
    if (!contradictsSign(view, sources, place, stated)) return confirmed('another operation on its row')
  }
  const meant = formula ?? guess(view, sources, place, stated)
  const terms = meant === null ? null : termsOf(view, meant, place)
  if (meant === null || terms === null) return UNCHECKED
  const range = results(meant.operation, terms, stated)[0]
  if (range === undefined) return UNCHECKED
  if (!isMisprint(stated.value, middle(range))) return UNCHECKED
  // Sums of the other sign or of another base are misprints; the size fits, so the sign is what is wrong.
  const isSign = anySize && stated.value !== 0 && (stated.signed || meant.operation === 'difference')
  if (isSign && !stated.signed && stated.value > 0) return confirmed('its size')
  if (isSign && wantsImprovement(assertion.quantity ?? '', assertion.subjects[0] ?? '')) return UNCHECKED
  const expected = asPrinted(middle(range), stated)
  return refuted(
    fault(
      view.transposed ? 'difference-row' : meant.operation === 'ratio' ? 'wrong-multiple' : 'difference-column',
      figure.offset,
      say('audit.difference-column', {
        found: figure.text,
        row: view.transposed
          ? (view.lines.find(({ index }) => index === Number(line))?.name ?? '')
          : (assertion.subjects[0] ?? ''),
        column: view.transposed ? (assertion.subjects[0] ?? '') : (assertion.quantity ?? ''),
        operation: meant.operation === 'difference' ? '−' : meant.operation === 'percent' ? '%' : '×',
        left: String(terms[0].value),
        right: String(terms[1].value),
        expected,
      }),
      { isFix: true },
    ),
  )
}

function explainsSize(view: View, formula: Formula, item: number, stated: Quantity): boolean {
  if (stated.unit === 'times' ? formula.operation !== 'ratio' : formula.operation === 'ratio') return false
  const terms = termsOf(view, formula, item)
  if (terms === null) return false
  const size = sizeOf(statedRange(stated))
  return results(formula.operation, terms, stated).some(range => meets(size, sizeOf(range)))
}

/** In a column of plain differences of two lines, the other rows say which way it is taken. */
function contradictsSign(view: View, sources: readonly Axis[], item: number, stated: Quantity): boolean {
  if (!stated.signed || sources.length !== 2 || stated.value === 0) return false
  const [left, right] = sources
  if (left === undefined || right === undefined) return false
  const [a, b] = [numberAt(view, item, left.index), numberAt(view, item, right.index)]
  if (a === null || b === null || meets(a.range, b.range)) return false
  const rows = view.items.flatMap(({ index }) => {
    const [x, y, z] = [
      numberAt(view, index, left.index),
      numberAt(view, index, right.index),
      view.lines.find(({ role }) => role === 'difference'),
    ]
    const d = z === undefined ? null : statedAt(view, index, z.index)
    return index === item || x === null || y === null || d === null || d.value === 0 || x.value === y.value
      ? []
      : [Math.sign(y.value - x.value) * Math.sign(d.value)]
  })
  const usual = rows.length === 0 ? 1 : Math.sign(rows.reduce((sum, sign) => sum + sign, 0))
  return usual !== 0 && Math.sign(b.value - a.value) * Math.sign(stated.value) !== usual && (rows.length > 0 || true)
}

/** Improvement of a loss is a fall, so its sign says nothing. */
function wantsImprovement(header: string, row: string): boolean {
  return /提升|改善|改进|improve|gain|speed|reduction|drop|降/i.test(header) || goalOf([row]) === 'min'
}

/** Two columns and a header that says difference: the second minus the first, in the unit that fits best. */
function guess(view: View, sources: readonly Axis[], item: number, stated: Quantity): Formula | null {
  const [left, right] = sources
  if (left === undefined || right === undefined || sources.length !== 2) return null
  const a = numberAt(view, item, left.index)
  const isPercent = stated.unit === '%' && a?.unit !== '%'
  const operation = stated.unit === 'times' ? 'ratio' : isPercent ? 'percent' : 'difference'
  return { operation, left: left.index, right: right.index, flipped: false }
}

export const derived: Relation = { name: 'derived', read, check }
