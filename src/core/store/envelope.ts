import { groupBy } from '../../logs/model/util/group-by.js'
import { type Buckets, bucketsFrom, regrouped, type StepReach, stretchAt } from './buckets.js'
import { appendDoubles, type Duck, sqlFiles, sqlNumber, sqlText } from './duck.js'
import { selectEvaluated } from './evaluations.js'
import { hasSeries, isPlain } from './manifest.js'
import { keepOutlines, keptStretches, readOutlines } from './outlines.js'
import {
  fromParts,
  inRange,
  type LoadedRun,
  livePoints,
  readableParts,
  readSeries,
  type SeriesPoints,
  type StepRange,
} from './series.js'

/**
 * A series as a picture needs it: every point where there are few, and else the range of the values in each stretch of
 * steps, computed by DuckDB so that only what is shown crosses the border. No peak is lost, as it would be by leaving
 * points out, and the answer says which of the two it is.
 */
export type SeriesOutline =
  | { readonly kind: 'exact'; readonly total: number; readonly points: SeriesPoints }
  | { readonly kind: 'envelope'; readonly total: number; readonly buckets: Buckets }

interface OutlineRequest extends StepRange {
  /** At most so many points or stretches. */
  readonly most: number
}

/** Orders points of several files by one number: more rows than a file can have, and more than all files have. */
const ROWS_PER_FILE = '1_000_000_000_000'
const AFTER_ALL_FILES = '9_000_000_000_000_000_000'

/** A metric that the run lacks, or that has no measured point in the range, is not in the map. */
export async function outlineSeries(
  run: LoadedRun,
  metrics: readonly string[],
  request: OutlineRequest,
): Promise<Map<string, SeriesOutline>> {
  const { most, ...range } = request
  const outlines = new Map<string, SeriesOutline>()
  const short: string[] = []
  const keep = (metric: string, outline: SeriesOutline | 'few'): void => {
    if (outline === 'few') short.push(metric)
    else outlines.set(metric, outline)
  }
  const alike: string[] = []
  const kept = await keptEnvelopes(run, metrics, request)
  for (const metric of new Set(metrics)) {
    const outline = kept.get(metric)
    if (outline !== undefined) outlines.set(metric, outline)
    if (outline !== undefined || !hasSeries(run.manifest, metric)) continue
    const reach = knownReach(run, metric, range)
    if (reach !== null && reach.total <= most) keep(metric, 'few')
    else if (isPlain(run.manifest, metric) && run.live === null) alike.push(metric)
    else keep(metric, await fromParts(run, files => bucketsOf(run, files, metric, request)))
  }
  const together = alike.length === 0 ? [] : await fromParts(run, files => bucketsOfAll(run, files, alike, request))
  for (const [metric, outline] of together) keep(metric, outline)
  const exact = short.length === 0 ? new Map<string, SeriesPoints>() : await readSeries(run, short, range)
  for (const [metric, points] of exact) outlines.set(metric, { kind: 'exact', total: points.steps.length, points })
  return outlines
}

/**
 * Of whole long series, from the outlines that are kept with the run: at most so many stretches as are asked for, each of as
 * many kept ones. Those that are not kept yet are made for the next who asks.
 */
async function keptEnvelopes(
  run: LoadedRun,
  metrics: readonly string[],
  { most, ...range }: OutlineRequest,
): Promise<ReadonlyMap<string, SeriesOutline>> {
  const isWhole = range.after === undefined && range.upTo === undefined && run.live === null
  const wanted = (isWhole ? metrics : []).flatMap(metric => {
    const [reach, stretches] = [knownReach(run, metric, {}), keptStretches(run.manifest, metric)]
    // A picture that is much finer than what is kept is made of the points.
    const isKept = reach !== null && stretches !== null && reach.total > most && most <= 2 * stretches
    return isKept ? [{ metric, reach, stretches }] : []
  })
  if (wanted.length === 0) return new Map()
  const fine = new Map(readOutlines(run, new Set(wanted.map(({ metric }) => metric))))
  const missing = wanted.filter(({ metric }) => !fine.has(metric))
  if (missing.length > 0) {
    const made = new Map<string, Buckets>()
    for (const [stretches, group] of groupBy(missing, each => each.stretches)) {
      const names = group.map(({ metric }) => metric)
      const found = await fromParts(run, files => bucketsOfAll(run, files, names, { most: stretches }))
      for (const [metric, outline] of found) {
        if (outline !== 'few' && outline.kind === 'envelope') made.set(metric, outline.buckets)
      }
    }
    await keepOutlines(run, made)
    for (const [metric, buckets] of made) fine.set(metric, buckets)
  }
  return new Map(
    wanted.flatMap(({ metric, reach, stretches }) => {
      const buckets = fine.get(metric)
      const together = Math.ceil(stretches / most)
      const stretchOf = (step: number): number => Math.floor(stretchAt(reach, stretches, step) / together)
      if (buckets === undefined) return []
      return [
        [
          metric,
          { kind: 'envelope', total: reach.total, buckets: regrouped({ ...buckets, counts: buckets }, stretchOf) },
        ] as const,
      ]
    }),
  )
}

