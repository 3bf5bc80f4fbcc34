import { mean, quantile, standardDeviation } from './descriptive.js'
import { normalCdf, normalQuantile, studentQuantile } from './distributions.js'
import { seededRandom } from './random.js'
import { type Interval, intervalOf, type StudentEstimate } from './student-estimate.js'

/**
 * Two models on the same prompts (docs/statistics.md): the mean over prompts of s_B − s_A. Repeats of a prompt (samples, shots,
 * temperatures) share its luck, so they are averaged first and the prompt counts once.
 *
 *   SE = sd(difference)/√n, df = n − 1
 */
export interface PromptDifference extends StudentEstimate {
  readonly prompts: number
  /** By Student's t, or by the BCa bootstrap where single prompts are few. */
  readonly interval: Interval
  readonly method: 't' | 'bca'
}

/** With fewer prompts t leans on normality too much. */
export const PROMPTS_FOR_T = 30

/** Scores by prompt, in the same order on both sides; each prompt with one score or several. */
export function promptDifference(
  first: readonly (readonly number[])[],
  second: readonly (readonly number[])[],
  { level = 0.95 }: { readonly level?: number } = {},
): PromptDifference {
  if (first.length !== second.length) {
    throw new Error(`scores of ${first.length} and ${second.length} prompts cannot be paired`)
  }
  const differences = first.map((scores, prompt) => mean(second[prompt]) - mean(scores))
  const prompts = differences.length
  const estimate: StudentEstimate = {
    mean: mean(differences),
    standardError: standardDeviation(differences) / Math.sqrt(prompts),
    degreesOfFreedom: prompts - 1,
  }
  const common = { ...estimate, prompts }
  if (prompts >= PROMPTS_FOR_T) return { ...common, interval: intervalOf(estimate, level), method: 't' }
  const interval = { ...bcaMean(differences, { level: widened(level, prompts) }), level }
  return { ...common, interval, method: 'bca' }
}

/**
 * The mean of few differences, or of flips between right and wrong: t with one prompt more that gains the largest difference
 * seen and one that loses it, counted in the error alone.
 *
 *   SE² = (Σ(d − d̄)² + 2 max|d|²) / (n (n − 1)), df = n − 1
 *
 * On flips it claims where McNemar's exact test does (six to none, not five), and interval and p-value are of one method.
 */
export function guardedMean(differences: readonly number[]): StudentEstimate {
  const n = differences.length
  const centre = mean(differences)
  const largest = differences.reduce((most, each) => Math.max(most, Math.abs(each)), 0)
  const squares = differences.reduce((sum, each) => sum + (each - centre) ** 2, 2 * largest ** 2)
  return { mean: centre, standardError: Math.sqrt(squares / (n * (n - 1))), degreesOfFreedom: n - 1 }
}

/**
 * Resampling n values understates their spread by √((n − 1)/n) and knows no t: at 20 prompts a plain 95 % interval missed
 * in 8 %. So it is asked for the level 1 − 2 Φ(−√(n/(n − 1)) t_{n−1}) instead (Hesterberg 2015, "expanded").
 */
function widened(level: number, n: number): number {
  const reach = Math.sqrt(n / (n - 1)) * studentQuantile(1 - (1 - level) / 2, n - 1)
  return 1 - 2 * normalCdf(-reach)
}

/** Resampling with a fixed seed: the same input gives the same interval. */

const RESAMPLES = 10_000
const SEED = 20_251_206

interface BootstrapOptions {
  readonly level?: number
  readonly resamples?: number
  readonly seed?: number
}

/** Means of resamples drawn with replacement, sorted. */
function resampledMeans(values: ArrayLike<number>, resamples: number, seed: number): Float64Array {
  const random = seededRandom(seed)
  const n = values.length
  const means = new Float64Array(resamples)
  for (let draw = 0; draw < resamples; draw += 1) {
    let sum = 0
    for (let i = 0; i < n; i += 1) sum += values[random.below(n)]
    means[draw] = sum / n
  }
  return means.sort()
}

/**
 * BCa interval of a mean (Efron 1987): bias from the share of resamples below the estimate, acceleration from the
 * jackknife. For fewer than 30 prompts, where t leans on normality too much.
 */
export function bcaMean(
  values: readonly number[],
  { level = 0.95, resamples = RESAMPLES, seed = SEED }: BootstrapOptions = {},
): Interval {
  const n = values.length
  const estimate = mean(values)
  const means = resampledMeans(values, resamples, seed)
  if (means[0] === means[means.length - 1]) return { estimate, low: estimate, high: estimate, level }
  let below = 0
  for (const value of means) below += value < estimate ? 1 : value === estimate ? 0.5 : 0
  const bias = normalQuantile(below / resamples)
  let squares = 0
  let cubes = 0
  for (const value of values) {
    const leftOut = estimate - (n * estimate - value) / (n - 1)
    squares += leftOut ** 2
    cubes += leftOut ** 3
  }
  const acceleration = squares === 0 ? 0 : cubes / (6 * squares ** 1.5)
  const end = (share: number): number => {
    const z = normalQuantile(share)
    return quantile(means, normalCdf(bias + (bias + z) / (1 - acceleration * (bias + z))))
  }
  return { estimate, low: end((1 - level) / 2), high: end(1 - (1 - level) / 2), level }
}
