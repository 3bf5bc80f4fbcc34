import { normalCdf } from './distributions.js'
import { ranksOf } from './trend.js'

/**
 * Wilcoxon, Mann and Whitney: do two small groups come from one population? Exact by counting all ways to deal the
 * (tied) ranks where these are few enough, by the tie-corrected normal else. Only the order of values counts, so
 * Infinity may stand for "not within the time that was watched". Three against three can never fall below 0.1.
 */
export function rankSumP(first: readonly number[], second: readonly number[]): number {
  const doubled = Array.from(ranksOf([...first, ...second]), rank => Math.round(2 * rank))
  const observed = sum(doubled.slice(0, first.length))
  const expected = (first.length * sum(doubled)) / doubled.length
  if (doubled.length <= MOST_FOR_EXACT) return exactP(doubled, first.length, Math.abs(observed - expected), expected)
  const spread = (first.length * second.length * varianceOf(doubled)) / doubled.length
  if (spread === 0) return 1
  const apart = Math.max(0, Math.abs(observed - expected) - 1) / Math.sqrt(spread)
  return 2 * normalCdf(-apart)
}

const MOST_FOR_EXACT = 40

/** Counts subsets of `size` by the sum of their doubled ranks (whole numbers even with ties), one rank at a time. */
function exactP(ranks: readonly number[], size: number, distance: number, expected: number): number {
  const total = sum(ranks)
  const counts = Array.from({ length: size + 1 }, () => new Float64Array(total + 1))
  counts[0][0] = 1
  for (const rank of ranks) {
    for (let chosen = size; chosen >= 1; chosen -= 1) {
      for (let at = total; at >= rank; at -= 1) counts[chosen][at] += counts[chosen - 1][at - rank]
    }
  }
  const ways = counts[size]
  let all = 0
  let asFar = 0
  for (let at = 0; at < ways.length; at += 1) {
    all += ways[at]
    if (Math.abs(at - expected) >= distance - 1e-9) asFar += ways[at]
  }
  return asFar / all
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** Over n − 1, as the permutation variance of a rank sum has it. */
function varianceOf(values: readonly number[]): number {
  const centre = sum(values) / values.length
  return sum(values.map(value => (value - centre) ** 2)) / (values.length - 1)
}
