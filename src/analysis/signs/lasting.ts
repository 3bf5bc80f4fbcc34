import { type Curve, stretches } from '../curve.js'

/**
 * Where something lasts, single outliers aside. A point belongs to a stretch when most of its neighbours satisfy the
 * condition: for "above a level" that is the same as asking a rolling median, in linear time. Training curves need it:
 * one token with an extreme ratio lifts the KL of a healthy step from 0.2 to 13, and a dead run has a stray gradient
 * every hundred steps.
 */
export interface Stretch {
  /** Index of the first point that satisfies the condition. */
  readonly from: number
  /** Index after the last one. */
  readonly to: number
}

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

/** From the first stretch to the last, and their number; undefined where there is none. */
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

export function within(curve: Curve, { from, to }: Stretch): Curve {
  return { metric: curve.metric, steps: curve.steps.subarray(from, to), values: curve.values.subarray(from, to) }
}

/** A twentieth of the run, but never fewer than five points: below that a "lasting" state is a handful of steps. */
function fewestPoints({ values }: Curve): number {
  return Math.max(5, Math.ceil(values.length / 20))
}

/** Neighbours on each side: two in a short log, up to ten from 400 points on. */
function reachOf(n: number): number {
  return Math.min(10, Math.max(2, Math.floor(n / 40)))
}
