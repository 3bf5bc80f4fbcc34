import { readFile } from 'node:fs/promises'
import { sentences } from '../../../text/sentences.js'
import type { RunEvent } from '../../model/events.js'
import { isJsonObject, numberFromJson } from '../../model/json.js'
import type { Message } from '../../model/run.js'
import { isConfigFile } from '../config/config-file.js'
import { decodeText, headLines } from '../encoding.js'
import { parsePythonJson } from '../python-json.js'
import type { Hints, Source, SourceFile } from '../source.js'
import { warning } from '../source-helpers.js'
import { headOfTable, isComment, readTableHead, SETTINGS } from './head.js'
import { findTable, type JsonRows } from './json-tables.js'
import { hintsFor, type LastLine, lineTable, stepWarnings, withinWarnings } from './line-table.js'
import { hasMetrics, hasNumbers, lackOfTable, metricsIn, planTable } from './plan.js'
import { objectRowReader } from './rows.js'
import { everyRow, namedRuns, oneRun, runCollector, runInTable, wholeFile } from './runs.js'
import { newStepCount } from './step.js'
import { note, type TableTally, tallyWarnings } from './tally.js'
import { nextPlace, type TrainingPlace, trainingAsked, trainingsOf, trainingsUpTo } from './trainings.js'

/**
 * A JSON file that holds a table: a list of row objects, or lists as columns. JSON can only be read as a whole, so it
 * has a limit that JSONL has not.
 */
export const jsonTable: Source = {
  id: 'json',
  role: 'table',
  grows: false,
  keep: 'all',
  // Whatever the table is written as, one source that asks is enough.
  lacks: lackOfTable,

  recognise(file) {
    const head = isConfigFile(file.path) ? null : readTableHead(file)
    return head?.format === 'json' && hasNumbers(head)
  },

  async describe(file, hints) {
    const table = await loadTable(file)
    // Claimed all the same, so that reading can say what is wrong.
    if ('problem' in table) return [wholeFile(file, '')]
    const head = headOfTable(table)
    const plan = planTable(head, hintsFor(file, hints))
    if (plan === null || !hasMetrics(head, plan)) return []
    const whole = wholeFile(file, JSON.stringify(table.row(0)), metricsIn(head, plan))
    if (plan.run === null) {
      const toRow = objectRowReader(plan, hints, {}, everyRow.filter)
      let place: TrainingPlace | null = null
      for (let index = 0; index < table.length && plan.long === null; index += 1) {
        const row = toRow(table.row(index))
        if (row !== null) place = nextPlace(place, row)
      }
      return trainingsOf(whole, trainingsUpTo(place))
    }
    const runs = runCollector()
    const toRow = objectRowReader(plan, hints, {}, runs.filter)
    for (let index = 0; index < table.length; index += 1) toRow(table.row(index))
    return namedRuns(whole, runs.names)
  },

  async *read(file, { run, hints }) {
    const table = await loadTable(file)
    if ('problem' in table) {
      yield [warning(table.problem)]
      return
    }
    const plan = planTable(headOfTable(table), hintsFor(file, hints))
    if (plan === null) return
    const tally: TableTally = {}
    const runs = plan.run === null ? everyRow : oneRun(runInTable(file, run))
    const count = newStepCount()
    const toRow = objectRowReader(plan, hints, tally, runs.filter, count)
    let events: RunEvent[] = stepWarnings(hints, plan)
    const training = trainingAsked(run)
    let place: TrainingPlace | null = null
    for (let index = 0; index < table.length; index += 1) {
      const row = toRow(table.row(index))
      if (row !== null) place = nextPlace(place, row)
      if (row !== null && (training === null || place?.nth === training)) events.push(row)
      if (events.length < ROWS_PER_BATCH) continue
      yield events
      events = []
    }
    if (training === null || training === 1) events.push(...rowsOfLists(table, hints))
    yield [...events, ...tallyWarnings(tally), ...withinWarnings(plan, count), ...runs.warnings()]
  },
}

