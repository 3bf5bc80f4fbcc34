import { detrended, lagOne, quantile, standardDeviation } from './descriptive.js'
import { studentCdf } from './distributions.js'
import { seededRandom } from './random.js'
import { maxDrawdown } from './stability.js'

/** How unsteady a course is, beyond one spread (Chan et al. 2020; facts 1.8). Curves where higher is better. */

/** Dispersion across time: the interquartile range of the changes from one evaluation to the next. */
export function dispersionAcrossTime(values: ArrayLike<number>): number {
  const changes = Float64Array.from({ length: values.length - 1 }, (_, i) => values[i + 1] - values[i]).sort()
  return quantile(changes, 0.75) - quantile(changes, 0.25)
}

/** Long-term risk: the mean of the deepest 5 % of falls below the highest point so far (of a quarter when few). */
export function drawdownRisk(values: ArrayLike<number>): number {
  let peak = Number.NEGATIVE_INFINITY
  const falls = Float64Array.from({ length: values.length }, (_, i) => {
    peak = Math.max(peak, values[i])
    return values[i] - peak
  }).sort()
  const count = Math.max(1, Math.ceil((falls.length < 40 ? 0.25 : 0.05) * falls.length))
  return falls.subarray(0, count).reduce((sum, fall) => sum + fall, 0) / count
}

/**
 * Are two spreads equal when both curves were measured on the same prompts? Pitman 1939 and Morgan 1939: they are, just
 * when sum and difference of the residuals are uncorrelated; t = r √(ν/(1 − r²)), ν deflated for autocorrelation as in
 * `spreadRatio`.
 */
export function pitmanMorgan(
  first: ArrayLike<number>,
  second: ArrayLike<number>,
): { readonly correlation: number; readonly p: number; readonly degreesOfFreedom: number } {
  const a = detrended(first)
  const b = detrended(second)
  const n = a.length
  let cross = 0
  let sums = 0
  let differences = 0
  for (let i = 0; i < n; i += 1) {
    cross += (a[i] + b[i]) * (a[i] - b[i])
    sums += (a[i] + b[i]) ** 2
    differences += (a[i] - b[i]) ** 2
  }
  const correlation = sums === 0 || differences === 0 ? 0 : cross / Math.sqrt(sums * differences)
  const raw = (lagOne(a) + lagOne(b)) / 2
  const r = Math.min(Math.max(raw + (2 + 4 * raw) / n, 0.3), 0.9)
  const degreesOfFreedom = (n - 2) * ((1 - r ** 2) / (1 + r ** 2))
  const t = correlation * Math.sqrt(degreesOfFreedom / (1 - correlation ** 2))
  return { correlation, p: 2 * studentCdf(-Math.abs(t), degreesOfFreedom), degreesOfFreedom }
}

/**
 * Do the deepest falls of two curves differ by more than equal wobble explains? Both straight courses are redrawn with
 * AR(1) noise of one pooled size, and the share of redrawn pairs counted whose falls differ at least as much.
 */
export function drawdownDifferenceP(
  first: ArrayLike<number>,
  second: ArrayLike<number>,
  { draws = 2_000, seed = 20_251_206 }: { readonly draws?: number; readonly seed?: number } = {},
): number {
  const residuals = [detrended(first), detrended(second)]
  const n = Math.min(first.length, second.length)
  const raw = (lagOne(residuals[0]) + lagOne(residuals[1])) / 2
  const r = Math.min(Math.max(raw + (2 + 4 * raw) / n, 0.3), 0.9)
  const pooled = Math.sqrt((standardDeviation(residuals[0]) ** 2 + standardDeviation(residuals[1]) ** 2) / 2)
  const spread = pooled * Math.sqrt((n - 1) / (n - 2))
  const random = seededRandom(seed)
  const redrawnDepth = (values: ArrayLike<number>, around: Float64Array): number => {
    let noise = random.normal()
    const curve = around.map((residual, i) => {
      const value = values[i] - residual + spread * noise
      noise = r * noise + Math.sqrt(1 - r ** 2) * random.normal()
      return value
    })
    return maxDrawdown(curve).depth
  }
  const observed = Math.abs(maxDrawdown(first).depth - maxDrawdown(second).depth)
  let asFar = 0
  for (let draw = 0; draw < draws; draw += 1) {
    const apart = redrawnDepth(first, residuals[0]) - redrawnDepth(second, residuals[1])
    if (Math.abs(apart) >= observed) asFar += 1
  }
  return (asFar + 1) / (draws + 1)
}

/** Spread of the policy itself once the known error of one evaluation is taken off; 0 when the evaluations explain it all. */
export function spreadBeyondSampling(spread: number, samplingError: number): number {
  return Math.sqrt(Math.max(0, spread ** 2 - samplingError ** 2))
}
