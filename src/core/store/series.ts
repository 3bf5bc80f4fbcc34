import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EvaluatedMetric } from '../../logs/model/evaluation.js'
import { Problem } from '../../logs/model/problem.js'
import { message } from '../../text/say.js'
import { sqlFiles, sqlNumber, sqlText } from './duck.js'
import { selectEvaluated } from './evaluations.js'
import type { LoadedRun } from './loaded-run.js'
import type { StoredRun } from './manifest.js'
import { parseManifest } from './manifest-file.js'
import { newPoints, type PointBuffer } from './point-buffer.js'
import {
  COLUMN_NAMES,
  inStepOrder,
  joined,
  lastOfEachStep,
  type SeriesPoints,
  type SeriesSelection,
  type StepRange,
  slice,
  within,
} from './series-points.js'

export type { LoadedRun, SeriesPoints, SeriesSelection, StepRange }

/** Points out of the store. Where a step was written twice, by a restart or by mistake, the later value counts. */

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
  if (storedPoints(run, metrics) > LONG) return oneByOne(run, metrics, selection)
  const stored = await fromParts(run, async files => {
    const { pointsInOwnParts } = await import('./own-parts.js')
    const own = await pointsInOwnParts(run.workspace.duck.files, files, metrics, selection)
    return own ?? queryPoints(run, files, metrics, selection)
  })
  return withLive(metrics, stored, run.live, selection)
}

/** So many points weigh 40 MB, and as much again where DuckDB holds them too. */
const LONG = 1_000_000

function storedPoints({ manifest }: LoadedRun, metrics: readonly string[]): number {
  return metrics.reduce((sum, metric) => sum + (manifest.metrics.get(metric)?.stored ?? 0), 0)
}

/** Through small pieces into arrays of the right size, so that a long series is in memory once. */
async function oneByOne(run: LoadedRun, metrics: readonly string[], selection: SeriesSelection) {
  const result = new Map<string, SeriesPoints>()
  for (const metric of new Set(metrics)) {
    const most = storedPoints(run, [metric]) + (run.live?.length ?? 0)
    const points = newPoints(most)
    let n = 0
    for await (const piece of streamSeries(run, metric, selection)) {
      for (const column of COLUMN_NAMES) points[column].set(piece[column], n)
      n += piece.steps.length
    }
    if (n > 0) result.set(metric, slice(points, 0, n))
  }
  return result
}

/** Few queries for many short series, and no more of a long one at a time than that. */
const POINTS_AT_ONCE = 200_000
const METRICS_AT_ONCE = 500

/**
 * All points of the metrics, one metric after the other in the order given. A long one comes in several pieces, one
 * without points in an empty one.
 */
export async function* seriesInPieces(
  run: LoadedRun,
  metrics: readonly string[],
  pointsAtOnce = POINTS_AT_ONCE,
): AsyncGenerator<readonly [metric: string, points: SeriesPoints]> {
  for (let next = 0; next < metrics.length; ) {
    const metric = metrics[next]
    if (storedPoints(run, [metric]) > pointsAtOnce && run.recent === undefined) {
      for await (const piece of streamSeries(run, metric)) yield [metric, piece]
      next += 1
      continue
    }
    const group: string[] = []
    for (let points = 0; next < metrics.length && group.length < METRICS_AT_ONCE; next += 1) {
      points += storedPoints(run, [metrics[next]])
      if (points > pointsAtOnce && group.length > 0) break
      group.push(metrics[next])
    }
    const series = await readSeries(run, group)
    for (const metric of group) yield [metric, series.get(metric) ?? newPoints(0)]
  }
}

/**
 * Points of one logged metric in step order, some thousand at a time: a run can have more than fit into memory. What they
 * are is what `readSeries` says they are.
 */
async function* streamSeries(
  run: LoadedRun,
  metric: string,
  selection: SeriesSelection = {},
): AsyncGenerator<SeriesPoints> {
  let live = run.live === null ? null : livePoints(run.live, metric, selection)
  // Of points at one step the last counts, so the last step waits for what may be behind it.
  let waiting: SeriesPoints = newPoints(0)
  for await (const stored of storedPieces(run, metric, selection)) {
    let piece = joined(waiting, stored)
    const lastStep = piece.steps[piece.steps.length - 1]
    if (live !== null) {
      const upTo = live.steps.findIndex(step => step > lastStep)
      const reached = upTo < 0 ? live.steps.length : upTo
      if (reached > 0) piece = inStepOrder(joined(piece, slice(live, 0, reached)))
      live = reached < live.steps.length ? slice(live, reached) : null
    }
    const done = piece.steps.indexOf(lastStep)
    waiting = slice(piece, done)
    if (done > 0) yield lastOfEachStep(slice(piece, 0, done))
  }
  const rest = lastOfEachStep(live === null ? waiting : inStepOrder(joined(waiting, live)))
  if (rest.steps.length > 0) yield rest
}

