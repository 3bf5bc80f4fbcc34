import { z } from 'zod'
import type { PrintedCell } from '../../document/printed-cell.js'
import { FRAMEWORK_DATA } from '../../model/frameworks/registry.js'
import { detectFramework } from '../../model/vocabulary/detect.js'
import type { Hints } from '../source.js'
import { cellsOf, findColumn, isNumeric } from './columns.js'
import type { TableHead } from './head.js'

/**
 * Which column counts the steps. klens does not guess: a column by a name that the file of its framework has, by one of the
 * usual names, or the one that the user names. A column that counts finer goes before one that counts epochs.
 */

/**
 * How a row tells its step: by the number in a column, by the first of two numbers (`5/150`), by the sum of a column up to
 * here (the lengths of episodes), or by nothing but its place, from 0.
 */
export const stepForm = z.enum(['number', 'first-of-two', 'sum', 'place']).default('number')

type StepForm = z.infer<typeof stepForm>

export interface StepChoice {
  /** '' where it is the place of the row. */
  readonly step: string
  readonly stepForm: StepForm
}

/** The columns by which a row is placed, and which are no metrics. A length of an episode is both. */
export function placeColumns({ step, stepForm }: StepChoice): readonly string[] {
  return stepForm === 'sum' ? [] : [step]
}

/** In a long table, or one of several runs, many rows share a step rightly. */
interface RowGroups {
  readonly run: string | null
  readonly long: { readonly metric: string } | null
}

const FINE = [
  'step',
  'global_step',
  '_step',
  'training/global_step',
  'train/global_step',
  'iteration',
  'iter',
  'update',
  '步数',
]
/** Words that also mean how long an episode was or how much is to come, so that they count only where they rise. */
const FINE_IF_RISING = [
  'timestep',
  'timesteps',
  'total_timesteps',
  'num_timesteps',
  'env_step',
  'env_steps',
  'total_env_steps',
  'train_step',
  'training_step',
  'total_steps',
  'steps',
  'iterations',
  'updates',
  'num_updates',
  'frame',
  'frames',
]
const COARSE = ['epoch', 'episode', 'round', 'generation', '轮次']
const COARSE_IF_RISING = ['epochs', 'episodes', 'rounds', 'generations']

/** More rows than this at one step on average: the column counts something coarser than the rows. */
const MOST_ROWS_PER_STEP = 20
/** A log may begin with a few rows at step 0; a table that stays at one step does not count steps. */
const MOST_ROWS_AT_ONLY_STEP = 3

export function chooseStep(head: TableHead, groups: RowGroups, hints: Hints): StepChoice | null {
  const asked = hints.step === undefined ? undefined : askedColumn(head.columns, hints.step)
  if (asked !== undefined) return choiceOf(head, asked)
  if (isMonitor(head)) return { step: 'l', stepForm: 'sum' }
  const counts = (column: string): boolean => column !== groups.run && countsSteps(head, groups, column)
  const columnsOf = (names: readonly string[]): string[] =>
    names.flatMap(name => findColumn(head.columns, [name]) ?? []).filter(counts)
  const rising = (names: readonly string[]): string[] => columnsOf(names).filter(column => isRising(head, column))
  const coarse = [...columnsOf(COARSE), ...rising(COARSE_IF_RISING)]
  const all = FRAMEWORK_DATA.flatMap(({ steps = [] }) => steps)
  const fine = [
    ...columnsOf(stepsOfFramework(head.columns)),
    ...columnsOf(FINE),
    ...rising([...FINE_IF_RISING, ...all]),
    ...columnsOf(['t']).filter(column => numbersIn(head, column).every(Number.isInteger)),
  ]
  const outer = findColumn(head.columns, COARSE)
  const step = fine.find(column => outer === undefined || column === outer || !countsWithin(head, column, outer))
  if (step !== undefined) return choiceOf(head, step)
  const [best] = coarse.toSorted((a, b) => distinct(head, b) - distinct(head, a))
  const isOfRows = best !== undefined && (fine.length === 0 || distinct(head, best) === head.rows.length)
  if (isOfRows) return choiceOf(head, best)
  return fine.length > 0 || head.hasPlaces === true ? { step: '', stepForm: 'place' } : null
}

function askedColumn(columns: readonly string[], asked: string): string | undefined {
  if (columns.includes(asked)) return asked
  return columns.find(column => column.trim().toLowerCase() === asked.trim().toLowerCase())
}

function stepsOfFramework(columns: readonly string[]): readonly string[] {
  const framework = detectFramework(columns, [])
  return FRAMEWORK_DATA.find(({ id }) => id === framework)?.steps ?? []
}

/** The episodes that Gym's monitors write, of Stable-Baselines3 and of OpenAI: reward, length, seconds since the start. */
function isMonitor({ format, columns }: TableHead): boolean {
  return format === 'csv' && columns.slice(0, 3).join() === 'r,l,t'
}

function choiceOf(head: TableHead, step: string): StepChoice {
  const isOfTwo = cellsOf(head, step).some(cell => cell.kind === 'text' && firstOfTwo(cell.text) !== undefined)
  return { step, stepForm: isOfTwo ? 'first-of-two' : 'number' }
}

/** How far, of how much: 5 of `5/150`. */
export function firstOfTwo(text: string): number | undefined {
  const first = /^\s*(\d{1,15})\s*\/\s*\d{1,15}\s*$/.exec(text)?.[1]
  return first === undefined ? undefined : Number(first)
}

function stepIn(cell: PrintedCell | undefined): number | undefined {
  if (cell?.kind === 'number') return cell.value
  return cell?.kind === 'text' ? firstOfTwo(cell.text) : undefined
}

function numbersIn(head: TableHead, column: string): number[] {
  return cellsOf(head, column).flatMap(cell => stepIn(cell) ?? [])
}

function countsSteps(head: TableHead, groups: RowGroups, column: string): boolean {
  const cells = cellsOf(head, column)
  if (cells.length === 0 && head.rows.length > 0) return false
  if (!isNumeric(cells) && cells.some(cell => stepIn(cell) === undefined)) return false
  const places = distinctPlaces(head, groups, column)
  return head.rows.length <= (places === 1 ? MOST_ROWS_AT_ONLY_STEP : MOST_ROWS_PER_STEP * places)
}

function distinctPlaces(head: TableHead, groups: RowGroups, step: string): number {
  const place = [step, groups.run, groups.long?.metric].map(column => head.columns.indexOf(column ?? ''))
  return new Set(head.rows.map(row => JSON.stringify(place.map(index => row[index])))).size
}

function distinct(head: TableHead, column: string): number {
  return new Set(numbersIn(head, column)).size
}

function isRising(head: TableHead, column: string): boolean {
  const steps = numbersIn(head, column)
  return (steps[0] ?? 0) < (steps.at(-1) ?? 0) && steps.every((step, i) => i === 0 || step >= (steps[i - 1] ?? step))
}

/** Whether a column counts within the epochs or episodes of another, which rises while it falls back. */
function countsWithin(head: TableHead, inner: string, outer: string): boolean {
  const columns = [inner, outer].map(column => head.columns.indexOf(column))
  let last: readonly (number | undefined)[] = []
  let falls = 0
  for (const row of head.rows) {
    const [at, of] = columns.map(column => stepIn(row[column]))
    const [lastAt, lastOf] = last
    if (at === undefined || of === undefined) continue
    if (lastAt !== undefined && lastOf !== undefined) {
      if (of < lastOf) return false
      if (at < lastAt) {
        if (of === lastOf) return false
        falls += 1
      }
    }
    last = [at, of]
  }
  return falls > 0
}
