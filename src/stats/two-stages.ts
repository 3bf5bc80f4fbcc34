import { normalCdf, normalQuantile, studentCdf } from './distributions.js'
import type { StudentEstimate } from './paired-mean.js'
import { welch } from './seeds.js'

/**
 * Two stages of seeds, of which the second was bought because of what the first had shown: their tests are joined rather
 * than their scores (inverse normal, Lehmacher and Wassmer 1999), which stays valid whatever decided on the second stage:
 *
 *   z = (√K₁ z₁ + √K₂ z₂) / √(K₁ + K₂),  z_i = Φ⁻¹(1 − one-sided p of Welch's test in stage i)
 */
export interface Stage {
  readonly first: readonly number[]
  readonly second: readonly number[]
}

/** Two-sided p that the second side is no other than the first. */
export function twoStageP(stages: readonly [Stage, Stage]): number {
  const [one, two] = stages.map(({ first, second }) => ({ z: scoreOf(welch(first, second)), weight: first.length }))
  const z = (Math.sqrt(one.weight) * one.z + Math.sqrt(two.weight) * two.z) / Math.sqrt(one.weight + two.weight)
  return 2 * normalCdf(-Math.abs(z))
}

/** The normal score of a t; a difference that never varies is certain either way. */
function scoreOf({ mean, standardError, degreesOfFreedom }: StudentEstimate): number {
  if (standardError === 0) return mean === 0 ? 0 : Math.sign(mean) * MOST
  const below = studentCdf(mean / standardError, degreesOfFreedom)
  return Math.max(-MOST, Math.min(MOST, normalQuantile(below)))
}

/** Beyond this a p-value is 0 to any purpose, and its quantile infinite. */
const MOST = 8
