import type { Condition, Evaluation, SampleScores } from '../../model/evaluation.js'
import type { RunEvent } from '../../model/events.js'
import type { Json } from '../../model/json.js'
import { message } from '../../text/say.js'
import type { TableRecord } from './records.js'
import type { SampleParts, SamplesShape } from './samples-shape.js'
import { numberOf, scoreOf, stepOf, textOf } from './samples-values.js'
import type { TableTally } from './tally.js'

/**
 * Per-sample scores with a row per sample. Rows of one step need not stand together (some evaluators write sample by
 * sample, over all checkpoints), so rows are gathered by step and condition. When MOST_WAITING are waiting, all but the
 * step at hand are said: in an ordered file each step is one event, in another an event may hold part of a step, and a
 * later one the rest. Means are said at the end, when every step is known to be complete.
 */
const MOST_WAITING = 200_000
/** So many characters of inputs and outputs weigh as much as a row. */
const TEXT_PER_ROW = 100
/** Each step and condition costs a little memory to the end. */
const MOST_GROUPS = 100_000

interface Group {
  readonly step: number
  readonly condition: Condition
  rows: number
  sum: number
  prompts: number
  /** In how many events the samples were said. Over several, an id that comes again cannot be told from a new one. */
  parts: number
  waiting: Waiting
}

interface Waiting {
  weight: number
  readonly ids: string[]
  readonly scores: number[]
  readonly repeats: number[]
  readonly inputs: (string | null)[]
  readonly outputs: (string | null)[]
  readonly choices: (string | null)[]
  /** How often each id has come, which numbers the repeats where no column does. */
  readonly seen: Map<string, number>
}

type Emit = (event: RunEvent) => void

export function longSamples(metric: string, shape: SamplesShape & { readonly kind: 'long' }, tally: TableTally) {
  const { more } = shape
  const groups = new Map<string, Group>()
  let waiting = 0
  let isFull = false

  function take({ columns, values }: TableRecord, emit: Emit): void {
    const valueIn = (column: string | undefined): Json | undefined => {
      const at = column === undefined ? -1 : columns.indexOf(column)
      return at < 0 ? undefined : values[at]
    }
    const score = scoreOf(valueIn(shape.score), tally)
    const id = textOf(valueIn(shape.sample))
    if (score === null || id === null) return
    const step = stepOf(valueIn(shape.step), tally)
    const group = step === null ? null : groupOf(step, conditionOf(more, valueIn))
    if (group === null) return
    const before = group.waiting.weight
    add(group, id, score, more, valueIn)
    waiting += group.waiting.weight - before
    if (waiting >= MOST_WAITING) makeRoom(group, emit)
  }

  function groupOf(step: number, condition: Condition): Group | null {
    const { dataset, shots, temperature, split } = condition
    const key = `${step}\0${dataset}\0${shots}\0${temperature}\0${split}`
    const known = groups.get(key)
    if (known !== undefined) return known
    if (groups.size >= MOST_GROUPS) {
      isFull = true
      return null
    }
    const group = { step, condition, rows: 0, sum: 0, prompts: 0, parts: 0, waiting: nothingWaiting() }
    groups.set(key, group)
    return group
  }

  function makeRoom(current: Group, emit: Emit): void {
    for (const group of groups.values()) if (group !== current) flush(group, emit)
    if (current.waiting.weight > MOST_WAITING / 2) flush(current, emit)
    waiting = current.waiting.weight
  }

  function flush(group: Group, emit: Emit): void {
    if (group.waiting.ids.length === 0) return
    emit({ type: 'samples', samples: samplesOf(metric, group, more) })
    group.parts += 1
    group.waiting = nothingWaiting()
  }

  function finish(emit: Emit): void {
    for (const group of groups.values()) flush(group, emit)
    for (const group of groups.values()) emit({ type: 'evaluation', evaluation: meanOf(metric, group) })
    if (isFull) emit({ type: 'warning', message: message('samples.too-many-groups', { limit: MOST_GROUPS }) })
  }

  return { take, finish }
}

function nothingWaiting(): Waiting {
  return { weight: 0, ids: [], scores: [], repeats: [], inputs: [], outputs: [], choices: [], seen: new Map() }
}

type ValueIn = (column: string | undefined) => Json | undefined

function add(group: Group, id: string, score: number, more: SampleParts, valueIn: ValueIn): void {
  const { waiting } = group
  const before = waiting.seen.get(id) ?? 0
  waiting.seen.set(id, before + 1)
  group.rows += 1
  group.sum += score
  if (before === 0) group.prompts += 1
  waiting.ids.push(id)
  waiting.scores.push(score)
  waiting.repeats.push(numberOf(valueIn(more.repeat)) ?? before)
  const input = textOf(valueIn(more.input))
  const output = textOf(valueIn(more.output))
  waiting.inputs.push(input)
  waiting.outputs.push(output)
  waiting.choices.push(textOf(valueIn(more.choice)))
  waiting.weight += 1 + ((input?.length ?? 0) + (output?.length ?? 0)) / TEXT_PER_ROW
}

function meanOf(metric: string, { step, condition, sum, rows, prompts, parts }: Group): Evaluation {
  const repeats = rows / prompts
  const isFolded = parts === 1 && repeats > 1 && Number.isInteger(repeats)
  return {
    metric,
    step,
    condition: isFolded ? { ...condition, aggregate: `mean@${repeats}` } : condition,
    value: sum / rows,
    n: parts === 1 ? prompts : null,
    quality: 'measured',
  }
}

function samplesOf(metric: string, { step, condition, waiting }: Group, more: SampleParts): SampleScores {
  const { ids, scores, repeats, inputs, outputs, choices, seen } = waiting
  return {
    metric,
    step,
    condition,
    ids,
    scores,
    ...(more.repeat !== undefined || seen.size < ids.length ? { repeats } : {}),
    ...(more.input !== undefined ? { inputs } : {}),
    ...(more.output !== undefined ? { outputs } : {}),
    ...(more.choice !== undefined ? { choices } : {}),
  }
}

function conditionOf(more: SampleParts, valueIn: ValueIn): Condition {
  const dataset = textOf(valueIn(more.dataset))
  const shots = numberOf(valueIn(more.shots))
  const temperature = numberOf(valueIn(more.temperature))
  const split = textOf(valueIn(more.split))
  return {
    ...(dataset === null ? {} : { dataset }),
    ...(shots === null ? {} : { shots }),
    ...(temperature === null ? {} : { temperature }),
    ...(split === null ? {} : { split }),
  }
}
