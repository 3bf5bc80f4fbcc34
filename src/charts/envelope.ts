import { type Envelope, type Extent, isMeasured, type ProgressUnit, type Series, type Stretch } from './chart.js'
import { roundSpan } from './scale.js'

/**
 * More points than pixels: the range of the values in each stretch of steps, and their mean. No peak disappears, as it
 * would by leaving points out, and the chart says what it shows.
 */

/** A stretch is drawn this wide at least, in pixels. */
const STRETCH_WIDTH = 3

export function isDense(lines: readonly Series[], pixels: number): boolean {
  return lines.some(({ x }) => x.length > pixels)
}

/** The same for all lines of a plot, so that they can be compared. */
export function stretchSize(
  lines: readonly Series[],
  [from, to]: Extent,
  pixels: number,
  unit: ProgressUnit = 'steps',
): number {
  const longest = lines.reduce((most, { x }) => Math.max(most, x.length), 0)
  const spacing = (to - from) / Math.max(1, longest - 1)
  return roundSpan(Math.max(((to - from) * STRETCH_WIDTH) / pixels, 2 * spacing), unit)
}

/** Over all of the lines together; a stretch without a finite value is left out, which leaves a gap. */
export function envelopeOf(lines: readonly Series[], size: number): Envelope {
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
export function touching({ stretches, size }: Envelope): readonly (readonly Stretch[])[] {
  const groups: Stretch[][] = []
  for (const stretch of stretches) {
    const last = groups.at(-1)?.at(-1)
    if (last !== undefined && isNext(last, stretch, size)) groups[groups.length - 1].push(stretch)
    else groups.push([stretch])
  }
  return groups
}

const SLACK = 1e-3

/** A stretch that is told by its first and last point ends before the next one begins, by at most its size. */
function isNext(last: Stretch, { from }: Stretch, size: number): boolean {
  const between = from - last.to
  const isToldByPoints = last.to - last.from < (1 - SLACK) * size
  return between < size / 2 || (isToldByPoints && between < (1 + SLACK) * size)
}
