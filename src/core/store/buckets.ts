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

/** Neighbours that lie in one stretch become one. What is in them stays in it: the least, the greatest, every count. */
export function regrouped(fine: Buckets, stretchOf: (step: number) => number): Buckets {
  const merged = bucketsFrom(BUCKET_COLUMNS.map(() => new Float64Array(fine.from.length)))
  const { from, to, low, high, mean, points, nonFinite } = merged
  let at = -1
  let current = Number.NaN
  for (let i = 0; i < fine.from.length; i += 1) {
    const stretch = stretchOf(fine.from[i])
    if (stretch !== current) {
      at += 1
      current = stretch
      from[at] = fine.from[i]
      low[at] = high[at] = Number.NaN
    }
    to[at] = fine.to[i]
    if (!(fine.low[i] >= low[at]) && !Number.isNaN(fine.low[i])) low[at] = fine.low[i]
    if (!(fine.high[i] <= high[at]) && !Number.isNaN(fine.high[i])) high[at] = fine.high[i]
    const finite = fine.points[i] - fine.nonFinite[i]
    // A sum until all are in.
    if (finite > 0) mean[at] += fine.mean[i] * finite
    points[at] += fine.points[i]
    nonFinite[at] += fine.nonFinite[i]
  }
  for (let i = 0; i <= at; i += 1) mean[i] /= points[i] - nonFinite[i]
  return bucketsFrom(BUCKET_COLUMNS.map(name => merged[name].subarray(0, at + 1)))
}

/** Points in the order of their steps, in so many equal stretches. */
export function bucketsOf(steps: Float64Array, values: Float64Array, reach: StepReach, stretches: number): Buckets {
  const made = bucketsFrom(BUCKET_COLUMNS.map(() => new Float64Array(stretches)))
  const { from, to, low, high, mean, points, nonFinite } = made
  let at = -1
  let current = Number.NaN
  for (let i = 0; i < steps.length; i += 1) {
    const stretch = stretchAt(reach, stretches, steps[i])
    if (stretch !== current) {
      at += 1
      current = stretch
      from[at] = steps[i]
      low[at] = high[at] = Number.NaN
    }
    to[at] = steps[i]
    points[at] += 1
    const value = values[i]
    // NaN and the infinities, without a call for each of a million points.
    if (value - value !== 0) nonFinite[at] += 1
    else {
      if (!(value >= low[at])) low[at] = value
      if (!(value <= high[at])) high[at] = value
      // A sum until all are in.
      mean[at] += value
    }
  }
  for (let i = 0; i <= at; i += 1) mean[i] /= points[i] - nonFinite[i]
  return bucketsFrom(BUCKET_COLUMNS.map(name => made[name].subarray(0, at + 1)))
}
