import type { RunEvent } from '../../model/events.js'
import { sentences } from '../../text/sentences.js'
import { warning } from '../source-helpers.js'
import type { Database } from '../sqlite/database.js'
import type { SqlValue } from '../sqlite/format.js'
import {
  allRows,
  cursorAt,
  databaseSource,
  numberOrNull,
  type RunReading,
  rowCursor,
  rowsOfRun,
  textOrNull,
} from '../sqlite/tracker.js'
import { aboutRun, belongingOf, type MlflowRun, pointGatherer, statusOf } from './run.js'

/** MLflow's own store since version 3: one SQLite database with all runs, `mlflow.db`, or `mlruns.db` as verl calls it. */
export const mlflowDatabase = databaseSource<MlflowRun>({
  id: 'mlflow',
  tables: {
    runs: ['run_uuid', 'status', 'experiment_id', 'lifecycle_stage'],
    experiments: ['experiment_id', 'name'],
    metrics: ['key', 'value', 'timestamp', 'run_uuid'],
    params: ['key', 'value', 'run_uuid'],
  },
  points: 'metrics',
  runs: async database => (await allRuns(database)).filter(({ isDeleted }) => !isDeleted),
  belonging: belongingOf,
  read,
})

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

async function* read(run: MlflowRun, reading: RunReading): AsyncGenerator<readonly RunEvent[]> {
  const { file, database } = reading
  yield aboutRun(run, await textsOf(reading, 'params', run.id), await textsOf(reading, 'tags', run.id))
  const points = pointGatherer()
  const columns = ['key', 'value', 'timestamp', 'step', 'is_nan']
  const wanted = { table: 'metrics', column: 'run_uuid', value: run.id, columns }
  const known = rowCursor(reading.cursor)
  let lastTime = known?.time ?? null
  for await (const { rows, last } of rowsOfRun(file, database, wanted, known?.row)) {
    for (const [key, value, timestamp, step, isNan] of rows) {
      if (typeof key !== 'string') continue
      const milliseconds = numberOrNull(timestamp)
      const time = milliseconds === null ? null : milliseconds / 1000
      points.add(key, numberOrNull(step) ?? 0, isNan ? Number.NaN : storedValue(value), time)
      if (time !== null) lastTime = Math.max(lastTime ?? 0, time)
    }
    yield [...points.take(), { type: 'cursor', cursor: await cursorAt(database, 'metrics', last, lastTime) }]
  }
  yield [...points.complaints(), { type: 'status', status: statusOf(run, lastTime) }]
  const deleted = reading.isFirst ? (await allRuns(database)).filter(({ isDeleted }) => isDeleted).length : 0
  if (deleted > 0) yield [warning(say('mlflow.deleted', { count: deleted }))]
}

async function textsOf({ file, database }: RunReading, table: string, run: string): Promise<Map<string, string>> {
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

const say = sentences({
  'mlflow.deleted': {
    en: '{count} {count|run|runs} of this MLflow store {count|is|are} marked as deleted and {count|was|were} left out',
    zh: '该 MLflow 存储中有 {count} 个 run 已标记为删除，已略过',
  },
})
