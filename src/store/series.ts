import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EvaluatedMetric } from '../model/evaluation.js'
import type { Quality } from '../model/run.js'
import { sqlFiles, sqlNumber, sqlText } from './duck.js'
import { selectEvaluated } from './evaluations.js'
import { parseManifest, type StoredRun } from './manifest.js'
import type { PointBuffer } from './point-buffer.js'

/** Points out of the store. Where a step was written twice, by a restart or by mistake, the later value counts. */

/** A run as a reader holds it: what the manifest lists, and the points of a live file on top. */
export interface LoadedRun extends StoredRun {
  readonly live: PointBuffer | null
  /** All points of the parts, where this process has just written them: then nothing has to be read back. */
  readonly recent?: PointBuffer
}

export interface SeriesPoints {
  readonly steps: Float64Array
  readonly values: Float64Array
  /** Unix seconds, NaN where unknown. */
  readonly times: Float64Array
  readonly segments: Float64Array
}

/** Which points of a series: measured ones at every step, unless something else is said. */
export interface SeriesSelection extends StepRange {
  readonly quality?: Quality
}

export interface StepRange {
  /**
   * Only points beyond this step: what has arrived since. A restart may replace points before it; the run's segments
   * tell of one.
   */
  readonly after?: number
  /** Only points up to this step, itself included. */
  readonly upTo?: number
}

/**
 * Points of some metrics in step order. A metric that the run lacks is not in the map. Only measured points may enter a
 * computation; cells marked as estimates or as missing (NaN) are read to be shown as what they are.
 */
export async function readSeries(
  run: LoadedRun,
  metrics: readonly string[],
  selection: SeriesSelection = {},
): Promise<Map<string, SeriesPoints>> {
  const { evaluated } = run.manifest
  const logged = metrics.filter(metric => evaluated?.has(metric) !== true)
  const series =
    run.recent === undefined ? await fromDisk(run, logged, selection) : inMemory(run.recent, logged, selection)
  for (const name of metrics) {
    const metric = evaluated?.get(name)
    const points = metric === undefined ? null : await readEvaluated(run, metric, selection)
    if (points !== null) series.set(name, points)
  }
  return series
}

async function fromDisk(run: LoadedRun, metrics: readonly string[], selection: SeriesSelection) {
  const columns = await fromParts(run, files => queryPoints(run, files, metrics, selection))
  return splitSeries(metrics, columns, run.live, selection)
}

function inMemory(recent: PointBuffer, metrics: readonly string[], selection: SeriesSelection) {
  const read = metrics.map(metric => [metric, livePoints(recent, metric, selection)] as const)
  return new Map(
    read.flatMap(([metric, points]) => (points === null ? [] : [[metric, lastOfEachStep(points)] as const])),
  )
}

/** Nobody has said when an evaluation was made, and a restart does not touch it. */
async function readEvaluated(
  { workspace, folder }: LoadedRun,
  metric: EvaluatedMetric,
  { quality = 'measured', ...range }: SeriesSelection,
): Promise<SeriesPoints | null> {
  const rows = selectEvaluated(folder, metric, quality)
  const [steps, values] = await workspace.duck.readDoubles(`${rows}${inRange(range)} ORDER BY step`, 2)
  if (steps.length === 0) return null
  return { steps, values, times: steps.map(() => Number.NaN), segments: new Float64Array(steps.length) }
}

type Columns = readonly [
  metric: Float64Array,
  step: Float64Array,
  value: Float64Array,
  time: Float64Array,
  segment: Float64Array,
]

/** A writer that ends merges parts and removes the old ones; a reader that comes too late for those looks again. */
export async function fromParts<Result>(
  run: LoadedRun,
  read: (files: readonly string[]) => Promise<Result>,
): Promise<Result> {
  try {
    return await read(partFiles(run))
  } catch (error) {
    const path = join(run.folder, 'run.json')
    const { parts } = parseManifest(await readFile(path, 'utf8'), path)
    if (parts.join() === run.manifest.parts.join()) throw error
    return read(partFiles({ ...run, manifest: { ...run.manifest, parts } }))
  }
}

/** So many points weigh 40 MB, and as much again where DuckDB holds them too. */
const LONG = 1_000_000

