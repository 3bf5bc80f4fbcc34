import { sentences } from '../../../text/sentences.js'
import type { Condition, Evaluation, ItemColumns } from '../../model/evaluation.js'
import type { RunEvent } from '../../model/events.js'
import { warning } from '../source-helpers.js'

/**
 * Per-sample records gathered by step and condition, because rows of one step need not stand together (some evaluators
 * write sample by sample, over all checkpoints). When MOST_WAITING are waiting, all but the step at hand are said: in
 * an ordered file each step is said in order, in another an event may hold part of a step, and a later one the rest.
 * Means are said at the end, when every step is known to be complete.
 */
const MOST_WAITING = 200_000
/** So many characters of texts weigh as much as a row. */
const TEXT_PER_ROW = 50
/** Each step and condition costs a little memory to the end. */
const MOST_GROUPS = 100_000

export interface SampleRecord {
  readonly step: number
  readonly condition: Condition
  readonly id: string
  /** Null where no column tells: then the times that the id has come are counted. */
  readonly repeat: number | null
  readonly scores: readonly (readonly [metric: string, score: number])[]
  readonly texts: RecordTexts | null
  readonly columns?: ItemColumns
}

export interface RecordTexts {
  readonly input: string | null
  readonly output: string | null
  readonly expected: string | null
  readonly choice: string | null
}

interface Group {
  readonly step: number
  readonly condition: Condition
  rows: number
  prompts: number
  readonly sums: Map<string, { sum: number; rows: number }>
  /** How often each id has come. Null once the group has been said to make room. */
  seen: Map<string, number> | null
  /** Whether every id is known to be new or to have come before. */
  isExact: boolean
  waiting: Waiting
}

interface Waiting {
  weight: number
  readonly scores: Map<string, Column>
  readonly texts: { readonly id: string; readonly repeat: number; readonly texts: RecordTexts }[]
}

interface Column {
  readonly ids: string[]
  readonly scores: number[]
  readonly repeats: number[]
  readonly columns: ItemColumns[]
}

type Emit = (event: RunEvent) => void

/** `table` is what texts are kept under. With `asSeries` each metric's mean becomes a series as well. */
export function gatherSamples(table: string, { asSeries }: { readonly asSeries: boolean }) {
  const groups = new Map<string, Group>()
  let waiting = 0
  let isFull = false

  function take(record: SampleRecord, emit: Emit): void {
    const group = groupOf(record.step, record.condition)
    if (group === null) return
    const before = group.waiting.weight
    add(group, record)
    waiting += group.waiting.weight - before
    if (waiting >= MOST_WAITING) makeRoom(group, emit)
  }

  function groupOf(step: number, condition: Condition): Group | null {
    const key = `${step}${JSON.stringify(condition)}`
    const known = groups.get(key)
    if (known !== undefined) return known
    if (groups.size >= MOST_GROUPS) {
      isFull = true
      return null
    }
    const nothing = { rows: 0, prompts: 0, sums: new Map(), seen: new Map(), isExact: true, waiting: nothingWaiting() }
    const group: Group = { step, condition, ...nothing }
    groups.set(key, group)
    return group
  }

  function makeRoom(current: Group, emit: Emit): void {
    for (const group of groups.values()) {
      if (group === current) continue
      release(group, emit)
      group.seen = null
    }
    if (current.waiting.weight > MOST_WAITING / 2) release(current, emit)
    waiting = current.waiting.weight
  }

  function release({ step, condition, waiting }: Group, emit: Emit): void {
    for (const [metric, { ids, scores, repeats, columns }] of waiting.scores) {
      const several = repeats.some(repeat => repeat !== 0)
      const described = columns.length === ids.length && { columns }
      const samples = { metric, step, condition, ids, scores, ...(several && { repeats }), ...described }
      emit({ type: 'samples', samples })
    }
    const { texts } = waiting
    if (texts.length > 0) {
      emit({
        type: 'texts',
        texts: {
          table,
          step,
          condition,
          ids: texts.map(({ id }) => id),
          repeats: texts.map(({ repeat }) => repeat),
          inputs: texts.map(({ texts: { input } }) => input),
          outputs: texts.map(({ texts: { output } }) => output),
          expected: texts.map(({ texts: { expected } }) => expected),
          choices: texts.map(({ texts: { choice } }) => choice),
        },
      })
    }
    waiting.scores.clear()
    texts.length = 0
    waiting.weight = 0
  }

  function finish(emit: Emit): void {
    for (const group of groups.values()) release(group, emit)
    for (const group of groups.values()) {
      for (const evaluation of meansOf(group)) emit({ type: 'evaluation', evaluation })
    }
    if (asSeries) for (const row of seriesOf([...groups.values()])) emit(row)
    if (isFull) emit(warning(say('samples.too-many-groups', { limit: MOST_GROUPS })))
  }

  return { take, finish }
}

