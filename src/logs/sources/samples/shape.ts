import { readCell } from '../../document/printed-cell.js'
import type { Condition } from '../../model/evaluation.js'
import { type Json, numberFromJson } from '../../model/json.js'
import type { SourceFile } from '../source.js'
import { isUsableStep } from '../source-helpers.js'
import { cellsAt, cellsOf, findColumn, isNumeric } from '../table/columns.js'
import { readTableHead, type TableHead } from '../table/head.js'
import { chooseTime } from '../table/plan.js'
import { plainNumber } from '../table/rows.js'
import { chooseStep } from '../table/step.js'
import { note, type TableTally } from '../table/tally.js'

/**
 * Is a table one of per-sample scores? Wide: a row per step, a column per sample, named by one prefix and an index.
 * Long: a row per step and sample. Tables that hold the outputs as well are read by sources/completions.
 */
export type SamplesShape =
  | {
      readonly kind: 'wide'
      readonly step: string
      readonly prefix: string
      /** Columns of numbers that are no samples: a mean, an epoch. */
      readonly others: readonly string[]
    }
  | {
      readonly kind: 'long'
      readonly step: string
      readonly sample: string
      readonly score: string
      readonly more: SampleParts
    }

/** What else is known of a score, and in which column it stands. */
type SampleParts = { readonly [part in SamplePart]?: string }

type SamplePart = keyof typeof PART_NAMES

/** Which attempt at a prompt, and under which circumstances. */
export const CONDITION_NAMES = {
  repeat: ['repeat', 'repeat_id', 'attempt', 'rollout'],
  dataset: ['dataset', 'data_source'],
  shots: ['shots', 'shot', 'shot_num', 'num_shots'],
  temperature: ['temperature'],
  split: ['split'],
} as const

const PART_NAMES = {
  ...CONDITION_NAMES,
  choice: ['choice', 'answer', 'prediction', 'pred'],
} as const

export const SAMPLE_NAMES = ['sample', 'sample_id', 'prompt_id', 'question_id', 'id', 'index']
export const SCORE_NAMES = ['score', 'reward', 'correct', 'acc', 'exact', 'accuracy', 'exact_match', 'is_correct']

/** Fewer numbered columns are parts of something else: quantiles, layers, seeds. */
const FEWEST_SAMPLES = 20
/** The columns besides the step that must be samples. */
const LEAST_SHARE = 0.8
/** What else is numbered in training logs, and by the dozen. */
const NUMBERED_THINGS =
  /(?:metric|series|loss|norm|grad|param|column|feature|layer|block|expert|head|gpu|rank|device|worker|node|bin|bucket|token|position)s?[^a-z]*$/i

export function samplesShape(file: SourceFile): SamplesShape | null {
  const head = readTableHead(file)
  if (head === null || head.format === 'json') return null
  return wideShape(head) ?? longShape(head)
}

/** What people call a sample by. */
const SAMPLE_PREFIX =
  /(?:^|[^a-z])(?:p|q|s|x|id|ex|item|task|case|query|sample|prompt|example|problem|question|instance)s?[^a-z]*$/i
/** So many numbered columns are no metrics. */
const SURELY_SAMPLES = 50

/** Whether the columns are samples even without a log beside them: by their name, their number, or as right and wrong. */
export function isEvident(file: SourceFile): boolean {
  const head = readTableHead(file)
  const shape = samplesShape(file)
  if (head === null || shape === null || shape.kind === 'long') return true
  const columns = head.columns.flatMap((column, index) => (isSampleColumn(column, shape.prefix) ? [index] : []))
  if (columns.length >= SURELY_SAMPLES || SAMPLE_PREFIX.test(shape.prefix)) return true
  return columns.every(index =>
    cellsAt(head, index).every(cell => cell.kind !== 'number' || [0, 1].includes(cell.value)),
  )
}

export function isSampleColumn(name: string, prefix: string): boolean {
  return name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length))
}

function wideShape(head: TableHead): SamplesShape | null {
  const counts = new Map<string, number>()
  for (const column of head.columns) {
    const prefix = /^(.*?)\d+$/.exec(column)?.[1]
    if (prefix !== undefined) counts.set(prefix, (counts.get(prefix) ?? 0) + 1)
  }
  const [prefix, count] = [...counts].reduce((most, next) => (next[1] > most[1] ? next : most), ['', 0])
  // A slash is a tracker's name space: `timing_s/part0` and its like are metrics.
  if (count < FEWEST_SAMPLES || prefix.includes('/') || NUMBERED_THINGS.test(prefix)) return null
  const step = chooseStep(head, { run: null, long: null }, {})?.step || null
  if (step === null || isSampleColumn(step, prefix)) return null
  const time = chooseTime(head, step)
  const numeric = head.columns.filter(
    (column, index) => column !== '' && column !== step && column !== time && isNumeric(cellsAt(head, index)),
  )
  const others = numeric.filter(column => !isSampleColumn(column, prefix))
  const samples = numeric.length - others.length
  const enough = samples >= FEWEST_SAMPLES && samples >= LEAST_SHARE * numeric.length
  return enough && isFilled(head, prefix) ? { kind: 'wide', step, prefix, others } : null
}

