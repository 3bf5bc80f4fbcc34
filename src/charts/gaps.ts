import type { ChartLine } from './chart.js'

/**
 * Where a line must break. A value that is not finite is missing; so is one at a step that was left out of a regular
 * rhythm (evaluations at 5, 10, 20, 25). A line through such a place would show something that nobody measured.
 */

export interface ChartPoint {
  readonly step: number
  /** NaN: nothing was measured here. */
  readonly value: number
}

/** How many spacings on each side tell the rhythm, and how much longer than it a hole is. */
const NEIGHBOURS = 4
const HOLE = 1.5

export function withGaps({ steps, values }: ChartLine): readonly ChartPoint[] {
  const points = Array.from(steps, (step, i) => ({ step, value: Number.isFinite(values[i]) ? values[i] : Number.NaN }))
  const spacings = points.slice(1).map(({ step }, i) => step - points[i].step)
  return points.flatMap((point, i) => {
    if (i === 0 || !isHole(spacings, i - 1)) return [point]
    return [{ step: (points[i - 1].step + point.step) / 2, value: Number.NaN }, point]
  })
}

/** Without a rhythm (logarithmic steps, wall-clock steps) nothing can be said to be left out. */
function isHole(spacings: readonly number[], at: number): boolean {
  const around = [...spacings.slice(Math.max(0, at - NEIGHBOURS), at), ...spacings.slice(at + 1, at + 1 + NEIGHBOURS)]
  const counts = new Map<number, number>()
  for (const spacing of around) counts.set(spacing, (counts.get(spacing) ?? 0) + 1)
  const [usual, count] = [...counts].reduce((best, next) => (next[1] > best[1] ? next : best), [0, 0])
  return count > 1 && count * 2 > around.length && spacings[at] >= usual * HOLE
}

export function hasGap(points: readonly ChartPoint[]): boolean {
  const first = points.findIndex(({ value }) => !Number.isNaN(value))
  const last = points.findLastIndex(({ value }) => !Number.isNaN(value))
  return points.slice(first, last + 1).some(({ value }) => Number.isNaN(value))
}

/** Unbroken stretches. */
export function segmentsOf(points: readonly ChartPoint[]): readonly (readonly ChartPoint[])[] {
  const segments: ChartPoint[][] = []
  let open = false
  for (const point of points) {
    const measured = !Number.isNaN(point.value)
    if (measured && open) segments[segments.length - 1].push(point)
    if (measured && !open) segments.push([point])
    open = measured
  }
  return segments
}
