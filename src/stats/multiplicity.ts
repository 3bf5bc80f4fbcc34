/** P-values put right for how many were computed. Both return adjusted values in the order of the input. */

/**
 * Holm 1979: the chance of any false claim in the family stays below the level. With weights, a hypothesis gets its
 * share of the level, and what a claim has used is passed on to the others (Benjamini and Hochberg 1997).
 */
export function holm(pValues: readonly number[], weights: readonly number[] = pValues.map(() => 1)): number[] {
  const order = pValues.map((_, i) => i).sort((a, b) => pValues[a] / weights[a] - pValues[b] / weights[b])
  const adjusted = new Array<number>(pValues.length)
  let left = weights.reduce((sum, weight) => sum + weight, 0)
  let highest = 0
  for (const index of order) {
    highest = Math.max(highest, Math.min(1, (left * pValues[index]) / weights[index]))
    adjusted[index] = highest
    left -= weights[index]
  }
  return adjusted
}

/** Benjamini and Hochberg 1995: the expected share of false claims among the claims stays below the level. */
export function benjaminiHochberg(pValues: readonly number[]): number[] {
  const order = pValues.map((_, i) => i).sort((a, b) => pValues[b] - pValues[a])
  const adjusted = new Array<number>(pValues.length)
  let lowest = 1
  order.forEach((index, fromTop) => {
    const rank = pValues.length - fromTop
    lowest = Math.min(lowest, (pValues.length / rank) * pValues[index])
    adjusted[index] = lowest
  })
  return adjusted
}
