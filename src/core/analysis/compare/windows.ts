import type { SeriesPoints } from '../../store/series.js'
import { align, seriesOf } from '../align.js'
import type { PromptScores } from '../prompt-scores.js'

/**
 * Runs that were not evaluated at the same places. Where they share too few, the stretch of training that all of them
 * cover is cut into equal windows, each as wide as the widest gap between two evaluations of any run, and a run's value
 * there is the mean height of its curve, its evaluations joined by straight lines. So each window rests on evaluations of
 * every run, and a run that was evaluated a little later than the other is not better for that, as it would be if
 * neighbours were paired or plain means taken of a curve that climbs (docs/verbs/compare.md).
 */
export interface Windows {
  readonly width: number
  /** AxisSpec the axis; the first window begins one width before its end. */
  readonly ends: readonly number[]
  /** Per run and window: which evaluations, and what each weighs. The weights of a window add up to one. */
  readonly shares: readonly (readonly (readonly Share[])[])[]
}

interface Share {
  readonly at: number
  readonly weight: number
}

/** Shared places are plainer than windows: these must be half as many again. */
const WORTHWHILE = 1.5

/** Null where the runs share enough evaluations, or cover no stretch together. */
export function windowsWhereNeeded(series: readonly SeriesPoints[]): Windows | null {
  const shared = Math.max(align(series).steps.length, 1)
  const fewest = Math.min(...series.map(({ steps }) => steps.length))
  if (!(fewest > WORTHWHILE * shared)) return null
  const windows = windowsOver(series)
  return windows !== null && windows.ends.length >= WORTHWHILE * shared ? windows : null
}

function windowsOver(series: readonly SeriesPoints[]): Windows | null {
  const measured = series.map(({ values }) => Array.from(values.keys()).filter(i => Number.isFinite(values[i])))
  const runs = series.map(({ steps }, run) => Float64Array.from(measured[run], i => steps[i]))
  const from = Math.max(...runs.map(places => places[0] ?? Number.POSITIVE_INFINITY))
  const to = Math.min(...runs.map(places => places.at(-1) ?? Number.NEGATIVE_INFINITY))
  if (!(to > from)) return null
  const count = Math.floor((to - from) / Math.max(...runs.map(places => widestGap(places, from, to))))
  if (count < 1) return null
  const width = (to - from) / count
  const ends = Array.from({ length: count }, (_, i) => (i === count - 1 ? to : from + (i + 1) * width))
  const shares = runs.map((places, run) =>
    sharesIn(places, from, ends).map(window => window.map(({ at, weight }) => ({ at: measured[run][at], weight }))),
  )
  return { width, ends, shares }
}

function widestGap(places: Float64Array, from: number, to: number): number {
  let widest = 0
  for (let i = 1; i < places.length; i += 1) {
    if (places[i] > from && places[i - 1] < to) widest = Math.max(widest, places[i] - places[i - 1])
  }
  return widest
}

/** The area under straight lines is a weighted sum of the heights at their ends. */
function sharesIn(places: Float64Array, from: number, ends: readonly number[]): readonly (readonly Share[])[] {
  let line = 0
  return ends.map((end, i) => {
    const start = i === 0 ? from : ends[i - 1]
    const weights = new Map<number, number>()
    const add = (at: number, weight: number): void => {
      if (weight > 0) weights.set(at, (weights.get(at) ?? 0) + weight)
    }
    while (places[line + 1] <= start) line += 1
    for (let at = line; at + 1 < places.length && places[at] < end; at += 1) {
      const [left, length] = [places[at], places[at + 1] - places[at]]
      const [low, high] = [Math.max(left, start), Math.min(places[at + 1], end)]
      const middle = ((low + high) / 2 - left) / length
      add(at, ((high - low) * (1 - middle)) / (end - start))
      add(at + 1, ((high - low) * middle) / (end - start))
    }
    return [...weights].map(([at, weight]) => ({ at, weight }))
  })
}

/** One run as a series with a value per window, at the window's end. */
export function seriesInWindows({ values }: SeriesPoints, { ends, shares }: Windows, run: number): SeriesPoints {
  return seriesOf(
    ends,
    shares[run].map(window => window.reduce((sum, { at, weight }) => sum + weight * values[at], 0)),
  )
}

/** The scores of each prompt, weighed as the run's value is. A window that rests on unscored evaluations has none. */
export function scoresInWindows(
  scores: PromptScores,
  steps: ArrayLike<number>,
  { ends, shares }: Windows,
  run: number,
): PromptScores {
  const byStep = new Map<number, Float64Array>()
  for (const [i, window] of shares[run].entries()) {
    const parts = window.map(({ at, weight }) => ({ weight, scored: scores.byStep.get(steps[at]) }))
    const sums = new Float64Array(scores.prompts.length)
    for (const { weight, scored } of parts) {
      if (scored !== undefined) for (let k = 0; k < sums.length; k += 1) sums[k] += weight * scored[k]
    }
    if (parts.every(({ scored }) => scored !== undefined)) byStep.set(ends[i], sums)
  }
  return { ...scores, byStep }
}
