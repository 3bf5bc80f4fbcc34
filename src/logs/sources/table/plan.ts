import { z } from 'zod'
import { message } from '../../../text/say.js'
import type { PrintedCell } from '../../document/printed-cell.js'
import type { Message } from '../../model/run.js'
import type { Hints, SourceFile } from '../source.js'
import { timeFromNumber, timeFromText } from '../source-helpers.js'
import { isCutInFirstRow, readTableHead, type TableHead } from './head.js'

/**
 * What each column of a table is for, decided once from its head and then kept in the cursor: a file that has grown
 * must be read on as it was begun.
 */
export const tablePlan = z.object({
  step: z.string(),
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
  const step = chooseStep(head, form, hints)
  if (step === null) return null
  const time = chooseTime(head, step)
  const taken = new Set<string | null | undefined>([step, time, form.run, form.long?.metric])
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
  return { step, time, ...form, ignored, decimals }
}

/** Whether the first rows hold anything but steps and times. Where not even one row fits the head, they may. */
export function hasMetrics(head: TableHead, plan: TablePlan): boolean {
  return isCutInFirstRow(head) || metricsIn(head, plan).length > 0
}

export function metricsIn(head: TableHead, { step, time, run }: TablePlan): readonly string[] {
  const others = new Set<string | null>([step, time, run])
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

/** The first of some names that a table has a column for, as the table spells it. */
export function findColumn(columns: readonly string[], names: readonly string[]): string | undefined {
  for (const wanted of names) {
    const column = columns.find(candidate => plainName(candidate) === wanted)
    if (column !== undefined) return column
  }
  return undefined
}

function plainName(column: string): string {
  return column.trim().toLowerCase().replace(/\s+/g, '_')
}

/** The cells of a column that are not empty. */
export function cellsOf(head: TableHead, column: string): PrintedCell[] {
  return cellsAt(head, head.columns.indexOf(column))
}

export function cellsAt(head: TableHead, index: number): PrintedCell[] {
  return head.rows.map(row => row[index]).filter(cell => cell !== undefined && cell.kind !== 'empty')
}

/** Whether nearly all cells that say something say it by numbers. True of a column without any. */
export function isNumeric(cells: readonly PrintedCell[]): boolean {
  const texts = cells.filter(cell => cell.kind === 'text').length
  return texts <= 0.1 * cells.length
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

/** Which column counts the steps. klens does not guess: a column by one of these names, or the one the user names. */
const STEP_NAMES = [
  'step',
  'global_step',
  '_step',
  'training/global_step',
  'train/global_step',
  'iteration',
  'iter',
  'update',
  'epoch',
  'episode',
  'round',
  't',
  '步数',
  '轮次',
]

/** More rows than this at one step on average: the column counts something coarser than the rows. */
const MOST_ROWS_PER_STEP = 20
/** A log may begin with a few rows at step 0; a table that stays at one step does not count steps. */
const MOST_ROWS_AT_ONLY_STEP = 3

export function chooseStep(head: TableHead, form: TableForm, hints: Hints): string | null {
  const asked = hints.step === undefined ? undefined : askedColumn(head.columns, hints.step)
  if (asked !== undefined) return asked
  for (const name of STEP_NAMES) {
    const column = findColumn(head.columns, [name])
    if (column !== undefined && column !== form.run && countsSteps(head, form, column)) return column
  }
  return null
}

function askedColumn(columns: readonly string[], asked: string): string | undefined {
  if (columns.includes(asked)) return asked
  return columns.find(column => column.trim().toLowerCase() === asked.trim().toLowerCase())
}

function countsSteps(head: TableHead, form: TableForm, column: string): boolean {
  const cells = cellsOf(head, column)
  if (!isNumeric(cells) || (cells.length === 0 && head.rows.length > 0)) return false
  const places = distinctPlaces(head, form, column)
  return head.rows.length <= (places === 1 ? MOST_ROWS_AT_ONLY_STEP : MOST_ROWS_PER_STEP * places)
}

/** In a long table, or one of several runs, many rows share a step rightly. */
function distinctPlaces(head: TableHead, form: TableForm, step: string): number {
  const place = [step, form.run, form.long?.metric].map(column => head.columns.indexOf(column ?? ''))
  return new Set(head.rows.map(row => JSON.stringify(place.map(index => row[index])))).size
}

/** What a table of numbers without a step column is told. */
export function lacksStep(file: SourceFile): Message | null {
  const head = readTableHead(file)
  if (head === null || !hasNumbers(head) || chooseStep(head, tableForm(head), {}) !== null) return null
  return message('skip.no-step', {})
}

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
