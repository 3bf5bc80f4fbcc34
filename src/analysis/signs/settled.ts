import type { Curve } from '../curve.js'

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
