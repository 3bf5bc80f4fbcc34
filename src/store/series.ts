import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Quality } from '../model/run.js'
import { readDoubles, sqlFiles, sqlText } from './duck.js'
import { type Manifest, parseManifest } from './manifest.js'
import type { PointBuffer } from './point-buffer.js'

/** Points out of the store. Where a step was written twice, by a restart or by mistake, the later value counts. */

/** A run as a reader holds it: what the manifest lists, and the points of a live file on top. */
export interface LoadedRun {
  readonly folder: string
  readonly manifest: Manifest
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

/**
 * Points of some metrics in step order. A metric that the run lacks is not in the map. Only measured points may enter a
 * computation; cells marked as estimates or as missing (NaN) are read to be shown as what they are.
 */
export async function readSeries(
  run: LoadedRun,
  metrics: readonly string[],
  quality: Quality = 'measured',
): Promise<Map<string, SeriesPoints>> {
  if (run.recent !== undefined) return recentSeries(metrics, run.recent, quality)
  return splitSeries(metrics, await readPoints(run, metrics, quality), run.live, quality)
}

function recentSeries(metrics: readonly string[], recent: PointBuffer, quality: Quality): Map<string, SeriesPoints> {
  const read = metrics.map(metric => [metric, lastOfEachStep(recent.pointsOf(metric, quality))] as const)
  return new Map(read.filter(([, { steps }]) => steps.length > 0))
}

type Columns = readonly [
  metric: Float64Array,
  step: Float64Array,
  value: Float64Array,
  time: Float64Array,
  segment: Float64Array,
]

/** A writer that ends merges parts and removes the old ones; a reader that comes too late for those looks again. */
async function readPoints(run: LoadedRun, metrics: readonly string[], quality: Quality): Promise<Columns> {
  try {
    return await queryPoints(partFiles(run), metrics, quality)
  } catch (error) {
    const path = join(run.folder, 'run.json')
    const { parts } = parseManifest(await readFile(path, 'utf8'), path)
    if (parts.join() === run.manifest.parts.join()) throw error
    return queryPoints(partFiles({ ...run, manifest: { ...run.manifest, parts } }), metrics, quality)
  }
}

async function queryPoints(files: readonly string[], metrics: readonly string[], quality: Quality): Promise<Columns> {
  const none = new Float64Array(0)
  if (files.length === 0 || metrics.length === 0) return [none, none, none, none, none]
  const names = `[${metrics.map(sqlText).join(', ')}]`
  const [metric, step, value, time, segment] = await readDoubles(
    `SELECT list_position(${names}, metric)::DOUBLE, step, coalesce(value, 'nan'::DOUBLE),
            coalesce(time, 'nan'::DOUBLE), segment::DOUBLE
     FROM read_parquet(${sqlFiles(files)}, file_row_number = true)
     WHERE metric IN (${metrics.map(sqlText).join(', ')}) AND quality = ${sqlText(quality)}
     ORDER BY 1, step, file_index, file_row_number`,
    5,
  )
  return [metric, step, value, time, segment]
}

/** Columns sorted by (metric, step) into one entry per metric, the last of equal steps kept, live points on top. */
function splitSeries(
  metrics: readonly string[],
  columns: Columns,
  live: PointBuffer | null,
  quality: Quality,
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
    const added = live?.pointsOf(metrics[index - 1], quality) ?? null
    const points = lastOfEachStep(added === null ? stored : joinSorted(stored, added))
    if (points.steps.length > 0) result.set(metrics[index - 1], points)
    start = end
  }
  return result
}

function lastOfEachStep(points: SeriesPoints): SeriesPoints {
  const { steps } = points
  const kept: number[] = []
  let repeats = false
  for (let i = 0; i < steps.length; i += 1) {
    if (steps[i + 1] === steps[i]) repeats = true
    else kept.push(i)
  }
  return repeats ? pick(points, kept) : points
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

export function partFiles(run: LoadedRun): string[] {
  return run.manifest.parts.map(part => join(run.folder, part))
}