/** The first piece is read before anything is given: then parts that a writer has merged meanwhile are noticed. */
async function* storedPieces(run: LoadedRun, metric: string, selection: SeriesSelection): AsyncGenerator<SeriesPoints> {
  const { first, pieces } = await fromParts(run, async files => {
    if (files.length === 0) return { first: null, pieces: null }
    const sql = `SELECT ${POINT_COLUMNS} ${fromMetrics(files, [metric], selection)} ORDER BY step, file_index, file_row_number`
    const pieces = run.workspace.duck.streamDoubles(sql, 4)
    const { value, done } = await pieces.next()
    return { first: done === true ? null : value, pieces }
  })
  if (first === null) return
  yield pointsOf(first)
  for await (const piece of pieces) yield pointsOf(piece)
}

function pointsOf([steps, values, times, segments]: readonly Float64Array[]): SeriesPoints {
  return { steps, values, times, segments }
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

/** A writer that ends merges parts and removes the old ones; a reader that comes too late for those looks again. */
export async function fromParts<Result>(
  run: LoadedRun,
  read: (files: readonly string[]) => Promise<Result>,
): Promise<Result> {
  try {
    return await read(readableParts(run))
  } catch (error) {
    const path = join(run.folder, 'run.json')
    const { parts } = parseManifest(await readFile(path, 'utf8'), path)
    if (parts.join() === run.manifest.parts.join()) throw error
    return read(partFiles({ ...run, manifest: { ...run.manifest, parts } }))
  }
}

async function queryPoints(
  { workspace }: LoadedRun,
  files: readonly string[],
  metrics: readonly string[],
  selection: SeriesSelection,
): Promise<ReadonlyMap<string, SeriesPoints>> {
  const found = new Map<string, SeriesPoints>()
  if (files.length === 0 || metrics.length === 0) return found
  const names = `[${metrics.map(sqlText).join(', ')}]`
  const [metric, ...columns] = await workspace.duck.readDoubles(
    `SELECT list_position(${names}, metric)::DOUBLE, ${POINT_COLUMNS} ${fromMetrics(files, metrics, selection)}
     ORDER BY 1, step, file_index, file_row_number`,
    5,
  )
  for (let from = 0; from < metric.length; ) {
    let to = from + 1
    while (metric[to] === metric[from]) to += 1
    found.set(metrics[metric[from] - 1], slice(pointsOf(columns), from, to))
    from = to
  }
  return found
}

const POINT_COLUMNS = `step, coalesce(value, 'nan'::DOUBLE), coalesce(time, 'nan'::DOUBLE), segment::DOUBLE`

function fromMetrics(
  files: readonly string[],
  metrics: readonly string[],
  { quality = 'measured', ...range }: SeriesSelection,
): string {
  return `FROM read_parquet(${sqlFiles(files)}, file_row_number = true)
    WHERE metric IN (${metrics.map(sqlText).join(', ')}) AND quality = ${sqlText(quality)}${inRange(range)}`
}

/** As a condition that is added to others. */
export function inRange({ after, upTo }: StepRange): string {
  const isBeyond = after === undefined ? '' : ` AND step > ${sqlNumber(after)}`
  const isWithin = upTo === undefined ? '' : ` AND step <= ${sqlNumber(upTo)}`
  return `${isBeyond}${isWithin}`
}

/** Live points on top; of equal steps the last is kept. */
function withLive(
  metrics: readonly string[],
  stored: ReadonlyMap<string, SeriesPoints>,
  live: PointBuffer | null,
  selection: SeriesSelection,
): Map<string, SeriesPoints> {
  const result = new Map<string, SeriesPoints>()
  for (const metric of metrics) {
    const before = stored.get(metric) ?? newPoints(0)
    const added = live === null ? null : livePoints(live, metric, selection)
    const points = lastOfEachStep(added === null ? before : inStepOrder(joined(before, added)))
    if (points.steps.length > 0) result.set(metric, points)
  }
  return result
}

/** The points of a metric that are not in a part yet, in the order they came; null where there are none. */
export function livePoints(
  live: PointBuffer,
  metric: string,
  { quality = 'measured', ...range }: SeriesSelection,
): SeriesPoints | null {
  const points = within(live.pointsOf(metric, quality), range)
  return points.steps.length === 0 ? null : points
}

/** The parts to read points from: a manifest that counts points must list them, and each that it has a checksum of. */
export function readableParts(run: LoadedRun): string[] {
  const { parts, checksums, metrics, id } = run.manifest
  let stored = -(run.live?.length ?? 0)
  for (const metric of metrics.values()) stored += metric.stored
  const lacksOne = [...checksums.keys()].some(name => name.startsWith('points/') && !parts.includes(name))
  if (lacksOne || (parts.length === 0 && stored > 0)) {
    throw new Problem('damaged', message('skip.damaged', { path: join(run.folder, 'run.json'), run: id }))
  }
  return partFiles(run)
}

export function partFiles({ folder, manifest }: Pick<StoredRun, 'folder' | 'manifest'>): string[] {
  return manifest.parts.map(part => join(folder, part))
}
