import { type Extent, isMeasured, type Series } from './chart.js'
import { roundInterval } from './scale.js'

/**
 * More points than pixels: the range of the values in each stretch of steps, and their mean. No peak disappears, as it
 * would by leaving points out, and the chart says what it shows.
 */

export interface Envelope {
  /** Steps in each stretch. */
  readonly size: number
  /** How many values went in. */
  readonly count: number
  readonly stretches: readonly Stretch[]
}

export interface Stretch {
  readonly from: number
  readonly to: number
  readonly low: number
  readonly high: number
  readonly mean: number
}

/** A stretch is drawn this wide at least, in pixels. */
const STRETCH_WIDTH = 3

export function isDense(lines: readonly Series[], pixels: number): boolean {
  return lines.some(({ x }) => x.length > pixels)
}

/** The same for all lines of a plot, so that they can be compared. */
export function stretchSize(lines: readonly Series[], [from, to]: Extent, pixels: number): number {
  const longest = lines.reduce((most, { x }) => Math.max(most, x.length), 0)
  const spacing = (to - from) / Math.max(1, longest - 1)
  return roundInterval(Math.max(((to - from) * STRETCH_WIDTH) / pixels, 2 * spacing))
}

/** Over all of the lines together; a stretch without a finite value is left out, which leaves a gap. */
export function envelopeOf(lines: readonly Series[], size: number): Envelope {
  const open = new Map<number, { low: number; high: number; sum: number; count: number }>()
  for (const { x, y } of lines) {
    for (let i = 0; i < x.length; i += 1) {
      const value = y[i]
      if (!isMeasured(value) || !Number.isFinite(x[i])) continue
      const at = Math.floor(x[i] / size)
      const stretch = open.get(at)
      if (stretch === undefined) open.set(at, { low: value, high: value, sum: value, count: 1 })
      else {
        stretch.low = Math.min(stretch.low, value)
        stretch.high = Math.max(stretch.high, value)
        stretch.sum += value
        stretch.count += 1
      }
    }
  }
  const stretches = [...open]
    .sort(([a], [b]) => a - b)
    .map(([at, { low, high, sum, count }]) => ({ from: at * size, to: (at + 1) * size, low, high, mean: sum / count }))
  return { size, count: [...open.values()].reduce((sum, { count }) => sum + count, 0), stretches }
}

/** Runs of stretches that touch each other. */
export function touching({ stretches, size }: Envelope): readonly (readonly Stretch[])[] {
  const groups: Stretch[][] = []
  for (const stretch of stretches) {
    const last = groups.at(-1)?.at(-1)
    if (last !== undefined && stretch.from - last.to < size / 2) groups[groups.length - 1].push(stretch)
    else groups.push([stretch])
  }
  return groups
}