async function queryPoints(
  { workspace, manifest }: LoadedRun,
  files: readonly string[],
  metrics: readonly string[],
  { quality = 'measured', ...range }: SeriesSelection,
): Promise<Columns> {
  const none = new Float64Array(0)
  if (files.length === 0 || metrics.length === 0) return [none, none, none, none, none]
  const names = `[${metrics.map(sqlText).join(', ')}]`
  const stored = metrics.reduce((sum, metric) => sum + (manifest.metrics.get(metric)?.stored ?? 0), 0)
  const [metric, step, value, time, segment] = await workspace.duck.readDoubles(
    `SELECT list_position(${names}, metric)::DOUBLE, step, coalesce(value, 'nan'::DOUBLE),
            coalesce(time, 'nan'::DOUBLE), segment::DOUBLE
     FROM read_parquet(${sqlFiles(files)}, file_row_number = true)
     WHERE metric IN (${metrics.map(sqlText).join(', ')}) AND quality = ${sqlText(quality)}${inRange(range)}
     ORDER BY 1, step, file_index, file_row_number`,
    5,
    { isLong: stored > LONG },
  )
  return [metric, step, value, time, segment]
}

/** As a condition that is added to others. */
export function inRange({ after, upTo }: StepRange): string {
  const isBeyond = after === undefined ? '' : ` AND step > ${sqlNumber(after)}`
  const isWithin = upTo === undefined ? '' : ` AND step <= ${sqlNumber(upTo)}`
  return `${isBeyond}${isWithin}`
}

/** Columns sorted by (metric, step) into one entry per metric, the last of equal steps kept, live points on top. */
function splitSeries(
  metrics: readonly string[],
  columns: Columns,
  live: PointBuffer | null,
  selection: SeriesSelection,
): Map<string, SeriesPoints> {
  const [metric, step, value, time, segment] = columns
  const result = new Map<string, SeriesPoints>()
  let start = 0
  for (let index = 1; index <= metrics.length; index += 1) {
    let end = start
    while (end < metric.length && metric[end] === index) end += 1
    const stored = {
      steps: step.subarray(start, end),
      values: value.subarray(start, end),
      times: time.subarray(start, end),
      segments: segment.subarray(start, end),
    }
    const added = live === null ? null : livePoints(live, metrics[index - 1], selection)
    const points = lastOfEachStep(added === null ? stored : joinSorted(stored, added))
    if (points.steps.length > 0) result.set(metrics[index - 1], points)
    start = end
  }
  return result
}

/** The points of a metric that are not in a part yet, in the order they came; null where there are none. */
export function livePoints(
  live: PointBuffer,
  metric: string,
  { quality = 'measured', after = Number.NEGATIVE_INFINITY, upTo = Number.POSITIVE_INFINITY }: SeriesSelection,
): SeriesPoints | null {
  const points = live.pointsOf(metric, quality)
  const chosen = [...points.steps.keys()].filter(i => points.steps[i] > after && points.steps[i] <= upTo)
  return chosen.length === 0 ? null : pick(points, chosen)
}

/** In place, because a long series does not fit into memory many times. */
function lastOfEachStep(points: SeriesPoints): SeriesPoints {
  const { steps, values, times, segments } = points
  let kept = 0
  for (let i = 0; i < steps.length; i += 1) {
    if (steps[i + 1] === steps[i]) continue
    if (kept < i) for (const column of [steps, values, times, segments]) column[kept] = column[i]
    kept += 1
  }
  if (kept === steps.length) return points
  return {
    steps: steps.subarray(0, kept),
    values: values.subarray(0, kept),
    times: times.subarray(0, kept),
    segments: segments.subarray(0, kept),
  }
}

/** Stable: of equal steps the added one comes last. */
function joinSorted(stored: SeriesPoints, added: SeriesPoints): SeriesPoints {
  const both: SeriesPoints = {
    steps: concatenate(stored.steps, added.steps),
    values: concatenate(stored.values, added.values),
    times: concatenate(stored.times, added.times),
    segments: concatenate(stored.segments, added.segments),
  }
  const order = [...both.steps.keys()].sort((a, b) => both.steps[a] - both.steps[b] || a - b)
  return pick(both, order)
}

function pick({ steps, values, times, segments }: SeriesPoints, order: readonly number[]): SeriesPoints {
  return {
    steps: Float64Array.from(order, i => steps[i]),
    values: Float64Array.from(order, i => values[i]),
    times: Float64Array.from(order, i => times[i]),
    segments: Float64Array.from(order, i => segments[i]),
  }
}

function concatenate(a: Float64Array, b: Float64Array): Float64Array {
  const joined = new Float64Array(a.length + b.length)
  joined.set(a)
  joined.set(b, a.length)
  return joined
}

export function partFiles({ folder, manifest }: Pick<StoredRun, 'folder' | 'manifest'>): string[] {
  return manifest.parts.map(part => join(folder, part))
}
