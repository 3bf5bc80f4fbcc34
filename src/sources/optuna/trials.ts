import { parsePythonJson } from '../python-json.js'
import type { Database } from '../sqlite/database.js'
import type { SqlValue } from '../sqlite/format.js'
import { allRows, numberOrNull, textOrNull } from '../sqlite/tracker.js'

/** The studies of a database and their trials, but for those that only wait to be begun. */

export interface Study {
  readonly name: string
  /** `maximize` or `minimize`, one for each goal. */
  readonly directions: readonly string[]
  /** A study with one goal calls its value the objective; names can be given to them. */
  objectiveName(objective: number): string
}

export interface Trial {
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

export async function allTrials(database: Database): Promise<readonly Trial[]> {
  const studies = await allStudies(database)
  const [[written = null] = []] = await allRows(database, 'version_info', ['library_version'])
  const version = textOrNull(written)
  const columns = ['trial_id', 'number', 'study_id', 'state', 'datetime_start', 'datetime_complete']
  const trials: Trial[] = []
  for (const [id, number, studyId, state, start, end] of await allRows(database, 'trials', columns)) {
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
  for (const [study, direction] of await allRows(database, 'study_directions', ['study_id', 'direction'])) {
    goals.set(study, [...(goals.get(study) ?? []), String(direction).toLowerCase()].slice(0, MOST_GOALS))
  }
  const names = new Map<SqlValue, readonly unknown[]>()
  for (const [study, key, value] of await allRows(database, 'study_system_attributes', [
    'study_id',
    'key',
    'value_json',
  ])) {
    const given = key === 'study:metric_names' && typeof value === 'string' ? parsePythonJson(value) : undefined
    if (Array.isArray(given)) names.set(study, given)
  }
  const studies = new Map<SqlValue, Study>()
  for (const [id, name] of await allRows(database, 'studies', ['study_id', 'study_name'])) {
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