/** Every sample is scored at every evaluation, or nearly so; names that come and go are something else. */
function isFilled(head: TableHead, prefix: string): boolean {
  const samples = head.columns.flatMap((column, index) => (isSampleColumn(column, prefix) ? [index] : []))
  const filled = samples.reduce((sum, index) => sum + cellsAt(head, index).length, 0)
  return filled >= LEAST_SHARE * samples.length * head.rows.length
}

function longShape(head: TableHead): SamplesShape | null {
  const sample = findColumn(head.columns, SAMPLE_NAMES)
  const score = findColumn(head.columns, SCORE_NAMES)
  if (sample === undefined || score === undefined || !holdsScores(head, score)) return null
  const step = chooseStep(head, { run: null, long: { metric: sample } }, {})?.step || null
  if (step === null || step === sample || !holdsSeveralAtAStep(head, step, sample)) return null
  const more = Object.entries(PART_NAMES).flatMap(([part, names]) => {
    const column = findColumn(head.columns, names)
    return column === undefined || column === sample ? [] : [[part, column]]
  })
  return { kind: 'long', step, sample, score, more: Object.fromEntries(more) }
}

export function holdsScores(head: TableHead, column: string): boolean {
  const cells = cellsOf(head, column)
  return cells.length > 0 && isNumeric(cells.filter(cell => cell.kind !== 'text' || !isTruth(cell.text)))
}

/** `True` and `False`, as Python and JSON write right and wrong. */
function isTruth(text: string): boolean {
  return /^(?:true|false)$/i.test(text)
}

/** Log lines have an id or an index too, but one line per step. */
function holdsSeveralAtAStep(head: TableHead, step: string, sample: string): boolean {
  const stepAt = head.columns.indexOf(step)
  const sampleAt = head.columns.indexOf(sample)
  const steps = new Set(head.rows.map(row => JSON.stringify(row[stepAt])))
  const places = new Set(head.rows.map(row => JSON.stringify([row[stepAt], row[sampleAt]])))
  return places.size > steps.size
}

/** Reads the values of per-sample records, which are strings in CSV and typed in JSONL. */

export function numberOf(value: Json | undefined): number | null {
  if (typeof value !== 'string') return numberFromJson(value) ?? null
  const plain = plainNumber(value)
  if (plain !== undefined) return plain
  const cell = readCell(value)
  return cell.kind === 'number' ? cell.value : null
}

/** A small whole number: a repeat, a number of shots. */
export function countOf(value: Json | undefined): number | null {
  const count = numberOf(value)
  return count !== null && Number.isInteger(count) && count >= 0 && count < 2 ** 31 ? count : null
}

/** Null where there is no score; NaN and infinities are none, and noted. Right and wrong are 1 and 0. */
export function scoreOf(value: Json | undefined, tally: TableTally): number | null {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'string' && isTruth(value)) return value.toLowerCase() === 'true' ? 1 : 0
  const score = numberOf(value)
  if (score === null || Number.isFinite(score)) return score
  note(tally, 'badScore')
  return null
}

/** Null, and noted, where the step is no place on an axis. */
export function stepOf(value: Json | undefined, tally: TableTally): number | null {
  const step = numberOf(value)
  if (step !== null && isUsableStep(step)) return step
  if (value === undefined || value === null || value === '') note(tally, 'noStep')
  else note(tally, 'badStep', JSON.stringify(value))
  return null
}

export function textOf(value: Json | undefined): string | null {
  if (value === undefined || value === null || value === '') return null
  return (typeof value === 'object' ? JSON.stringify(value) : String(value).trim()).toWellFormed()
}

export function conditionFrom(
  valueIn: (part: 'dataset' | 'shots' | 'temperature' | 'split') => Json | undefined,
): Condition {
  const dataset = textOf(valueIn('dataset'))
  const shots = countOf(valueIn('shots'))
  const temperature = numberOf(valueIn('temperature'))
  const split = textOf(valueIn('split'))
  return {
    ...(dataset !== null && { dataset }),
    ...(shots !== null && { shots }),
    ...(temperature !== null && Number.isFinite(temperature) && { temperature }),
    ...(split !== null && { split }),
  }
}
