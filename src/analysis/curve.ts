import { mean, median } from '../stats/descriptive.js'

/** The finite points of one metric in step order: at least one when a subject hands it out. */
export interface Curve {
  /** The raw name, as the log has it. */
  readonly metric: string
  readonly steps: Float64Array
  readonly values: Float64Array
}

export function firstOf({ values }: Curve): number {
  return values[0]
}

export function lastOf({ values }: Curve): number {
  return values[values.length - 1]
}

export function medianOf({ values }: Curve): number {
  return median(values)
}

export function stepsOf({ steps }: Curve): readonly [number, number] {
  return [steps[0], steps[steps.length - 1]]
}

/** The points within `from` … `to`, both included; it may be empty. */
export function between(curve: Curve, from: number, to: number): Curve {
  let start = 0
  let end = curve.steps.length
  while (start < end && curve.steps[start] < from) start += 1
  while (end > start && curve.steps[end - 1] > to) end -= 1
  return { metric: curve.metric, steps: curve.steps.subarray(start, end), values: curve.values.subarray(start, end) }
}

/** The first and the last share of the points, by count; a tenth is the usual way to say "at the start, at the end". */
export function ends(curve: Curve, share = 0.1): { readonly start: Curve; readonly end: Curve } {
  const count = Math.max(1, Math.round(curve.steps.length * share))
  const part = (from: number, to: number): Curve => ({
    metric: curve.metric,
    steps: curve.steps.subarray(from, to),
    values: curve.values.subarray(from, to),
  })
  return { start: part(0, count), end: part(curve.steps.length - count, curve.steps.length) }
}

/** Maximal stretches of consecutive points that satisfy a condition, as index ranges, the end excluded. */
export function stretches(
  { values, steps }: Curve,
  holds: (value: number, step: number) => boolean,
): readonly { readonly from: number; readonly to: number }[] {
  const found: { from: number; to: number }[] = []
  let start = -1
  for (let i = 0; i <= values.length; i += 1) {
    const inside = i < values.length && holds(values[i], steps[i])
    if (inside && start < 0) start = i
    if (!inside && start >= 0) {
      found.push({ from: start, to: i })
      start = -1
    }
  }
  return found
}

/** Two curves at the steps that both have. */
export function paired(
  first: Curve,
  second: Curve,
): readonly { readonly step: number; readonly first: number; readonly second: number }[] {
  const pairs: { step: number; first: number; second: number }[] = []
  let j = 0
  for (let i = 0; i < first.steps.length; i += 1) {
    while (j < second.steps.length && second.steps[j] < first.steps[i]) j += 1
    if (second.steps[j] === first.steps[i]) {
      pairs.push({ step: first.steps[i], first: first.values[i], second: second.values[j] })
    }
  }
  return pairs
}

/** One number out of two at the steps that both curves have; named after the first. */
export function combined(first: Curve, second: Curve, of: (a: number, b: number) => number): Curve {
  const most = Math.min(first.steps.length, second.steps.length)
  const [steps, values] = [new Float64Array(most), new Float64Array(most)]
  let n = 0
  let j = 0
  for (let i = 0; i < first.steps.length; i += 1) {
    while (j < second.steps.length && second.steps[j] < first.steps[i]) j += 1
    if (second.steps[j] !== first.steps[i]) continue
    steps[n] = first.steps[i]
    values[n] = of(first.values[i], second.values[j])
    n += 1
  }
  return { metric: first.metric, steps: steps.subarray(0, n), values: values.subarray(0, n) }
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
