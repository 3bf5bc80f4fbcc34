import { detrended, mean, quantile, standardDeviation } from './descriptive.js'
import { fillWithNoise, seededRandom } from './random.js'

/**
 * When did a curve change for good? One change of level, or of slope, by the largest F over all places; its p-value from
 * an AR(1) parametric bootstrap (docs/statistics.md, "Since when?"), because on autocorrelated curves BIC splits raise an alarm up to 70 % of the
 * time. Two variants: the autocorrelation taken around the change (floor 0.3), and conservatively without one.
 */
interface ChangeEvidence {
  readonly p: number
  /** From the conservative variant; a headline needs both below 0.05. */
  readonly conservativeP: number
  /** Places that explain the curve nearly as well, at 95 %; null where no change is shown, so nothing is to be dated. */
  readonly location: { readonly first: number; readonly last: number } | null
}

export interface LevelShift extends ChangeEvidence {
  /** Index of the first point after the change. */
  readonly index: number
  readonly before: number
  readonly after: number
}

export interface SlopeChange extends ChangeEvidence {
  /** Index of the corner, which belongs to both lines. */
  readonly index: number
  /** Slopes per point, by least squares on each side with the corner in both. */
  readonly before: number
  readonly after: number
}

/** A shorter curve is not dated. */
export const FEWEST_FOR_CHANGE = 12
/** A p-value below it shows a change. */
const ALPHA = 0.05

interface Options {
  readonly draws?: number
  readonly seed?: number
}

/** A shift of the mean, against a curve of one level. A steady trend is no shift, yet looks like one: see `slopeChange`. */
export function changePoint(values: ArrayLike<number>, options: Options = {}): LevelShift | null {
  const found = singleChange('level', values, options)
  if (found === null) return null
  const all = Array.from(values)
  return { ...found, before: mean(all.slice(0, found.index)), after: mean(all.slice(found.index)) }
}

/** A bend: two straight lines that meet, against one line. Overfitting looks like this: a rise that turns into a fall. */
export function slopeChange(values: ArrayLike<number>, options: Options = {}): SlopeChange | null {
  const found = singleChange('slope', values, options)
  if (found === null) return null
  const { residuals, size } = fitAt(shapeOf('slope', values.length), values, found.index)
  const fitted = (i: number): number => values[i] - residuals[i]
  const before = fitted(1) - fitted(0)
  return { ...found, before, after: before + size }
}

function singleChange(
  kind: ChangeKind,
  values: ArrayLike<number>,
  { draws = 1_000, seed = 20_251_206 }: Options,
): (ChangeEvidence & { readonly index: number }) | null {
  const n = values.length
  if (n < FEWEST_FOR_CHANGE) return null
  const shape = shapeOf(kind, n)
  const { place, statistic, left } = scan(shape, values)
  const { residuals, size } = fitAt(shape, values, place)
  const r = autocorrelationOf(residuals)
  const withoutChange = autocorrelationOf(unchanged(kind, values))
  const p = bootstrapP(shape, statistic, n, r, draws, seed)
  const conservativeP = bootstrapP(shape, statistic, n, withoutChange, draws, seed)
  const shown = Math.min(p, conservativeP) < ALPHA
  const free = n - (kind === 'level' ? 3 : 4)
  const noise = { r, spread: standardDeviation(residuals) * Math.sqrt((n - 1) / free) }
  const reach = shown ? likelihoodReach(shape, place, courseOf(kind, n, place, size), noise, draws, seed) : 0
  return { index: place, p, conservativeP, location: shown ? placesWithin(left, place, reach) : null }
}

/** Bias of the lag-1 estimate after fitting a level or line on two sides: about (2 + 4 r)/n. */
function autocorrelationOf(residuals: Float64Array): number {
  let cross = 0
  let squares = 0
  for (let i = 0; i < residuals.length; i += 1) {
    squares += residuals[i] ** 2
    if (i > 0) cross += residuals[i] * residuals[i - 1]
  }
  const raw = squares === 0 ? 0 : cross / squares
  return Math.min(Math.max(raw + (2 + 4 * raw) / residuals.length, 0.3), 0.9)
}

