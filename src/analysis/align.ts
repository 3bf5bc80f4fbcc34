import type { SeriesPoints } from '../store/series.js'

/** Series side by side over the steps that all of them have. Nothing is interpolated: a step that one lacks is no pair. */
export interface Aligned {
  readonly steps: readonly number[]
  /** One array per series, parallel to `steps`. */
  readonly values: readonly (readonly number[])[]
}

export interface Window {
  readonly from: number
  readonly to: number
}

/** Only finite values pair up; a NaN on one side is a missing evaluation. */
export function align(series: readonly SeriesPoints[], window?: Window): Aligned {
  const maps = series.map(({ steps, values }) => new Map(Array.from(steps, (step, i) => [step, values[i]])))
  const steps = Array.from(series[0]?.steps ?? []).filter(
    step =>
      (window === undefined || (step >= window.from && step <= window.to)) &&
      maps.every(values => Number.isFinite(values.get(step))),
  )
  return { steps, values: maps.map(values => steps.map(step => values.get(step) ?? Number.NaN)) }
}

/** Every step that any series has, in order; null where a series has no value there. */
export function alignLoosely(
  series: readonly SeriesPoints[],
): readonly { readonly step: number; readonly values: readonly (number | null)[] }[] {
  const maps = series.map(({ steps, values }) => new Map(Array.from(steps, (step, i) => [step, values[i]])))
  const steps = [...new Set(maps.flatMap(values => [...values.keys()]))].sort((a, b) => a - b)
  return steps.map(step => ({ step, values: maps.map(values => values.get(step) ?? null) }))
}

/** Values at steps, of which nothing else is known. */
export function seriesOf(steps: readonly number[], values: readonly number[]): SeriesPoints {
  const unknown = new Float64Array(steps.length).fill(Number.NaN)
  return { steps: Float64Array.from(steps), values: Float64Array.from(values), times: unknown, segments: unknown }
}

/** Several runs of one setting as one series: the mean at each step that all of them have. */
export function meanSeries(series: readonly SeriesPoints[]): SeriesPoints {
  if (series.length === 1) return series[0]
  const { steps, values } = align(series)
  const means = steps.map((_, i) => values.reduce((sum, run) => sum + run[i], 0) / values.length)
  return seriesOf(steps, means)
}
