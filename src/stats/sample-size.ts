import { normalQuantile, studentQuantile } from './distributions.js'

/** How much more data would settle it (facts 1.13). */

interface Wish {
  readonly difference: number
  readonly power?: number
  readonly level?: number
}

function normalSum(power: number, level: number): number {
  return normalQuantile(1 - (1 - level) / 2) + normalQuantile(power)
}

/** Prompts for a paired comparison, given the variance of the per-prompt difference. */
export function pairedPrompts(varianceOfDifference: number, { difference, power = 0.8, level = 0.95 }: Wish): number {
  return Math.ceil((normalSum(power, level) ** 2 * varianceOfDifference) / difference ** 2)
}

/** Prompts a side when each answers other prompts. */
export function unpairedPrompts(share: number, { difference, power = 0.8, level = 0.95 }: Wish): number {
  return Math.ceil((normalSum(power, level) ** 2 * 2 * share * (1 - share)) / difference ** 2)
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
