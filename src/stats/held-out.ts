import { mean } from './descriptive.js'
import { type Random, seededRandom } from './random.js'

/**
 * What the best of several candidates is worth without the luck of having been chosen: it is chosen on one half of the
 * prompts and scored on the other, over many halvings (facts 1.6, iii). Unbiased for a choice made on half the prompts.
 */
export function heldOutBest(
  /** One row per candidate, one score per prompt, where higher is better. */
  scores: readonly ArrayLike<number>[],
  { halvings = 200, seed = 20_251_206 }: { readonly halvings?: number; readonly seed?: number } = {},
): number {
  const prompts = scores[0]?.length ?? 0
  if (prompts < 2) return Number.NaN
  const random = seededRandom(seed)
  const order = Array.from({ length: prompts }, (_, i) => i)
  const half = Math.floor(prompts / 2)
  const held: number[] = []
  for (let halving = 0; halving < halvings; halving += 1) {
    shuffle(order, random)
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

function shuffle(order: number[], random: Random): void {
  for (let i = order.length - 1; i > 0; i -= 1) {
    const j = random.below(i + 1)
    ;[order[i], order[j]] = [order[j], order[i]]
  }
}
