import type { Curve, Stretch } from './curve.js'

/** Since when, and until when, a condition holds along a curve: strictly, or for most points. */

/** Maximal stretches of consecutive points that satisfy a condition. */
export function stretches(
  { values, steps }: Curve,
  holds: (value: number, step: number) => boolean,
): readonly Stretch[] {
  const found: Stretch[] = []
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

/**
 * Where something lasts, single outliers aside. A point belongs to a stretch when most of its neighbours satisfy the
 * condition: for "above a level" that is the same as asking a rolling median, in linear time. Training curves need it:
 * one token with an extreme ratio lifts the KL of a healthy step from 0.2 to 13, and a dead run has a stray gradient
 * every hundred steps.
 */
export function lasting(
  curve: Curve,
  holds: (value: number, step: number) => boolean,
  fewest = fewestPoints(curve),
): readonly Stretch[] {
  const n = curve.values.length
  const held = new Uint8Array(n)
  const before = new Uint32Array(n + 1)
  for (let i = 0; i < n; i += 1) {
    held[i] = holds(curve.values[i], curve.steps[i]) ? 1 : 0
    before[i + 1] = before[i] + held[i]
  }
  if (before[n] === 0) return []
  const reach = reachOf(n)
  const votes = new Float64Array(n)
  for (let i = 0; i < n; i += 1) {
    const from = Math.max(0, i - reach)
    const to = Math.min(n, i + reach + 1)
    votes[i] = (before[to] - before[from]) / (to - from)
  }
  return stretches({ ...curve, values: votes }, share => share > 0.5)
    .map(({ from, to }) => ({ from: held.indexOf(1, from), to: held.lastIndexOf(1, to - 1) + 1 }))
    .filter(({ from, to }) => from >= 0 && to - from >= fewest)
}

/**
 * Where a share stays above a level on average. Of small batches a share is 0 or 1 at a single step, and most of its
 * neighbours may be 1 while half of all are.
 */
export function lastingShare(curve: Curve, level: number, fewest = fewestPoints(curve)): readonly Stretch[] {
  const n = curve.values.length
  const reach = Math.min(20, Math.max(2, Math.floor(n / 20)))
  const sums = new Float64Array(n + 1)
  for (let i = 0; i < n; i += 1) sums[i + 1] = sums[i] + curve.values[i]
  const means = curve.values.map((_, i) => {
    const [from, to] = [Math.max(0, i - reach), Math.min(n, i + reach + 1)]
    return (sums[to] - sums[from]) / (to - from)
  })
  const isAbove = (value: number): boolean => value >= level
  return stretches({ ...curve, values: means }, isAbove).flatMap(({ from, to }) => {
    const part = curve.values.subarray(from, to)
    let [first, last] = [from + part.findIndex(isAbove), from + part.findLastIndex(isAbove)]
    if (first < from) return []
    // The mean crosses the level later than the values do where they jump.
    while (first > 0 && isAbove(curve.values[first - 1])) first -= 1
    while (last < n - 1 && isAbove(curve.values[last + 1])) last += 1
    return last - first + 1 >= fewest ? [{ from: first, to: last + 1 }] : []
  })
}

/** From the first stretch to the last; undefined where there is none. */
export function whereLasting(
  curve: Curve,
  holds: (value: number, step: number) => boolean,
  fewest = fewestPoints(curve),
): Stretch | undefined {
  const found = lasting(curve, holds, fewest)
  return found.length === 0 ? undefined : { from: found[0].from, to: found[found.length - 1].to }
}

/** A stretch up to the end of the run: it has not recovered. A stray exception among the last points does not end it. */
export function lastingToTheEnd(
  curve: Curve,
  holds: (value: number, step: number) => boolean,
  fewest = fewestPoints(curve),
): Stretch | undefined {
  const n = curve.values.length
  const last = lasting(curve, holds, fewest).at(-1)
  return last !== undefined && last.to >= n - reachOf(n) / 2 ? last : undefined
}

/** A twentieth of the run, but never fewer than five points: below that a "lasting" state is a handful of steps. */
function fewestPoints({ values }: Curve): number {
  return Math.max(5, Math.ceil(values.length / 20))
}

/** Neighbours on each side: two in a short log, up to ten from 400 points on. */
function reachOf(n: number): number {
  return Math.min(10, Math.max(2, Math.floor(n / 40)))
}

/** Most of the later points; some may still stray over a line that the curve crossed for good. */
const MOST = 0.8

/** Index of the first point that fulfils a condition which most later points fulfil as well; -1 without one. */
export function settledFrom({ values }: Curve, holds: (value: number) => boolean): number {
  let found = -1
  let fulfilling = 0
  for (let i = values.length - 1; i >= 0; i -= 1) {
    if (!holds(values[i])) continue
    fulfilling += 1
    if (fulfilling >= MOST * (values.length - i)) found = i
  }
  return found
}
