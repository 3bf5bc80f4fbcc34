import { median } from './descriptive.js'

/**
 * The course under noisy scores: a level that wanders from one evaluation to the next, seen with an error of known size.
 *
 *   y_t = f_t + e_t,  e_t ~ N(0, r);   f_t = f_{t−1} + w_t,  w_t ~ N(0, q r Δ_t/Δ)
 *
 * How fast it wanders is not known: the smoothed courses (Kalman filter, Rauch-Tung-Striebel smoother) for a range of q
 * are averaged by their likelihood. A straight mean, a moving mean and the raw scores are all among them. Linear in the
 * number of scores.
 */
export function localLevel(
  positions: ArrayLike<number>,
  scores: ArrayLike<number>,
  errorVariance: number,
): Float64Array {
  const n = scores.length
  const course = new Float64Array(n)
  if (n === 0) return course
  const gaps = relativeGaps(positions)
  const fits = WANDER.map(wander => smooth(gaps, scores, errorVariance, wander * errorVariance))
  const likeliest = Math.max(...fits.map(({ logLikelihood }) => logLikelihood))
  const weights = fits.map(({ logLikelihood }) => Math.exp(logLikelihood - likeliest))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  fits.forEach(({ level }, fit) => {
    for (let i = 0; i < n; i += 1) course[i] += (weights[fit] / total) * level[i]
  })
  return course
}

/** Variance of a step of the level, over that of one score's error. */
const WANDER = [0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3]

function relativeGaps(positions: ArrayLike<number>): Float64Array {
  const gaps = Float64Array.from({ length: positions.length }, (_, i) =>
    i === 0 ? 0 : positions[i] - positions[i - 1],
  )
  const usual = median(gaps.subarray(1))
  return usual > 0 ? gaps.map(gap => gap / usual) : gaps.fill(1)
}

function smooth(gaps: Float64Array, scores: ArrayLike<number>, error: number, wander: number) {
  const n = scores.length
  const level = new Float64Array(n)
  const variance = new Float64Array(n)
  level[0] = scores[0]
  variance[0] = error
  let logLikelihood = 0
  for (let i = 1; i < n; i += 1) {
    const before = variance[i - 1] + wander * gaps[i]
    const spread = before + error
    const surprise = scores[i] - level[i - 1]
    logLikelihood -= 0.5 * (Math.log(spread) + surprise ** 2 / spread)
    level[i] = level[i - 1] + (before / spread) * surprise
    variance[i] = (before * error) / spread
  }
  for (let i = n - 2; i >= 0; i -= 1) {
    const gain = variance[i] / (variance[i] + wander * gaps[i + 1])
    level[i] += gain * (level[i + 1] - level[i])
  }
  return { level, logLikelihood }
}
