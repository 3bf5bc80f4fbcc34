import type { Axis } from '../../model/axis.js'
import type { SeriesPoints } from '../../store/series.js'
import type { Window } from '../align.js'
import { isTrained } from '../conventions.js'
import { onSamePrompts, type PromptScores } from '../prompt-scores.js'
import { type Along, along, type Counter } from './axis.js'
import type { Measured } from './level.js'
import { scoresInWindows, seriesInWindows, type Windows, windowsWhereNeeded } from './windows.js'

/**
 * Runs side by side, so that every question can pair them: cut to the steps that count, along the axis that was asked
 * for, and in windows where they share too few places on it.
 */

/** What one side brings: its evaluations by step, and how far along the axis each of its runs is at a step. */
export interface Evaluated {
  /** One per replicate. */
  readonly series: readonly SeriesPoints[]
  /** Per-prompt scores, one per replicate; null where a replicate has none. */
  readonly scores?: readonly PromptScores[] | null
  /** Prompts behind each evaluation, where something tells. */
  readonly prompts?: number | null
  /** One per replicate; steps themselves unless given. */
  readonly counters?: readonly Counter[]
}

export interface LaidOut {
  readonly along: Along
  /** One per side, without the start of training where anything else was evaluated too. */
  readonly sides: readonly Measured[]
}

export function layOut(sides: readonly Evaluated[], axis: Axis, window?: Window): LaidOut {
  const cutSides = sides.map(side => ({ ...side, series: within(side.series, window).map(withoutStart) }))
  const { series, windows } = inOrder(cutSides, axis)
  const scores = sides.every(side => side.scores != null)
    ? onSamePrompts(sides.flatMap(side => side.scores ?? []))
    : null
  const steps = cutSides.flatMap(side => side.series)
  const counters = countersOf(cutSides)
  const scored = scores?.map((run, i) => scoresAlong(run, steps[i], counters[i], axis, windows, i)) ?? null
  return {
    along: { axis, width: windows?.width ?? null },
    sides: cutSides.map((side, i) => {
      const own = placesOf(cutSides, i)
      return { ...side, series: series.slice(...own), scores: scored?.slice(...own) ?? null }
    }),
  }
}

/** From where training started: how fast a run got somewhere is told from there. */
export function layOutFromStart(
  sides: readonly Evaluated[],
  axis: Axis,
  window?: Window,
): readonly (readonly SeriesPoints[])[] {
  const cutSides = sides.map(side => ({ ...side, series: within(side.series, window) }))
  const { series } = inOrder(cutSides, axis)
  return cutSides.map((_, i) => series.slice(...placesOf(cutSides, i)))
}

/** Where the runs of one side stand among those of all. */
function placesOf(sides: readonly Evaluated[], side: number): readonly [from: number, to: number] {
  const from = sides.slice(0, side).reduce((sum, { series }) => sum + series.length, 0)
  return [from, from + sides[side].series.length]
}

/** All runs of all sides, the first side's first. */
function inOrder(
  sides: readonly Evaluated[],
  axis: Axis,
): { readonly series: readonly SeriesPoints[]; readonly windows: Windows | null } {
  const counters = countersOf(sides)
  const steps = sides.flatMap(({ series }) => series)
  const series = axis === 'steps' ? steps : steps.map((run, i) => along(run, counters[i]))
  const windows = windowsWhereNeeded(series)
  return {
    series: windows === null ? series : series.map((run, i) => seriesInWindows(run, windows, i)),
    windows,
  }
}

function countersOf(sides: readonly Evaluated[]): readonly Counter[] {
  return sides.flatMap(({ series, counters }) => counters ?? series.map(() => (step: number) => step))
}

function scoresAlong(
  scores: PromptScores,
  series: SeriesPoints,
  counter: Counter,
  axis: Axis,
  windows: Windows | null,
  run: number,
): PromptScores {
  const placed: PromptScores =
    axis === 'steps'
      ? scores
      : { ...scores, byStep: new Map([...scores.byStep].map(([step, values]) => [counter(step), values])) }
  if (windows === null) return placed
  const places = axis === 'steps' ? series.steps : along(series, counter).steps
  return scoresInWindows(placed, places, windows, run)
}

function within(series: readonly SeriesPoints[], window?: Window): readonly SeriesPoints[] {
  return series.map(points => cut(points, window))
}

function withoutStart(points: SeriesPoints): SeriesPoints {
  const from = points.steps.findIndex(isTrained)
  return from <= 0 ? points : part(points, from, points.steps.length)
}

export function cut(points: SeriesPoints, window?: Window): SeriesPoints {
  if (window === undefined) return points
  const from = points.steps.findIndex(step => step >= window.from)
  const end = points.steps.findLastIndex(step => step <= window.to) + 1
  return from < 0 ? part(points, 0, 0) : part(points, from, Math.max(from, end))
}

function part({ steps, values, times, segments }: SeriesPoints, from: number, to: number): SeriesPoints {
  return {
    steps: steps.subarray(from, to),
    values: values.subarray(from, to),
    times: times.subarray(from, to),
    segments: segments.subarray(from, to),
  }
}
