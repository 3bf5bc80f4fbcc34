import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { z } from 'zod'
import type { RunView } from '../../core/analysis/run-view.js'
import { stepRange } from '../../core/store/catalogue.js'
import {
  type AboutRun,
  distinctColumns,
  type ExportFormat,
  exportPoints,
  exportRunRows,
  exportStepRows,
} from '../../core/store/export.js'
import { meanOf } from '../../core/store/manifest.js'
import type { Workspace } from '../../core/store/workspace.js'
import { type Json, jsonNumber } from '../../logs/model/json.js'
import { Problem } from '../../logs/model/problem.js'
import { isSeedKey } from '../../logs/model/vocabulary/identity.js'
import { compareNames } from '../../text/language.js'
import { message } from '../../text/say.js'
import { list, otherwise, refuse, request } from './fields.js'
import { resolveAll } from './names.js'
import { question } from './question.js'

/** Points of runs in a file, for other programs. */

const FORMATS = ['csv', 'jsonl', 'parquet'] as const

export const exportRuns = question({
  request: request({
    runs: list(z.string()),
    /** The file to write; its ending decides the format where none is named. */
    output: z.string(),
    format: z.string().optional(),
    /** Raw or canonical. */
    metric: list(z.string()).optional(),
    /** A row per run and step, or per run, with a column per metric, names and settings; null: a row per point. */
    wide: z.enum(['steps', 'runs'], otherwise('export.bad-wide')).nullable().default(null),
    /** Also points that were replaced at the same step, estimates and missing cells. */
    all: z.boolean().default(false),
    /** Write over a file that is there. */
    force: z.boolean().default(false),
  }).transform(({ format, ...asked }, context) => {
    const wanted = (format ?? /\.([a-z]+)$/i.exec(asked.output)?.[1] ?? '').toLowerCase()
    const known = FORMATS.find(each => each === wanted)
    return known === undefined ? refuse(context, wanted, 'export.bad-format') : { ...asked, format: known }
  }),
  answer: z.object({
    path: z.string(),
    /** Rows, where the table is wide. */
    points: z.number(),
    runs: list(z.string()),
  }),
  async ask(workspace, { runs: names, output, format, metric, wide, all, force }, asking) {
    if (wide !== null && all) throw new Problem('bad-request', message('export.wide-all', {}))
    const runs = await resolveAll(workspace, names, asking)
    const metrics = metric === undefined ? null : rawNames(runs, metric)
    const path = await writablePath(output, force)
    if (wide !== null) {
      const points = await exportTable(workspace, runs, path, { wide, format, metrics: metric ?? null })
      return { path, points, runs: runs.map(({ manifest }) => manifest.id) }
    }
    const points = await exportPoints(workspace, runs, path, { format, metrics, all })
    return { path, points, runs: runs.map(({ manifest }) => manifest.id) }
  },
})

/** A file that can be replaced as a whole. A device would be replaced too, and /dev/null is missed by everyone. */
async function writablePath(output: string, mayReplace: boolean): Promise<string> {
  const path = resolve(output)
  const folder = await stat(dirname(path)).catch(() => null)
  if (!folder?.isDirectory()) throw new Problem('not-found', message('export.no-folder', { path: dirname(path) }))
  const there = await stat(path).catch(() => null)
  if (there === null || (there.isFile() && mayReplace)) return path
  if (there.isFile()) throw new Problem('bad-request', message('export.is-there', { path }))
  throw new Problem('bad-request', message('export.no-file', { path }))
}

function rawNames(runs: readonly RunView[], names: readonly string[]): readonly string[] {
  const found = names.flatMap(name => {
    const carriers = runs.flatMap(run => run.metricsNamed(name))
    if (carriers.length === 0) throw new Problem('not-found', message('export.no-metric', { metric: name }))
    return carriers
  })
  return [...new Set(found)]
}

/** What stands beside the points in a wide table: names, settings as they act, and for a row per run a summary of each metric. */

interface TableRequest {
  readonly wide: 'steps' | 'runs'
  readonly format: ExportFormat
  /** As they were asked for, which is what their columns are called; null: all, by their raw names. */
  readonly metrics: readonly string[] | null
}

const SETTING = 'config.'

export async function exportTable(
  workspace: Workspace,
  named: readonly RunView[],
  path: string,
  { wide, format, metrics }: TableRequest,
): Promise<number> {
  const runs = named.toSorted((a, b) => compareNames(a.manifest.name, b.manifest.name))
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
    ['note', manifest.note],
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
