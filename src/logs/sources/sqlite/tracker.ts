import { crc32 } from 'node:zlib'
import { z } from 'zod'
import { sentences } from '../../../text/sentences.js'
import type { RunEvent } from '../../model/events.js'
import type { Json } from '../../model/json.js'
import { writtenAt } from '../files.js'
import type { Belonging, Source, SourceFile, Surroundings } from '../source.js'
import { warning } from '../source-helpers.js'
import { type Database, openDatabase } from './database.js'
import { isSqlite, type SqlValue } from './format.js'
import type { RowBatch } from './table.js'

/**
 * What trackers that keep a database have in common: they are known by their tables, hold many runs, and add rows at
 * the end of a table. So a cursor is the number of the last row that was looked at, with a mark by which that row is
 * known again; a database that was restored, emptied or renumbered has another row there, and is read again.
 */

/** Each run is read, stored and listed on its own. */
const MOST_RUNS = 10_000

/** A tracker's database as a source. `Run` is what the tracker knows of a run besides its points. */
interface Tracker<Run> {
  readonly id: string
  /** The tables, with some of their columns, that make a database one of this tracker. */
  readonly tables: { readonly [name: string]: readonly string[] }
  /** The table whose rows are the points. */
  readonly points: string
  /** All runs of the database that are to be read. */
  runs(database: Database, file: SourceFile): Promise<readonly Run[]>
  /** The run of this key, where it can be known without asking for all of them. */
  runOfKey?(key: string, database: Database, file: SourceFile): Run
  belonging(run: Run, file: SourceFile): Omit<Belonging, 'folder' | 'order'>
  read(run: Run, reading: RunReading): AsyncIterable<readonly RunEvent[]>
}

export interface RunReading {
  readonly file: SourceFile
  readonly database: Database
  readonly cursor: Json
  /** Whether this is the first run of the database, which speaks for it as a whole. */
  readonly isFirst: boolean
}

export function databaseSource<Run>(tracker: Tracker<Run>): Source {
  const seen = new WeakMap<SourceFile, Promise<readonly Run[]>>()

  /** Each run of a file asks for them all. */
  function runsOf(database: Database, file: SourceFile): Promise<readonly Run[]> {
    const runs = seen.get(file) ?? tracker.runs(database, file)
    seen.set(file, runs)
    return runs
  }

  return {
    id: tracker.id,
    role: 'log',
    grows: true,
    keep: 'newest',
    recognise: file => isDatabaseOf(file, tracker.tables),

    async describe(file) {
      const runs = await withDatabase(file.path, database => runsOf(database, file), [])
      // A database lies where the work is done, among files that are none of its runs' own.
      const place = { folder: file.path, order: file.modifiedMs }
      return runs.slice(0, MOST_RUNS).map(run => ({ ...tracker.belonging(run, file), ...place }))
    },

    async *read(file, { run: wanted, cursor }) {
      const database = openDatabase(file.path)
      if (database === null) return
      try {
        if (tracker.runOfKey !== undefined) {
          yield* tracker.read(tracker.runOfKey(wanted, database, file), { file, database, cursor, isFirst: false })
        } else {
          const runs = await runsOf(database, file)
          const run = runs.find(candidate => tracker.belonging(candidate, file).run === wanted)
          const isFirst = run === runs[0]
          if (run !== undefined) yield* tracker.read(run, { file, database, cursor, isFirst })
          const counts = { count: runs.length, limit: MOST_RUNS }
          if (isFirst && runs.length > MOST_RUNS) yield [warning(say('sqlite.too-many-runs', counts))]
        }
        yield database.problems().map(warning)
      } finally {
        database.close()
      }
    },

    continues: (file, cursor) => continuesFrom(file, tracker.points, cursor),
    surroundings: SURROUNDINGS,
  }
}

/** A database is written through a log or a journal beside it: `mlflow.db-wal` and its like are never read alone. */
const SURROUNDINGS: Surroundings = {
  isPart: path => /\.\w+-(?:wal|shm|journal)$/.test(path),
  lastWritten: async (path, head) => (isSqlite(head) ? writtenAt(`${path}-wal`) : null),
}

function isDatabaseOf(file: SourceFile, tables: { readonly [name: string]: readonly string[] }): boolean {
  if (!isSqlite(file.head)) return false
  const known = columnsOf(file)
  return Object.entries(tables).every(([name, columns]) => columns.every(column => known.get(name)?.has(column)))
}

type Columns = ReadonlyMap<string, ReadonlySet<string>>

/** Several sources ask the same file. */
const columnsSeen = new WeakMap<SourceFile, Columns>()

function columnsOf(file: SourceFile): Columns {
  const seen = columnsSeen.get(file)
  if (seen !== undefined) return seen
  let columns: Columns = new Map()
  try {
    const database = openDatabase(file.path)
    if (database !== null) {
      columns = new Map(
        [...database.tables()].map(([name, table]) => [name, new Set(table.columns.map(column => column.name))]),
      )
      database.close()
    }
  } catch {
    // It cannot be opened any more; whoever reads it will say so.
  }
  columnsSeen.set(file, columns)
  return columns
}