/** Metrics over the same steps in one query: a picture of eight of them costs little more than that of one. */
async function bucketsOfAll(
  run: LoadedRun,
  files: readonly string[],
  metrics: readonly string[],
  { most, ...range }: OutlineRequest,
): Promise<readonly (readonly [metric: string, outline: SeriesOutline | 'few'])[]> {
  const { duck } = run.workspace
  if (files.length === 0) return metrics.map(metric => [metric, 'few'])
  const known = metrics.map(metric => [metric, knownReach(run, metric, range)] as const)
  const unknown = known.flatMap(([metric, reach]) => (reach === null ? [metric] : []))
  const looked = unknown.length === 0 ? new Map<string, StepReach>() : await queryReaches(duck, files, unknown, range)
  const reaches = known.map(([metric, reach]) => [metric, reach ?? looked.get(metric) ?? NOWHERE] as const)
  const found: (readonly [string, SeriesOutline | 'few'])[] = []
  for (const group of groupBy(reaches, ([, { first, last }]) => `${first} ${last}`).values()) {
    const long = group.filter(([, { total }]) => total > most)
    for (const [metric, { total }] of group) if (total <= most) found.push([metric, 'few'])
    if (long.length > 0) found.push(...(await envelopes(duck, files, long, { most, ...range })))
  }
  return found
}

const NOWHERE = { first: 0, last: 0, total: 0 }

async function queryReaches(
  duck: Duck,
  files: readonly string[],
  metrics: readonly string[],
  range: StepRange,
): Promise<ReadonlyMap<string, StepReach>> {
  const [place, first, last, total] = await duck.readDoubles(
    `SELECT ${placeAmong(metrics)}, min(step), max(step), count(*)::DOUBLE FROM ${storedPoints(files, metrics, range)}
     GROUP BY 1`,
    4,
  )
  return new Map(
    Array.from(place, (at, i) => [metrics[at - 1], { first: first[i], last: last[i], total: total[i] }] as const),
  )
}

/** Of metrics that reach equally far. */
async function envelopes(
  duck: Duck,
  files: readonly string[],
  reaches: readonly (readonly [metric: string, reach: StepReach])[],
  { most, ...range }: OutlineRequest,
): Promise<readonly (readonly [metric: string, outline: SeriesOutline])[]> {
  const metrics = reaches.map(([metric]) => metric)
  const [place, ...columns] = await duck.readDoubles(
    `SELECT ${placeAmong(metrics)}, ${STRETCH} FROM ${storedPoints(files, metrics, range)}
     GROUP BY 1, ${stretchOf(reaches[0][1], most)} ORDER BY 1, 2`,
    8,
  )
  let start = 0
  return reaches.map(([metric, { total }], i) => {
    let end = start
    while (place[end] === i + 1) end += 1
    const buckets = bucketsFrom(columns.map(column => column.subarray(start, end)))
    start = end
    return [metric, { kind: 'envelope', total, buckets }]
  })
}

function placeAmong(metrics: readonly string[]): string {
  return `list_position([${metrics.map(sqlText).join(', ')}], metric)::DOUBLE`
}

function storedPoints(files: readonly string[], metrics: readonly string[], range: StepRange): string {
  const names = metrics.map(sqlText).join(', ')
  return `read_parquet(${sqlFiles(files)}) WHERE metric IN (${names}) AND quality = 'measured'${inRange(range)}`
}

/** One series whose points are evaluations, or come from a live file too, or of which some replace others. */
async function bucketsOf(
  run: LoadedRun,
  files: readonly string[],
  metric: string,
  { most, ...range }: OutlineRequest,
): Promise<SeriesOutline | 'few'> {
  const { duck } = run.workspace
  return withLivePoints(run, metric, range, async live => {
    const points = pointsQuery(run, files, metric, { range, live })
    if (points === null) return 'few'
    const reach = knownReach(run, metric, range) ?? (await queryReach(duck, points))
    return reach.total <= most ? 'few' : envelope(duck, points, most, reach)
  })
}

