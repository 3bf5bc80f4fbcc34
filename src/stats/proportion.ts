import { normalQuantile } from './distributions.js'
import type { Interval } from './student-estimate.js'

/** One score measured on n prompts: Wilson 1927. For a graded score in [0, 1] of which only the mean is known, it is the widest that can be true. */
export function wilson(share: number, n: number, level = 0.95): Interval {
  const z = normalQuantile(1 - (1 - level) / 2)
  const scale = 1 + z ** 2 / n
  const centre = (share + z ** 2 / (2 * n)) / scale
  const half = (z * Math.sqrt((share * (1 - share)) / n + z ** 2 / (4 * n ** 2))) / scale
  return { estimate: share, low: Math.max(0, centre - half), high: Math.min(1, centre + half), level }
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
