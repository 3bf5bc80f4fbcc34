import { readCell } from '../../document/printed-cell.js'
import type { TableWords } from '../../document/tables.js'
import {
  isRemark,
  isSettingName,
  isStatistic,
  namedStep,
  namesRuns,
  namesValues,
  type StepUnit,
  sampleCount,
  stepOfCell,
  stepUnitOf,
} from '../../document/words.js'
import type { Quality } from '../../model/run.js'
import { columnName, type Layout, stepOfHeadings, summarises } from './layout.js'

/** What the cells of one table say, once its layout is known. `run` is null where the table does not name one. */
type TableFact =
  | Reading
  | { readonly type: 'setting'; readonly run: string | null; readonly key: string; readonly value: string }
  /** A row of numbers in a table of steps that names no step, such as a row of averages. */
  | { readonly type: 'stepless-row' }
  /** A cell that shows digits but is no plain number: a range, a unit, a number with a remark. */
  | { readonly type: 'unread-cell'; readonly text: string }

/** Values of one run at one step. */
interface Reading extends Values {
  readonly type: 'reading'
  readonly run: string | null
}

export function* factsOf(table: TableWords, layout: Layout): Generator<TableFact> {
  switch (layout.kind) {
    case 'records':
      return yield* records(table, layout)
    case 'curves':
      return yield* curves(table, layout.runColumns)
    case 'timelines':
      return yield* timelines(table, layout.stepColumns)
    case 'summary':
      return yield* summary(table, layout.columns)
    case 'settings':
      return yield* settings(table, layout.columns)
  }
}

interface Place {
  readonly run: string | null
  readonly step: number
  readonly unit: StepUnit | null
}

function* records(
  table: TableWords,
  { stepColumn, runColumn, metricColumns }: Extract<Layout, { kind: 'records' }>,
): Generator<TableFact> {
  const columns = metricColumns.map(column => ({ column, metric: columnName(table, column) }))
  const allMetrics = columns.map(({ metric }) => metric)
  for (const row of table.rows()) {
    const label = runColumn === null ? null : (row[runColumn] ?? '')
    if (label !== null && (label === '' || isRemark(label) || isStatistic(label))) continue
    const at = stepColumn === null ? stepOfHeadings(table) : stepInColumn(table, row, stepColumn)
    if (at === null) {
      yield { type: 'stepless-row' }
      continue
    }
    const kept: { readonly metric: string; readonly point: Point }[] = []
    for (const { column, metric } of columns) {
      const point = pointOf(row[column])
      if (isUnread(point)) yield point
      else if (point !== null) kept.push({ point, metric })
    }
    if (kept.length === 0) continue
    const run = label === null || runColumn === null ? null : runName(columnName(table, runColumn), label)
    const metrics = kept.length === allMetrics.length ? allMetrics : kept.map(({ metric }) => metric)
    yield reading(
      table,
      { run, step: at.step, unit: at.unit },
      metrics,
      kept.map(({ point }) => point),
    )
  }
}

function* curves(table: TableWords, runColumns: readonly number[]): Generator<TableFact> {
  const metrics = [headingMetric(table)]
  for (const row of table.rows()) {
    const at = stepInColumn(table, row, 0)
    if (at === null) {
      yield { type: 'stepless-row' }
      continue
    }
    for (const column of runColumns) {
      const point = pointOf(row[column])
      if (isUnread(point)) yield point
      else if (point !== null) yield reading(table, { ...at, run: columnName(table, column) }, metrics, [point])
    }
  }
}

function* timelines(table: TableWords, stepColumns: readonly number[]): Generator<TableFact> {
  const metrics = [headingMetric(table)]
  const steps = stepColumns.map(column => ({ column, at: namedStep(columnName(table, column)) }))
  for (const row of table.rows()) {
    const label = row[0] ?? ''
    if (label === '' || isRemark(label) || isStatistic(label)) continue
    for (const { column, at } of steps) {
      const point = pointOf(row[column])
      if (point === null || at === null) continue
      const run = runName(columnName(table, 0), label)
      if (isUnread(point)) yield point
      else yield reading(table, { run, step: at.step, unit: at.unit }, metrics, [point])
    }
  }
}

function* summary(table: TableWords, columns: readonly number[]): Generator<TableFact> {
  const tableStep = stepOfHeadings(table)
  const heads = columns.map(column => {
    const header = columnName(table, column)
    const at = namedStep(header)
    const name = at?.rest ?? header
    const isRun = name !== '' && !summarises(name)
    const suffix = isRun || name === '' || namesValues(name) ? '' : `/${name}`
    return { column, at: at ?? tableStep, run: isRun ? name : null, suffix }
  })
  for (const row of table.rows()) {
    const label = row[0] ?? ''
    if (label === '' || (isRemark(label) && !isStatistic(label))) continue
    const metric = isStatistic(label) ? statisticName(table, label) : label
    for (const { column, at, run, suffix } of heads) {
      const text = row[column] ?? ''
      if (isSettingName(label)) {
        if (text !== '') yield { type: 'setting', run, key: label, value: text }
        continue
      }
      const named = namedStep(text)
      const point = pointOf(named?.rest ?? text)
      const { step, unit } = named ?? at ?? NO_STEP
      if (isUnread(point)) yield point
      else if (point !== null) yield reading(table, { run, step, unit }, [metric + suffix], [point])
    }
  }
}