async function withDatabase<Result>(
  path: string,
  use: (database: Database) => Promise<Result>,
  otherwise: Result,
): Promise<Result> {
  const database = openDatabase(path)
  if (database === null) return otherwise
  try {
    return await use(database)
  } finally {
    database.close()
  }
}

/** All rows of a small table. */
export async function allRows(database: Database, table: string, columns: readonly string[]): Promise<SqlValue[][]> {
  const rows: SqlValue[][] = []
  for await (const batch of database.rows(table, { columns })) {
    for (const row of batch.rows) rows.push(row)
  }
  return rows
}

interface Spans {
  /** The first and the last row of each run. */
  readonly of: ReadonlyMap<SqlValue, { first: number; last: number }>
  /** The last row of the table. */
  readonly end: number
}

/** Deleted runs have rows too. A run that is not among so many is looked for in the whole table. */
const MOST_SPANS = 100_000
const WHOLE_TABLE = { first: Number.MIN_SAFE_INTEGER, last: Number.MAX_SAFE_INTEGER }

const spansSeen = new WeakMap<SourceFile, Map<string, Promise<Spans>>>()

/** Where the rows of each run lie, found by one pass for all runs: they mostly lie close together. */
function spansOf(file: SourceFile, database: Database, table: string, column: string): Promise<Spans> {
  const seen = spansSeen.get(file) ?? new Map<string, Promise<Spans>>()
  spansSeen.set(file, seen)
  const spans = seen.get(table) ?? findSpans(database, table, column)
  seen.set(table, spans)
  return spans
}

async function findSpans(database: Database, table: string, column: string): Promise<Spans> {
  const of = new Map<SqlValue, { first: number; last: number }>()
  let end = Number.MIN_SAFE_INTEGER
  for await (const { rows, numbers, last } of database.rows(table, { columns: [column] })) {
    for (const [index, number] of numbers.entries()) {
      const run = rows[index]?.[0] ?? null
      const span = of.get(run)
      if (span !== undefined) span.last = number
      else if (of.size < MOST_SPANS) of.set(run, { first: number, last: number })
    }
    end = last
  }
  return { of, end }
}

interface RunRows {
  readonly table: string
  /** The column that names the run, and the run's name in it. */
  readonly column: string
  readonly value: string | number
  readonly columns: readonly string[]
}

/** The rows of one run, in the order they were written; `last` of the last batch is the last row of the whole table. */
export async function* rowsOfRun(
  file: SourceFile,
  database: Database,
  { table, column, value, columns }: RunRows,
  after?: number,
): AsyncGenerator<Pick<RowBatch, 'rows' | 'last'>> {
  const only = { column, value }
  if (after !== undefined) {
    yield* database.rows(table, { columns, only, after })
    return
  }
  const { of, end } = await spansOf(file, database, table, column)
  const span = of.get(value) ?? (of.size < MOST_SPANS ? undefined : WHOLE_TABLE)
  if (span !== undefined) yield* database.rows(table, { columns, only, after: span.first - 1, upTo: span.last })
  yield { rows: [], last: end }
}

const Cursor = z.object({
  row: z.int(),
  mark: z.int(),
  sound: z.boolean(),
  /** Of the run's last point, in seconds. */
  time: z.number().nullable(),
})

export function rowCursor(cursor: Json): z.infer<typeof Cursor> | undefined {
  return Cursor.safeParse(cursor).data
}

export async function cursorAt(
  database: Database,
  table: string,
  row: number,
  time: number | null,
): Promise<z.infer<typeof Cursor>> {
  return { row, mark: await markOf(database, table, row), sound: database.isSound(), time }
}

/**
 * A database is shared by many runs, so its age says nothing about one of them. A step of a large model may take half an
 * hour; a run that logged nothing for longer is no longer going.
 */
const SILENT_MS = 30 * 60_000

export function isSilentSince(milliseconds: number): boolean {
  return Date.now() - milliseconds > SILENT_MS
}

/** Whether the row at which reading stopped is still what it was. */
async function continuesFrom(file: SourceFile, table: string, cursor: Json): Promise<boolean> {
  const known = Cursor.safeParse(cursor).data
  if (known === undefined || !known.sound) return false
  return withDatabase(file.path, async database => (await markOf(database, table, known.row)) === known.mark, false)
}

async function markOf(database: Database, table: string, row: number): Promise<number> {
  const columns =
    database
      .tables()
      .get(table)
      ?.columns.map(({ name }) => name) ?? []
  const values = await database.row(table, columns, row)
  return crc32(JSON.stringify(values, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)) ?? '')
}

export function textOrNull(value: SqlValue | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

export function numberOrNull(value: SqlValue | undefined): number | null {
  return typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : null
}

const say = sentences({
  'sqlite.too-many-runs': {
    en: 'the database holds {count} run{count||s}; the first {limit} were read',
    zh: '数据库中有 {count} 个 run，只读取了前 {limit} 个',
  },
})
