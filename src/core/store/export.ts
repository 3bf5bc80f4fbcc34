import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Json } from '../../logs/model/json.js'
import { makeFileAtomically } from './atomic.js'
import { sqlFiles, sqlText } from './duck.js'
import { selectEvaluated } from './evaluations.js'
import { writePart } from './parts.js'
import { type LoadedRun, readableParts } from './series.js'
import type { Workspace } from './workspace.js'

/** Points for other programs. One query serves all formats, so they cannot disagree. */

export type ExportFormat = 'csv' | 'jsonl' | 'parquet'

interface ExportRequest {
  readonly format: ExportFormat
  /** Raw names; none means all. */
  readonly metrics: readonly string[] | null
  /** Also points that were replaced at the same step, estimates and missing cells. */
  readonly all: boolean
}

/** Returns how many points were written. */
export async function exportPoints(
  { duck }: Workspace,
  runs: readonly LoadedRun[],
  path: string,
  request: ExportRequest,
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'klens-export-'))
  try {
    const gathered: string[] = []
    for (let from = 0; from < runs.length; from += RUNS_AT_ONCE) {
      const selects = await selectRuns(runs.slice(from, from + RUNS_AT_ONCE), folder, request)
      if (selects.length === 0) continue
      const part = join(folder, `gathered-${from}.parquet`)
      await duck.copy(`COPY (${selects.join(' UNION ALL ')}) TO ${sqlText(part)} (FORMAT parquet, COMPRESSION zstd)`)
      gathered.push(part)
    }
    const points = gathered.length > 0 ? `SELECT * FROM read_parquet(${sqlFiles(gathered)})` : NOTHING
    await makeFileAtomically(path, async beside => {
      await duck.copy(`COPY (${spell(points, request)}) TO ${sqlText(beside)} (${COPY_OPTIONS[request.format]})`)
    })
    return Number((await duck.readRows(`SELECT count(*) AS n FROM (${points})`))[0].n)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Each run takes memory of its own within one query: two hundred at once are more than DuckDB is given. */
const RUNS_AT_ONCE = 20

async function selectRuns(
  runs: readonly LoadedRun[],
  folder: string,
  request: ExportRequest,
): Promise<readonly string[]> {
  const selects: string[] = []
  for (const run of runs) {
    const files = readableParts(run)
    if (run.live !== null && run.live.length > 0) {
      const livePart = join(folder, `live-${run.manifest.id}.parquet`)
      await writePart(livePart, run.live)
      files.push(livePart)
    }
    if (files.length > 0) selects.push(selectRun(run.manifest.id, files, request))
    selects.push(...selectScores(run, request))
  }
  return selects
}

const NOTHING = `SELECT '' AS run, '' AS metric, 0::DOUBLE AS step, 0::DOUBLE AS value, 0::DOUBLE AS time WHERE false`

const COPY_OPTIONS: { readonly [format in ExportFormat]: string } = {
  csv: 'FORMAT csv, HEADER',
  jsonl: 'FORMAT json',
  parquet: 'FORMAT parquet, COMPRESSION zstd',
}

function selectRun(id: string, files: readonly string[], { metrics, all }: ExportRequest): string {
  const wanted = metrics === null ? 'true' : `metric IN (${metrics.map(sqlText).join(', ')})`
  const columns = `${sqlText(id)} AS run, metric, step, value, time`
  const from = `FROM read_parquet(${sqlFiles(files)}, file_row_number = true) WHERE ${wanted}`
  if (all)
    return `(SELECT ${columns}, segment, quality, decimals ${from} ORDER BY metric, step, file_index, file_row_number)`
  return `(SELECT ${columns} ${from} AND quality = 'measured'
    QUALIFY row_number() OVER (PARTITION BY metric, step ORDER BY file_index DESC, file_row_number DESC) = 1
    ORDER BY metric, step)`
}

/** Evaluations that are asked for by name. */
function selectScores({ folder, manifest }: LoadedRun, { metrics, all }: ExportRequest): readonly string[] {
  return (metrics ?? []).flatMap(name => {
    const metric = manifest.evaluated?.get(name)
    if (metric === undefined) return []
    const columns = `${sqlText(manifest.id)} AS run, ${sqlText(name)} AS metric, step, value, NULL::DOUBLE AS time`
    const more = all ? ", 0::USMALLINT AS segment, 'measured' AS quality, NULL::UTINYINT AS decimals" : ''
    return [`(SELECT ${columns}${more} FROM (${selectEvaluated(folder, metric, 'measured')}) ORDER BY step)`]
  })
}

/**
 * JSON has no NaN and no infinities: they are strings there, as in all JSON of klens. A spreadsheet takes a cell of a CSV
 * that begins like a formula for one, and a metric's name is a stranger's: an apostrophe makes it text.
 */
function spell(points: string, { format }: ExportRequest): string {
  if (format === 'csv') {
    return `SELECT * REPLACE (CASE WHEN regexp_matches(metric, '^[=+@\\t\\r-]') THEN '''' || metric ELSE metric END AS metric)
      FROM (${points})`
  }
  if (format !== 'jsonl') return `SELECT * FROM (${points})`
  return `SELECT * REPLACE (CASE WHEN value IS NULL OR isfinite(value) THEN to_json(value)
    ELSE to_json(CASE WHEN isnan(value) THEN 'NaN' WHEN value > 0 THEN 'Infinity' ELSE '-Infinity' END) END AS value)
    FROM (${points})`
}

/**
 * The same points as a table that is ready to plot: a row per run and step with a column per metric, or a row per run,
 * with the run's name and settings beside them. Runs are turned one at a time, so that a thousand weigh no more than one.
 */

/** What is known of a run beside its points, by column: text, numbers, true and false. */
export interface AboutRun {
  readonly run: LoadedRun
  readonly columns: ReadonlyMap<string, Json>
  /** Which metrics, and what their columns are called. */
  readonly metrics: ReadonlyMap<string, string>
}

/** A row per run. Returns how many rows were written. */
export function exportRunRows(
  workspace: Workspace,
  runs: readonly AboutRun[],
  path: string,
  format: ExportFormat,
): Promise<number> {
  return within(async folder => {
    const about = await aboutTable(workspace, runs, folder)
    await write(workspace, `SELECT * FROM ${about}`, path, format)
    return runs.length
  })
}

/** A row per run and step. Returns how many rows were written. */
export function exportStepRows(
  workspace: Workspace,
  runs: readonly AboutRun[],
  path: string,
  format: ExportFormat,
): Promise<number> {
  return within(async folder => {
    const { duck } = workspace
    const about = await aboutTable(workspace, runs, folder)
    const parts: string[] = []
    for (const [at, { run, metrics }] of runs.entries()) {
      if (metrics.size === 0) continue
      const [long, part] = [join(folder, `long-${at}.parquet`), join(folder, `wide-${at}.parquet`)]
      const count = await exportPoints(workspace, [run], long, {
        format: 'parquet',
        metrics: [...metrics.keys()],
        all: false,
      })
      if (count === 0) continue
      const renamed = [...metrics].flatMap(([raw, column]) =>
        raw === column ? [] : [`WHEN ${sqlText(raw)} THEN ${sqlText(column)}`],
      )
      const name = renamed.length === 0 ? 'metric' : `CASE metric ${renamed.join(' ')} ELSE metric END`
      const points = `SELECT run, step, value, ${name} AS metric FROM read_parquet(${sqlFiles([long])})`
      const columns = [...metrics.values()].map(sqlText).join(', ')
      await duck.copy(
        `COPY (PIVOT (${points}) ON metric IN (${columns}) USING first(value) GROUP BY run, step ORDER BY step)
         TO ${sqlText(part)} (FORMAT parquet, COMPRESSION zstd)`,
      )
      await rm(long)
      parts.push(part)
    }
    if (parts.length === 0) {
      await write(workspace, `SELECT *, NULL::DOUBLE AS step FROM ${about} WHERE false`, path, format)
      return 0
    }
    const points = `read_parquet(${sqlFiles(parts)}, union_by_name = true)`
    await write(
      workspace,
      `SELECT about.run, about.name, points.step, about.* EXCLUDE (run, name), points.* EXCLUDE (run, step)
       FROM ${points} points JOIN ${about} about USING (run) ORDER BY about.place, points.step`,
      path,
      format,
    )
    return Number((await duck.readRows(`SELECT count(*) AS n FROM ${points}`))[0].n)
  })
}

/** One name for each, also for who does not tell capitals apart, as DuckDB does not. */
export function distinctColumns(names: readonly string[], taken: readonly string[] = []): ReadonlyMap<string, string> {
  const used = new Set(taken.map(name => name.toLowerCase()))
  return new Map(
    names.map(name => {
      let column = name
      for (let again = 2; used.has(column.toLowerCase()); again += 1) column = `${name} (${again})`
      used.add(column.toLowerCase())
      return [name, column] as const
    }),
  )
}

async function within(work: (folder: string) => Promise<number>): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'klens-export-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The order of the runs as they were named; a column of its own until the rows are written. */
const PLACE = 'place'

const SHORTEST_BUFFER = 1 << 20

async function aboutTable({ duck }: Workspace, runs: readonly AboutRun[], folder: string): Promise<string> {
  const names = [...new Set(runs.flatMap(({ columns }) => [...columns.keys()]))]
  const typed = ['run', 'name', ...names].map(name => `${sqlText(name)}: ${sqlText(typeOf(name, runs))}`)
  const rows = runs.map(({ run: { manifest }, columns }, place) =>
    JSON.stringify({ [PLACE]: place, run: manifest.id, name: manifest.name, ...Object.fromEntries(columns) }),
  )
  // DuckDB sets twice as much memory aside as the longest row may have, and of that as much for every thread.
  const longest = Math.max(SHORTEST_BUFFER, ...rows.map(row => Buffer.byteLength(row) + 1))
  const file = join(folder, 'about.jsonl')
  await writeFile(file, `${rows.join('\n')}\n`)
  const table = join(folder, 'about.parquet')
  await duck.copy(
    `COPY (SELECT * FROM read_json(${sqlFiles([file])}, format = 'newline_delimited', maximum_object_size = ${longest},
       columns = {${PLACE}: 'BIGINT', ${typed.join(', ')}}))
     TO ${sqlText(table)} (FORMAT parquet)`,
  )
  return `read_parquet(${sqlFiles([table])})`
}

/** A column of numbers where all of it is numbers, words for NaN among them; else text. */
function typeOf(name: string, runs: readonly AboutRun[]): 'DOUBLE' | 'BOOLEAN' | 'VARCHAR' {
  const values = runs.map(({ columns }) => columns.get(name) ?? null).filter(value => value !== null)
  if (values.length === 0) return 'VARCHAR'
  if (values.every(value => typeof value === 'number' || isNumberWord(value))) return 'DOUBLE'
  return values.every(value => typeof value === 'boolean') ? 'BOOLEAN' : 'VARCHAR'
}

function isNumberWord(value: Json): boolean {
  return value === 'NaN' || value === 'Infinity' || value === '-Infinity'
}

const OPTIONS: { readonly [format in ExportFormat]: string } = {
  csv: 'FORMAT csv, HEADER',
  jsonl: 'FORMAT json',
  parquet: 'FORMAT parquet, COMPRESSION zstd',
}

/** JSON has no NaN and no infinities; a spreadsheet takes a cell that begins like a formula for one. */
async function write({ duck }: Workspace, select: string, path: string, format: ExportFormat): Promise<void> {
  const columns = await duck.readRows(`DESCRIBE ${select}`)
  const spelled = columns
    .map(({ column_name: name, column_type: type }) => ({ name: String(name), type: String(type) }))
    .filter(({ name }) => name !== PLACE)
    .map(({ name, type }) => {
      const column = quoted(name)
      if (format === 'csv') return `${type === 'VARCHAR' ? asText(column) : column} AS ${quoted(asTitle(name))}`
      if (format === 'jsonl' && type === 'DOUBLE') return `${asJson(column)} AS ${column}`
      return column
    })
  await makeFileAtomically(path, async beside => {
    await duck.copy(`COPY (SELECT ${spelled.join(', ')} FROM (${select})) TO ${sqlText(beside)} (${OPTIONS[format]})`)
  })
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

const FORMULA = /^[=+@\t\r-]/

function asTitle(name: string): string {
  return FORMULA.test(name) ? `'${name}` : name
}

function asText(column: string): string {
  return `CASE WHEN regexp_matches(${column}, '^[=+@\\t\\r-]') THEN '''' || ${column} ELSE ${column} END`
}

function asJson(column: string): string {
  return `CASE WHEN ${column} IS NULL OR isfinite(${column}) THEN to_json(${column})
    ELSE to_json(CASE WHEN isnan(${column}) THEN 'NaN' WHEN ${column} > 0 THEN 'Infinity' ELSE '-Infinity' END) END`
}
