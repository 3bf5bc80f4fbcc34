import { dirname } from 'node:path'
import type { RunEvent } from '../../model/events.js'
import { isJsonObject, type JsonObject, numberFromJson } from '../../model/json.js'
import { readTextLines } from '../encoding.js'
import { parsePythonJson } from '../python-json.js'
import type { Belonging, Source, SourceFile } from '../source.js'
import { isUsableStep } from '../source-helpers.js'
import { aboutFromConfig, badRowWarnings, rowReader, settingsOf, timeOf } from './trackio.js'

/**
 * The fragments that Trackio leaves in `inbox/<writer>/` where a database is unsafe, as on network file systems, until
 * its dashboard takes them in. A fragment is written once; a run goes on in the next one.
 */
export const trackioInbox: Source = {
  id: 'trackio-inbox',
  role: 'log',
  grows: true,
  keep: 'all',
  recognise: file => FRAGMENT.test(Buffer.from(file.head.subarray(0, 100)).toString('utf8')),
  describe,
  read,
  // Beside its database Trackio keeps a copy of each trace.
  surroundings: { isPart: path => TRACE_COPY.test(path) },
}

const TRACE_COPY = /[\\/]traces[\\/][^\\/]+[\\/][^\\/]+[\\/][0-9a-f]{32}-[0-9a-f]{32}-[^\\/]*\.jsonl$/

const FRAGMENT = /^\{"v":1,"kind":"(?:metric|system_metric|alert)","project":"/

async function describe(file: SourceFile): Promise<readonly Belonging[]> {
  const runs = new Map<string, Belonging>()
  for await (const record of recordsOf(file)) {
    const run = keyOf(record)
    if (run === null || runs.has(run)) continue
    const id = typeof record.run_id === 'string' ? { trackerId: record.run_id } : {}
    const name = String(record.run)
    const order = timeOf(record.timestamp) ?? file.modifiedMs / 1000
    runs.set(run, { run, name, folder: dirname(file.path), order, ...id, firstRecord: name })
  }
  return [...runs.values()]
}

function keyOf({ kind, project, run, run_id: id }: JsonObject): string | null {
  if (kind !== 'metric' || typeof project !== 'string' || typeof run !== 'string') return null
  return `trackio:${typeof id === 'string' ? id : `${project}/${run}`}`
}

async function* recordsOf(file: SourceFile): AsyncGenerator<JsonObject> {
  for await (const { lines, rest } of readTextLines(file)) {
    for (const line of rest === '' ? lines : [...lines, rest]) {
      if (!line.startsWith('{')) continue
      const record = parsePythonJson(line)
      if (isJsonObject(record)) yield record
    }
  }
}

async function* read(file: SourceFile, { run }: { readonly run: string }): AsyncGenerator<readonly RunEvent[]> {
  const toRow = rowReader()
  let events: RunEvent[] = []
  let badRows = 0
  for await (const record of recordsOf(file)) {
    if (keyOf(record) !== run) continue
    if (events.length === 0) events.push(aboutRun(record))
    if (isJsonObject(record.config)) {
      events.push({ type: 'about', about: aboutFromConfig(record.config) })
      events.push({ type: 'config', config: settingsOf(record.config) })
    }
    const step = numberFromJson(record.step)
    const usable = isJsonObject(record.metrics) && step !== undefined && isUsableStep(step) ? record.metrics : null
    const row = usable === null ? undefined : toRow(usable, step ?? 0, timeOf(record.timestamp))
    if (row === undefined) badRows += 1
    else if (row !== null) events.push(row)
    if (events.length < ROWS_PER_BATCH) continue
    yield events
    events = []
  }
  yield events
  yield badRowWarnings(badRows)
}

const ROWS_PER_BATCH = 4096

function aboutRun({ project, run, run_id: id }: JsonObject): RunEvent {
  const trackerId = typeof id === 'string' ? { trackerId: id } : {}
  return { type: 'about', about: { project: String(project), name: String(run), ...trackerId } }
}
