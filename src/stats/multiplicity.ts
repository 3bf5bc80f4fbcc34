/** P-values put right for how many were computed. All return adjusted values in the order of the input. */

/** Holm 1979: the chance of any false claim in the family stays below the level. */
export function holm(pValues: readonly number[]): number[] {
  const order = pValues.map((_, i) => i).sort((a, b) => pValues[a] - pValues[b])
  const adjusted = new Array<number>(pValues.length)
  let highest = 0
  order.forEach((index, claimed) => {
    highest = Math.max(highest, Math.min(1, (pValues.length - claimed) * pValues[index]))
    adjusted[index] = highest
  })
  return adjusted
}

/**
 * Holm's step-down for tests that answer by themselves when told how many hypotheses are left: what one finds leaves more
 * of the level to the others (Holm 1979). The same claims as `holm` where the test compares p with level / left.
 */
export function stepDown<Item, Found>(
  items: readonly Item[],
  test: (item: Item, left: number) => Found | null,
): ReadonlyMap<Item, Found> {
  const claimed = new Map<Item, Found>()
  for (let before = -1; before < claimed.size; ) {
    before = claimed.size
    for (const item of items.filter(each => !claimed.has(each))) {
      const found = test(item, items.length - before)
      if (found !== null) claimed.set(item, found)
    }
  }
  return claimed
}

/** Of the level of a call its headlines have so much. */
export const HEADLINE_SHARE = 0.7

/**
 * Headlines and what is asked beside them, in one call: headlines share their part of the level (Holm) and get nothing from
 * the others, so that a headline has the same p-value whatever else is asked. The others share the rest and, once every
 * headline is claimed, all of it (Bretz, Maurer, Brannath and Posch 2009). Any false claim of a call stays below the level;
 * with a larger share for the others that has to be measured.
 */
export function headlinesFirst(
  headlines: readonly number[],
  beside: readonly number[],
  besideShare: number = 1 - HEADLINE_SHARE,
): { readonly headlines: readonly number[]; readonly beside: readonly number[] } {
  const first = holm(headlines).map(p => Math.min(1, p / HEADLINE_SHARE))
  const last = Math.max(0, ...first)
  return { headlines: first, beside: holm(beside).map(p => Math.min(p / besideShare, Math.max(last, p))) }
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
