import { clamp } from './group.js'

/**
 * Estimates of KL(π ‖ reference) from sampled beams or tokens (Schulman 2020, "Approximating KL divergence"), one by one, from
 * the difference d = log π − log reference, and their slopes in log π.
 *
 *   k1          d                  unbiased on samples of π, may be negative; as a loss its slope is 1 whatever the
 *                                  reference, so it belongs in the reward
 *   abs         |d|
 *   k2          d² / 2             biased, never negative; its slope d points to the reference
 *   k3          e^−d − 1 + d       unbiased on samples of π, never negative
 *   k3-inverse  e^d − 1 − d        the original's: k3 with the ratio upside down. Unbiased for KL(reference ‖ π), on
 *                                  samples of the reference; on logged beams of neither it is a penalty, not a KL
 *   k1+, k3+    the value of k1, k3 with the slope of k2: an estimate to look at, and a gradient that points to the
 *               reference in expectation
 *
 * Weighed by r = π / π_old, an estimate r k has the slope r (k + k'). Of k3 that is r d, and its mean over samples of π_old is
 * the gradient of the KL, which the slope of k3 alone is not (DeepSeek-V3.2, 2025).
 *
 * The exact KL is no estimate: it is summed over all candidates (exact.ts) or over the vocabulary (the language model);
 * `forward` is the other direction, KL(reference ‖ π), summed in the same way.
 */
export const KL_ESTIMATORS = ['k1', 'k2', 'k3', 'k3-inverse'] as const
export const TOKEN_KL_ESTIMATORS = ['k1', 'abs', 'k2', 'k3', 'k1+', 'k3+'] as const
export const EXACT_KLS = ['exact', 'forward'] as const
export type ExactKl = (typeof EXACT_KLS)[number]
/** Those that an importance weight makes sense of. */
export const WEIGHABLE_ESTIMATORS: readonly string[] = ['k1', 'k2', 'k3']
export type KlEstimator = (typeof KL_ESTIMATORS | typeof TOKEN_KL_ESTIMATORS)[number]

/** Of k3: its exponent is kept within ± `exponent`, its value below `value`; beyond either it has no slope. */
interface KlLimits {
  readonly exponent: number
  readonly value: number
}

const NO_LIMITS: KlLimits = { exponent: Number.POSITIVE_INFINITY, value: Number.POSITIVE_INFINITY }
export const VERL_KL_LIMITS: KlLimits = { exponent: 20, value: 10 }

export function klEstimate(difference: number, estimator: KlEstimator, limits = NO_LIMITS): number {
  switch (estimator) {
    case 'k1':
    case 'k1+':
      return difference
    case 'abs':
      return Math.abs(difference)
    case 'k2':
      return difference ** 2 / 2
    // expm1, because e^−d − 1 + d loses all its digits near 0, where a training starts, and may come out negative.
    case 'k3':
    case 'k3+': {
      const exponent = clamp(difference, -limits.exponent, limits.exponent)
      return clamp(Math.expm1(-exponent) + exponent, 0, limits.value)
    }
    case 'k3-inverse':
      return Math.max(0, Math.expm1(difference) - difference)
  }
}

export function klSlope(difference: number, estimator: KlEstimator, limits = NO_LIMITS): number {
  switch (estimator) {
    case 'k1':
      return 1
    case 'abs':
      return Math.sign(difference)
    case 'k2':
    case 'k1+':
    case 'k3+':
      return difference
    case 'k3': {
      const isCut = Math.abs(difference) > limits.exponent || klEstimate(difference, 'k3') > limits.value
      return isCut ? 0 : -Math.expm1(-difference)
    }
    case 'k3-inverse':
      return Math.expm1(difference)
  }
}

/** An estimate and its slope in log π; `logRatio` = log π / π_old where it is weighed by that, null where not. */
export function klTerm(difference: number, estimator: KlEstimator, logRatio: number | null, limits = NO_LIMITS) {
  const value = klEstimate(difference, estimator, limits)
  const slope = klSlope(difference, estimator, limits)
  if (logRatio === null) return { value, slope }
  const weight = Math.exp(clamp(logRatio, -limits.exponent, limits.exponent))
  const ofWeight = Math.abs(logRatio) > limits.exponent ? 0 : value
  return { value: weight * value, slope: weight * (ofWeight + slope) }
}

export function klEstimates(logProbs: Float64Array, reference: Float64Array, estimator: KlEstimator): Float64Array {
  return logProbs.map((logProb, i) => klEstimate(logProb - reference[i], estimator))
}

export function meanKlEstimate(logProbs: Float64Array, reference: Float64Array, estimator: KlEstimator): number {
  let sum = 0
  for (let i = 0; i < logProbs.length; i += 1) sum += klEstimate(logProbs[i] - reference[i], estimator)
  return sum / logProbs.length
}
