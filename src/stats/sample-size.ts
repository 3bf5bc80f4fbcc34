import { chiSquareQuantile, normalQuantile, studentQuantile } from './distributions.js'

/** How much more data would settle it (facts 1.13). */

interface Wish {
  readonly difference: number
  readonly power?: number
  readonly level?: number
}

/** Standard errors that a difference must measure to be seen: z for the level plus z for the power. */
export function reachOf(power = 0.8, level = 0.95): number {
  return normalQuantile(1 - (1 - level) / 2) + normalQuantile(power)
}

/** The same for showing that two that do not differ lie within a margin: two one-sided tests (facts 1.13). */
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

const MOST = 1_000_000

function smallestCount(suffices: (k: number) => boolean): number {
  let low = 2
  let high = 2
  while (!suffices(high) && high < MOST) high *= 2
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (suffices(middle)) high = middle
    else low = middle + 1
  }
  return high
}
