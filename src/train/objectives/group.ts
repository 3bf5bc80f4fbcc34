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
