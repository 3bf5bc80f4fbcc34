import { studentCdf } from './distributions.js'
import { intervalOf, type StudentEstimate } from './paired-mean.js'

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
