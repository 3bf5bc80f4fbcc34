import { median } from '../../../stats/descriptive.js'
import type { Curve } from '../../analysis/align.js'

/** Small questions to a curve: its ends, its middle, the part between two steps, two curves side by side. */

export { type Curve, inBlocks } from '../../analysis/align.js'

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

/** Points of a curve by index. */
export interface Stretch {
  readonly from: number
  /** Index after the last one. */
  readonly to: number
}

export function within({ metric, steps, values }: Curve, { from, to }: Stretch): Curve {
  return { metric, steps: steps.subarray(from, to), values: values.subarray(from, to) }
}

/** The points from step `first` to step `last`, both included; it may be empty. */
export function between(curve: Curve, first: number, last: number): Curve {
  let from = 0
  let to = curve.steps.length
  while (from < to && curve.steps[from] < first) from += 1
  while (to > from && curve.steps[to - 1] > last) to -= 1
  return within(curve, { from, to })
}

/** Without the points in some stretches of steps, both ends included. */
export function outside(curve: Curve, left: readonly (readonly [first: number, last: number])[]): Curve {
  if (left.length === 0) return curve
  const kept = Array.from(curve.steps.keys()).filter(i =>
    left.every(([first, last]) => curve.steps[i] < first || curve.steps[i] > last),
  )
  return {
    metric: curve.metric,
    steps: Float64Array.from(kept, i => curve.steps[i]),
    values: Float64Array.from(kept, i => curve.values[i]),
  }
}

/** The first and the last share of the points, by count; a tenth is the usual way to say "at the start, at the end". */
export function ends(curve: Curve, share = 0.1): { readonly start: Curve; readonly end: Curve } {
  const n = curve.steps.length
  const count = Math.max(1, Math.round(n * share))
  return { start: within(curve, { from: 0, to: count }), end: within(curve, { from: n - count, to: n }) }
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

/** Of one curve or more. */
export function longestOf(curves: readonly Curve[]): Curve {
  return curves.reduce((longest, curve) => (curve.steps.length > longest.steps.length ? curve : longest))
}