/** The statistic does not depend on level, slope and scale, so noise of spread one serves for all curves. */
function bootstrapP(shape: ChangeShape, observed: number, n: number, r: number, draws: number, seed: number): number {
  const random = seededRandom(seed)
  const curve = new Float64Array(n)
  let asLarge = 0
  for (let draw = 0; draw < draws; draw += 1) {
    fillWithNoise(random, curve, r)
    if (scan(shape, curve).statistic >= observed) asLarge += 1
  }
  return (asLarge + 1) / (draws + 1)
}

/** How much worse than the best place the true one fits, at most, in 95 % of curves that change as this one does: n ln(RSS ratio). */
function likelihoodReach(
  shape: ChangeShape,
  place: number,
  course: Float64Array,
  noise: { readonly r: number; readonly spread: number },
  draws: number,
  seed: number,
): number {
  const random = seededRandom(seed)
  const curve = new Float64Array(course.length)
  const losses = new Float64Array(draws)
  for (let draw = 0; draw < draws; draw += 1) {
    fillWithNoise(random, curve, noise.r)
    for (let i = 0; i < curve.length; i += 1) curve[i] = course[i] + noise.spread * curve[i]
    const redrawn = scan(shape, curve)
    losses[draw] = loss(redrawn.left, place, redrawn.place)
  }
  return quantile(losses.sort(), 0.95)
}

function loss(left: Float64Array, place: number, best: number): number {
  return left[place] === left[best] ? 0 : left.length * Math.log(left[place] / left[best])
}

function placesWithin(
  left: Float64Array,
  best: number,
  reach: number,
): { readonly first: number; readonly last: number } {
  let first = best
  let last = best
  for (let place = 0; place < left.length; place += 1) {
    if (Number.isNaN(left[place]) || loss(left, place, best) > reach) continue
    first = Math.min(first, place)
    last = Math.max(last, place)
  }
  return { first, last }
}

/**
 * Two ways in which a curve can change once: its level (a step over a constant) or its slope (a hinge over a straight
 * line). Both are least squares with one more direction than the curve without a change, so a split explains
 * (direction · residual)²/|direction|² of the residual sum of squares; running sums from the end give all splits at once.
 */
type ChangeKind = 'level' | 'slope'

/** Points that must lie on each side of a change. */
const FEWEST_ON_A_SIDE = 3

interface ChangeShape {
  readonly kind: ChangeKind
  /** Candidate places: from … to, both included. */
  readonly from: number
  readonly to: number
  /** Squared length of each candidate's direction, once what a curve without a change can follow is taken off. */
  readonly lengths: Float64Array
}

function shapeOf(kind: ChangeKind, n: number): ChangeShape {
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

function basis(kind: ChangeKind, place: number, i: number): number {
  return kind === 'level' ? Number(i >= place) : Math.max(0, i - place)
}

/** What is left of a curve when the best constant, or the best straight line, is taken off. */
function unchanged(kind: ChangeKind, values: ArrayLike<number>): Float64Array {
  if (kind === 'slope') return detrended(values)
  const centre = mean(values)
  return Float64Array.from({ length: values.length }, (_, i) => values[i] - centre)
}

interface ChangeScan {
  readonly place: number
  /** F of the best place: explained over left, times the degrees of freedom that are left. */
  readonly statistic: number
  /** Residual sum of squares with a change at each candidate place; NaN elsewhere. */
  readonly left: Float64Array
}

function scan(shape: ChangeShape, values: ArrayLike<number>): ChangeScan {
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
function fitAt(
  shape: ChangeShape,
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
function courseOf(kind: ChangeKind, n: number, place: number, size: number): Float64Array {
  return Float64Array.from({ length: n }, (_, i) => size * basis(kind, place, i))
}
