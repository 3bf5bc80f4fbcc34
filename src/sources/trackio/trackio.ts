import { basename, extname } from 'node:path'
import type { RunEvent } from '../../model/events.js'
import { isJsonObject, type Json } from '../../model/json.js'
import { message } from '../../text/say.js'
import { parseLooseJson } from '../loose-json.js'
import type { Belonging, ReadRequest, Source, SourceFile } from '../source.js'
import { type Database, openDatabase } from '../sqlite/database.js'
import type { SqlValue } from '../sqlite/format.js'
import {
  continuesFrom,
  cursorAt,
  isDatabaseOf,
  isSilentSince,
  MOST_RUNS,
  numberOrNull,
  rowCursor,
  rowsOfRun,
  textOrNull,
} from '../sqlite/tracker.js'
import { isUsableStep } from '../table/step.js'
import { aboutFromConfig, rowReader, settingsOf, timeOf } from './rows.js'

/**
 * Trackio's database, one per project, `~/.cache/huggingface/trackio/<project>.db`. Before version 0.24 a run was known
 * by its name alone; since then it has an id. See docs/sources/trackio.md.
 */
export const trackio: Source = {
  id: 'trackio',
  role: 'log',
  grows: true,
  keep: 'newest',
  recognise: file => isDatabaseOf(file, { metrics: ['run_name', 'step', 'metrics', 'timestamp'] }),
  describe,
  read,
  continues: (file, cursor) => continuesFrom(file, 'metrics', cursor),
}

interface Identity {
  /** The column that tells runs apart. */
  readonly column: 'run_id' | 'run_name'
  readonly prefix: string
}

function identityIn(database: Database, file: SourceFile): Identity {
  const columns = database.tables().get('metrics')?.columns ?? []
  if (columns.some(({ name }) => name === 'run_id')) return { column: 'run_id', prefix: 'trackio:' }
  return { column: 'run_name', prefix: `trackio:${file.path}#` }
}

async function describe(file: SourceFile): Promise<readonly Belonging[]> {
  const database = openDatabase(file.path)
  if (database === null) return []
  try {
    const { column, prefix } = identityIn(database, file)
    const names = new Map<string, string>()
    for (const table of ['metrics', 'configs']) {
      for await (const { rows } of database.rows(table, { columns: [column, 'run_name'] })) {
        for (const [id, name] of rows) {
          if (typeof id === 'string' && (names.size < MOST_RUNS || names.has(id))) names.set(id, textOrNull(name) ?? id)
        }
      }
    }
    return [...names].map(([id, name]) => ({
      run: prefix + id,
      name,
      // A database lies among files that are none of its runs' own.
      folder: file.path,
      order: file.modifiedMs,
      ...(column === 'run_id' ? { trackerId: id } : {}),
      firstRecord: name,
    }))
  } finally {
    database.close()
  }
}

async function* read(file: SourceFile, { run, cursor }: ReadRequest): AsyncGenerator<readonly RunEvent[]> {
  const database = openDatabase(file.path)
  if (database === null) return
  try {
    const { column, prefix } = identityIn(database, file)
    const value = run.slice(prefix.length)
    yield await about(file, database, { column, value })
    const toRow = rowReader()
    const known = rowCursor(cursor)
    const columns = ['step', 'timestamp', 'metrics', 'run_name']
    let lastTime = known?.time ?? null
    let name: SqlValue = null
    let badRows = 0
    for await (const { rows, last } of rowsOfRun(
      file,
      database,
      { table: 'metrics', column, value, columns },
      known?.row,
    )) {
      const events: RunEvent[] = []
      for (const [step, timestamp, metrics, runName] of rows) {
        const logged = jsonOf(metrics)
        const at = numberOrNull(step)
        const time = typeof timestamp === 'string' ? timeOf(timestamp) : null
        name = runName
        if (time !== null) lastTime = Math.max(lastTime ?? 0, time)
        const row = isJsonObject(logged) && at !== null && isUsableStep(at) ? toRow(logged, at, time) : undefined
        if (row === undefined) badRows += 1
        else if (row !== null) events.push(row)
      }
      events.push({ type: 'cursor', cursor: await cursorAt(database, 'metrics', last, lastTime) })
      yield events
    }
    const called = textOrNull(name)
    yield [
      ...(called === null ? [] : [{ type: 'about', about: { name: called } } as const]),
      ...(badRows > 0 ? [{ type: 'warning', message: message('trackio.bad-rows', { count: badRows }) } as const] : []),
      ...database.problems().map(problem => ({ type: 'warning', message: problem }) as const),
      // Trackio does not note how a run ended.
      { type: 'status', status: lastTime !== null && !isSilentSince(lastTime * 1000) ? 'running' : 'unknown' },
    ]
  } finally {
    database.close()
  }
}

/** Newer versions store the bytes of a JSON text, older ones the text. */
function jsonOf(value: SqlValue): Json | undefined {
  if (value instanceof Uint8Array) return parseLooseJson(Buffer.from(value).toString('utf8'))
  return typeof value === 'string' ? parseLooseJson(value) : undefined
}

async function about(
  file: SourceFile,
  database: Database,
  { column, value }: { readonly column: string; readonly value: string },
): Promise<RunEvent[]> {
  const project = basename(file.path, extname(file.path))
  const events: RunEvent[] = [
    { type: 'about', about: { project, ...(column === 'run_id' ? { trackerId: value } : {}) } },
  ]
  const wanted = { table: 'configs', column, value, columns: ['config', 'run_name'] }
  for await (const { rows } of rowsOfRun(file, database, wanted)) {
    for (const [text, name] of rows) {
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
