import { greatest, localLine, mean, quantile, variance } from './descriptive.js'
import { normalCdf, normalQuantile } from './distributions.js'
import { seededRandom, shuffled } from './random.js'
import type { Interval } from './student-estimate.js'

/**
 * The best of several noisy scores is too good to be true: what it is worth, and which others may be as good
 * (docs/statistics.md, "The best of several checkpoints").
 */

export interface Best {
  readonly index: number
  readonly reported: number
  /** Pulled towards the course of the scores by how much of the spread around it is noise. */
  readonly shrunken: number
  /** Šidák: covers whichever was chosen. */
  readonly interval: Interval
  /** Positions that the data cannot tell from the best. */
  readonly indistinguishable: readonly number[]
}

/** With fewer scores the course is their mean; a line through five points would follow the noise. */
const FEWEST_FOR_COURSE = 12

/**
 * Scores in their order, where higher is better, each with the same standard error. `among`: how many there will be in the
 * end, where more are to come. Told apart by the bound for all of them, the best is missed in no more cases however often
 * one looks before.
 */
export function bestOf(
  scores: readonly number[],
  standardError: number,
  { level = 0.95, among = scores.length }: { readonly level?: number; readonly among?: number } = {},
): Best {
  const index = scores.indexOf(greatest(scores))
  const reported = scores[index]
  const course = scores.length < FEWEST_FOR_COURSE ? scores.map(() => mean(scores)) : localLine(scores)
  const spread = variance(scores.map((score, i) => score - course[i]))
  const weight = spread > 0 ? Math.max(0, spread - standardError ** 2) / spread : 0
  const each = 1 - (1 - level ** (1 / among)) / 2
  const half = normalQuantile(each) * standardError
  const reach = comparisonsWithBest(among, level) * standardError
  return {
    index,
    reported,
    shrunken: course[index] + weight * (reported - course[index]),
    interval: { estimate: reported, low: reported - half, high: reported + half, level },
    indistinguishable: scores.flatMap((score, i) => (score >= reported - reach ? [i] : [])),
  }
}

/**
 * Hsu's multiple comparisons with the best, for independent scores of equal error: the quantile of
 * max_j (z_j − z_0) over the k − 1 others, in units of one score's error. It solves
 *
 *   ∫ φ(z) Φ(z + d)^(k−1) dz = level
 *
 * and gives 2.71, 3.06, 3.36 and 3.72 for 3, 5, 9 and 20. A run can have a hundred thousand evaluations: the sum takes as
 * long for them as for three.
 */
export function comparisonsWithBest(k: number, level = 0.95): number {
  if (k < 2) return 0
  const key = `${k} ${level}`
  const known = quantiles.get(key)
  if (known !== undefined) return known
  let [low, high] = [-10, 20]
  while (high - low > 1e-9) {
    const middle = (low + high) / 2
    if (chanceWithin(middle, k - 1) < level) low = middle
    else high = middle
  }
  quantiles.set(key, high)
  return high
}

const quantiles = new Map<string, number>()

/** The trapezoidal rule, which for a bell converges faster than any power of its step. */
const INTEGRATION_STEP = 1 / 16
const INTEGRATION_REACH = 9

function chanceWithin(distance: number, others: number): number {
  let chance = 0
  for (let z = -INTEGRATION_REACH; z <= INTEGRATION_REACH; z += INTEGRATION_STEP) {
    const allBelow = Math.exp(others * Math.log1p(-normalCdf(-z - distance)))
    chance += INTEGRATION_STEP * normalDensity(z) * allBelow
  }
  return chance
}

function normalDensity(z: number): number {
  return Math.exp(-(z ** 2) / 2) / Math.sqrt(2 * Math.PI)
}

/**
 * The best of several checkpoints when each was scored on the same prompts: pairing takes the luck of the
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
  {
    level = 0.95,
    among = scores.length,
    resamples = RESAMPLES,
    seed = SEED,
  }: { readonly level?: number; readonly among?: number; readonly resamples?: number; readonly seed?: number } = {},
): readonly number[] {
  // Of evaluations to come nothing can be resampled: the bound grows as it does for independent scores.
  const reach = comparisonsWithBest(among, level) / comparisonsWithBest(scores.length)
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
  return observed.flatMap((value, c) => (best - value <= reach * quantile(excess[c].sort(), 0.95) ? [c] : []))
}

/**
 * What the best of several candidates is worth without the luck of having been chosen: it is chosen on one half of the
 * prompts and scored on the other, over many halvings. Unbiased for a choice made on half the prompts.
 */
export function heldOutBest(
  /** One row per candidate, one score per prompt, where higher is better. */
  scores: readonly ArrayLike<number>[],
  { halvings = 200, seed = 20_251_206 }: { readonly halvings?: number; readonly seed?: number } = {},
): number {
  const prompts = scores[0]?.length ?? 0
  if (prompts < 2) return Number.NaN
  const random = seededRandom(seed)
  let order = Array.from({ length: prompts }, (_, i) => i)
  const half = Math.floor(prompts / 2)
  const held: number[] = []
  for (let halving = 0; halving < halvings; halving += 1) {
    order = shuffled(order, random)
    const chosen = bestOn(scores, order, 0, half)
    held.push(meanOn(scores[chosen], order, half, prompts))
  }
  return mean(held)
}

function bestOn(scores: readonly ArrayLike<number>[], order: readonly number[], from: number, to: number): number {
  let best = 0
  let highest = Number.NEGATIVE_INFINITY
  for (const [candidate, row] of scores.entries()) {
    const level = meanOn(row, order, from, to)
    if (level > highest) [best, highest] = [candidate, level]
  }
  return best
}

function meanOn(row: ArrayLike<number>, order: readonly number[], from: number, to: number): number {
  let sum = 0
  for (let i = from; i < to; i += 1) sum += row[order[i]]
  return sum / (to - from)
}
