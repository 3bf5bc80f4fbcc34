import { greatest, mean, quantile } from './descriptive.js'
import { seededRandom } from './random.js'

/**
 * The best of several checkpoints when each was scored on the same prompts (facts 1.6): pairing takes the luck of the
 * prompts out, so fewer checkpoints stay in doubt than with one error for all.
 */

const RESAMPLES = 2_000
const SEED = 20_251_206

/** Scores by checkpoint, then by prompt, higher is better. */
type Scores = readonly ArrayLike<number>[]

/**
 * Checkpoints that cannot be told from the best: resample prompts, take for each resample the largest amount by which any
 * checkpoint's difference to another exceeds the observed one, and keep every checkpoint whose distance to the best is
 * within the 95 % quantile of it (Hsu 1981 by bootstrap).
 */
export function bestOnSharedPrompts(
  scores: Scores,
  { level = 0.95, resamples = RESAMPLES, seed = SEED } = {},
): readonly number[] {
  const random = seededRandom(seed)
  const prompts = scores[0].length
  const observed = scores.map(each => mean(each))
  const best = greatest(observed)
  const excess = scores.map(() => new Float64Array(resamples))
  const sums = new Float64Array(scores.length)
  for (let draw = 0; draw < resamples; draw += 1) {
    sums.fill(0)
    for (let i = 0; i < prompts; i += 1) {
      const prompt = random.below(prompts)
      for (let c = 0; c < scores.length; c += 1) sums[c] += scores[c][prompt]
    }
    let luckiest = Number.NEGATIVE_INFINITY
    for (let c = 0; c < scores.length; c += 1) luckiest = Math.max(luckiest, sums[c] / prompts - observed[c])
    for (let c = 0; c < scores.length; c += 1) excess[c][draw] = luckiest - (sums[c] / prompts - observed[c])
  }
  return observed.flatMap((value, c) => (best - value <= quantile(excess[c].sort(), level) ? [c] : []))
}
