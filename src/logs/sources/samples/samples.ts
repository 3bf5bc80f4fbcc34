import { basename, extname } from 'node:path'
import type { Row, RunEvent } from '../../model/events.js'
import type { Json } from '../../model/json.js'
import type { Source } from '../source.js'
import { nameLists } from '../source-helpers.js'
import { csv } from '../table/csv.js'
import { readTableHead } from '../table/head.js'
import { jsonl } from '../table/json.js'
import { eventsOfRecords, type TableRecord } from '../table/records.js'
import { wholeFile } from '../table/runs.js'
import type { TableTally } from '../table/tally.js'
import { gatherSamples } from './gather.js'
import {
  conditionFrom,
  countOf,
  isEvident,
  isSampleColumn,
  numberOf,
  type SamplesShape,
  samplesShape,
  scoreOf,
  stepOf,
  textOf,
} from './shape.js'

/**
 * Scores of single samples at several steps, as CSV or JSONL: what paired tests are made of. The metric is named after
 * the file. Read again when it changes: such files are written once per evaluation and stay small beside the logs.
 */
export const samples: Source = {
  id: 'samples',
  role: 'samples',
  grows: false,
  keep: 'all',

  recognise: file => samplesShape(file) !== null,

  // Twenty numbered columns beside a log are scores of samples; by themselves they may as well be twenty metrics.
  alone: file => (isEvident(file) ? null : ([csv, jsonl].find(table => table.recognise(file)) ?? null)),

  describe: async file => (samplesShape(file) === null ? [] : [wholeFile(file, '')]),

  async *read(file) {
    const head = readTableHead(file)
    const shape = samplesShape(file)
    if (head === null || shape === null) return
    const metric = basename(file.path, extname(file.path))
    const tally: TableTally = {}
    const reader =
      shape.kind === 'wide'
        ? { take: wideSamples(metric, shape, tally), finish: () => {} }
        : longSamples(metric, shape, tally)
    yield* eventsOfRecords(file, head, tally, reader)
  },
}

/** Per-sample scores with a row per step and sample. */
function longSamples(metric: string, shape: SamplesShape & { readonly kind: 'long' }, tally: TableTally) {
  const { more } = shape
  const gathered = gatherSamples(metric, { asSeries: false })

  function take({ columns, values }: TableRecord, emit: (event: RunEvent) => void): void {
    const valueIn = (column: string | undefined): Json | undefined => {
      const at = column === undefined ? -1 : columns.indexOf(column)
      return at < 0 ? undefined : values[at]
    }
    const score = scoreOf(valueIn(shape.score), tally)
    const id = textOf(valueIn(shape.sample))
    if (score === null || id === null) return
    const step = stepOf(valueIn(shape.step), tally)
    if (step === null) return
    const condition = conditionFrom(part => valueIn(more[part]))
    const repeat = countOf(valueIn(more.repeat))
    const choice = textOf(valueIn(more.choice))
    const texts = choice === null ? null : { input: null, output: null, expected: null, choice }
    gathered.take({ step, condition, id, repeat, scores: [[metric, score]], texts }, emit)
  }

  return { take, finish: gathered.finish }
}

/** Per-sample scores with a column per sample: each row is one evaluation of all samples. Other numbers are metrics. */
function wideSamples(metric: string, shape: SamplesShape & { readonly kind: 'wide' }, tally: TableTally) {
  let columns: readonly string[] = []
  let stepAt = -1
  let samples: readonly { readonly id: string; readonly at: number }[] = []
  let ids: readonly string[] = []
  let others: readonly (readonly [string, number])[] = []
  const shared = nameLists()

  function lookUp(names: readonly string[]): void {
    columns = names
    stepAt = names.indexOf(shape.step)
    samples = names.flatMap((id, at) => (isSampleColumn(id, shape.prefix) ? [{ id, at }] : []))
    ids = samples.map(({ id }) => id)
    others = shape.others.map(name => [name, names.indexOf(name)])
  }

  function otherMetrics(values: TableRecord['values'], step: number): Row | null {
    const found = others.flatMap(([name, at]) => {
      const value = numberOf(values[at])
      return value === null ? [] : [{ name, value }]
    })
    if (found.length === 0) return null
    const metrics = shared(found.map(({ name }) => name))
    return { type: 'row', step, time: null, metrics, values: found.map(({ value }) => value) }
  }

  return (record: TableRecord, emit: (event: RunEvent) => void): void => {
    if (record.columns !== columns) lookUp(record.columns)
    const step = stepOf(record.values[stepAt], tally)
    if (step === null) return
    const row = otherMetrics(record.values, step)
    if (row !== null) emit(row)
    const found: string[] = []
    const scores: number[] = []
    let sum = 0
    for (const { id, at } of samples) {
      const score = scoreOf(record.values[at], tally)
      if (score === null) continue
      found.push(id)
      scores.push(score)
      sum += score
    }
    if (scores.length === 0) return
    const about = { metric, step, condition: {} }
    emit({ type: 'samples', samples: { ...about, ids: found.length === ids.length ? ids : found, scores } })
    const value = sum / scores.length
    emit({ type: 'evaluation', evaluation: { ...about, value, n: scores.length, quality: 'measured' } })
  }
}
