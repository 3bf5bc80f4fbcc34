import type { Quality } from '../../logs/model/run.js'
import { newPoints } from './point-buffer.js'

/** Points of one series as columns, and what is done with columns. */

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

export function within(points: SeriesPoints, { after = -Infinity, upTo = Infinity }: StepRange): SeriesPoints {
  if (after === -Infinity && upTo === Infinity) return points
  return picked(points, i => points.steps[i] > after && points.steps[i] <= upTo)
}

export function picked(points: SeriesPoints, isChosen: (i: number) => boolean): SeriesPoints {
  return pick(points, [...points.steps.keys()].filter(isChosen))
}

/** As they are where they are in order already: of equal steps the first comes first. */
export function inStepOrder(points: SeriesPoints): SeriesPoints {
  const { steps } = points
  if (steps.every((step, i) => i === 0 || steps[i - 1] <= step)) return points
  return pick(
    points,
    [...steps.keys()].sort((a, b) => steps[a] - steps[b] || a - b),
  )
}

/** In place, because a long series does not fit into memory many times. */
export function lastOfEachStep(points: SeriesPoints): SeriesPoints {
  const { steps, values, times, segments } = points
  let kept = 0
  for (let i = 0; i < steps.length; i += 1) {
    if (steps[i + 1] === steps[i]) continue
    if (kept < i) for (const column of [steps, values, times, segments]) column[kept] = column[i]
    kept += 1
  }
  return kept === steps.length ? points : slice(points, 0, kept)
}

function pick({ steps, values, times, segments }: SeriesPoints, order: readonly number[]): SeriesPoints {
  return {
    steps: Float64Array.from(order, i => steps[i]),
    values: Float64Array.from(order, i => values[i]),
    times: Float64Array.from(order, i => times[i]),
    segments: Float64Array.from(order, i => segments[i]),
  }
}

/** One behind the other. */
export function joined(...pieces: readonly SeriesPoints[]): SeriesPoints {
  if (pieces.length === 1) return pieces[0]
  const all = newPoints(pieces.reduce((sum, { steps }) => sum + steps.length, 0))
  let at = 0
  for (const piece of pieces) {
    for (const column of COLUMN_NAMES) all[column].set(piece[column], at)
    at += piece.steps.length
  }
  return all
}

export const COLUMN_NAMES = ['steps', 'values', 'times', 'segments'] as const

/** A view, which keeps all of the points in memory. */
export function slice({ steps, values, times, segments }: SeriesPoints, from: number, to?: number): SeriesPoints {
  return {
    steps: steps.subarray(from, to),
    values: values.subarray(from, to),
    times: times.subarray(from, to),
    segments: segments.subarray(from, to),
  }
}
