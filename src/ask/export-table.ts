import type { RunView } from '../analysis/run-view.js'
import { type Json, jsonNumber } from '../model/json.js'
import { isSeedKey } from '../model/vocabulary/identity.js'
import { stepRange } from '../store/catalogue.js'
import { type AboutRun, distinctColumns, type ExportFormat, exportRunRows, exportStepRows } from '../store/export.js'
import { meanOf } from '../store/manifest.js'
import type { Workspace } from '../store/workspace.js'

/** What stands beside the points in a wide table: names, settings as they act, and for a row per run a summary of each metric. */

interface TableRequest {
  readonly wide: 'steps' | 'runs'
  readonly format: ExportFormat
  /** As they were asked for, which is what their columns are called; null: all, by their raw names. */
  readonly metrics: readonly string[] | null
}

const SETTING = 'config.'

/** seed2 before seed10. */
const BY_NAME = new Intl.Collator('en', { numeric: true })

export async function exportTable(
  workspace: Workspace,
  named: readonly RunView[],
  path: string,
  { wide, format, metrics }: TableRequest,
): Promise<number> {
  const runs = named.toSorted((a, b) => BY_NAME.compare(a.manifest.name, b.manifest.name))
  const settings = runs.map(settingsOf)
  const differing = wide === 'steps' ? keysThatTell(settings) : [...new Set(settings.flatMap(each => [...each.keys()]))]
  const fixed = ['run', 'name', 'step', 'place', ...differing.map(key => SETTING + key)]
  const columns = distinctColumns(
    metrics ?? [...new Set(runs.flatMap(({ manifest }) => [...manifest.metrics.keys()]))],
    fixed,
  )
  const about = runs.map((run, at): AboutRun => {
    const own = wantedOf(run, metrics).map(([name, raw]) => [raw, columns.get(name) ?? name] as const)
    return {
      run,
      metrics: new Map(own),
      columns: new Map<string, Json>([
        ...(wide === 'runs' ? runColumns(run) : []),
        ...differing.map(key => [SETTING + key, settings[at].get(key) ?? null] as const),
        ...(wide === 'runs' ? own.flatMap(([raw, column]) => summaryColumns(run, raw, column)) : []),
      ]),
    }
  })
  return wide === 'runs'
    ? exportRunRows(workspace, about, path, format)
    : exportStepRows(workspace, about, path, format)
}

/** As asked for, and what the run calls it. */
function wantedOf(run: RunView, metrics: readonly string[] | null): readonly (readonly [name: string, raw: string])[] {
  if (metrics === null) return [...run.manifest.metrics.keys()].map(name => [name, name])
  return metrics.flatMap(name =>
    run
      .metricsNamed(name)
      .slice(0, 1)
      .map(raw => [name, raw] as const),
  )
}

/** Canonical settings by effect, then the keys that klens does not know, as they were written. */
function settingsOf({ config, settings }: RunView): ReadonlyMap<string, Json> {
  const known = new Set([...settings.values()].map(({ rawKey }) => rawKey))
  const values = new Map<string, Json>([...settings.values()].map(({ key, effective }) => [key, effective]))
  for (const [key, value] of Object.entries(config)) if (!known.has(key)) values.set(key, value)
  return new Map([...values].map(([key, value]) => [key, plain(value)]))
}

/** A list or an object does not fit into a cell but as text. */
function plain(value: Json): Json {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

/** In every row of a run its settings are the same; those that are the same in all runs would only fill the table. */
function keysThatTell(settings: readonly ReadonlyMap<string, Json>[]): readonly string[] {
  const keys = [...new Set(settings.flatMap(each => [...each.keys()]))]
  return keys.filter(key => isSeedKey(key) || settings.some(each => each.get(key) !== settings[0].get(key)))
}

function runColumns({ manifest }: RunView): readonly (readonly [string, Json])[] {
  const [first, last] = stepRange(manifest) ?? [null, null]
  return [
    ['source', manifest.source],
    ['status', manifest.status],
    ['tags', manifest.tags.join(' ')],
    ['first_step', first],
    ['last_step', last],
  ]
}

function summaryColumns({ manifest }: RunView, raw: string, column: string): readonly (readonly [string, Json])[] {
  const record = manifest.metrics.get(raw)
  if (record === undefined) return []
  const { last, min, max } = record
  return [
    [column, jsonNumber(last)],
    [`${column}:mean`, jsonNumber(meanOf(record))],
    [`${column}:min`, jsonNumber(min)],
    [`${column}:max`, jsonNumber(max)],
  ]
}
