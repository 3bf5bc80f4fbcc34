import { basename, extname } from 'node:path'
import { z } from 'zod'
import { sentences } from '../../../text/sentences.js'
import type { Row, RunEvent } from '../../model/events.js'
import { isJsonObject, type Json, type JsonObject, numberFromJson } from '../../model/json.js'
import type { Config, RunAbout } from '../../model/run.js'
import { flatten, parsePythonJson } from '../python-json.js'
import { gatherSamples } from '../samples/gather.js'
import { messagesRollout, sampleRecord } from '../samples/rollout-records.js'
import type { SourceFile } from '../source.js'
import { isUsableStep, nameLists, timeFromText, warning } from '../source-helpers.js'
import type { Database } from '../sqlite/database.js'
import type { SqlValue } from '../sqlite/format.js'
import {
  cursorAt,
  databaseSource,
  isSilentSince,
  numberOrNull,
  type RunReading,
  rowCursor,
  rowsOfRun,
  textOrNull,
} from '../sqlite/tracker.js'

/**
 * Trackio's database, one per project, `~/.cache/huggingface/trackio/<project>.db`. Before version 0.24 a run was known
 * by its name alone; since then it has an id. See docs/sources/trackio.md.
 */
export const trackio = databaseSource<TrackioRun>({
  id: 'trackio',
  tables: { metrics: ['run_name', 'step', 'metrics', 'timestamp'] },
  points: 'metrics',
  runs: allRuns,
  runOfKey(key, database, file) {
    const column = identityColumn(database)
    const value = key.slice(keyPrefix(column, file).length)
    return { column, value, name: value }
  },
  belonging: ({ column, value, name }, file) => ({
    run: keyPrefix(column, file) + value,
    name,
    ...(column === 'run_id' ? { trackerId: value } : { member: value }),
    firstRecord: name,
  }),
  read,
})

interface TrackioRun {
  /** The column that tells runs apart, and what it holds for this one. */
  readonly column: 'run_id' | 'run_name'
  readonly value: string
  readonly name: string
}

function identityColumn(database: Database): TrackioRun['column'] {
  const columns = database.tables().get('metrics')?.columns ?? []
  return columns.some(({ name }) => name === 'run_id') ? 'run_id' : 'run_name'
}

/** A name is one run's only within its database. */
function keyPrefix(column: TrackioRun['column'], file: SourceFile): string {
  return column === 'run_id' ? 'trackio:' : `trackio:${file.path}#`
}

async function allRuns(database: Database): Promise<TrackioRun[]> {
  const column = identityColumn(database)
  const names = new Map<string, string>()
  for (const table of ['metrics', 'configs']) {
    for await (const { rows } of database.rows(table, { columns: [column, 'run_name'] })) {
      for (const [id, name] of rows) if (typeof id === 'string') names.set(id, textOrNull(name) ?? id)
    }
  }
  return [...names].map(([value, name]) => ({ column, value, name }))
}

async function* read({ column, value }: TrackioRun, reading: RunReading): AsyncGenerator<readonly RunEvent[]> {
  const { file, database } = reading
  yield await about(reading, { column, value })
  const toRow = rowReader()
  const known = rowCursor(reading.cursor)
  const wanted = { table: 'metrics', column, value, columns: ['step', 'timestamp', 'metrics', 'run_name'] }
  const logged = rhythmFrom(reading.cursor)
  let lastTime = known?.time ?? null
  let name: SqlValue = null
  let badRows = 0
  let end: Awaited<ReturnType<typeof cursorAt>> | null = null
  for await (const { rows, last } of rowsOfRun(file, database, wanted, known?.row)) {
    const events: RunEvent[] = []
    for (const [step = null, timestamp = null, metrics = null, runName = null] of rows) {
      const values = jsonOf(metrics)
      const at = numberOrNull(step)
      const time = typeof timestamp === 'string' ? timeOf(timestamp) : null
      name = runName
      if (time !== null) {
        lastTime = Math.max(lastTime ?? 0, time)
        logged.firstTime ??= time
        logged.rows += 1
      }
      const row = isJsonObject(values) && at !== null && isUsableStep(at) ? toRow(values, at, time) : undefined
      if (row === undefined) badRows += 1
      else if (row !== null) events.push(row)
    }
    const traces = known === undefined ? null : tracesRead(reading.cursor)
    const at = await cursorAt(database, 'metrics', last, lastTime)
    events.push({ type: 'cursor', cursor: { ...at, ...logged, traces } })
    yield events
    end = at
  }
  const traces = yield* readTraces(reading, { column, value })
  if (end !== null && traces !== null) yield [{ type: 'cursor', cursor: { ...end, ...logged, traces } }]
  const called = textOrNull(name)
  if (called !== null) yield [{ type: 'about', about: { name: called } }]
  yield badRowWarnings(badRows)
  yield [{ type: 'status', status: isAlive(logged, lastTime) ? 'running' : 'unknown' }]
}

const Traces = z.object({ traces: z.int() })

/** The last row of traces that an earlier reading has seen. */
function tracesRead(cursor: Json): number | null {
  return Traces.safeParse(cursor).data?.traces ?? null
}

/**
 * Messages that were logged as traces (`trackio.Trace`), with what their metadata says of them: samples where a score is
 * among it. verl's validation and slime's and AReaL's rollouts are kept so. What it gives back is the last row.
 */
