import { isMetricName } from '../../document/metric-name.js'
import { readCell } from '../../document/printed-cell.js'
import type { TableWords } from '../../document/tables.js'
import {
  isRemark,
  isStatistic,
  namedStep,
  namesMetrics,
  namesRuns,
  namesSettings,
  namesValues,
  stepUnitOf,
} from '../../document/words.js'

/**
 * How a table is laid out. The rules are few and look at words only, never at sizes of numbers, so that an author can
 * predict them; docs/sources/report.md lists them. A table that fits none is left out rather than guessed at.
 */
export type Layout =
  /** A row is a record of metrics: at the step of its step column or of the heading, of the run its row names. */
  | {
      readonly kind: 'records'
      readonly stepColumn: number | null
      readonly runColumn: number | null
      readonly metricColumns: readonly number[]
    }
  /** A row is a step, a column is a run; the heading names the metric. */
  | { readonly kind: 'curves'; readonly runColumns: readonly number[] }
  /** A row is a run, a column is a step; the heading names the metric. */
  | { readonly kind: 'timelines'; readonly stepColumns: readonly number[] }
  /** A row is a metric or a statistic, a column is a run, a step of the one run, or a statistic of the one run. */
  | { readonly kind: 'summary'; readonly columns: readonly number[] }
  /** A row is a setting, a column is a run. */
  | { readonly kind: 'settings'; readonly columns: readonly number[] }
  | { readonly kind: 'left-out'; readonly reason: 'no-rule' | 'no-step' | 'no-numbers' }
  /** Words only: nothing that anyone would miss. */
  | { readonly kind: 'words' }

export function layoutOf(table: TableWords): Layout {
  const columns = table.header.flatMap((header, column) =>
    column === 0 || header === '' || isRemark(header) ? [] : [column],
  )
  const cells = countCells(table, columns)
  if (isSettingsTable(table, columns, cells)) return { kind: 'settings', columns }
  if (cells.numbers + cells.missing === 0) {
    return cells.digits ? { kind: 'left-out', reason: 'no-numbers' } : { kind: 'words' }
  }
  const layout = numericLayout(table, columns)
  const showsGaps = layout.kind === 'records' || layout.kind === 'curves' || layout.kind === 'timelines'
  return cells.numbers > 0 || showsGaps ? layout : { kind: 'words' }
}

function numericLayout(table: TableWords, columns: readonly number[]): Layout {
  const [first = ''] = table.header
  const stepColumn = stepColumnOf(table)
  const runColumn = table.header.findIndex(namesRuns)
  const metricColumns = columns.filter(column => column !== stepColumn && column !== runColumn)
  if (stepColumn !== null && areMetrics(table, metricColumns)) {
    const runBesideSteps = runColumn < 0 ? null : runColumn
    return { kind: 'records', stepColumn, runColumn: stepColumn === 0 ? runBesideSteps : 0, metricColumns }
  }
  if (stepColumn === 0) return { kind: 'curves', runColumns: columns }

  const columnsAreMetrics = areMetrics(table, columns) && !areSummaries(table, columns)
  const rowsAreMetrics = namesMetrics(first) || (!namesRuns(first) && most(table.labels(), isMetricName))
  if (rowsAreMetrics) return columnsAreMetrics ? { kind: 'left-out', reason: 'no-rule' } : { kind: 'summary', columns }
  if (columns.every(column => namedStep(columnName(table, column))?.rest === '')) {
    return { kind: 'timelines', stepColumns: columns }
  }
  if (!areMetrics(table, columns)) return { kind: 'left-out', reason: 'no-rule' }
  if (stepOfHeadings(table) === null) return { kind: 'left-out', reason: 'no-step' }
  return { kind: 'records', stepColumn: null, runColumn: 0, metricColumns: columns }
}

function areMetrics(table: TableWords, columns: readonly number[]): boolean {
  return most(columns, column => isMetricName(columnName(table, column)))
}

function areSummaries(table: TableWords, columns: readonly number[]): boolean {
  return columns.every(column => summarises(columnName(table, column)))
}

/** Empty where the header is shorter than the rows. */
export function columnName({ header }: TableWords, column: number): string {
  return header[column] ?? ''
}

/** A column of steps says so in its header; the first column may say it in its cells instead (`Epoch 1`, `Epoch 2`). */
function stepColumnOf(table: TableWords): number | null {
  const column = table.header.findIndex(header => stepUnitOf(header) !== null)
  if (column >= 0) return column
  return most(table.labels(), label => namedStep(label)?.rest === '') ? 0 : null
}

/** The step that the heading above a table names, or the heading one further up. */
export function stepOfHeadings({ headings }: TableWords): ReturnType<typeof namedStep> {
  for (const heading of headings.slice(0, 2)) {
    const named = namedStep(heading)
    if (named !== null) return named
  }
  return null
}

/** A column of a summary that is no run: `Value`, `Mean`, `最终`. */
export function summarises(header: string): boolean {
  return namesValues(header) || isStatistic(header)
}

function isSettingsTable(table: TableWords, columns: readonly number[], { numbers, filled }: CellCount): boolean {
  const [first = ''] = table.header
  const [heading = ''] = table.headings
  if (filled === 0 || (areMetrics(table, columns) && !areSummaries(table, columns))) return false
  return namesSettings(first) || (namesSettings(heading) && numbers < filled / 2)
}

interface CellCount {
  readonly filled: number
  readonly numbers: number
  readonly missing: number
  /** Whether some cell shows digits without being a number: a range, a unit. */
  readonly digits: boolean
}

function countCells(table: TableWords, columns: readonly number[]): CellCount {
  let filled = 0
  let numbers = 0
  let missing = 0
  let digits = false
  for (const row of table.sample()) {
    for (const column of columns) {
      const text = row[column] ?? ''
      if (text === '') continue
      filled += 1
      const bare = namedStep(text)?.rest ?? text
      const { kind } = readCell(bare)
      if (kind === 'number') numbers += 1
      else if (kind === 'missing') missing += 1
      else if (/\d/.test(bare)) digits = true
    }
  }
  return { filled, numbers, missing, digits }
}

function most<Item>(items: readonly Item[], predicate: (item: Item) => boolean): boolean {
  return items.filter(predicate).length > items.length / 2
}
