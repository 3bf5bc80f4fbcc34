/** Stretches of steps in their order, as columns of equal length. A stretch without a point is left out. */
export interface Buckets {
  /** First and last step that has a point. */
  readonly from: Float64Array
  readonly to: Float64Array
  /** Over the finite values; NaN where there is none. */
  readonly low: Float64Array
  readonly high: Float64Array
  readonly mean: Float64Array
  readonly points: Float64Array
  /** How many of the points are NaN or infinite. */
  readonly nonFinite: Float64Array
}

export function bucketsFrom([from, to, low, high, mean, points, nonFinite]: readonly Float64Array[]): Buckets {
  return { from, to, low, high, mean, points, nonFinite }
}

export const BUCKET_COLUMNS = ['from', 'to', 'low', 'high', 'mean', 'points', 'nonFinite'] as const

/** First and last step, and how many points there are. */
export interface StepReach {
  readonly first: number
  readonly last: number
  readonly total: number
}

/** The stretch that a step lies in, of so many equal ones. DuckDB reckons the same (`envelope.ts`). */
export function stretchAt({ first, last }: StepReach, stretches: number, step: number): number {
  return Math.min(stretches - 1, Math.floor((step - first) / ((last - first) / stretches)))
}

/** Stretches, or points in the order of their steps: each is one of its own, and its value says whether it is finite. */
interface Pieces extends Pick<Buckets, 'from' | 'to' | 'low' | 'high' | 'mean'> {
  readonly counts: Pick<Buckets, 'points' | 'nonFinite'> | null
}

/** Neighbours that lie in one of at most so many stretches become one. What is in them stays in it: the least, the greatest, every count. */
export function regrouped(fine: Pieces, stretchOf: (step: number) => number, most = fine.from.length): Buckets {
  const merged = bucketsFrom(BUCKET_COLUMNS.map(() => new Float64Array(most)))
  const { from, to, low, high, mean, points, nonFinite } = merged
  const { from: starts, to: ends, low: lows, high: highs, mean: means, counts } = fine
  let at = -1
  let current = Number.NaN
  for (let i = 0; i < starts.length; i += 1) {
    const stretch = stretchOf(starts[i])
    if (stretch !== current) {
      at += 1
      current = stretch
      from[at] = starts[i]
      low[at] = high[at] = Number.NaN
    }
    to[at] = ends[i]
    const least = lows[i]
    const greatest = highs[i]
    const isUsable = least - least === 0
    if (isUsable && !(least >= low[at])) low[at] = least
    if (isUsable && !(greatest <= high[at])) high[at] = greatest
    const count = counts === null ? 1 : counts.points[i]
    const unusable = counts === null ? Number(!isUsable) : counts.nonFinite[i]
    // A sum until all are in.
    if (count > unusable) mean[at] += means[i] * (count - unusable)
    points[at] += count
    nonFinite[at] += unusable
  }
  for (let i = 0; i <= at; i += 1) mean[i] /= points[i] - nonFinite[i]
  return bucketsFrom(BUCKET_COLUMNS.map(name => merged[name].subarray(0, at + 1)))
}
