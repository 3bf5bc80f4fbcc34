/** Plain summaries of numbers. Empty input gives NaN, never 0. */

export function mean(values: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < values.length; i += 1) sum += values[i]
  return sum / values.length
}

/** By a loop: a long series is more arguments than a call can have. */
export function greatest(values: ArrayLike<number>): number {
  let highest = Number.NEGATIVE_INFINITY
  for (let i = 0; i < values.length; i += 1) if (values[i] > highest) highest = values[i]
  return highest
}

/** Sample variance (n − 1). */
export function variance(values: ArrayLike<number>): number {
  if (values.length < 2) return Number.NaN
  const centre = mean(values)
  let squares = 0
  for (let i = 0; i < values.length; i += 1) squares += (values[i] - centre) * (values[i] - centre)
  return squares / (values.length - 1)
}

export function standardDeviation(values: ArrayLike<number>): number {
  return Math.sqrt(variance(values))
}

/** Linear interpolation between order statistics (Hyndman and Fan type 7, numpy's default). */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  if (sorted.length === 0) return Number.NaN
  const position = share * (sorted.length - 1)
  const low = Math.floor(position)
  const high = Math.min(low + 1, sorted.length - 1)
  return sorted[low] + (position - low) * (sorted[high] - sorted[low])
}

export function median(values: ArrayLike<number>): number {
  return quantile(Float64Array.from(values).sort(), 0.5)
}

/** Values minus the least-squares line over their positions 0, 1, 2, … */
export function detrended(values: ArrayLike<number>): Float64Array {
  const n = values.length
  const centre = (n - 1) / 2
  const level = mean(values)
  let cross = 0
  let squares = 0
  for (let i = 0; i < n; i += 1) {
    cross += (i - centre) * (values[i] - level)
    squares += (i - centre) * (i - centre)
  }
  const slope = squares === 0 ? 0 : cross / squares
  const deviations = new Float64Array(n)
  for (let i = 0; i < n; i += 1) deviations[i] = values[i] - level - slope * (i - centre)
  return deviations
}

/** Autocorrelation around the mean at one lag; 0 for values that do not vary. */
function autocorrelation(values: ArrayLike<number>, lag: number): number {
  const centre = mean(values)
  let cross = 0
  let squares = 0
  for (let i = 0; i < values.length; i += 1) {
    squares += (values[i] - centre) * (values[i] - centre)
    if (i >= lag) cross += (values[i] - centre) * (values[i - lag] - centre)
  }
  return squares === 0 ? 0 : cross / squares
}

export function lagOne(values: ArrayLike<number>): number {
  return autocorrelation(values, 1)
}

/** A local line through each point and its neighbours (a third of the curve, at least five points). */
export function localLine(values: ArrayLike<number>): Float64Array {
  const n = values.length
  const reach = Math.max(2, Math.floor(n / 6))
  // Running sums around the mean, so that every window costs the same and long curves lose no digits.
  const level = mean(values)
  const sums = new Float64Array(n + 1)
  const moments = new Float64Array(n + 1)
  for (let i = 0; i < n; i += 1) {
    sums[i + 1] = sums[i] + (values[i] - level)
    moments[i + 1] = moments[i] + i * (values[i] - level)
  }
  const line = new Float64Array(n)
  for (let i = 0; i < n; i += 1) {
    const from = Math.max(0, Math.min(i - reach, n - 2 * reach - 1))
    const to = Math.min(n, from + 2 * reach + 1)
    const count = to - from
    const centre = (from + to - 1) / 2
    const sum = sums[to] - sums[from]
    const cross = moments[to] - moments[from] - centre * sum
    const squares = (count * (count ** 2 - 1)) / 12
    line[i] = level + sum / count + (squares === 0 ? 0 : (cross / squares) * (i - centre))
  }
  return line
}
