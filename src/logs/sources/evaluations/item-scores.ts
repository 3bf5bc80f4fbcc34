import { readFile } from 'node:fs/promises'
import { figure } from '../../../text/numbers.js'
import { sentences } from '../../../text/sentences.js'
import type { ItemColumns } from '../../model/evaluation.js'
import type { RunEvent } from '../../model/events.js'
import { isJsonObject, type Json, type JsonObject, jsonNumber, numberFromJson } from '../../model/json.js'
import type { Config } from '../../model/run.js'
import { readTextLines } from '../encoding.js'
import { parsePythonJson } from '../python-json.js'
import { gatherSamples, type RecordTexts } from '../samples/gather.js'
import type { Source, SourceFile } from '../source.js'
import { overlongLines, sayCommon, warning } from '../source-helpers.js'

/**
 * What evaluation tools leave behind, in one form: answers to the items of tasks, each with its scores. A task is the
 * `dataset` of a condition, a metric is called `eval/<its name>`, and settings stand in the config under `model` and
 * `task.<task>.<setting>`; `task.<task>.metric` is the one that the tool puts first.
 */
export interface ItemAnswer {
  readonly task: string
  /** The same wherever the item is asked: a hash of it where the tool writes one. */
  readonly id: string
  readonly repeat: number
  readonly scores: readonly (readonly [metric: string, score: number])[]
  readonly texts: RecordTexts | null
  readonly columns: ItemColumns
}

/** How such a source is used: it joins the run whose checkpoint it scores, and is a run of its own elsewhere. */
export const EVALUATION_FILE = {
  role: 'samples',
  grows: false,
  keep: 'all',
  beginsAlike: true,
} as const satisfies Partial<Source>

/** A JSON document of more cannot be parsed in one piece. */
const LARGEST = 256 << 20

/** Undefined where it is too large, or no JSON. */
export async function readJson(path: string): Promise<Json | undefined> {
  const bytes = await readFile(path).catch(() => null)
  return bytes === null || bytes.length > LARGEST ? undefined : parsePythonJson(bytes.toString('utf8'))
}

