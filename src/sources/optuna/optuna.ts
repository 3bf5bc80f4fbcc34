import type { RunEvent } from '../../model/events.js'
import { isJsonObject, type Json } from '../../model/json.js'
import type { RunStatus } from '../../model/run.js'
import { message } from '../../text/say.js'
import { flatten, parseLooseJson } from '../loose-json.js'
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
} from '../sqlite/tracker.js'
import { isUsableStep } from '../table/step.js'
import { timeFromText } from '../table/time.js'
import { allTrials, type Trial } from './trials.js'

/**
 * Optuna's database. A study is a search over settings, and each of its trials a run: its parameters are the config, the
 * values reported on the way a series, the final values evaluations. See docs/sources/optuna.md.
 */
export const optuna: Source = {
  id: 'optuna',
  role: 'log',
  grows: true,
  keep: 'newest',
  recognise: file =>
    isDatabaseOf(file, {
      studies: ['study_id', 'study_name'],
      trials: ['trial_id', 'study_id', 'state'],
      trial_params: ['trial_id', 'param_name', 'param_value', 'distribution_json'],
    }),
  describe,
  read,
  continues: (file, cursor) => continuesFrom(file, INTERMEDIATE, cursor),
}

const INTERMEDIATE = 'trial_intermediate_values'
/** What a value reported on the way is called; Optuna has no name for it. */
const REPORTED = 'intermediate_value'

const trialsSeen = new WeakMap<SourceFile, ReturnType<typeof allTrials>>()

/** Each trial of a file asks for them all. */
function trialsOf(file: SourceFile, database: Database): ReturnType<typeof allTrials> {
  const trials = trialsSeen.get(file) ?? allTrials(database)
  trialsSeen.set(file, trials)
  return trials
}

function keyOf(file: SourceFile, { study, number }: Trial): string {
  return `optuna:${file.path}#${study.name}/${number}`
}

async function describe(file: SourceFile): Promise<readonly Belonging[]> {
  const database = openDatabase(file.path)
  if (database === null) return []
  try {
    const { trials } = await trialsOf(file, database)
    return trials.slice(0, MOST_RUNS).map(trial => ({
      run: keyOf(file, trial),
      name: `${trial.study.name}/trial-${trial.number}`,
      // A database lies among files that are none of its runs' own.
      folder: file.path,
      order: file.modifiedMs,
      firstRecord: String(trial.start),
    }))
  } finally {
    database.close()
  }
}

async function* read(file: SourceFile, { run, cursor }: ReadRequest): AsyncGenerator<readonly RunEvent[]> {
  const database = openDatabase(file.path)
  if (database === null) return
  try {
    const { trials, version } = await trialsOf(file, database)
    const trial = trials.find(candidate => keyOf(file, candidate) === run)
    if (trial !== undefined) {
      yield [...aboutTrial(trial, version), { type: 'config', config: await configOf(file, database, trial) }]
      yield* valuesOf(file, database, trial, cursor)
      yield [{ type: 'status', status: statusOf(trial, file) }]
    }
    if (trials.length > MOST_RUNS && trial === trials[0]) {
      const counts = { count: trials.length, limit: MOST_RUNS }
      yield [{ type: 'warning', message: message('sqlite.too-many-runs', counts) }]
    }
    yield database.problems().map(problem => ({ type: 'warning', message: problem }))
  } finally {
    database.close()
  }
}

function aboutTrial({ study, number, start, end, state }: Trial, version: string | null): RunEvent[] {
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

async function configOf(file: SourceFile, database: Database, { id, study }: Trial): Promise<{ [key: string]: Json }> {
  const settings = new Map<string, Json>()
  const columns = ['param_name', 'param_value', 'distribution_json']
  for await (const { rows } of rowsOfRun(file, database, {
    table: 'trial_params',
    column: 'trial_id',
    value: id,
    columns,
  })) {
    for (const [name, value, distribution] of rows) {
      if (typeof name === 'string') flatten(parameterOf(value, distribution), name, settings)
    }
  }
  const { directions } = study
  if (directions.length > 0) settings.set('study.direction', directions.length === 1 ? directions[0] : directions)
  return Object.fromEntries(settings)
}

/** Optuna stores numbers only; of a choice it stores which one it was. */
function parameterOf(value: SqlValue, distribution: SqlValue): Json {
  const number = numberOrNull(value)
  const told = typeof distribution === 'string' ? parseLooseJson(distribution) : undefined
  if (!isJsonObject(told) || number === null) return number
  const choices = isJsonObject(told.attributes) ? told.attributes.choices : told.choices
  return Array.isArray(choices) ? (choices[number] ?? null) : number
}

async function* valuesOf(
  file: SourceFile,
  database: Database,
  trial: Trial,
  cursor: Json,
): AsyncGenerator<readonly RunEvent[]> {
  const known = rowCursor(cursor)
  const columns = ['step', 'intermediate_value', 'intermediate_value_type']
  const wanted = { table: INTERMEDIATE, column: 'trial_id', value: trial.id, columns }
  const before = isJsonObject(cursor) ? numberOrNull(stepIn(cursor.lastStep)) : null
  let lastStep = before
  let isTold = isJsonObject(cursor) && cursor.isTold === true
  let badSteps = 0
  let row = known?.row ?? Number.MIN_SAFE_INTEGER
  for await (const { rows, last } of rowsOfRun(file, database, wanted, known?.row)) {
    const events: RunEvent[] = []
    row = last
    for (const [step, value, type] of rows) {
      const at = numberOrNull(step)
      if (at === null || !isUsableStep(at)) {
        badSteps += 1
        continue
      }
      lastStep = Math.max(lastStep ?? at, at)
      events.push({ type: 'row', step: at, time: null, metrics: REPORTED_ALONE, values: [realOf(value, type)] })
    }
    yield [
      ...events,
      { type: 'cursor', cursor: { ...(await cursorAt(database, INTERMEDIATE, row, null)), lastStep, isTold } },
    ]
  }
  const finals = trial.state === 'COMPLETE' || trial.state === 'PRUNED' ? await finalValues(file, database, trial) : []
  yield finalEvents(finals, lastStep ?? 0, isTold)
  isTold ||= finals.length > 0
  yield [
    ...(badSteps > 0
      ? [{ type: 'warning', message: message('source.bad-step', { count: badSteps, step: '?' }) } as const]
      : []),
    { type: 'cursor', cursor: { ...(await cursorAt(database, INTERMEDIATE, row, null)), lastStep, isTold } },
  ]
}

const REPORTED_ALONE = [REPORTED]

function stepIn(value: Json | undefined): number | null {
  return typeof value === 'number' && isUsableStep(value) ? value : null
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

async function finalValues(file: SourceFile, database: Database, { id, study }: Trial): Promise<[string, number][]> {
  const finals = new Map<string, number>()
  const columns = ['objective', 'value', 'value_type']
  for await (const { rows } of rowsOfRun(file, database, {
    table: 'trial_values',
    column: 'trial_id',
    value: id,
    columns,
  })) {
    for (const [objective, value, type] of rows)
      finals.set(study.objectiveName(numberOrNull(objective) ?? 0), realOf(value, type))
  }
  return [...finals]
}

function realOf(value: SqlValue, type: SqlValue): number {
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
