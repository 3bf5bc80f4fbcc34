import { mean } from '../../stats/descriptive.js'
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

/** Only finite values pair up; a NaN on one side is a missing evaluation. A walk along the steps, which are in order. */
export function align(series: readonly SeriesPoints[], window?: Window): Aligned {
  const steps: number[] = []
  const values: number[][] = series.map(() => [])
  if (series.length === 0) return { steps, values }
  const [{ steps: first }] = series
  if (window === undefined && shareSteps(series) && series.every(one => one.values.every(Number.isFinite))) {
    return { steps: plain(first), values: series.map(one => plain(one.values)) }
  }
  const places = new Uint32Array(series.length)
  for (let i = 0; i < first.length; i += 1) {
    const step = first[i]
    if (window !== undefined && (step < window.from || step > window.to)) continue
    places[0] = i
    let isShared = true
    for (let k = 0; k < series.length && isShared; k += 1) {
      const own = series[k].steps
      while (places[k] < own.length && own[places[k]] < step) places[k] += 1
      isShared = own[places[k]] === step && Number.isFinite(series[k].values[places[k]])
    }
    if (!isShared) continue
    steps.push(step)
    for (let k = 0; k < series.length; k += 1) values[k].push(series[k].values[places[k]])
  }
  return { steps, values }
}

/** As `Array.from`, which takes ten times as long. */
function plain(values: Float64Array): number[] {
  const copy = new Array<number>(values.length)
  for (let i = 0; i < values.length; i += 1) copy[i] = values[i]
  return copy
}

/** Whether all have the same steps, each once and in order, as runs of one loop mostly do. */
function shareSteps(series: readonly SeriesPoints[]): boolean {
  const [{ steps }] = series
  for (let i = 1; i < steps.length; i += 1) if (!(steps[i] > steps[i - 1])) return false
  return series.every(one => one.steps.length === steps.length && one.steps.every((step, i) => step === steps[i]))
}

/** Every step that any series has, in order; null where a series has no value there. */
export function outerJoin(
  series: readonly SeriesPoints[],
): readonly { readonly step: number; readonly values: readonly (number | null)[] }[] {
  if (series.length > 0 && shareSteps(series)) {
    return Array.from(series[0].steps, (step, i) => ({ step, values: series.map(one => one.values[i]) }))
  }
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

/** The finite points of one metric in step order: at least one when a subject hands it out. */
export interface Curve {
  /** The raw name, as the log has it. */
  readonly metric: string
  readonly steps: Float64Array
  readonly values: Float64Array
}

/**
 * Means of at most `count` equal blocks. Tests that look at every pair of points, or redraw a curve a thousand times,
 * stay affordable on ten thousand steps, and averaging takes most of the autocorrelation out of per-step metrics.
 */
export function inBlocks(curve: Curve, count: number): Curve {
  const n = curve.steps.length
  if (n <= count) return curve
  const edges = Array.from({ length: count + 1 }, (_, i) => Math.round((i * n) / count))
  return {
    metric: curve.metric,
    steps: Float64Array.from({ length: count }, (_, i) => curve.steps[edges[i]]),
    values: Float64Array.from({ length: count }, (_, i) => mean(curve.values.subarray(edges[i], edges[i + 1]))),
  }
}
