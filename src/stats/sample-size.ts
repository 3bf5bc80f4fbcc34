import { quantile } from './descriptive.js'
import { chiSquareQuantile, normalQuantile, studentQuantile } from './distributions.js'
import { FEWEST_EVALUATIONS, pairedMean } from './paired-mean.js'
import { fillWithNoise, seededRandom } from './random.js'
import { intervalOf } from './student-estimate.js'

/** How much more data would settle a comparison (docs/statistics.md, "Studies: settling, dropping"). */

interface Wish {
  readonly difference: number
  readonly power?: number
  readonly level?: number
}

/** Standard errors that a difference must measure to be seen: z for the level plus z for the power. */
export function reachOf(power = 0.8, level = 0.95): number {
  return normalQuantile(1 - (1 - level) / 2) + normalQuantile(power)
}

/** The same for showing that two that do not differ lie within a margin: two one-sided tests. */
export function equivalenceReachOf(power = 0.8, level = 0.95): number {
  return normalQuantile(level) + normalQuantile((1 + power) / 2)
}

/**
 * What a scatter that few values show may well be: its 80 % upper limit, s √(ν/χ²_{0.2,ν}). Plans that took three and three
 * pilot runs at their word reached 70 % where 80 were promised, and in four of ten cases less than that.
 */
export function upperScatter(scatter: number, degreesOfFreedom: number): number {
  return scatter * Math.sqrt(degreesOfFreedom / chiSquareQuantile(0.2, degreesOfFreedom))
}

/** Prompts for a paired comparison, given the variance of the per-prompt difference. */
export function pairedPrompts(varianceOfDifference: number, { difference, power = 0.8, level = 0.95 }: Wish): number {
  return Math.ceil((reachOf(power, level) ** 2 * varianceOfDifference) / difference ** 2)
}

/** Prompts a side when each answers other prompts. */
export function unpairedPrompts(share: number, { difference, power = 0.8, level = 0.95 }: Wish): number {
  return Math.ceil((reachOf(power, level) ** 2 * 2 * share * (1 - share)) / difference ** 2)
}

/**
 * Variance of the difference of two settings with K seeds each, every run evaluated on n prompts of its own:
 * 2 (τ²/K + σ²/(K n)). More prompts never make the first term smaller.
 */
export function varianceOfComparison(
  seedScatter: number,
  promptScatter: number,
  seeds: number,
  prompts: number,
): number {
  return 2 * (seedScatter ** 2 / seeds + promptScatter ** 2 / (seeds * prompts))
}

/** Prompts to show that two that do not differ lie within a margin, given the variance of the per-prompt difference. */
export function promptsForEquivalence(
  varianceOfDifference: number,
  { margin, power = 0.8, level = 0.95 }: { readonly margin: number; readonly power?: number; readonly level?: number },
): number {
  return Math.ceil((equivalenceReachOf(power, level) ** 2 * varianceOfDifference) / margin ** 2)
}

/** Seeds a side to see a difference, given how much seeds scatter; the t quantile makes it self-consistent. */
export function seedsForDifference(scatter: number, { difference, power = 0.8, level = 0.95 }: Wish): number {
  return smallestCount(k => {
    const reach = studentQuantile(1 - (1 - level) / 2, 2 * k - 2) + studentQuantile(power, 2 * k - 2)
    return (reach * scatter * Math.SQRT2) / Math.sqrt(k) <= Math.abs(difference)
  })
}

/** Seeds a side to show that two settings differ by less than the margin, when in truth they do not differ. */
export function seedsForEquivalence(
  scatter: number,
  { margin, power = 0.8, level = 0.95 }: { readonly margin: number; readonly power?: number; readonly level?: number },
): number {
  return smallestCount(k => {
    const reach = studentQuantile(level, 2 * k - 2) + studentQuantile((1 + power) / 2, 2 * k - 2)
    return (reach * scatter * Math.SQRT2) / Math.sqrt(k) <= margin
  })
}

/** More than anyone measures. */
const MOST_COUNTED = 1_000_000

function smallestCount(suffices: (count: number) => boolean, fewest = 2): number {
  let low = fewest
  let high = fewest
  while (!suffices(high) && high < MOST_COUNTED) high *= 2
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (suffices(middle)) high = middle
    else low = middle + 1
  }
  return high
}

/**
 * How small a difference so many shared evaluations can show, found by simulating the very interval that will judge
 * them. A formula for an ideal interval promises too much: the floor under the autocorrelation and the few degrees of
 * freedom left 42–77 % power where 80 % were planned. Simulation also follows when the interval is changed.
 *
 * For a spread of one: a difference d is shown where d + mean − half > 0, so the wanted quantile of half − mean is the
 * smallest d. Two that are equal are shown so where both ends of the 90 % interval lie within the margin.
 */
export type SampleSizeAim = 'difference' | 'equivalence'

/** Beyond, the reach shrinks with the root of the count. */
const LONGEST_SIMULATED = 2_000

export function smallestShown(
  count: number,
  autocorrelation: number,
  power: number,
  aim: SampleSizeAim,
  most = 2_000,
): number {
  const simulated = Math.min(count, LONGEST_SIMULATED)
  const key = [simulated, autocorrelation, power, aim, most].join()
  const shown = sizes.get(key) ?? simulate(simulated, autocorrelation, power, aim, most)
  sizes.set(key, shown)
  return shown * Math.sqrt(simulated / count)
}

/** Many comparisons in one process ask the same. */
const sizes = new Map<string, number>()

function simulate(count: number, autocorrelation: number, power: number, aim: SampleSizeAim, most: number): number {
  const random = seededRandom(1)
  const repetitions = Math.round(Math.min(most, Math.max(Math.min(most, 400), 400_000 / count)))
  const needed = Float64Array.from({ length: repetitions }, () => {
    const estimate = pairedMean(fillWithNoise(random, new Float64Array(count), autocorrelation))
    const { low, high } = intervalOf(estimate, aim === 'difference' ? 0.95 : 0.9)
    return aim === 'difference' ? -low : Math.max(Math.abs(low), Math.abs(high))
  }).sort()
  return quantile(needed, power)
}

/** The fewest evaluations that show a size given in units of the spread. */
export function evaluationsNeeded(size: number, autocorrelation: number, power: number, aim: SampleSizeAim): number {
  return smallestCount(count => smallestShown(count, autocorrelation, power, aim) <= size, FEWEST_EVALUATIONS)
}

/** Within a tenth, in milliseconds: enough for "about 40 more" beside a verdict. The autocorrelation is known to 0.05. */
export function roughlyNeeded(size: number, autocorrelation: number, power: number, aim: SampleSizeAim): number {
  const counts = Array.from({ length: ROUGH_STEPS }, (_, i) => Math.round(FEWEST_EVALUATIONS * 1.1 ** i))
  let low = 0
  let high = counts.length - 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (smallestShown(counts[middle], Math.round(20 * autocorrelation) / 20, power, aim, 200) <= size) high = middle
    else low = middle + 1
  }
  return counts[high]
}

/** Up to 80,000 evaluations. */
const ROUGH_STEPS = 100
