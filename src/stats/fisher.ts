import { deals } from './permutation.js'

/**
 * Are two shares of few the same? Fisher's exact test: given how many there are in all, every way of dealing them to the
 * two groups is as likely; two-sided by the ways that are no likelier than what was seen.
 */
export function fisherP(
  first: { readonly hits: number; readonly of: number },
  second: { readonly hits: number; readonly of: number },
): number {
  const [hits, all] = [first.hits + second.hits, first.of + second.of]
  const chance = (x: number): number => (deals(first.of, x) * deals(second.of, hits - x)) / deals(all, hits)
  const seen = chance(first.hits)
  let p = 0
  for (let x = Math.max(0, hits - second.of); x <= Math.min(hits, first.of); x += 1) {
    if (chance(x) <= seen * (1 + 1e-9)) p += chance(x)
  }
  return Math.min(1, p)
}
