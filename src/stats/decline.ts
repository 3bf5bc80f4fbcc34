import { lagOne, localLine, standardDeviation } from './descriptive.js'
import { fillWithNoise, seededRandom } from './random.js'

/**
 * Has a curve come down from a level that it held before? Taking its maximum would find a fall in every noisy curve.
 * So the fall is measured between means of several neighbours, and compared with how far a curve that never falls (the
 * best non-decreasing fit to this one) seems to fall when it has this one's noise: an AR(1) parametric bootstrap in the
 * manner of the change point (change-point.ts), with the same floor of 0.3 for the autocorrelation.
 */
export interface Decline {
  /** Mean of the neighbours from which it fell, and their positions: from `start`, before `end`. */
  readonly before: number
  readonly start: number
  readonly end: number
  /** Mean of the last points. */
  readonly after: number
  /** How many points each mean is over. */
  readonly window: number
  readonly p: number
}

/** As for a change point: shorter curves are not judged in this way. */
export const FEWEST_FOR_DECLINE = 12

export function decline(
  values: ArrayLike<number>,
  { draws = 1_000, seed = 20_251_206 }: { readonly draws?: number; readonly seed?: number } = {},
): Decline | null {
  const n = values.length
  if (n < FEWEST_FOR_DECLINE) return null
  const window = Math.max(3, Math.round(n / 6))
  const { start, before, after } = largestFall(values, window)
  const { spread, autocorrelation } = noiseOf(values)
  const course = nonDecreasing(values)
  const random = seededRandom(seed)
  const curve = new Float64Array(n)
  let asLarge = 0
  for (let draw = 0; draw < draws; draw += 1) {
    fillWithNoise(random, curve, autocorrelation)
    for (let i = 0; i < n; i += 1) curve[i] = course[i] + spread * curve[i]
    const fall = largestFall(curve, window)
    if (fall.before - fall.after >= before - after) asLarge += 1
  }
  return { before, start, end: start + window, after, window, p: (asLarge + 1) / (draws + 1) }
}

/** From the highest mean of `window` neighbours to the mean of the last ones; the two do not overlap. */
function largestFall(values: ArrayLike<number>, window: number) {
  const n = values.length
  let sum = 0
  for (let i = 0; i < window; i += 1) sum += values[i]
  let [start, highest] = [0, sum]
  for (let i = window; i < n - window; i += 1) {
    sum += values[i] - values[i - window]
    if (sum > highest) [start, highest] = [i - window + 1, sum]
  }
  let last = 0
  for (let i = n - window; i < n; i += 1) last += values[i]
  return { start, before: highest / window, after: last / window }
}

/** Spread and lag-1 autocorrelation around the local course, which may rise and fall as it likes. */
function noiseOf(values: ArrayLike<number>): { readonly spread: number; readonly autocorrelation: number } {
  const course = localLine(values)
  const residuals = Float64Array.from(course, (level, i) => values[i] - level)
  const neighbours = 2 * Math.max(2, Math.floor(values.length / 6)) + 1
  const raw = lagOne(residuals)
  const autocorrelation = Math.min(Math.max(raw + (2 + 4 * raw) / values.length, 0.3), 0.9)
  // A line takes two degrees of freedom from its neighbours, and more where they resemble each other; never most of them.
  const taken = Math.min((2 * (1 + autocorrelation)) / (1 - autocorrelation), (2 / 3) * neighbours)
  return { spread: standardDeviation(residuals) * Math.sqrt(neighbours / (neighbours - taken)), autocorrelation }
}

/** Least-squares fit among curves that never fall (pool adjacent violators). */
function nonDecreasing(values: ArrayLike<number>): Float64Array {
  const pools: { sum: number; count: number }[] = []
  for (let i = 0; i < values.length; i += 1) {
    let pool = { sum: values[i], count: 1 }
    for (let last = pools.at(-1); last !== undefined && last.sum / last.count >= pool.sum / pool.count; ) {
      pools.pop()
      pool = { sum: pool.sum + last.sum, count: pool.count + last.count }
      last = pools.at(-1)
    }
    pools.push(pool)
  }
  return Float64Array.from(pools.flatMap(({ sum, count }) => new Array<number>(count).fill(sum / count)))
}
