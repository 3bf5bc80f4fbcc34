import { seededRandom } from './random.js'
import { welch } from './seeds.js'

/**
 * Do two groups of runs differ in their mean, however unlike normal runs are? Welch's t, judged by all ways of dealing
 * the runs into groups of these sizes instead of by Student's distribution (Janssen 1997): exact where the settings are
 * equal, and right in the long run where only the means are. With three runs against ten, of which some collapse, Welch
 * claims falsely in 8–20 %; this in at most 5.5 %, and finds more.
 */
export function studentisedPermutationP(first: readonly number[], second: readonly number[]): number {
  const all = [...first, ...second]
  const observed = size(first, second)
  if (!Number.isFinite(observed)) return Number.NaN
  const ways = deals(all.length, first.length)
  let [asFar, count] = [0, 0]
  const look = (chosen: ReadonlySet<number>): void => {
    const a = all.filter((_, i) => chosen.has(i))
    const b = all.filter((_, i) => !chosen.has(i))
    count += 1
    if (!(size(a, b) < observed * (1 - 1e-9))) asFar += 1
  }
  if (ways <= MOST_DEALS) {
    for (const chosen of subsets(all.length, first.length)) look(new Set(chosen))
    return asFar / count
  }
  const random = seededRandom(SEED)
  for (let deal = 0; deal < MOST_DEALS; deal += 1) {
    const chosen = new Set<number>()
    while (chosen.size < first.length) chosen.add(random.below(all.length))
    look(chosen)
  }
  return (asFar + 1) / (count + 1)
}

const MOST_DEALS = 5_000
const SEED = 20_260_101

/** A deal in which nothing varies within the groups has no t; one in which the groups differ all the same is the farthest. */
function size(first: readonly number[], second: readonly number[]): number {
  const { mean, standardError } = welch(first, second)
  if (standardError > 0) return Math.abs(mean) / standardError
  return mean === 0 ? 0 : Number.POSITIVE_INFINITY
}

/** How many ways there are to choose k of n. */
export function deals(n: number, k: number): number {
  let ways = 1
  for (let i = 1; i <= Math.min(k, n - k); i += 1) ways = (ways * (n - i + 1)) / i
  return Math.round(ways)
}

function* subsets(n: number, k: number, from = 0): Generator<readonly number[]> {
  if (k === 0) {
    yield []
    return
  }
  for (let i = from; i <= n - k; i += 1) for (const rest of subsets(n, k - 1, i + 1)) yield [i, ...rest]
}
