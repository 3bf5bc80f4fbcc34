import type { RunEvent } from '../../model/events.js'
import { isJsonObject, type Json } from '../../model/json.js'
import type { RunStatus } from '../../model/run.js'
import { flatten, parsePythonJson } from '../python-json.js'
import type { SourceFile } from '../source.js'
import { isUsableStep, stepGate, timeFromText } from '../source-helpers.js'
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

const INTERMEDIATE = 'trial_intermediate_values'
/** What a value reported on the way is called; Optuna has no name for it. */
const REPORTED = ['intermediate_value']

/**
 * Optuna's database. A study is a search over settings, and each of its trials a run: its parameters are the config, the
 * values reported on the way a series, the final values evaluations. See docs/sources/optuna.md.
 */
export const optuna = databaseSource<Trial>({
  id: 'optuna',
  tables: {
    studies: ['study_id', 'study_name'],
    trials: ['trial_id', 'study_id', 'state'],
    trial_params: ['trial_id', 'param_name', 'param_value', 'distribution_json'],
  },
  points: INTERMEDIATE,
  runs: allTrials,
  belonging: ({ study, number, start }, file) => ({
    run: `optuna:${file.path}#${study.name}/${number}`,
    member: `${study.name}/${number}`,
    name: `${study.name}/trial-${number}`,
    firstRecord: String(start),
  }),
  read,
})

async function* read(trial: Trial, reading: RunReading): AsyncGenerator<readonly RunEvent[]> {
  yield [...aboutTrial(trial), { type: 'config', config: await configOf(trial, reading) }]
  yield* valuesOf(trial, reading)
  yield [{ type: 'status', status: statusOf(trial, reading.file) }]
}

function aboutTrial({ study, number, start, end, state, version }: Trial): RunEvent[] {
  const startedAt = typeof start === 'string' ? timeFromText(start) : null
  const endedAt = typeof end === 'string' ? timeFromText(end) : null
  return [
    {
      type: 'about',
      about: {
        name: `${study.name}/trial-${number}`,
        project: study.name,
        ...(version === null ? {} : { versions: { optuna: version } }),
        ...(state === 'PRUNED' ? { tags: ['pruned'] } : {}),
        ...(startedAt === null ? {} : { startedAt }),
        ...(endedAt === null ? {} : { endedAt }),
      },
    },
  ]
}

function statusOf({ state }: Trial, file: SourceFile): RunStatus {
  switch (state) {
    case 'COMPLETE':
    case 'PRUNED':
      return 'finished'
    case 'FAIL':
      return 'failed'
    case 'RUNNING':
      return isSilentSince(file.modifiedMs) ? 'killed' : 'running'
    default:
      return 'unknown'
  }
}

async function configOf(
  { id, study }: Trial,
  { file, database }: RunReading,
): Promise<{ readonly [key: string]: Json }> {
  const settings = new Map<string, Json>()
  const columns = ['param_name', 'param_value', 'distribution_json']
  const wanted = { table: 'trial_params', column: 'trial_id', value: id, columns }
  for await (const { rows } of rowsOfRun(file, database, wanted)) {
    for (const [name, value, distribution] of rows) {
      if (typeof name === 'string') flatten(parameterOf(value, distribution), name, settings)
    }
  }
  const [direction, ...furtherDirections] = study.directions
  if (direction !== undefined)
    settings.set('study.direction', furtherDirections.length === 0 ? direction : study.directions)
  return Object.fromEntries(settings)
}

/** Optuna stores numbers only; of a choice it stores which one it was. */
function parameterOf(value: SqlValue | undefined, distribution: SqlValue | undefined): Json {
  const number = numberOrNull(value)
  const told = typeof distribution === 'string' ? parsePythonJson(distribution) : undefined
  if (!isJsonObject(told) || number === null) return number
  const choices = isJsonObject(told.attributes) ? told.attributes.choices : told.choices
  return Array.isArray(choices) ? (choices[number] ?? null) : number
}

async function* valuesOf(trial: Trial, reading: RunReading): AsyncGenerator<readonly RunEvent[]> {
  const { file, database, cursor } = reading
  const known = rowCursor(cursor)
  const columns = ['step', 'intermediate_value', 'intermediate_value_type']
  const wanted = { table: INTERMEDIATE, column: 'trial_id', value: trial.id, columns }
  const gate = stepGate()
  let lastStep = isJsonObject(cursor) && isStep(cursor.lastStep) ? cursor.lastStep : null
  let isTold = isJsonObject(cursor) && cursor.isTold === true
  let row = known?.row ?? Number.MIN_SAFE_INTEGER
  const cursorNow = async (): Promise<RunEvent> => {
    return { type: 'cursor', cursor: { ...(await cursorAt(database, INTERMEDIATE, row, null)), lastStep, isTold } }
  }
  for await (const { rows, last } of rowsOfRun(file, database, wanted, known?.row)) {
    const events: RunEvent[] = []
    row = last
    for (const [step, value, type] of rows) {
      const at = numberOrNull(step)
      if (!gate.admits(at, '?')) continue
      lastStep = Math.max(lastStep ?? at, at)
      events.push({ type: 'row', step: at, time: null, metrics: REPORTED, values: [realOf(value, type)] })
    }
    yield [...events, await cursorNow()]
  }
  const hasFinals = trial.state === 'COMPLETE' || trial.state === 'PRUNED'
  const finals = hasFinals ? await finalValues(trial, reading) : []
  yield finalEvents(finals, lastStep ?? 0, isTold)
  isTold ||= finals.length > 0
  yield [...gate.complaints(), await cursorNow()]
}