function nothingWaiting(): Waiting {
  return { weight: 0, scores: new Map(), texts: [] }
}

function add(group: Group, { id, repeat: told, scores, texts, columns }: SampleRecord): void {
  const { waiting } = group
  if (group.seen === null) {
    group.seen = new Map()
    group.isExact = false
  }
  const before = group.seen.get(id) ?? 0
  group.seen.set(id, before + 1)
  group.rows += 1
  if (before === 0) group.prompts += 1
  const repeat = told ?? before
  for (const [metric, score] of scores) {
    const total = group.sums.get(metric) ?? { sum: 0, rows: 0 }
    total.sum += score
    total.rows += 1
    group.sums.set(metric, total)
    const column = waiting.scores.get(metric) ?? { ids: [], scores: [], repeats: [], columns: [] }
    column.ids.push(id)
    column.scores.push(score)
    column.repeats.push(repeat)
    if (columns !== undefined) column.columns.push(columns)
    waiting.scores.set(metric, column)
  }
  waiting.weight += Math.max(1, scores.length)
  if (texts === null) return
  waiting.texts.push({ id, repeat, texts })
  const { input, output, expected, choice } = texts
  for (const text of [input, output, expected, choice]) waiting.weight += (text?.length ?? 0) / TEXT_PER_ROW
}

function meansOf({ step, condition, sums, rows, prompts, isExact }: Group): Evaluation[] {
  const repeats = rows / prompts
  const isFolded = isExact && repeats > 1 && Number.isInteger(repeats)
  return [...sums].map(([metric, total]) => ({
    metric,
    step,
    condition: isFolded ? { ...condition, aggregate: `mean@${repeats}` } : condition,
    value: total.sum / total.rows,
    n: isExact ? prompts : null,
    quality: 'measured',
  }))
}

/** Over all conditions of a step: one curve per metric, in step order. */
function seriesOf(groups: readonly Group[]): RunEvent[] {
  const bySteps = new Map<number, Map<string, { sum: number; rows: number }>>()
  for (const { step, sums } of groups) {
    const totals = bySteps.get(step) ?? new Map<string, { sum: number; rows: number }>()
    for (const [metric, { sum, rows }] of sums) {
      const total = totals.get(metric) ?? { sum: 0, rows: 0 }
      totals.set(metric, { sum: total.sum + sum, rows: total.rows + rows })
    }
    bySteps.set(step, totals)
  }
  return [...bySteps]
    .sort(([first], [second]) => first - second)
    .map(([step, totals]) => ({
      type: 'row',
      step,
      time: null,
      metrics: [...totals.keys()],
      values: [...totals.values()].map(({ sum, rows }) => sum / rows),
    }))
}

const say = sentences({
  'samples.too-many-groups': {
    en: 'more than {limit} steps and conditions in one file of sample scores; the rest was left out',
    zh: '逐样本得分文件里的 step 与条件组合超过 {limit} 个，其余已略过',
  },
})
