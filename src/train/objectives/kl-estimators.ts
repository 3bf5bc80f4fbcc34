/**
 * Estimates of KL(π ‖ reference) from sampled beams (Schulman 2020, "Approximating KL divergence"), per beam, from the
 * difference d = log π(beam) − log reference(beam), and their slopes in log π(beam).
 *
 *   k1          d                  unbiased on samples of π, may be negative; as a loss its slope is 1 whatever the
 *                                  reference, so it belongs in the reward
 *   k2          d² / 2             biased, never negative; its slope d points to the reference
 *   k3          e^−d − 1 + d       unbiased on samples of π, never negative
 *   k3-inverse  e^d − 1 − d        the original's: k3 with the ratio upside down. Unbiased for KL(reference ‖ π), on
 *                                  samples of the reference; on logged beams of neither it is a penalty, not a KL
 */
export const KL_ESTIMATORS = ['k1', 'k2', 'k3', 'k3-inverse'] as const
export type KlEstimator = (typeof KL_ESTIMATORS)[number]

export function klEstimate(difference: number, estimator: KlEstimator): number {
  switch (estimator) {
    case 'k1':
      return difference
    case 'k2':
      return difference ** 2 / 2
    // expm1, because e^−d − 1 + d loses all its digits near 0, where a training starts, and may come out negative.
    case 'k3':
      return Math.max(0, Math.expm1(-difference) + difference)
    case 'k3-inverse':
      return Math.max(0, Math.expm1(difference) - difference)
  }
}

export function klSlope(difference: number, estimator: KlEstimator): number {
  switch (estimator) {
    case 'k1':
      return 1
    case 'k2':
      return difference
    case 'k3':
      return -Math.expm1(-difference)
    case 'k3-inverse':
      return Math.expm1(difference)
  }
}

export function meanKlEstimate(logProbs: Float64Array, reference: Float64Array, estimator: KlEstimator): number {
  let sum = 0
  for (let beam = 0; beam < logProbs.length; beam += 1) sum += klEstimate(logProbs[beam] - reference[beam], estimator)
  return sum / logProbs.length
}

export function klEstimates(logProbs: Float64Array, reference: Float64Array, estimator: KlEstimator): Float64Array {
  return logProbs.map((logProb, beam) => klEstimate(logProb - reference[beam], estimator))
}
