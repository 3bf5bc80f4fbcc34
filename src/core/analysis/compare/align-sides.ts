import type { Axis } from '../../../logs/model/axis.js'
import type { SeriesPoints } from '../../store/series.js'
import { align, meanSeries, type Window } from '../align.js'
import { isTrained, scopeOf } from '../conventions.js'
import { onSamePrompts, type PromptScores } from '../prompt-scores.js'
import { type Counter, seriesAlong } from './axis.js'
import type { ScoreEvidence } from './evidence.js'
import type { AxisSpec } from './specification.js'
import { scoresInWindows, seriesInWindows, type Windows, windowsWhereNeeded } from './windows.js'

/**
 * Runs side by side, so that every question can pair them: cut to the steps that count, along the axis that was asked
 * for, and in windows where they share too few places on it.
 */

export interface AlignedSides {
  readonly axis: AxisSpec
  /** One per side, without the start of training where anything else was evaluated too. */
  readonly sides: readonly ScoreEvidence[]
}

export function alignSides(sides: readonly ScoreEvidence[], by: Axis, window?: Window): AlignedSides {
  const cutSides = sides.map(side => ({ ...side, series: within(side.series, window).map(withoutStart) }))
  const { series, windows } = inOrder(cutSides, by)
  const scores = sides.every(side => side.scores != null)
    ? onSamePrompts(sides.flatMap(side => side.scores ?? []))
    : null
  const steps = cutSides.flatMap(side => side.series)
  const counters = countersOf(cutSides)
  const scored = scores?.map((run, i) => scoresAlong(run, steps[i], counters[i], by, windows, i)) ?? null
  return {
    axis: { by, windows: windows?.width ?? null },
    sides: cutSides.map((side, i) => {
      const own = placesOf(cutSides, i)
      return { ...side, series: series.slice(...own), scores: scored?.slice(...own) ?? null }
    }),
  }
}

/** From where training started: how fast a run got somewhere is told from there. */
export function alignFromStart(
  sides: readonly ScoreEvidence[],
  by: Axis,
  window?: Window,
): readonly (readonly SeriesPoints[])[] {
  const cutSides = sides.map(side => ({ ...side, series: within(side.series, window) }))
  const { series } = inOrder(cutSides, by)
  return cutSides.map((_, i) => series.slice(...placesOf(cutSides, i)))
}

/** Where the runs of one side stand among those of all. */
function placesOf(sides: readonly ScoreEvidence[], side: number): readonly [from: number, to: number] {
  const from = sides.slice(0, side).reduce((sum, { series }) => sum + series.length, 0)
  return [from, from + sides[side].series.length]
}

/** All runs of all sides, the first side's first. */
function inOrder(
  sides: readonly ScoreEvidence[],
  by: Axis,
): { readonly series: readonly SeriesPoints[]; readonly windows: Windows | null } {
  const counters = countersOf(sides)
  const steps = sides.flatMap(({ series }) => series)
  const series = by === 'steps' ? steps : steps.map((run, i) => seriesAlong(run, counters[i]))
  const windows = windowsWhereNeeded(series)
  return {
    series: windows === null ? series : series.map((run, i) => seriesInWindows(run, windows, i)),
    windows,
  }
}

function countersOf(sides: readonly ScoreEvidence[]): readonly Counter[] {
  return sides.flatMap(({ series, counters }) => counters ?? series.map(() => (step: number) => step))
}

function scoresAlong(
  scores: PromptScores,
  series: SeriesPoints,
  counter: Counter,
  by: Axis,
  windows: Windows | null,
  run: number,
): PromptScores {
  const placed: PromptScores =
    by === 'steps'
      ? scores
      : { ...scores, byStep: new Map([...scores.byStep].map(([step, values]) => [counter(step), values])) }
  if (windows === null) return placed
  const places = by === 'steps' ? series.steps : seriesAlong(series, counter).steps
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

/** Two sides at the steps that all of their runs share: what speed and stability are read from. */
export interface SharedCurves {
  readonly steps: readonly number[]
  /** The mean of each side. */
  readonly means: readonly (readonly number[])[]
  /** Every run of each side. */
  readonly runs: readonly (readonly (readonly number[])[])[]
}

export function sharedCurves(baseline: readonly SeriesPoints[], other: readonly SeriesPoints[]): SharedCurves {
  const { steps, values } = align([...baseline, ...other])
  const means = align([meanSeries(baseline), meanSeries(other)]).values
  return { steps, means, runs: [values.slice(0, baseline.length), values.slice(baseline.length)] }
}

export function hasReplicates({ runs }: SharedCurves): boolean {
  return scopeOf(runs.map(side => side.length)) === 'configs'
}
