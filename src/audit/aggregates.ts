import type { Quantity } from '../document/quantity.js'
import { add, canMeet, type Range } from '../stats/rounding.js'
import { meant } from './change.js'
import type { Cell } from './document.js'
import { remembered } from './remember.js'
import { isDifferenceHeader, mainQuantity, type TableView } from './table-view.js'

/**
 * Means and sums in tables: a column over the values of its row, or a row over the values above it. Which values belong
 * to it is read off the cells: the choice that explains most of them is the author's.
 */
export type AggregateKind = 'mean' | 'sum'

export interface Aggregate {
  readonly kind: AggregateKind
  readonly cells: readonly AggregateCell[]
  readonly right: number
  readonly wrong: number
}

export interface AggregateCell {
  readonly cell: Cell
  readonly printed: Quantity
  readonly parts: readonly Quantity[]
  readonly computed: Range
  readonly fits: boolean
}

const HEADERS: Record<AggregateKind, RegExp> = {
  mean: /^(?:总?平均(?:值|分|准确率)?|均值|(?:mean|average|avg\.?)(?: (?:score|accuracy|acc|reward))?)$/i,
  sum: /^(?:合计|总计|总和|小计|total|sum)$/i,
}
/** A summary of something else: its rows are no parts of a mean. */
const OTHER_SUMMARY =
  /平均|均值|标准差|方差|中位数|合计|总计|最[大小高低佳优终好]|初始|(?<![a-z])(?:mean|average|avg|std|sd|median|total|sum|min|max|best|final|initial|last|first)(?![a-z])/i

const known = new WeakMap<TableView, readonly Aggregate[]>()
const KINDS: readonly AggregateKind[] = ['mean', 'sum']

/** Read once, since several rules ask. */
export function aggregatesIn(view: TableView): readonly Aggregate[] {
  const before = known.get(view)
  if (before !== undefined) return before
  const aggregates = KINDS.flatMap(kind => [...aggregateColumns(view, kind), ...aggregateRows(view, kind)])
  known.set(view, aggregates)
  return aggregates
}

/** Beside these a mean is one more summary of data that the table does not show. */
const DISTRIBUTION = /中位数|标准差|方差|分位|最[小大]值?$|(?<![a-z])(?:median|std|sd|stdev|min|max|p\d{2})(?![a-z])/i

function* aggregateColumns({ table, roles }: TableView, kind: AggregateKind): Generator<Aggregate> {
  if (table.header.some(({ text }) => DISTRIBUTION.test(text))) return
  for (const [column, { text }] of table.header.entries()) {
    if (column === 0 || !HEADERS[kind].test(text.trim())) continue
    const values = roles.flatMap((role, at) =>
      at !== column && role === 'value' && !OTHER_SUMMARY.test(table.header[at].text) ? [at] : [],
    )
    const before = values.filter(at => at < column)
    const choices = [values, before, before.slice(1), values.slice(1)].filter(({ length }) => length >= 2)
    const found = choices.map(parts =>
      aggregate(
        kind,
        table.rows.map(cells => ({ cell: cells[column], parts: parts.map(at => cells[at]) })),
      ),
    )
    yield* best(found)
  }
}

const isOtherSummary = remembered(label => OTHER_SUMMARY.test(label))
const isCalled: Record<AggregateKind, (label: string) => boolean> = {
  mean: remembered(label => HEADERS.mean.test(label.trim())),
  sum: remembered(label => HEADERS.sum.test(label.trim())),
}

/** Each is computed from all rows above it. */
const MOST_AGGREGATE_ROWS = 50

function* aggregateRows({ table, roles }: TableView, kind: AggregateKind): Generator<Aggregate> {
  let found = 0
  for (const [row, cells] of table.rows.entries()) {
    const label = cells[0].text
    if (row >= 2 && found < MOST_AGGREGATE_ROWS && isCalled[kind](label)) {
      found += 1
      const above = table.rows.slice(0, row)
      const columns = cells.filter(({ column }) => column > 0 && roles[column] !== 'position')
      yield aggregate(
        kind,
        columns.map(cell => ({ cell, parts: above.map(parts => parts[cell.column]) })),
      )
    }
    // Under another summary nobody can say what a mean is of.
    if (isOtherSummary(label) || isDifferenceHeader(label)) return
  }
}

function* best(found: readonly Aggregate[]): Generator<Aggregate> {
  const [most] = found.toSorted((a, b) => b.right - a.right)
  if (most !== undefined) yield most
}

function aggregate(
  kind: AggregateKind,
  sums: readonly { readonly cell: Cell; readonly parts: readonly Cell[] }[],
): Aggregate {
  const cells = sums.flatMap(({ cell, parts }): AggregateCell[] => {
    const printed = mainQuantity(cell)
    const numbers = parts.flatMap(part => mainQuantity(part) ?? [])
    if (printed === null || cell.pending || numbers.length < parts.length) return []
    // The ratio of two means is as good a figure as the mean of the ratios.
    if (numbers.some(({ unit }) => unit === 'times')) return []
    if (numbers.some(({ unit }) => unit !== numbers[0].unit) || [printed, ...numbers].some(({ ends }) => ends !== null))
      return []
    if (printed.unit !== null && numbers[0].unit !== null && printed.unit !== numbers[0].unit) return []
    const computed = aggregateOf(kind, numbers)
    return [{ cell, printed, parts: numbers, computed, fits: canMeet(computed, meant(printed)) }]
  })
  const right = cells.filter(({ fits }) => fits).length
  return { kind, cells, right, wrong: cells.length - right }
}

export function aggregateOf(kind: AggregateKind, parts: readonly Quantity[]): Range {
  const { low, high } = parts.map(meant).reduce(add)
  return kind === 'sum' ? { low, high } : { low: low / parts.length, high: high / parts.length }
}

/** Of the numbers as printed, without what rounding may have taken. */
export function plainAggregate(kind: AggregateKind, parts: readonly Quantity[]): number {
  const sum = parts.reduce((total, { value }) => total + value, 0)
  return kind === 'sum' ? sum : sum / parts.length
}
