import type { Hints, SourceFile } from '../source.js'
import { cellsOf, findColumn, isNumeric, type TableForm, tableForm } from './form.js'
import { readTableHead, type TableHead } from './head.js'

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

/** Whether a file is a table of numbers that lacks nothing but the name of its step column. */
export function needsStepHint(file: SourceFile): boolean {
  const head = readTableHead(file)
  if (head === null || !hasNumbers(head)) return false
  return chooseStep(head, tableForm(head), {}) === null
}

export function hasNumbers(head: TableHead): boolean {
  return head.rows.some(row => row.some(cell => cell.kind === 'number'))
}

/** Beyond 2^53 whole numbers are no longer told apart, so such a step is no place on an axis. */
const LARGEST_STEP = 2 ** 53

export function isUsableStep(step: number): boolean {
  return Math.abs(step) <= LARGEST_STEP
}
