import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeFileAtomically } from './atomic.js'
import { sqlFiles, sqlText } from './duck.js'
import { selectEvaluated } from './evaluations.js'
import { writePart } from './parts.js'
import { type LoadedRun, partFiles } from './series.js'
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
    const files = [...partFiles(run)]
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
