import { z } from 'zod'
import { message } from '../../../text/say.js'
import { sentences } from '../../../text/sentences.js'
import type { PrintedCell } from '../../document/printed-cell.js'
import type { Message } from '../../model/run.js'
import type { Hints, SourceFile } from '../source.js'
import { timeFromNumber, timeFromText } from '../source-helpers.js'
import { cellsAt, cellsOf, findColumn, isNumeric } from './columns.js'
import { isCutInFirstRow, readTableHead, type TableHead } from './head.js'
import { chooseStep, placeColumns, stepForm } from './step.js'

/**
 * What each column of a table is for, decided once from its head and then kept in the cursor: a file that has grown
 * must be read on as it was begun.
 */
export const tablePlan = z.object({
  /** '' where the step is the place of the row. */
  step: z.string(),
  stepForm,
  outer: z.string().nullable().default(null),
  time: z.string().nullable(),
  /** The column that says which run a row belongs to. */
  run: z.string().nullable(),
  long: z.object({ metric: z.string(), value: z.string() }).nullable(),
  /** Columns of text, whose rare numbers are no measurements. */
  ignored: z.array(z.string()),
  /** Columns that a rounding printer wrote, and its number of decimals. */
  decimals: z.array(z.tuple([z.string(), z.number()])),
})

export type TablePlan = z.infer<typeof tablePlan>

/** Null when no column counts the steps. */
export function planTable(head: TableHead, hints: Hints): TablePlan | null {
  const form = tableForm(head)
  const choice = chooseStep(head, form, hints)
  if (choice === null) return null
  const time = chooseTime(head, choice.step)
  const taken = new Set<string | null | undefined>([...placeColumns(choice), time, form.run, form.long?.metric])
  const ignored: string[] = []
  const decimals: [string, number][] = []
  // JSON has types, so its numbers need no such doubts.
  const doubtful = head.format === 'csv' ? head.columns : []
  doubtful.forEach((column, index) => {
    if (taken.has(column)) return
    const cells = cellsAt(head, index)
    if (!isNumeric(cells)) ignored.push(column)
    const printed = printedDecimals(cells)
    if (printed !== null) decimals.push([column, printed])
  })
  return { ...choice, time, ...form, ignored, decimals }
}

/** How far a training is and how far it will go: no results of it. */
const PROGRESS = new Set(['epoch', 'total_steps', 'max_steps', 'total_epochs', 'num_epochs', 'percentage'])

/** Whether the first rows hold anything but steps, times and progress. Where not even one row fits the head, they may. */
export function hasMetrics(head: TableHead, plan: TablePlan): boolean {
  return isCutInFirstRow(head) || metricsIn(head, plan).some(metric => !PROGRESS.has(metric))
}

export function metricsIn(head: TableHead, plan: TablePlan): readonly string[] {
  const others = new Set<string | null>([...placeColumns(plan), plan.time, plan.run])
  return head.columns.filter(
    (column, index) =>
      !others.has(column) && cellsAt(head, index).some(({ kind }) => kind === 'number' || kind === 'missing'),
  )
}

/** Values with more digits come from full precision, where a short one such as 0.5 is exact, not rounded. */
const MOST_DIGITS_OF_A_ROUNDED_NUMBER = 6

/**
 * The decimals of a column that was printed with a fixed number of them. A column with varying decimals was written
 * in full precision, and a column of whole numbers counts something: neither was rounded.
 */
function printedDecimals(cells: readonly PrintedCell[]): number | null {
  const numbers = cells.filter(cell => cell.kind === 'number')
  const decimals = numbers[0]?.decimals ?? 0
  if (numbers.length < 3 || decimals === 0) return null
  const rounded = numbers.every(
    cell => cell.decimals === decimals && Math.abs(cell.value) * 10 ** decimals < 10 ** MOST_DIGITS_OF_A_ROUNDED_NUMBER,
  )
  return rounded ? decimals : null
}

/**
 * How a table is laid out: a column per metric, or long with the metric's name in a cell; and whether a column says
 * which run a row belongs to.
 */
interface TableForm {
  readonly run: string | null
  readonly long: LongForm | null
}

interface LongForm {
  readonly metric: string
  readonly value: string
}

const METRIC_NAMES = ['metric', 'metric_name', 'key', 'tag', 'variable', '指标', 'name']
const VALUE_NAMES = ['value', 'metric_value', 'val', '数值', '值']
const RUN_NAMES = ['run', 'run_id', 'run_name', 'experiment']

function tableForm(head: TableHead): TableForm {
  const long = longForm(head)
  const named = findColumn(head.columns, RUN_NAMES)
  if (named !== undefined && named !== long?.metric) return { run: named, long }
  const name = findColumn(head.columns, ['name'])
  return { run: name !== undefined && name !== long?.metric && namesRuns(head, name) ? name : null, long }
}

function longForm(head: TableHead): LongForm | null {
  const metric = findColumn(head.columns, METRIC_NAMES)
  const value = findColumn(head.columns, VALUE_NAMES)
  if (metric === undefined || value === undefined) return null
  const isLong = cellsOf(head, metric).every(cell => cell.kind === 'text') && isNumeric(cellsOf(head, value))
  return isLong ? { metric, value } : null
}

/**
 * `name` is too common a word to trust: only words that come again name runs. Log lines often carry a name of what
 * they report on (`train`, `eval`), so in JSONL it never does.
 */
function namesRuns(head: TableHead, column: string): boolean {
  if (head.format === 'jsonl') return false
  const cells = cellsOf(head, column)
  const names = cells.flatMap(cell => (cell.kind === 'text' ? [cell.text] : []))
  return names.length === cells.length && new Set(names).size < names.length
}

/** What a table of numbers lacks to be a log: a step column, or a metric beside it. */
export function lackOfTable(file: SourceFile): Message | null {
  const head = readTableHead(file)
  if (head === null || !hasNumbers(head)) return null
  const plan = planTable(head, {})
  if (plan === null) return message('skip.no-step', {})
  return hasMetrics(head, plan) ? null : say('table.only-progress', {})
}

const say = sentences({
  'table.only-progress': {
    en: 'has training progress only, no metric',
    zh: '只记录了训练进度，没有任何指标',
  },
})

export function hasNumbers(head: TableHead): boolean {
  return head.rows.some(row => row.some(cell => cell.kind === 'number'))
}

const TIME_NAMES = [
  'time',
  'timestamp',
  '_timestamp',
  'wall_time',
  'walltime',
  'datetime',
  'date',
  'created_at',
  '时间',
]

/** The first column by such a name in which every cell is a time. */
export function chooseTime(head: TableHead, step: string): string | null {
  const columns = TIME_NAMES.map(name => findColumn(head.columns, [name]))
  return columns.find(column => column !== undefined && column !== step && tellsTime(head, column)) ?? null
}

function tellsTime(head: TableHead, column: string): boolean {
  const cells = cellsOf(head, column)
  return cells.length > 0 && cells.every(cell => timeOfCell(cell) !== null)
}

function timeOfCell(cell: PrintedCell): number | null {
  if (cell.kind === 'number') return timeFromNumber(cell.value)
  return cell.kind === 'text' ? timeFromText(cell.text) : null
}
