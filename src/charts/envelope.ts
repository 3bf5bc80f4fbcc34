import type { ChartLine } from './chart.js'
import { roundInterval } from './scale.js'

/**
 * More points than pixels: the range of the values in each stretch of steps, and their mean. No peak disappears, as it
 * would by leaving points out, and the chart says what it shows.
 */

export interface Envelope {
  /** Steps in each stretch. */
  readonly size: number
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

export function isDense(lines: readonly ChartLine[], pixels: number): boolean {
  return lines.some(({ steps }) => steps.length > pixels)
}

/** The same for all lines of a plot, so that they can be compared. */
export function stretchSize(
  lines: readonly ChartLine[],
  [from, to]: readonly [number, number],
  pixels: number,
): number {
  const longest = lines.reduce((most, { steps }) => Math.max(most, steps.length), 0)
  const spacing = (to - from) / Math.max(1, longest - 1)
  return roundInterval(Math.max(((to - from) * STRETCH_WIDTH) / pixels, 2 * spacing))
}

/** Over all of the lines together; a stretch without a finite value is left out, which leaves a gap. */
export function envelopeOf(lines: readonly ChartLine[], size: number): Envelope {
  const found = new Map<number, { low: number; high: number; sum: number; count: number }>()
  for (const { steps, values } of lines) {
    for (let i = 0; i < steps.length; i += 1) {
      const value = values[i]
      if (!Number.isFinite(value) || !Number.isFinite(steps[i])) continue
      const at = Math.floor(steps[i] / size)
      const known = found.get(at)
      if (known === undefined) found.set(at, { low: value, high: value, sum: value, count: 1 })
      else {
        known.low = Math.min(known.low, value)
        known.high = Math.max(known.high, value)
        known.sum += value
        known.count += 1
      }
    }
  }
  const stretches = [...found]
    .sort(([a], [b]) => a - b)
    .map(([at, { low, high, sum, count }]) => ({ from: at * size, to: (at + 1) * size, low, high, mean: sum / count }))
  return { size, stretches }
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
