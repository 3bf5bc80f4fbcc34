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
  /** The column that counts epochs or episodes, within which the step may begin again. */
  readonly outer: string | null
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
const COARSE_IF_RISING = [
  ...['epochs', 'episodes', 'rounds', 'generations'],
  ...['num_episodes', 'total_episodes', 'global_episode', 'global_epoch'],
]
/** What counts within an epoch, and nothing without one. */
const INNER = ['batch', 'batch_idx', 'batch_index', 'minibatch']

/** More rows than this at one step on average: the column counts something coarser than the rows. */
const MOST_ROWS_PER_STEP = 20
/** A log may begin with a few rows at step 0; a table that stays at one step does not count steps. */
const MOST_ROWS_AT_ONLY_STEP = 3

export function chooseStep(head: TableHead, groups: RowGroups, hints: Hints): StepChoice | null {
  const asked = hints.step === undefined ? undefined : askedColumn(head.columns, hints.step)
  if (asked !== undefined) return choiceOf(head, asked)
  if (isMonitor(head)) return { step: 'l', stepForm: 'sum', outer: null }
  const counts = (column: string): boolean => column !== groups.run && countsSteps(head, groups, column)
  const columnsOf = (names: readonly string[]): string[] =>
    names.flatMap(name => findColumn(head.columns, [name]) ?? []).filter(counts)
  const rising = (names: readonly string[]): string[] => columnsOf(names).filter(column => isRising(head, column))
  const outer = findColumn(head.columns, COARSE) ?? null
  const [step] = [
    ...columnsOf(stepsOfFramework(head.columns)),
    ...columnsOf(FINE),
    ...rising([...FINE_IF_RISING, ...STEPS_OF_ALL]),
    ...columnsOf(['t']).filter(column => numbersIn(head, column).every(Number.isInteger)),
    ...columnsOf(outer === null ? [] : INNER),
  ]
  const coarse = [...columnsOf(COARSE), ...rising(COARSE_IF_RISING)]
  const [best] = coarse.toSorted((a, b) => distinct(head, b) - distinct(head, a))
  if (step !== undefined && !(best !== undefined && isPerRow(head, best) && fallsBack(head, step))) {
    return choiceOf(head, step, outer === step ? null : outer)
  }
  if (best !== undefined) return choiceOf(head, best)
  return head.hasPlaces === true ? { step: '', stepForm: 'place', outer: null } : null
}

const STEPS_OF_ALL = FRAMEWORK_DATA.flatMap(({ steps = [] }) => steps).filter(
  step => !COARSE.includes(step.toLowerCase()),
)

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

function choiceOf(head: TableHead, step: string, outer: string | null = null): StepChoice {
  const isOfTwo = cellsOf(head, step).some(cell => cell.kind === 'text' && firstOfTwo(cell.text) !== undefined)
  return { step, stepForm: isOfTwo ? 'first-of-two' : 'number', outer }
}

/** How far, of how much: 5 of `5/150`. */
export function firstOfTwo(text: string): number | undefined {
  const first = /^\s*(\d{1,15})\s*\/\s*\d{1,15}\s*$/.exec(text)?.[1]
  return first === undefined ? undefined : Number(first)
}

/** What was counted before the next row. */
export const stepCount = z
  .object({
    /** Rows, the sum of a column, or what the epochs so far add to a step that begins again in each. */
    total: z.number(),
    /** The first step, the distance to the second, and the last one with its epoch. */
    first: z.number().nullable(),
    stride: z.number(),
    last: z.number().nullable(),
    outer: z.number().nullable(),
  })
  .default(newStepCount)

export type StepCount = z.infer<typeof stepCount>

export function newStepCount(): { total: number; first: null; stride: number; last: null; outer: null } {
  return { total: 0, first: null, stride: 1, last: null, outer: null }
}

/**
 * The step of a row by what stands in the step's column, and in that of the epoch. A step that falls back where the epoch
 * rises goes on counting behind the epochs before.
 */
export function countStep(
  { stepForm, outer }: StepChoice,
  value: number | undefined,
  epoch: number | undefined,
  count: StepCount,
): number | undefined {
  if (stepForm === 'place') return count.total++
  if (value === undefined) return undefined
  if (stepForm === 'sum') {
    count.total += value
    return count.total
  }
  if (outer === null || epoch === undefined) return value + count.total
  if (count.first === null) count.first = value
  else if (count.last === count.first && value > count.first) count.stride = value - count.first
  if (count.last !== null && count.outer !== null && value < count.last) {
    if (epoch > count.outer) count.total += count.last + count.stride - count.first
    else if (epoch < count.outer) count.total = 0
  }
  count.last = value
  count.outer = epoch
  return value + count.total
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

/** A row for each episode: what falls back beside it is a length. */
function isPerRow(head: TableHead, column: string): boolean {
  return head.rows.length > 1 && distinct(head, column) === head.rows.length
}

function fallsBack(head: TableHead, column: string): boolean {
  return numbersIn(head, column).some((step, i, steps) => i > 0 && step < (steps[i - 1] ?? step))
}
