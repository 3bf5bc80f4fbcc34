import { z } from 'zod'
import { sentences } from '../../../text/sentences.js'
import type { Row, RunEvent } from '../../model/events.js'
import { isJsonObject, type Json, numberFromJson } from '../../model/json.js'
import { readLineLog, textLines } from '../console/console-source.js'
import { headText } from '../encoding.js'
import { parsePythonJson } from '../python-json.js'
import { loneLog } from '../run-identity.js'
import type { Source } from '../source.js'
import { goesBack, isUsableStep, nameLists, noteStep, sayCommon, warning } from '../source-helpers.js'

/**
 * verl's file logger (`trainer.logger=[console,file]`): `{"step":1,"data":{"actor/pg_loss":-0.005,…}}` a line, all
 * digits kept. It opens the file again when a run is resumed, so one file holds one process. See docs/sources/verl.md.
 */
export const verlJsonl: Source = {
  id: 'verl',
  role: 'log',
  grows: true,
  keep: 'all',

  recognise(file) {
    const head = headText(file) ?? ''
    if (LONG_FIRST_LINE.test(head)) return true
    const lines = head.split('\n', LINES_TO_TRY)
    return lines.some(line => line.includes('"data"') && recordFrom(line) !== undefined)
  },

  async describe(file) {
    return [loneLog('verl', file, headText(file) ?? '')]
  },

  read: (file, request) => readJsonl(file, request),
}

/** A first line that is longer than the head, told by how it begins. */
const LONG_FIRST_LINE = /^\s*\{\s*"step"\s*:\s*\d+\s*,\s*"data"\s*:\s*\{\s*"[^"\n]*"\s*:\s*(?:-?\d|null)/
const LINES_TO_TRY = 5

const stateSchema = z.object({
  linesRead: z.number(),
  lastStep: z.number().nullable(),
  lastMetric: z.string(),
  nulls: z.object({ count: z.number(), metric: z.string(), step: z.number() }),
  badLines: z.object({ count: z.number(), line: z.number() }),
  badSteps: z.object({ count: z.number(), step: z.string() }),
  overlongLines: z.number(),
})

type State = z.infer<typeof stateSchema>

function newState(): State {
  return {
    linesRead: 0,
    lastStep: null,
    lastMetric: '',
    nulls: { count: 0, metric: '', step: 0 },
    badLines: { count: 0, line: 0 },
    badSteps: { count: 0, step: '' },
    overlongLines: 0,
  }
}

const readJsonl = readLineLog<State>({
  unit: 'line',
  state: stateSchema,
  newState,
  open(state) {
    const rowFrom = createRowReader(state)
    return {
      ...textLines('line', (line, events) => readLine(line, state, rowFrom, events)),
      end(events, rest) {
        const record = recordFrom(rest)
        if (record === undefined) return 'settled'
        pushRow(record, state, rowFrom, events)
        return 'took-rest'
      },
      totals: () => totals(state),
    }
  },
})

const say = sentences({
  'verl.null-values': {
    en: '{count} {count|value is|values are} null (first: {metric} at step {step}): the file logger writes NaN and infinities this way, and the difference is lost; left out',
    zh: '有 {count} 个值为 null（首个：step {step} 的 {metric}）：verl 的 file logger 会把 NaN 和无穷大写成 null，原值已无从得知，已略过',
  },
})

interface LogRecord {
  readonly step: number
  readonly data: { readonly [metric: string]: Json }
  /** Written by some versions beside the data. */
  readonly elapsedSeconds: number | undefined
}

function recordFrom(line: string): LogRecord | undefined {
  const value = parsePythonJson(line)
  if (!isJsonObject(value) || typeof value.step !== 'number' || !isJsonObject(value.data)) return undefined
  return { step: value.step, data: value.data, elapsedSeconds: numberFromJson(value.elapsed_seconds) }
}

type RowReader = (record: LogRecord) => Row

function readLine(line: string, state: State, rowFrom: RowReader, events: RunEvent[]): void {
  state.linesRead += 1
  if (line.trim() === '') return
  const record = recordFrom(line)
  if (record !== undefined) {
    pushRow(record, state, rowFrom, events)
    return
  }
  if (state.badLines.count === 0) state.badLines.line = state.linesRead
  state.badLines.count += 1
}

function pushRow(record: LogRecord, state: State, rowFrom: RowReader, events: RunEvent[]): void {
  if (!isUsableStep(record.step)) {
    if (state.badSteps.count === 0) state.badSteps.step = String(record.step)
    state.badSteps.count += 1
    return
  }
  const row = rowFrom(record)
  if (row.metrics.length === 0) return
  if (goesBack(state, row.step, row.metrics)) {
    events.push({ type: 'restart' })
    state.lastStep = null
  }
  events.push(row)
  noteStep(state, row.step, row.metrics)
}

function createRowReader(state: State): RowReader {
  const shared = nameLists()

  return ({ step, data, elapsedSeconds }) => {
    const metrics: string[] = []
    const values: number[] = []
    for (const metric in data) {
      const item = data[metric]
      const value = typeof item === 'number' ? item : numberFromJson(item)
      if (value !== undefined) {
        metrics.push(metric)
        values.push(value)
      } else if (item === null) {
        if (state.nulls.count === 0) state.nulls = { count: 0, metric, step }
        state.nulls.count += 1
      }
    }
    if (elapsedSeconds !== undefined) {
      metrics.push('elapsed_seconds')
      values.push(elapsedSeconds)
    }
    return { type: 'row', step, time: null, metrics: shared(metrics), values }
  }
}

function totals({ nulls, badLines, badSteps }: State): RunEvent[] {
  return [
    ...(nulls.count > 0 ? [warning(say('verl.null-values', nulls))] : []),
    ...(badLines.count > 0 ? [warning(sayCommon('source.bad-lines', badLines))] : []),
    ...(badSteps.count > 0 ? [warning(sayCommon('source.bad-step', badSteps))] : []),
  ]
}
