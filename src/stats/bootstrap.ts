import { mean, quantile } from './descriptive.js'
import { normalCdf, normalQuantile } from './distributions.js'
import type { Interval } from './interval.js'
import { seededRandom } from './random.js'

/** Resampling with a fixed seed: the same input gives the same interval. */

const RESAMPLES = 10_000
const SEED = 20_251_206

interface Options {
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
  { level = 0.95, resamples = RESAMPLES, seed = SEED }: Options = {},
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

/** Percentile interval of any statistic over groups that are resampled each on its own (rliable's stratified bootstrap). */
export function stratifiedBootstrap(
  groups: readonly (readonly number[])[],
  statistic: (groups: readonly (readonly number[])[]) => number,
  { level = 0.95, resamples = RESAMPLES, seed = SEED }: Options = {},
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
