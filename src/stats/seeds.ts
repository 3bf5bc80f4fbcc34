import { mean, variance } from './descriptive.js'
import type { StudentEstimate } from './paired-mean.js'

/** Two configurations, several runs each: one number per run (facts 1.5). */

/** Welch 1947: second minus first. Needs two runs a side; verdicts on configurations need three. */
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
