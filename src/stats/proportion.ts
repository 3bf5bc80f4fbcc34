import { mean } from './descriptive.js'
import { normalQuantile } from './distributions.js'
import type { Interval } from './interval.js'

/** One score measured on n prompts (facts 1.1). */

/** Wilson 1927. For a graded score in [0, 1] of which only the mean is known, it is the widest that can be true. */
export function wilson(share: number, n: number, level = 0.95): Interval {
  const z = normalQuantile(1 - (1 - level) / 2)
  const scale = 1 + z ** 2 / n
  const centre = (share + z ** 2 / (2 * n)) / scale
  const half = (z * Math.sqrt((share * (1 - share)) / n + z ** 2 / (4 * n ** 2))) / scale
  return { estimate: share, low: Math.max(0, centre - half), high: Math.min(1, centre + half), level }
}

export interface Clustered {
  readonly mean: number
  readonly standardError: number
  readonly degreesOfFreedom: number
  readonly clusters: number
}

/**
 * Several scores per prompt, or prompts in groups (Miller 2024): SE = √(Σ_g (Σ_{i∈g} (s_i − s̄))²)/n, with the factor
 * G/(G − 1) for few clusters. Cluster = whatever shares its luck.
 */
export function clusteredMean(scores: readonly number[], clusterOf: readonly (string | number)[]): Clustered {
  const centre = mean(scores)
  const sums = new Map<string | number, number>()
  scores.forEach((score, i) => {
    sums.set(clusterOf[i], (sums.get(clusterOf[i]) ?? 0) + score - centre)
  })
  const clusters = sums.size
  let squares = 0
  for (const sum of sums.values()) squares += sum ** 2
  const standardError = Math.sqrt((squares * clusters) / (clusters - 1)) / scores.length
  return { mean: centre, standardError, degreesOfFreedom: clusters - 1, clusters }
}

/** Two shares on different prompts, or with unknown pairing (Newcombe 1998, hybrid score, method 10). */
export function newcombe(
  first: { readonly share: number; readonly n: number },
  second: { readonly share: number; readonly n: number },
  level = 0.95,
): Interval {
  const a = wilson(first.share, first.n, level)
  const b = wilson(second.share, second.n, level)
  const estimate = second.share - first.share
  return {
    estimate,
    low: estimate - Math.hypot(b.estimate - b.low, a.high - a.estimate),
    high: estimate + Math.hypot(b.high - b.estimate, a.estimate - a.low),
    level,
  }
}
