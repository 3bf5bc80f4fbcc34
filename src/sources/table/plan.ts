import { z } from 'zod'
import type { Cell } from '../../document/cell.js'
import type { Hints } from '../source.js'
import { cellsAt, isNumeric, tableForm } from './form.js'
import { isCutInFirstRow, type TableHead } from './head.js'
import { chooseStep } from './step.js'
import { chooseTime } from './time.js'

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
export function hasMetrics(head: TableHead, { step, time, run }: TablePlan): boolean {
  if (isCutInFirstRow(head)) return true
  const others = new Set<string | null>([step, time, run])
  return head.columns.some(
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
function printedDecimals(cells: readonly Cell[]): number | null {
  const numbers = cells.filter(cell => cell.kind === 'number')
  const decimals = numbers[0]?.decimals ?? 0
  if (numbers.length < 3 || decimals === 0) return null
  const rounded = numbers.every(
    cell => cell.decimals === decimals && Math.abs(cell.value) * 10 ** decimals < 10 ** MOST_DIGITS_OF_A_ROUNDED_NUMBER,
  )
  return rounded ? decimals : null
}
