import {
  type ChartSeries,
  type Envelope,
  type Extent,
  isMeasured,
  type ProgressUnit,
  type ValueRange,
} from './chart.js'
import { roundSpan } from './scale.js'

/**
 * More points than pixels: the range of the values in each stretch of steps, and their mean. No peak disappears, as it
 * would by leaving points out, and the chart says what it shows.
 */

/** A stretch is drawn this wide at least, in pixels. */
const STRETCH_WIDTH = 3

export function isDense(lines: readonly ChartSeries[], pixels: number): boolean {
  return lines.some(({ x }) => x.length > pixels)
}

/** The same for all lines of a plot, so that they can be compared. */
export function stretchSize(
  lines: readonly ChartSeries[],
  [from, to]: Extent,
  pixels: number,
  unit: ProgressUnit = 'steps',
): number {
  const longest = lines.reduce((most, { x }) => Math.max(most, x.length), 0)
  const spacing = (to - from) / Math.max(1, longest - 1)
  return roundSpan(Math.max(((to - from) * STRETCH_WIDTH) / pixels, 2 * spacing), unit)
}

/** Over all of the lines together; a stretch without a finite value is left out, which leaves a gap. */
export function envelopeOf(lines: readonly ChartSeries[], size: number): Envelope {
  const buckets = new Map<number, Bucket>()
  for (const { x, y } of lines) {
    let bucket: Bucket | undefined
    for (let i = 0; i < x.length; i += 1) {
      const value = y[i]
      if (!isMeasured(value) || !Number.isFinite(x[i])) continue
      const at = Math.floor(x[i] / size)
      // Points come in order, so that most fall where the last one fell.
      if (bucket?.at !== at) bucket = buckets.get(at)
      if (bucket === undefined) {
        bucket = { at, low: value, high: value, sum: 0, count: 0 }
        buckets.set(at, bucket)
      }
      if (value < bucket.low) bucket.low = value
      if (value > bucket.high) bucket.high = value
      bucket.sum += value
      bucket.count += 1
    }
  }
  const inOrder = [...buckets.values()].sort((a, b) => a.at - b.at)
  return {
    size,
    count: inOrder.reduce((sum, { count }) => sum + count, 0),
    stretches: inOrder.map(({ at, low, high, sum, count }) => ({
      from: at * size,
      to: (at + 1) * size,
      low,
      high,
      mean: sum / count,
    })),
  }
}

interface Bucket {
  readonly at: number
  low: number
  high: number
  sum: number
  count: number
}

/** Runs of stretches that touch each other. */
export function touching({ stretches, size }: Envelope): readonly (readonly ValueRange[])[] {
  const groups: ValueRange[][] = []
  for (const stretch of stretches) {
    const last = groups.at(-1)?.at(-1)
    if (last !== undefined && isNext(last, stretch, size)) groups[groups.length - 1].push(stretch)
    else groups.push([stretch])
  }
  return groups
}

const SLACK = 1e-3

/** A stretch that is told by its first and last point ends before the next one begins, by at most its size. */
function isNext(last: ValueRange, { from }: ValueRange, size: number): boolean {
  const between = from - last.to
  const isToldByPoints = last.to - last.from < (1 - SLACK) * size
  return between < size / 2 || (isToldByPoints && between < (1 + SLACK) * size)
}

/**
 * Where a line must break. A value that is not finite is missing; so is one at a step that was left out of a regular
 * rhythm (evaluations at 5, 10, 20, 25). A line through such a place would show something that nobody measured.
 */

/** How many spacings on each side tell the rhythm, and how much longer than it a hole is. */
const NEIGHBOURS = 4
const HOLE = 1.5

export interface PlottedPoint {
  readonly x: number
  readonly y: number
}

/** Unbroken stretches of a line. */
export function segmentsOf({ x, y }: ChartSeries): readonly (readonly PlottedPoint[])[] {
  const spacings = x.slice(1).map((at, i) => at - x[i])
  const segments: PlottedPoint[][] = []
  let open = false
  for (const [i, at] of x.entries()) {
    const value = y[i]
    if (i > 0 && isHole(spacings, i - 1)) open = false
    if (!isMeasured(value)) open = false
    else if (open) segments[segments.length - 1].push({ x: at, y: value })
    else {
      segments.push([{ x: at, y: value }])
      open = true
    }
  }
  return segments
}

/** Without a rhythm (logarithmic steps, wall-clock steps) nothing can be said to be left out. */
function isHole(spacings: readonly number[], at: number): boolean {
  const around = [...spacings.slice(Math.max(0, at - NEIGHBOURS), at), ...spacings.slice(at + 1, at + 1 + NEIGHBOURS)]
  const counts = new Map<number, number>()
  for (const spacing of around) counts.set(spacing, (counts.get(spacing) ?? 0) + 1)
  const [usual, count] = [...counts].reduce((best, next) => (next[1] > best[1] ? next : best), [0, 0])
  return count > 1 && count * 2 > around.length && spacings[at] >= usual * HOLE
}
