import { signMartingale } from './sign-martingale.js'

/**
 * Bets on a mean, for scores that arrive one after the other and lie within ±1: if the mean is not above a bound, no stake
 * λ in 0 … 1 makes
 *
 *   E = Π (1 + λ (x_i − bound)/(1 + |bound|))
 *
 * grow on average, so that E ever reaches 20 in at most 5 % of cases, however often one looks (Ville 1939; Waudby-Smith
 * and Ramdas 2024). Which stake grows fastest is not known beforehand; the mean over several is as honest as each.
 */
export function bettingMartingale(values: readonly number[], bound: number): number {
  const reach = 1 + Math.abs(bound)
  let sum = 0
  for (const stake of STAKES) {
    let logarithm = 0
    for (const value of values) logarithm += Math.log1p((stake * (value - bound)) / reach)
    sum += Math.exp(logarithm)
  }
  return sum / STAKES.length
}

/** From 0.01 to 0.96, each about twice the one before: good for effects of a hundredth of a point and of a half. */
const STAKES = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.6, 0.96]

/** Against "no difference", either way. Where every difference is a flip the exact bet is used (sign-martingale.ts). */
export function differenceEvidence(differences: readonly number[]): number {
  if (differences.every(value => value === 0 || Math.abs(value) === 1)) {
    return signMartingale(count(differences, -1), count(differences, 1))
  }
  const turned = differences.map(value => -value)
  return (bettingMartingale(differences, 0) + bettingMartingale(turned, 0)) / 2
}

/** Against a difference of the margin or more, on the side on which that is harder to rule out. */
export function withinEvidence(differences: readonly number[], margin: number): number {
  const turned = differences.map(value => -value)
  return Math.min(bettingMartingale(differences, -margin), bettingMartingale(turned, -margin))
}

function count(values: readonly number[], wanted: number): number {
  return values.reduce((sum, value) => sum + Number(value === wanted), 0)
}