/** Of a file of JSON lines, or of one JSON list: its records, and what could not be read. */
async function* recordsIn(file: SourceFile): AsyncGenerator<readonly JsonObject[], RunEvent[]> {
  if (/^\s*\[/.test(Buffer.from(file.head.subarray(0, 64)).toString('latin1'))) {
    const list = await readJson(file.path)
    yield Array.isArray(list) ? list.filter(isJsonObject) : []
    return Array.isArray(list) ? [] : [warning(sayItems('items.unreadable', {}))]
  }
  let bad = 0
  let first = 0
  let number = 0
  let overlong = 0
  for await (const batch of readTextLines(file)) {
    overlong += batch.overlong
    const found: JsonObject[] = []
    for (const line of batch.rest === '' ? batch.lines : [...batch.lines, batch.rest]) {
      number += 1
      if (line.trim() === '') continue
      const record = parsePythonJson(line)
      if (isJsonObject(record)) found.push(record)
      else {
        bad += 1
        if (bad === 1) first = number
      }
    }
    yield found
  }
  const unread = bad === 0 ? [] : [warning(sayCommon('source.bad-lines', { count: bad, line: first }))]
  return [...unread, ...overlongLines(overlong)]
}

type Emit = (event: RunEvent) => void

/** What the records of a file say one by one, and at its end. */
export async function* eventsOfRecords(
  file: SourceFile,
  take: (record: JsonObject, emit: Emit) => void,
  end: (emit: Emit) => void,
): AsyncGenerator<readonly RunEvent[]> {
  const records = recordsIn(file)
  for (;;) {
    const { value, done } = await records.next()
    const events: RunEvent[] = []
    const emit: Emit = event => void events.push(event)
    if (done === true) {
      end(emit)
      return yield [...events, ...value]
    }
    for (const record of value) take(record, emit)
    yield events
  }
}

/** How often a key has come before. */
export function repeatCounter(): (key: string) => number {
  const counts = new Map<string, number>()
  return key => {
    const before = counts.get(key) ?? 0
    counts.set(key, before + 1)
    return before
  }
}

export function gatherItems(step: number) {
  const gathered = gatherSamples('eval', { asSeries: false })
  return {
    take({ task, scores, ...item }: ItemAnswer, emit: Emit): void {
      const named = scores.map(([metric, score]) => [`eval/${metric}`, score] as const)
      if (named.length > 0) gathered.take({ ...item, step, condition: { dataset: task }, scores: named }, emit)
    },
    finish: gathered.finish,
  }
}

/** A mean that a tool reports without the answers behind it, with its standard error where it tells one. */
export function reportedMean(
  task: string,
  metric: string,
  {
    step,
    value,
    n,
    error,
  }: { readonly step: number; readonly value: number; readonly n: number | null; readonly error: number | null },
): RunEvent[] {
  const evaluation = (name: string, value: number): RunEvent => ({
    type: 'evaluation',
    evaluation: { metric: name, step, condition: { dataset: task }, value, n, quality: 'measured' },
  })
  const name = `eval/${metric}`
  return [evaluation(name, value), ...(error === null ? [] : [evaluation(`${name}${STDERR}`, error)])]
}

/** What the name of a reported standard error ends with. */
const STDERR = '_stderr'

/** The reported mean does not follow from the answers in the file, which count. */
export function disagreement(task: string, metric: string, reported: number, counted: number): RunEvent[] {
  if (!(Math.abs(reported - counted) > 1e-6 * Math.max(1, Math.abs(reported)))) return []
  return [
    warning(sayItems('items.disagree', { task, metric, reported: figure(reported, 4), counted: figure(counted, 4) })),
  ]
}

const MOST_COLUMNS = 16
const LONGEST_CELL = 64

/** Of what a file says about an item, what is short enough to be the name of a group of items. */
export function columnsOf(...objects: readonly (Json | undefined)[]): ItemColumns {
  const cells = objects.filter(isJsonObject).flatMap(object => Object.entries(object).flatMap(cellOf))
  return Object.fromEntries(cells.slice(0, MOST_COLUMNS))
}

function cellOf([name, value]: readonly [string, Json]): readonly (readonly [string, string])[] {
  const isCell = typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value)
  const text = isCell ? String(value) : ''
  return text === '' || text.length > LONGEST_CELL || name.length > LONGEST_CELL || name === '__proto__'
    ? []
    : [[name.toWellFormed(), text.toWellFormed()]]
}

/** A score as tools write it: a number, or true and false. */
export function scoreFrom(value: Json | undefined): number | null {
  if (typeof value === 'boolean') return Number(value)
  const number = numberFromJson(value)
  return number === undefined || Number.isNaN(number) ? null : number
}

export function textOf(value: Json | undefined): string | null {
  if (value === undefined || value === null) return null
  return (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed()
}

/** Members that are plain values, under a prefix. */
export function settingsUnder(prefix: string, object: Json | undefined): Config {
  const plain = isJsonObject(object)
    ? Object.entries(object).filter(([, value]) => value !== null && !isNested(value))
    : []
  return Object.fromEntries(
    plain.map(([key, value]) => [`${prefix}${key}`, typeof value === 'number' ? jsonNumber(value) : value]),
  )
}

function isNested(value: Json): boolean {
  return typeof value === 'object' && value !== null
}

export const sayItems = sentences({
  'items.unreadable': {
    en: 'the file is not complete JSON, or larger than 256 MiB; nothing was read',
    zh: '文件不是完整的 JSON，或超过 256 MiB，未读取任何内容',
  },
  'items.disagree': {
    en: '{task}: the file reports {metric} = {reported}, its items give {counted}; the items are used',
    zh: '{task}：文件给出 {metric} = {reported}，而逐题得分得出 {counted}；以逐题得分为准',
  },
})