function isStep(value: Json | undefined): value is number {
  return typeof value === 'number' && isUsableStep(value)
}

/** Evaluations may be said again; a point may not. */
function finalEvents(finals: readonly (readonly [string, number])[], step: number, isTold: boolean): RunEvent[] {
  const events: RunEvent[] = finals.map(([metric, value]) => ({
    type: 'evaluation',
    evaluation: { metric, step, condition: {}, value, n: null, quality: 'measured' },
  }))
  if (finals.length > 0 && !isTold) {
    events.push({
      type: 'row',
      step,
      time: null,
      metrics: finals.map(([name]) => name),
      values: finals.map(([, v]) => v),
    })
  }
  return events
}

async function finalValues(
  { id, study }: Trial,
  { file, database }: RunReading,
): Promise<readonly (readonly [string, number])[]> {
  const finals = new Map<string, number>()
  const wanted = { table: 'trial_values', column: 'trial_id', value: id, columns: ['objective', 'value', 'value_type'] }
  for await (const { rows } of rowsOfRun(file, database, wanted)) {
    for (const [objective, value, type] of rows) {
      finals.set(study.objectiveName(numberOrNull(objective) ?? 0), realOf(value, type))
    }
  }
  return [...finals]
}

function realOf(value: SqlValue | undefined, type: SqlValue | undefined): number {
  switch (type) {
    case 'INF_POS':
      return Number.POSITIVE_INFINITY
    case 'INF_NEG':
      return Number.NEGATIVE_INFINITY
    default:
      // Databases of before version 3 have no types, and NULL for NaN.
      return numberOrNull(value) ?? Number.NaN
  }
}

/** The studies of a database and their trials, but for those that only wait to be begun. */

interface Study {
  readonly name: string
  /** `maximize` or `minimize`, one for each goal. */
  readonly directions: readonly string[]
  /** A study with one goal calls its value the objective; names can be given to them. */
  objectiveName(objective: number): string
}

interface Trial {
  readonly id: number
  /** Within its study, from 0. */
  readonly number: number
  readonly study: Study
  readonly state: string
  readonly start: SqlValue
  readonly end: SqlValue
  /** Of Optuna, where the database tells. */
  readonly version: string | null
}

async function allTrials(database: Database): Promise<readonly Trial[]> {
  const studies = await allStudies(database)
  const [[written = null] = []] = await allRows(database, 'version_info', ['library_version'])
  const version = textOrNull(written)
  const columns = ['trial_id', 'number', 'study_id', 'state', 'datetime_start', 'datetime_complete']
  const trials: Trial[] = []
  for (const [id, number, studyId = null, state, start = null, end = null] of await allRows(
    database,
    'trials',
    columns,
  )) {
    const study = studies.get(studyId)
    if (typeof id !== 'number' || study === undefined || state === 'WAITING') continue
    trials.push({ id, number: numberOrNull(number) ?? id, study, state: String(state), start, end, version })
  }
  return trials
}

/** More goals than any search has. */
const MOST_GOALS = 100

async function allStudies(database: Database): Promise<Map<SqlValue, Study>> {
  const goals = new Map<SqlValue, string[]>()
  for (const [study = null, direction] of await allRows(database, 'study_directions', ['study_id', 'direction'])) {
    goals.set(study, [...(goals.get(study) ?? []), String(direction).toLowerCase()].slice(0, MOST_GOALS))
  }
  const names = new Map<SqlValue, readonly unknown[]>()
  for (const [study = null, key, value] of await allRows(database, 'study_system_attributes', [
    'study_id',
    'key',
    'value_json',
  ])) {
    const given = key === 'study:metric_names' && typeof value === 'string' ? parsePythonJson(value) : undefined
    if (Array.isArray(given)) names.set(study, given)
  }
  const studies = new Map<SqlValue, Study>()
  for (const [id = null, name] of await allRows(database, 'studies', ['study_id', 'study_name'])) {
    const directions = goals.get(id) ?? []
    studies.set(id, {
      name: textOrNull(name) ?? String(id),
      directions,
      objectiveName(objective) {
        const given = names.get(id)?.[objective]
        if (typeof given === 'string') return given
        return directions.length > 1 ? `objective_${objective}` : 'objective'
      },
    })
  }
  return studies
}
