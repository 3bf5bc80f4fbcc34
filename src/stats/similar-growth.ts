import { mean, quantile, standardDeviation } from './descriptive.js'

/**
 * How much does a curve still grow, by how much others grew that once stood where it stands? Nadaraya (1964) and Watson
 * (1964): the mean growth of known curves, weighted by a normal kernel on their standardised places. How wrong that is,
 * known curves tell when each is forecast from the others; an interval takes the weighted quantile of these errors, with
 * one curve of full weight beyond them all (weighted conformal prediction, Tibshirani et al. 2019). So an interval of 80 %
 * needs four curves that stood exactly here, or more that stood near; with fewer there is none.
 */
export interface KnownCurve {
  /** Where it stood: level, and gain since half of the way. */
  readonly place: readonly number[]
  readonly growth: number
  /** Curves of one setting resemble each other more than those of others. */
  readonly setting: string
}

export interface GrowthForecast {
  readonly estimate: number
  /** Of each known curve: true growth less the forecast of it, and how near it stood. */
  readonly errors: readonly { readonly error: number; readonly weight: number }[]
  /** Sum of the weights: as if so many curves had stood exactly here. */
  readonly similar: number
}

/** In standard deviations of the places. Chosen on half of two labs, confirmed on two and a half others (docs/statistics.md). */
const BANDWIDTH = 0.7
/** Far from every known curve all of them count alike; the weights of the interval do not have it. */
const FLOOR = 1e-4

/**
 * Errors are made as the forecast is made: where no known curve has the `setting` of the one in question, each is forecast
 * without those of its own setting.
 */
export function forecastGrowth(
  place: readonly number[],
  known: readonly KnownCurve[],
  setting: string | null,
): GrowthForecast {
  const scales = place.map((_, k) => scaleOf(known.map(curve => curve.place[k])))
  const near = (a: readonly number[], b: readonly number[]): number =>
    Math.exp(-0.5 * a.reduce((sum, value, k) => sum + ((value - b[k]) / (BANDWIDTH * scales[k])) ** 2, 0))
  const shares = settingShares(known)
  const isReplicate = known.some(curve => curve.setting === setting)
  const grown = (at: readonly number[], counts: (curve: KnownCurve) => boolean): number => {
    let [sum, total] = [0, 0]
    for (const [i, curve] of known.entries()) {
      if (!counts(curve)) continue
      const weight = shares[i] * (near(at, curve.place) + FLOOR)
      sum += weight * curve.growth
      total += weight
    }
    return total > 0 ? sum / total : 0
  }
  const errors = known.map(curve => {
    const others = (other: KnownCurve): boolean => other !== curve && (isReplicate || other.setting !== curve.setting)
    return { error: curve.growth - grown(curve.place, others), weight: near(place, curve.place) }
  })
  return {
    estimate: grown(place, () => true),
    errors,
    similar: errors.reduce((sum, { weight }) => sum + weight, 0),
  }
}

/** Half of the width of the interval around the estimate; null where too few curves stood near. */
export function halfWidthAt({ errors, similar }: GrowthForecast, level: number): number | null {
  const sizes = errors.map(({ error, weight }) => ({ size: Math.abs(error), weight })).sort((a, b) => a.size - b.size)
  let reached = 0
  for (const { size, weight } of sizes) {
    reached += weight
    if (reached >= level * (similar + 1)) return size
  }
  return null
}

/** How likely the growth is at least so much; of the one curve beyond all others, half. */
export function chanceOfGrowth({ estimate, errors, similar }: GrowthForecast, atLeast: number): number {
  const passing = errors.reduce((sum, { error, weight }) => sum + (estimate + error >= atLeast ? weight : 0), 0)
  return (passing + 0.5) / (similar + 1)
}

/** The curves of a setting together count by the square root of their number. */
function settingShares(known: readonly KnownCurve[]): readonly number[] {
  const counts = new Map<string, number>()
  for (const { setting } of known) counts.set(setting, (counts.get(setting) ?? 0) + 1)
  return known.map(({ setting }) => 1 / Math.sqrt(counts.get(setting) ?? 1))
}

const NORMAL_QUARTILES = 1.349

/** A few curves that went astray must not make all others look alike. */
function scaleOf(values: readonly number[]): number {
  if (values.length < 2) return Number.MIN_VALUE
  const sorted = Float64Array.from(values).sort()
  const middle = (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / NORMAL_QUARTILES
  const all = standardDeviation(values)
  const scale = middle > 0 ? Math.min(middle, all) : all
  return scale > 0 ? scale : Math.max(Number.MIN_VALUE, 1e-9 * Math.abs(mean(values)))
}