/** Lists that are longer or shorter than the table count by their own places, which are no steps of it. */
function rowsOfLists({ lists }: JsonRows, { metrics = [] }: Hints): RunEvent[] {
  const chosen = lists.filter(({ name }) => metrics.length === 0 || metrics.includes(name))
  if (chosen.length === 0) return []
  const rows = chosen.flatMap(({ name, values }) => {
    const metrics = [name]
    return values.flatMap((value, step): RunEvent[] => {
      const number = numberFromJson(value)
      return number === undefined ? [] : [{ type: 'row', step, time: null, metrics, values: [number], axis: 'place' }]
    })
  })
  return [...rows, warning(say('table.lists-by-place', { names: chosen.map(({ name }) => name).join(', ') }))]
}

const ROWS_PER_BATCH = 1000
const MEBIBYTE = 1 << 20
const LARGEST = 256 * MEBIBYTE

async function loadTable(file: SourceFile): Promise<JsonRows | { readonly problem: Message }> {
  if (file.size > LARGEST) {
    const sizes = { size: Math.ceil(file.size / MEBIBYTE), limit: LARGEST / MEBIBYTE }
    return { problem: say('table.too-large', sizes) }
  }
  const value = parsePythonJson(decodeText(await readFile(file.path)))
  const table = value === undefined ? null : findTable(value, file)
  return table ?? { problem: say(value === undefined ? 'table.not-json' : 'table.no-table', {}) }
}

const say = sentences({
  'table.lists-by-place': {
    en: 'lists of another length are counted by position, from 0: {names}',
    zh: '以下列表与其余的长度不同，以各自的位置（从 0 起）计数：{names}',
  },
  'table.too-large': {
    en: 'a JSON table of {size} MiB is too large to read (limit {limit} MiB); write one object per line (JSONL) instead',
    zh: 'JSON 表有 {size} MiB，超过 {limit} MiB 的上限，未读取；请改存为每行一个对象的 JSONL',
  },
  'table.not-json': {
    en: 'not valid JSON; perhaps truncated while it was written',
    zh: '不是合法的 JSON，可能写到一半被截断了',
  },
  'table.no-table': {
    en: 'neither a list of rows nor equally long columns; nothing was read',
    zh: '既不是行对象的列表，也不是等长的列，未读取',
  },
})

/** JSONL: one JSON object per line, the format that most training loops of one's own write. */
export const jsonl: Source = {
  id: 'jsonl',
  role: 'steps',
  grows: true,
  keep: 'all',

  recognise(file) {
    if (isConfigFile(file.path)) return false
    const head = readTableHead(file)
    return head?.format === 'jsonl' && hasNumbers(head)
  },

  ...lineTable({
    format: 'jsonl',
    settings: file => {
      const first = parsePythonJson(firstLine(file))
      const settings = isJsonObject(first) ? first[SETTINGS] : null
      return isJsonObject(settings) ? settings : null
    },
    firstRecord: firstLine,
    firstStep: (file, _, { step }) => {
      const key = step.slice(step.lastIndexOf('.') + 1).replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
      return new RegExp(`"${key}":\\s*-?[\\d.]+`).exec(firstLine(file))?.[0] ?? null
    },

    open({ start, runs, hints }, emit) {
      const { plan, tally } = start
      const toRow = objectRowReader(plan, hints, tally, runs.filter, start.count)

      function take(line: string, number: number): void {
        if (!runs.mayHold(line) || isBlank(line) || isComment(line)) return
        const object = parsePythonJson(line)
        const row = isJsonObject(object) ? toRow(object) : null
        if (row !== null) emit(row)
        else if (!isJsonObject(object)) note(tally, 'badLine', number)
      }

      return {
        tally,
        columns: () => null,
        warnings: runs.warnings,
        reader: {
          take,
          isOpen: () => false,
          takeLast(line, number): LastLine {
            if (isBlank(line)) return 'whole'
            if (isComment(line) || !isJsonObject(parsePythonJson(line))) return 'cut'
            // An object that is closed cannot grow.
            take(line, number)
            return 'whole'
          },
        },
      }
    },
  }),
}

function firstLine(file: SourceFile): string {
  const head = headLines(file)
  if (head === null) return ''
  return [...head.lines, head.rest].find(line => !isBlank(line) && !isComment(line)) ?? ''
}

function isBlank(line: string): boolean {
  return line === '' || line.trim() === ''
}
