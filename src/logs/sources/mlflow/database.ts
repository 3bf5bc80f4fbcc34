import { sentences } from '../../../text/sentences.js'
import type { Row, RunEvent } from '../../model/events.js'
import { type Json, jsonNumber } from '../../model/json.js'
import type { RunAbout, RunStatus } from '../../model/run.js'
import { pythonFloat } from '../console/python-literal.js'
import type { Belonging } from '../source.js'
import { nameLists, stepGate, warning } from '../source-helpers.js'
import type { Database } from '../sqlite/database.js'
import type { SqlValue } from '../sqlite/format.js'
import {
  allRows,
  cursorAt,
  databaseSource,
  isSilentSince,
  numberOrNull,
  type RunReading,
  rowCursor,
  rowsOfRun,
  textOrNull,
} from '../sqlite/tracker.js'

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
  for (const [id = null, name] of await allRows(database, 'experiments', ['experiment_id', 'name'])) {
    experiments.set(id, textOrNull(name))
  }
  const columns = ['run_uuid', 'name', 'experiment_id', 'status', 'lifecycle_stage', 'start_time', 'end_time']
  const runs: MlflowRun[] = []
  for (const [id, name, experiment = null, status, stage, start, end] of await allRows(database, 'runs', columns)) {
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
function storedValue(value: SqlValue | undefined): number {
  const number = numberOrNull(value) ?? Number.NaN
  return Math.abs(number) === Number.MAX_VALUE ? number * 2 : number
}

const say = sentences({
  'mlflow.deleted': {
    en: '{count} {count|run|runs} of this MLflow store {count|is|are} marked as deleted and {count|was|were} left out',
    zh: '该 MLflow 存储中有 {count} 个 run 已标记为删除，已略过',
  },
})

/** What MLflow knows of a run besides its points, wherever it keeps it. */
export interface MlflowRun {
  readonly id: string
  readonly name: string | null
  readonly experiment: string | null
  readonly status: string
  readonly isDeleted: boolean
  /** Milliseconds. */
  readonly startTime: number | null
  readonly endTime: number | null
}

export function belongingOf({ id, name, startTime }: MlflowRun): Omit<Belonging, 'folder' | 'order'> {
  return { run: `mlflow:${id}`, name: name ?? id, trackerId: id, firstRecord: String(startTime) }
}

const STATUSES: { readonly [status: string]: RunStatus } = { FINISHED: 'finished', FAILED: 'failed', KILLED: 'killed' }

/** `lastTime` is that of the run's last point, in seconds. */
export function statusOf({ status, startTime }: MlflowRun, lastTime: number | null): RunStatus {
  const known = STATUSES[status]
  if (known !== undefined) return known
  if (status !== 'RUNNING') return 'unknown'
  const lastSign = Math.max((lastTime ?? 0) * 1000, startTime ?? 0)
  return isSilentSince(lastSign) ? 'killed' : 'running'
}

export function aboutRun(
  run: MlflowRun,
  params: ReadonlyMap<string, string>,
  tags: ReadonlyMap<string, string>,
): RunEvent[] {
  const own = [...tags].filter(([key]) => !key.startsWith('mlflow.')).map(([key, value]) => `${key}=${value}`)
  const about: RunAbout = {
    trackerId: run.id,
    ...defined('name', run.name ?? tags.get('mlflow.runName')),
    ...defined('project', run.experiment),
    ...defined('group', tags.get('mlflow.parentRunId')),
    ...defined('notes', tags.get('mlflow.note.content')),
    ...defined('program', tags.get('mlflow.source.name')),
    ...defined('commit', tags.get('mlflow.source.git.commit')),
    ...defined('remote', tags.get('mlflow.source.git.repoURL')),
    ...(own.length > 0 ? { tags: own } : {}),
    ...(run.startTime === null ? {} : { startedAt: run.startTime / 1000 }),
    ...(run.endTime === null ? {} : { endedAt: run.endTime / 1000 }),
  }
  const config = Object.fromEntries([...params].map(([key, value]) => [dotted(key), typedValue(value)]))
  return [
    { type: 'about', about },
    { type: 'config', config },
  ]
}

/** MLflow keeps every parameter as Python's `str` of it. A number too long to be one stays a text. */
function typedValue(text: string): Json {
  if (NUMBER.test(text)) return jsonNumber(pythonFloat(text))
  const constant = CONSTANTS.get(text)
  return constant === undefined ? text : constant
}

const NUMBER = /^[-+]?(?:\d{1,15}(?:\.\d*)?(?:e[-+]?\d{1,3})?|\.\d+|nan|inf)$/i
const CONSTANTS = new Map<string, boolean | null>([
  ['True', true],
  ['False', false],
  ['None', null],
])

function defined<Key extends keyof RunAbout>(key: Key, value: string | null | undefined): { [key in Key]?: string } {
  const said: { [key in Key]?: string } = {}
  if (value !== null && value !== undefined && value !== '') said[key] = value
  return said
}

/** verl nests its settings by slashes; everywhere else in klens they are dotted. */
function dotted(key: string): string {
  return key.replaceAll('/', '.')
}

/** MLflow keeps one point at a time; those that were logged together become one row again. */
interface PointGatherer {
  add(metric: string, step: number, value: number, time: number | null): void
  /** What has been gathered since the last call. */
  take(): RunEvent[]
  complaints(): RunEvent[]
}

export function pointGatherer(): PointGatherer {
  const shared = nameLists()
  let rows: Row[] = []
  let metrics: string[] = []
  let values: number[] = []
  let step = 0
  let time: number | null = null
  let inRow = new Set<string>()
  const gate = stepGate()

  function endRow(): void {
    if (metrics.length > 0) rows.push({ type: 'row', step, time, metrics: shared(metrics), values })
    metrics = []
    values = []
    inRow = new Set()
  }

  return {
    add(metric, itsStep, value, itsTime) {
      if (!gate.admits(itsStep)) return
      if (itsStep !== step || itsTime !== time || inRow.has(metric)) endRow()
      step = itsStep
      time = itsTime
      inRow.add(metric)
      metrics.push(metric)
      values.push(value)
    },
    take() {
      endRow()
      const taken = rows
      rows = []
      return taken
    },
    complaints: gate.complaints,
  }
}
