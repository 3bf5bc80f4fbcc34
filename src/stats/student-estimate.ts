import { mean, variance } from './descriptive.js'
import { studentCdf, studentQuantile } from './distributions.js'

/** An estimate with the range that its method covers at a stated level. */
export interface Interval {
  readonly estimate: number
  readonly low: number
  readonly high: number
  /** Such as 0.95. */
  readonly level: number
}

/** Anything whose error follows a t distribution: one-run differences, Welch, paired prompts. */
export interface StudentEstimate {
  readonly mean: number
  readonly standardError: number
  readonly degreesOfFreedom: number
}

export function halfWidth({ standardError, degreesOfFreedom }: StudentEstimate, level = 0.95): number {
  return studentQuantile(1 - (1 - level) / 2, degreesOfFreedom) * standardError
}

export function intervalOf({ mean, standardError, degreesOfFreedom }: StudentEstimate, level = 0.95): Interval {
  const half = halfWidth({ mean, standardError, degreesOfFreedom }, level)
  return { estimate: mean, low: mean - half, high: mean + half, level }
}

/** Two-sided, against a mean of zero. A difference that never varies is certain either way. */
export function pValueOf({ mean, standardError, degreesOfFreedom }: StudentEstimate): number {
  if (standardError === 0) return mean === 0 ? 1 : 0
  return 2 * studentCdf(-Math.abs(mean / standardError), degreesOfFreedom)
}

/** "About the same", shown rather than assumed: two one-sided tests (Schuirmann 1987). */
export interface Equivalence {
  /** The larger of the two one-sided p-values; below 0.05 the difference lies within ±margin. */
  readonly p: number
  readonly equivalent: boolean
}

export function equivalence(estimate: StudentEstimate, margin: number, level = 0.95): Equivalence {
  const { mean, standardError, degreesOfFreedom } = estimate
  if (standardError === 0) return { p: Math.abs(mean) < margin ? 0 : 1, equivalent: Math.abs(mean) < margin }
  const fromBelow = studentCdf(-(mean + margin) / standardError, degreesOfFreedom)
  const fromAbove = studentCdf((mean - margin) / standardError, degreesOfFreedom)
  const p = Math.max(fromBelow, fromAbove)
  return { p, equivalent: p < 1 - level }
}

/** The smallest margin at which equivalence would be shown: the farther end of the 90 % interval. */
export function smallestMargin(estimate: StudentEstimate, level = 0.95): number {
  const { low, high } = intervalOf(estimate, 1 - 2 * (1 - level))
  return Math.max(Math.abs(low), Math.abs(high))
}

/**
 * Two configurations, several runs each, one number per run: Welch 1947, second minus first. Needs two runs a side; verdicts on
 * configurations need three.
 */
export function welch(first: readonly number[], second: readonly number[]): StudentEstimate {
  const a = variance(first) / first.length
  const b = variance(second) / second.length
  const degreesOfFreedom = (a + b) ** 2 / (a ** 2 / (first.length - 1) + b ** 2 / (second.length - 1))
  return {
    mean: mean(second) - mean(first),
    standardError: Math.sqrt(a + b),
    degreesOfFreedom: Number.isFinite(degreesOfFreedom) ? degreesOfFreedom : first.length + second.length - 2,
  }
}

/**
 * Interquartile mean (Agarwal et al. 2021, rliable): the mean without the lowest and the highest quarter, cut as
 * scipy's trim_mean does, by whole numbers of values. With three runs nothing is cut, and it is the mean.
 */
export function interquartileMean(values: readonly number[]): number {
  const cut = Math.floor(0.25 * values.length)
  return mean([...values].sort((a, b) => a - b).slice(cut, values.length - cut))
}

/** Chance that a run of the second configuration beats one of the first; ties count half (Mann and Whitney's U). */
export function probabilityOfImprovement(first: readonly number[], second: readonly number[]): number {
  let wins = 0
  for (const a of first) for (const b of second) wins += b > a ? 1 : b === a ? 0.5 : 0
  return wins / (first.length * second.length)
}
