import { detrended, mean } from './descriptive.js'

/**
 * Two ways in which a curve can change once: its level (a step over a constant) or its slope (a hinge over a straight
 * line). Both are least squares with one more direction than the curve without a change, so a split explains
 * (direction · residual)²/|direction|² of the residual sum of squares; running sums from the end give all splits at once.
 */
export type Kind = 'level' | 'slope'

/** Points that must lie on each side of a change. */
const FEWEST_ON_A_SIDE = 3

export interface Shape {
  readonly kind: Kind
  /** Candidate places: from … to, both included. */
  readonly from: number
  readonly to: number
  /** Squared length of each candidate's direction, once what a curve without a change can follow is taken off. */
  readonly lengths: Float64Array
}

export function shapeOf(kind: Kind, n: number): Shape {
  const from = FEWEST_ON_A_SIDE
  const to = kind === 'level' ? n - FEWEST_ON_A_SIDE : n - 1 - FEWEST_ON_A_SIDE
  const lengths = new Float64Array(n)
  for (let place = from; place <= to; place += 1) {
    const direction = unchanged(
      kind,
      Float64Array.from({ length: n }, (_, i) => basis(kind, place, i)),
    )
    for (const value of direction) lengths[place] += value ** 2
  }
  return { kind, from, to, lengths }
}

function basis(kind: Kind, place: number, i: number): number {
  return kind === 'level' ? Number(i >= place) : Math.max(0, i - place)
}

/** What is left of a curve when the best constant, or the best straight line, is taken off. */
export function unchanged(kind: Kind, values: ArrayLike<number>): Float64Array {
  if (kind === 'slope') return detrended(values)
  const centre = mean(values)
  return Float64Array.from({ length: values.length }, (_, i) => values[i] - centre)
}

export interface Scan {
  readonly place: number
  /** F of the best place: explained over left, times the degrees of freedom that are left. */
  readonly statistic: number
  /** Residual sum of squares with a change at each candidate place; NaN elsewhere. */
  readonly left: Float64Array
}

export function scan(shape: Shape, values: ArrayLike<number>): Scan {
  const residual = unchanged(shape.kind, values)
  const n = residual.length
  let total = 0
  for (const value of residual) total += value ** 2
  const left = new Float64Array(n).fill(Number.NaN)
  let best = shape.from
  let most = -1
  let sum = 0
  let ramp = 0
  for (let i = n - 1; i >= shape.from; i -= 1) {
    ramp += sum
    sum += residual[i]
    if (i > shape.to) continue
    const along = shape.kind === 'level' ? sum : ramp
    const explained = along ** 2 / shape.lengths[i]
    left[i] = Math.max(0, total - explained)
    if (explained >= most) {
      most = explained
      best = i
    }
  }
  const remaining = left[best]
  const degrees = n - (shape.kind === 'level' ? 2 : 3)
  const certain = remaining <= 1e-12 * total
  const statistic = certain ? (most > 0 ? Number.POSITIVE_INFINITY : 0) : (most / remaining) * degrees
  return { place: best, statistic, left }
}

/** The curve's residuals around a change at one place, and the size of that change: of level, or of slope per point. */
export function fitAt(
  shape: Shape,
  values: ArrayLike<number>,
  place: number,
): { readonly residuals: Float64Array; readonly size: number } {
  const { kind } = shape
  const residual = unchanged(kind, values)
  const direction = unchanged(
    kind,
    Float64Array.from({ length: residual.length }, (_, i) => basis(kind, place, i)),
  )
  let along = 0
  for (let i = 0; i < residual.length; i += 1) along += direction[i] * residual[i]
  const size = along / shape.lengths[place]
  return { residuals: residual.map((value, i) => value - size * direction[i]), size }
}

/** A change of one size at one place, as a curve to which noise can be added. */
export function courseOf(kind: Kind, n: number, place: number, size: number): Float64Array {
  return Float64Array.from({ length: n }, (_, i) => size * basis(kind, place, i))
}