/** Where a summary stands when nothing says at which step it was taken. */
const NO_STEP = { step: 0, unit: null }

function* settings(table: TableWords, columns: readonly number[]): Generator<TableFact> {
  for (const row of table.rows()) {
    const key = row[0] ?? ''
    if (key === '') continue
    for (const column of columns) {
      const value = row[column] ?? ''
      const header = columnName(table, column)
      const kind = readCell(value).kind
      if (kind === 'empty' || kind === 'missing') continue
      yield { type: 'setting', run: summarises(header) ? null : header, key, value }
    }
  }
}

function reading(table: TableWords, place: Place, metrics: readonly string[], points: readonly Point[]): Reading {
  const [nearest = '', above = ''] = table.headings
  return { type: 'reading', ...place, metrics, points, n: sampleCount(nearest) ?? sampleCount(above) }
}

type UnreadCell = Extract<TableFact, { type: 'unread-cell' }>

/** Null for words and empty cells, which nobody takes for data. */
function pointOf(text: string | undefined): Point | UnreadCell | null {
  const cell = readCell(text ?? '')
  switch (cell.kind) {
    case 'number':
      return { value: cell.value, quality: cell.quality, decimals: cell.decimals }
    case 'missing':
      return MISSING
    case 'text':
      return /\d/.test(cell.text) ? { type: 'unread-cell', text: cell.text } : null
    case 'empty':
      return null
  }
}

const MISSING: Point = { value: Number.NaN, quality: 'missing', decimals: null }

function isUnread(point: Point | UnreadCell | null): point is UnreadCell {
  return point !== null && 'text' in point
}

function stepInColumn(
  table: TableWords,
  row: readonly string[],
  column: number,
): { readonly step: number; readonly unit: StepUnit | null } | null {
  const text = row[column] ?? ''
  const step = stepOfCell(text)
  if (step === null) return null
  return { step, unit: stepUnitOf(columnName(table, column)) ?? namedStep(text)?.unit ?? null }
}

/** A number alone names no run: under the header `KL_BETA`, `0.12` is the run `KL_BETA=0.12`. */
function runName(header: string, label: string): string {
  const isNumber = readCell(label).kind === 'number'
  return isNumber && !namesRuns(header) && header !== '' ? `${header}=${label}` : label
}

function headingMetric({ headings: [nearest = ''] }: TableWords): string {
  return (namedStep(nearest)?.rest ?? nearest) || 'value'
}

function statisticName({ headings: [nearest = ''] }: TableWords, label: string): string {
  const subject = namedStep(nearest)?.rest ?? nearest
  return subject === '' ? label : `${subject}/${label}`
}

/**
 * Many values in little memory. All runs of a report must be held until its last table has been seen, and as objects
 * a report of 64 MiB would need gigabytes; as columns of numbers it needs a tenth of that.
 */
export interface Values {
  readonly step: number
  /** Null where the table does not count in anything. */
  readonly unit: StepUnit | null
  readonly metrics: readonly string[]
  /** Parallel to `metrics`. */
  readonly points: readonly Point[]
  /** How many samples the scores rest on, when the heading tells. */
  readonly n: number | null
}

interface Point {
  /** NaN where the quality is `missing`. */
  readonly value: number
  readonly quality: Quality
  readonly decimals: number | null
}

export interface Pack {
  add(values: Values): void
  size(): number
  all(): Iterable<Values>
  /** By step; what was added first comes first within a step. */
  inStepOrder(): Iterable<Values>
}

export function pack(): Pack {
  const steps: number[] = []
  const units: (StepUnit | null)[] = []
  const counts: (number | null)[] = []
  const metrics: (readonly string[])[] = []
  const starts: number[] = []
  const numbers: number[] = []
  const qualities: Quality[] = []
  const decimals: (number | null)[] = []

  const stepAt = (row: number): number => steps[row] ?? Number.NaN
  const pointAt = (index: number): Point => ({
    value: numbers[index] ?? Number.NaN,
    quality: qualities[index] ?? 'missing',
    decimals: decimals[index] ?? null,
  })
  const at = (row: number): Values => {
    const names = metrics[row] ?? []
    const start = starts[row] ?? 0
    return {
      step: stepAt(row),
      unit: units[row] ?? null,
      metrics: names,
      n: counts[row] ?? null,
      points: names.map((_, column) => pointAt(start + column)),
    }
  }
  return {
    add(values) {
      steps.push(values.step)
      units.push(values.unit)
      counts.push(values.n)
      metrics.push(values.metrics)
      starts.push(numbers.length)
      for (const { value, quality, decimals: printed } of values.points) {
        numbers.push(value)
        qualities.push(quality)
        decimals.push(printed)
      }
    },
    size: () => steps.length,
    *all() {
      for (const row of steps.keys()) yield at(row)
    },
    *inStepOrder() {
      const rows = Array.from(steps.keys()).sort((a, b) => stepAt(a) - stepAt(b))
      for (const row of rows) yield at(row)
    },
  }
}