async function* readTraces(
  { file, database, cursor }: RunReading,
  { column, value }: Pick<TrackioRun, 'column' | 'value'>,
): AsyncGenerator<readonly RunEvent[], number | null> {
  const columns = database.tables().get('traces')?.columns ?? []
  if (!columns.some(({ name }) => name === column)) return null
  const after = tracesRead(cursor)
  const wanted = { table: 'traces', column, value, columns: ['step', 'key', 'messages', 'metadata'] }
  const gathered = {
    val: gatherSamples('val', { asSeries: false }),
    rollout: gatherSamples('rollout', { asSeries: false }),
  }
  let end = after
  for await (const { rows, last } of rowsOfRun(file, database, wanted, after ?? undefined)) {
    const events: RunEvent[] = []
    for (const [step = null, key = null, messages = null, metadata = null] of rows) {
      const at = numberOrNull(step)
      const said = jsonOf(messages)
      const known = jsonOf(metadata)
      if (at === null || !isUsableStep(at) || !Array.isArray(said) || !isJsonObject(known)) continue
      const rollout = messagesRollout(said, known)
      const table = /(?:^|[^a-z])(?:val|valid|validation|eval|test)(?:[^a-z]|$)/i.test(String(key)) ? 'val' : 'rollout'
      if (rollout !== null) gathered[table].take(sampleRecord(rollout, table, at), event => events.push(event))
    }
    end = last
    yield events
  }
  const last: RunEvent[] = []
  for (const { finish } of Object.values(gathered)) {
    // The means of a step are those of all its traces; what is read on from a cursor may be a part.
    finish(event => {
      if (after === null || event.type !== 'evaluation') last.push(event)
    })
  }
  yield last
  return end
}

const Rhythm = z.object({ firstTime: z.number().nullable(), rows: z.number() })

/** How often the run has logged, over all readings. */
function rhythmFrom(cursor: Json): z.infer<typeof Rhythm> {
  return Rhythm.safeParse(cursor).data ?? { firstTime: null, rows: 0 }
}

/** A step may take longer than those before it, and the first has none before it. */
const PATIENCE = 20
const SHORTEST_SILENCE_MS = 60_000

/** Trackio does not note that a run has ended: it has when it is silent for much longer than between two rows. */
function isAlive({ firstTime, rows }: z.infer<typeof Rhythm>, lastTime: number | null): boolean {
  if (lastTime === null || isSilentSince(lastTime * 1000)) return false
  if (firstTime === null || rows < 2) return true
  const usualMs = ((lastTime - firstTime) / (rows - 1)) * 1000
  return Date.now() - lastTime * 1000 < Math.max(SHORTEST_SILENCE_MS, PATIENCE * usualMs)
}

/** Newer versions store the bytes of a JSON text, older ones the text. */
function jsonOf(value: SqlValue): Json | undefined {
  if (value instanceof Uint8Array) return parsePythonJson(Buffer.from(value).toString('utf8'))
  return typeof value === 'string' ? parsePythonJson(value) : undefined
}

async function about(
  { file, database }: RunReading,
  { column, value }: Pick<TrackioRun, 'column' | 'value'>,
): Promise<RunEvent[]> {
  const project = basename(file.path, extname(file.path))
  const events: RunEvent[] = [
    { type: 'about', about: { project, ...(column === 'run_id' ? { trackerId: value } : {}) } },
  ]
  const wanted = { table: 'configs', column, value, columns: ['config', 'run_name'] }
  for await (const { rows } of rowsOfRun(file, database, wanted)) {
    for (const [text = null, name = null] of rows) {
      const config = jsonOf(text)
      if (!isJsonObject(config)) continue
      const called = textOrNull(name)
      events.push({
        type: 'about',
        about: { ...aboutFromConfig(config), ...(called === null ? {} : { name: called }) },
      })
      events.push({ type: 'config', config: settingsOf(config) })
    }
  }
  return events
}

/** What Trackio writes into its database and into its fragments alike: a JSON object per call of `log`. */

type RowReader = (metrics: JsonObject, step: number, time: number | null) => Row | null

export function rowReader(): RowReader {
  const shared = nameLists()
  return (logged, step, time) => {
    const metrics: string[] = []
    const values: number[] = []
    for (const [key, item] of Object.entries(logged)) {
      // Histograms, images, tables and the like.
      if (isJsonObject(item) && typeof item._type === 'string') continue
      for (const [name, leaf] of flatten(item, key).leaves) {
        const value = numberFromJson(leaf)
        if (value === undefined) continue
        metrics.push(name)
        values.push(value)
      }
    }
    return metrics.length === 0 ? null : { type: 'row', step, time, metrics: shared(metrics), values }
  }
}

/** Trackio adds keys of its own to a config; they start with an underscore and configure nothing. */
export function settingsOf(config: JsonObject): Config {
  const own = Object.entries(config).filter(([key]) => !key.startsWith('_'))
  return Object.fromEntries(flatten(Object.fromEntries(own)).leaves)
}

export function aboutFromConfig(config: JsonObject): RunAbout {
  const startedAt = timeOf(config._Created)
  return {
    ...(typeof config._Group === 'string' && config._Group !== '' ? { group: config._Group } : {}),
    ...(startedAt === null ? {} : { startedAt }),
  }
}

export function timeOf(timestamp: Json | undefined): number | null {
  return typeof timestamp === 'string' ? timeFromText(timestamp) : null
}

/** What is said of rows that were left out; nothing of none. */
export function badRowWarnings(count: number): RunEvent[] {
  return count === 0 ? [] : [warning(say('trackio.bad-rows', { count }))]
}

const say = sentences({
  'trackio.bad-rows': {
    en: '{count} {count|row|rows} of the Trackio database {count|is not a JSON object|are not JSON objects} and {count|was|were} left out',
    zh: 'Trackio 数据库中有 {count} 行不是 JSON 对象，已略过',
  },
})
