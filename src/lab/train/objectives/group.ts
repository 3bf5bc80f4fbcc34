/** Small questions about the rewards of one group. */

/** Differences below this share of the largest reward are rounding, not information. */
const TIE_TOLERANCE = 1e-12

export function isTied(rewards: ArrayLike<number>): boolean {
  let lowest = Number.POSITIVE_INFINITY
  let highest = Number.NEGATIVE_INFINITY
  for (let i = 0; i < rewards.length; i += 1) {
    lowest = Math.min(lowest, rewards[i])
    highest = Math.max(highest, rewards[i])
  }
  return highest - lowest <= TIE_TOLERANCE * Math.max(1, Math.abs(lowest), Math.abs(highest))
}

/** The position of the largest value; the first of several. */
export function bestOf(values: ArrayLike<number>): number {
  let best = 0
  for (let i = 1; i < values.length; i += 1) if (values[i] > values[best]) best = i
  return best
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}

/**
 * Ranks spread over [−1, 1]: 1 − 2·rank/(n − 1), where rank 0 is the best. Equal values share the mean of their ranks,
 * so that equal rewards never differ by the order in which they were stored (the original breaks ties by that order).
 */
export function rankScores(values: ArrayLike<number>): Float64Array {
  const n = values.length
  const scores = new Float64Array(n)
  if (n < 2) return scores
  for (let i = 0; i < n; i += 1) {
    let better = 0
    let equal = 0
    for (let j = 0; j < n; j += 1) {
      if (values[j] > values[i]) better += 1
      else if (values[j] === values[i]) equal += 1
    }
    const rank = better + (equal - 1) / 2
    scores[i] = 1 - (2 * rank) / (n - 1)
  }
  return scores
}
