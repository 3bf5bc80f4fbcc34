import type { RunEvent } from '../../model/events.js'
import { message } from '../../text/say.js'
import type { Belonging, ReadRequest, SourceFile } from '../source.js'
import { type Database, openDatabase } from '../sqlite/database.js'
import type { SqlValue } from '../sqlite/format.js'
import {
  allRows,
  continuesFrom,
  cursorAt,
  isDatabaseOf,
  MOST_RUNS,
  numberOrNull,
  rowCursor,
  rowsOfRun,
  textOrNull,
} from '../sqlite/tracker.js'
import { pointGatherer } from './rows.js'
import { aboutRun, type MlflowRun, statusOf } from './run.js'

/** MLflow's own store since version 3: one SQLite database with all runs, `mlflow.db`, or `mlruns.db` as verl calls it. */

const TABLES = {
  runs: ['run_uuid', 'status', 'experiment_id', 'lifecycle_stage'],
  experiments: ['experiment_id', 'name'],
  metrics: ['key', 'value', 'timestamp', 'run_uuid'],
  params: ['key', 'value', 'run_uuid'],
}

export function isMlflowDatabase(file: SourceFile): boolean {
  return isDatabaseOf(file, TABLES)
}

export function databaseContinues(file: SourceFile, cursor: ReadRequest['cursor']): Promise<boolean> {
  return continuesFrom(file, 'metrics', cursor)
}

const runsSeen = new WeakMap<SourceFile, Promise<MlflowRun[]>>()

/** Each run of a file asks for them all. */
function runsOf(file: SourceFile, database: Database): Promise<MlflowRun[]> {
  const runs = runsSeen.get(file) ?? allRuns(database)
  runsSeen.set(file, runs)
  return runs
}

async function allRuns(database: Database): Promise<MlflowRun[]> {
  const experiments = new Map<SqlValue, string | null>()
  for (const [id, name] of await allRows(database, 'experiments', ['experiment_id', 'name'])) {
    experiments.set(id, textOrNull(name))
  }
  const columns = ['run_uuid', 'name', 'experiment_id', 'status', 'lifecycle_stage', 'start_time', 'end_time']
  const runs: MlflowRun[] = []
  for (const [id, name, experiment, status, stage, start, end] of await allRows(database, 'runs', columns)) {
    if (typeof id !== 'string') continue
    runs.push({
      id,
      name: textOrNull(name),
      experiment: experiments.get(experiment) ?? null,
      status: String(status),
      isDeleted: stage === 'deleted',
      startTime: numberOrNull(start),
      endTime: numberOrNull(end),
    })
  }
  return runs
}

export async function describeDatabase(file: SourceFile): Promise<readonly Belonging[]> {
  const database = openDatabase(file.path)
  if (database === null) return []
  try {
    return (await runsOf(file, database))
      .filter(({ isDeleted }) => !isDeleted)
      .slice(0, MOST_RUNS)
      .map(({ id, name, startTime }) => ({
        run: `mlflow:${id}`,
        name: name ?? id,
        // A database lies where the work is done, among files that are none of its runs' own.
        folder: file.path,
        order: file.modifiedMs,
        trackerId: id,
        firstRecord: String(startTime),
      }))
  } finally {
    database.close()
  }
}

export async function* readDatabase(file: SourceFile, request: ReadRequest): AsyncGenerator<readonly RunEvent[]> {
  const database = openDatabase(file.path)
  if (database === null) return
  try {
    const runs = await runsOf(file, database)
    const run = runs.find(({ id }) => `mlflow:${id}` === request.run)
    if (run !== undefined) yield* readRun(file, database, run, request)
    yield storeWarnings(runs, run)
    yield database.problems().map(problem => ({ type: 'warning', message: problem }))
  } finally {
    database.close()
  }
}

async function* readRun(
  file: SourceFile,
  database: Database,
  run: MlflowRun,
  { cursor }: ReadRequest,
): AsyncGenerator<readonly RunEvent[]> {
  yield aboutRun(run, await textsOf(file, database, 'params', run.id), await textsOf(file, database, 'tags', run.id))
  const points = pointGatherer()
  const columns = ['key', 'value', 'timestamp', 'step', 'is_nan']
  const wanted = { table: 'metrics', column: 'run_uuid', value: run.id, columns }
  const known = rowCursor(cursor)
  let lastTime = known?.time ?? null
  for await (const { rows, last } of rowsOfRun(file, database, wanted, known?.row)) {
    for (const [key, value, timestamp, step, isNan] of rows) {
      const time = numberOrNull(timestamp)
      if (typeof key !== 'string') continue
      points.add(
        key,
        numberOrNull(step) ?? 0,
        isNan ? Number.NaN : storedValue(value),
        time === null ? null : time / 1000,
      )
      if (time !== null) lastTime = Math.max(lastTime ?? 0, time / 1000)
    }
    yield [...points.take(), { type: 'cursor', cursor: await cursorAt(database, 'metrics', last, lastTime) }]
  }
  yield [...points.warnings(), { type: 'status', status: statusOf(run, lastTime) }]
}

async function textsOf(file: SourceFile, database: Database, table: string, run: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  const wanted = { table, column: 'run_uuid', value: run, columns: ['key', 'value'] }
  for await (const { rows } of rowsOfRun(file, database, wanted)) {
    for (const [key, value] of rows) if (typeof key === 'string') texts.set(key, String(value ?? ''))
  }
  return texts
}

/** A column of a database cannot hold infinities: MLflow stores the largest number instead. */
function storedValue(value: SqlValue): number {
  const number = numberOrNull(value) ?? Number.NaN
  return Math.abs(number) === Number.MAX_VALUE ? number * 2 : number
}

/** Told once, by the first run. */
function storeWarnings(runs: readonly MlflowRun[], run: MlflowRun | undefined): RunEvent[] {
  const kept = runs.filter(({ isDeleted }) => !isDeleted)
  if (kept[0] !== run) return []
  const warnings: RunEvent[] = []
  const deleted = runs.length - kept.length
  if (deleted > 0) warnings.push({ type: 'warning', message: message('mlflow.deleted', { count: deleted }) })
  if (kept.length > MOST_RUNS) {
    const counts = { count: kept.length, limit: MOST_RUNS }
    warnings.push({ type: 'warning', message: message('sqlite.too-many-runs', counts) })
  }
  return warnings
}
