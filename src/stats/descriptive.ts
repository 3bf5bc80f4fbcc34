/** Plain summaries of numbers. Empty input gives NaN, never 0. */

export function mean(values: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < values.length; i += 1) sum += values[i]
  return sum / values.length
}

/** Sample variance (n − 1). */
export function variance(values: ArrayLike<number>): number {
  if (values.length < 2) return Number.NaN
  const centre = mean(values)
  let squares = 0
  for (let i = 0; i < values.length; i += 1) squares += (values[i] - centre) ** 2
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
    squares += (i - centre) ** 2
  }
  const slope = squares === 0 ? 0 : cross / squares
  return Float64Array.from({ length: n }, (_, i) => values[i] - level - slope * (i - centre))
}

/** Lag-1 autocorrelation around the mean; 0 for values that do not vary. */
export function lagOne(values: ArrayLike<number>): number {
  const centre = mean(values)
  let cross = 0
  let squares = 0
  for (let i = 0; i < values.length; i += 1) {
    squares += (values[i] - centre) ** 2
    if (i > 0) cross += (values[i] - centre) * (values[i - 1] - centre)
  }
  return squares === 0 ? 0 : cross / squares
}

/** A local line through each point and its neighbours (a third of the curve, at least five points). */
export function localLine(values: ArrayLike<number>): Float64Array {
  const reach = Math.max(2, Math.floor(values.length / 6))
  return Float64Array.from({ length: values.length }, (_, i) => {
    const from = Math.max(0, Math.min(i - reach, values.length - 2 * reach - 1))
    const window = Array.from(values).slice(from, Math.max(from + 2 * reach + 1, i + 1))
    const around = detrended(window)
    return values[i] - around[i - from]
  })
}
