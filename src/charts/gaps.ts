import { isMeasured, type Series } from './chart.js'

/**
 * Where a line must break. A value that is not finite is missing; so is one at a step that was left out of a regular
 * rhythm (evaluations at 5, 10, 20, 25). A line through such a place would show something that nobody measured.
 */

/** How many spacings on each side tell the rhythm, and how much longer than it a hole is. */
const NEIGHBOURS = 4
const HOLE = 1.5

export interface Measured {
  readonly x: number
  readonly y: number
}

/** Unbroken stretches of a line. */
export function segmentsOf({ x, y }: Series): readonly (readonly Measured[])[] {
  const spacings = x.slice(1).map((at, i) => at - x[i])
  const segments: Measured[][] = []
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
