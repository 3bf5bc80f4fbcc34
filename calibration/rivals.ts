import { lagOne, mean, quantile, variance } from '../src/stats/descriptive.js'
import { seededRandom } from '../src/stats/random.js'
import { type Interval, pValueOf, type StudentEstimate } from '../src/stats/student-estimate.js'
import { typicalVariance } from '../src/stats/typical-variance.js'

/** Other rules on the same data: what people do, what the textbook does, and what somebody could do who knew more. */

/** The interval of a mean with AR(1) noise of a given autocorrelation. */
function meanWith(differences: Float64Array, r: number): StudentEstimate {
  const n = differences.length
  let inflation = 1
  for (let lag = 1; lag < n; lag += 1) inflation += 2 * (1 - lag / n) * r ** lag
  const corrected = (variance(differences) * (n - 1)) / Math.max(n - inflation, 1e-9)
  return {
    mean: mean(differences),
    standardError: Math.sqrt((corrected * inflation) / n),
    degreesOfFreedom: Math.max(n / inflation - 1, 1.5),
  }
}

/** The oracle: that interval, told the true autocorrelation. */
export function oracleClaims(differences: Float64Array, rho: number): boolean {
  return pValueOf(meanWith(differences, rho)) < 0.05
}

/** What klens did first: that interval with the autocorrelation estimated from lag 1 alone. */
export function lagOneClaims(differences: Float64Array): boolean {
  const n = differences.length
  const raw = lagOne(differences)
  const r = Math.min(Math.max(raw + (1 + 3 * raw) / n, n < 40 ? 0.3 : 0.2), 0.9)
  return pValueOf(meanWith(differences, r)) < 0.05
}

/** The plain paired t-test over evaluations. */
export function pairedTClaims(differences: Float64Array): boolean {
  return pValueOf(meanWith(differences, 0)) < 0.05
}

/** "Best against best": the gap of the two maxima, as a share of the first. */
export function gapOfMaxima(first: Float64Array, second: Float64Array): number {
  const best = Math.max(...first)
  return (Math.max(...second) - best) / best
}

/** The split that BIC would report: any level change whose likelihood outweighs two more parameters. */
export function bicSplits(values: Float64Array): boolean {
  const n = values.length
  const centre = mean(values)
  let total = 0
  for (const value of values) total += (value - centre) ** 2
  let left = total
  let sum = 0
  for (let i = 1; i < n; i += 1) {
    sum += values[i - 1] - centre
    if (i >= 3 && i <= n - 3) left = Math.min(left, total - (sum ** 2 * n) / (i * (n - i)))
  }
  return n * Math.log(total / left) > 2 * Math.log(n)
}

/** Percentile interval of any statistic over groups that are resampled each on its own (rliable's stratified bootstrap). */
export function stratifiedBootstrap(
  groups: readonly (readonly number[])[],
  statistic: (groups: readonly (readonly number[])[]) => number,
  { level = 0.95, resamples = 10_000, seed = 20_251_206 } = {},
): Interval {
  const random = seededRandom(seed)
  const drawn = groups.map(group => new Array<number>(group.length))
  const results = new Float64Array(resamples)
  for (let draw = 0; draw < resamples; draw += 1) {
    groups.forEach((group, g) => {
      for (let i = 0; i < group.length; i += 1) drawn[g][i] = group[random.below(group.length)]
    })
    results[draw] = statistic(drawn)
  }
  results.sort()
  const tail = (1 - level) / 2
  return { estimate: statistic(groups), low: quantile(results, tail), high: quantile(results, 1 - tail), level }
}

/**
 * Welch with a scatter that the other settings lend (moderated t, Smyth 2004): the variance of each side counts as if a typical
 * variance had been seen with four degrees of freedom before, less where its own is larger, by the square of the ratio.
 */
export function moderatedWelch(
  first: readonly number[],
  second: readonly number[],
  others: readonly (readonly number[])[],
): StudentEstimate {
  const typical = typicalVariance(others) ?? Number.NaN
  const [a, b] = [first, second].map(values => {
    const [own, degrees] = [variance(values), values.length - 1]
    const lent = LENT_DEGREES * Math.min(1, (typical / own) ** 2)
    return {
      size: (lent * typical + degrees * own) / (lent + degrees) / values.length,
      degrees: degrees + lent,
      lent,
    }
  })
  const satterthwaite = (a.size + b.size) ** 2 / (a.size ** 2 / a.degrees + b.size ** 2 / b.degrees)
  return {
    mean: mean(second) - mean(first),
    standardError: Math.sqrt(a.size + b.size),
    degreesOfFreedom: Math.min(satterthwaite, first.length + second.length - 2 + Math.max(a.lent, b.lent)),
  }
}

const LENT_DEGREES = 4
