import { mean } from '../stats/descriptive.js'

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
