/**
 * Estimates of KL(π ‖ reference) at one token, from d = log π − log reference (../../objectives/kl-estimators.ts), with
 * the limits that verl sets: k3's exponent to ±20 and its value to ±10, beyond which it has no slope.
 *   abs        |d|
 *   k1+, k3+   the value of k1, k3 with the slope of k2: an estimate to look at, and a gradient that points to the
 *              reference in expectation
 *   exact      summed over the vocabulary; it is the model that computes it, and its slope is not in log π but in itself
 */
import { clamp } from '../../objectives/group.js'
import { klEstimate, klSlope } from '../../objectives/kl-estimators.js'

export const TOKEN_KL_ESTIMATORS = ['k1', 'abs', 'k2', 'k3', 'k1+', 'k3+'] as const
export type TokenKlEstimator = (typeof TOKEN_KL_ESTIMATORS)[number]

const LARGEST_EXPONENT = 20
const LARGEST_K3 = 10

export function tokenKl(difference: number, estimator: TokenKlEstimator): number {
  switch (estimator) {
    case 'k1':
    case 'k1+':
      return difference
    case 'abs':
      return Math.abs(difference)
    case 'k2':
      return klEstimate(difference, 'k2')
    case 'k3':
    case 'k3+':
      return Math.min(LARGEST_K3, klEstimate(clamp(difference, -LARGEST_EXPONENT, LARGEST_EXPONENT), 'k3'))
  }
}

/** In log π of the token. */
export function tokenKlSlope(difference: number, estimator: TokenKlEstimator): number {
  switch (estimator) {
    case 'k1':
      return 1
    case 'abs':
      return Math.sign(difference)
    case 'k2':
    case 'k1+':
    case 'k3+':
      return klSlope(difference, 'k2')
    case 'k3': {
      const isCut = Math.abs(difference) > LARGEST_EXPONENT || klEstimate(difference, 'k3') > LARGEST_K3
      return isCut ? 0 : klSlope(difference, 'k3')
    }
  }
}