/** Steps and values of the points that count; null where no file has any. */
function pointsQuery(
  run: LoadedRun,
  files: readonly string[],
  metric: string,
  { range, live }: { readonly range: StepRange; readonly live: readonly string[] },
): string | null {
  const evaluated = run.manifest.evaluated?.get(metric)
  if (evaluated !== undefined) return `${selectEvaluated(run.folder, evaluated, 'measured')}${inRange(range)}`
  const stored = `SELECT step, value, file_index::BIGINT * ${ROWS_PER_FILE} + file_row_number AS place
    FROM read_parquet(${sqlFiles(files)}, file_row_number = true)
    WHERE metric = ${sqlText(metric)} AND quality = 'measured'${inRange(range)}`
  const all = [...(files.length > 0 ? [stored] : []), ...live].join(' UNION ALL ')
  if (all === '') return null
  return isPlain(run.manifest, metric) ? all : `SELECT step, arg_max(value, place) AS value FROM (${all}) GROUP BY step`
}

/** From the manifest, which spares half of the work where a whole series is asked for. */
function knownReach(run: LoadedRun, metric: string, { after, upTo }: StepRange): StepReach | null {
  const record = run.manifest.metrics.get(metric)
  if (record === undefined || !isPlain(run.manifest, metric) || after !== undefined || upTo !== undefined) return null
  return { first: record.firstStep, last: record.lastStep, total: record.n }
}

async function queryReach(duck: Duck, points: string): Promise<StepReach> {
  const [[first], [last], [total]] = await duck.readDoubles(
    `SELECT coalesce(min(step), 0), coalesce(max(step), 0), count(*)::DOUBLE FROM (${points})`,
    3,
  )
  return { first, last, total }
}

async function envelope(duck: Duck, points: string, most: number, reach: StepReach): Promise<SeriesOutline> {
  const columns = await duck.readDoubles(
    `SELECT ${STRETCH} FROM (${points}) GROUP BY ${stretchOf(reach, most)} ORDER BY 1`,
    7,
  )
  return { kind: 'envelope', total: reach.total, buckets: bucketsFrom(columns) }
}

const STRETCH = `min(step), max(step), coalesce(min(value) FILTER (isfinite(value)), 'nan'),
  coalesce(max(value) FILTER (isfinite(value)), 'nan'), coalesce(avg(value) FILTER (isfinite(value)), 'nan'),
  count(*)::DOUBLE, (count(*) FILTER (NOT isfinite(value)))::DOUBLE`

function stretchOf({ first, last }: StepReach, most: number): string {
  return `least(${most - 1}, floor((step - ${sqlNumber(first)}) / ${sqlNumber((last - first) / most)}))`
}

/** Live points count after all others at their step. */
async function withLivePoints<Result>(
  { workspace: { duck }, live }: LoadedRun,
  metric: string,
  range: StepRange,
  work: (selects: readonly string[]) => Promise<Result>,
): Promise<Result> {
  const points = live === null ? null : livePoints(live, metric, range)
  if (points === null) return work([])
  const { steps, values } = points
  return duck.staged(
    'step DOUBLE, value DOUBLE',
    appender => appendDoubles(appender, [steps, values]),
    table => work([`SELECT step, value, ${AFTER_ALL_FILES} + rowid AS place FROM ${table}`]),
  )
}

/** How regularly each metric was logged. Computed by DuckDB, because a long run does not fit into memory. */
export interface Regularity {
  readonly metric: string
  /** The most common distance between two steps. */
  readonly interval: number
  /** How many distances there are, and how many of them are just that. */
  readonly distances: number
  readonly regular: number
  readonly wider: number
  /** The widest hole. */
  readonly from: number
  readonly to: number
}

export async function regularities(run: LoadedRun): Promise<readonly Regularity[]> {
  const files = readableParts(run)
  if (files.length === 0) return []
  // Of millions of points it takes half of the time to look for a step that is there twice.
  const isOnce = [...run.manifest.metrics.keys()].every(metric => isPlain(run.manifest, metric))
  const rows = await run.workspace.duck.readRows(
    `WITH steps AS (
       SELECT ${isOnce ? '' : 'DISTINCT'} metric, step FROM read_parquet(${sqlFiles(files)}) WHERE quality = 'measured'
     ), distances AS (
       SELECT metric, step, lag(step) OVER (PARTITION BY metric ORDER BY step) AS before FROM steps
     ), usual AS (
       SELECT metric, mode(step - before) AS usual_distance FROM distances WHERE before IS NOT NULL GROUP BY metric
     )
     SELECT metric, any_value(usual_distance) AS usual_distance, count(*) AS distances,
            count(*) FILTER (step - before = usual_distance) AS regular,
            count(*) FILTER (step - before > usual_distance) AS wider,
            arg_max(before, step - before) AS hole_from, arg_max(step, step - before) AS hole_to
     FROM distances JOIN usual USING (metric) WHERE before IS NOT NULL GROUP BY metric ORDER BY metric`,
  )
  return rows.map(row => ({
    metric: String(row.metric),
    interval: Number(row.usual_distance),
    distances: Number(row.distances),
    regular: Number(row.regular),
    wider: Number(row.wider),
    from: Number(row.hole_from),
    to: Number(row.hole_to),
  }))
}
