/** P-values put right for how many were computed. Both return adjusted values in the order of the input. */

/** Holm 1979: the chance of any false claim in the family stays below the level. */
export function holm(pValues: readonly number[]): number[] {
  const order = pValues.map((_, i) => i).sort((a, b) => pValues[a] - pValues[b])
  const adjusted = new Array<number>(pValues.length)
  let highest = 0
  order.forEach((index, rank) => {
    highest = Math.max(highest, Math.min(1, (pValues.length - rank) * pValues[index]))
    adjusted[index] = highest
  })
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
