import { mean } from './descriptive.js'
import { type Interval, intervalOf, type StudentEstimate } from './student-estimate.js'

/**
 * Means over the items of a benchmark, where items may come in clusters (questions on one passage) whose scores go
 * together. Every item a cluster of its own is the plain case, and all formulas here are then the usual ones.
 */

/** Deviations from the mean summed by cluster, with the size of each. */
interface ClusterSums {
  readonly mean: number
  readonly n: number
  readonly sums: ReadonlyMap<string, { readonly deviation: number; readonly size: number }>
}

export function clusterSums(values: readonly number[], clusters: readonly string[]): ClusterSums {
  const centre = mean(values)
  const sums = new Map<string, { deviation: number; size: number }>()
  for (const [i, value] of values.entries()) {
    const found = sums.get(clusters[i]) ?? { deviation: 0, size: 0 }
    sums.set(clusters[i], { deviation: found.deviation + value - centre, size: found.size + 1 })
  }
  return { mean: centre, n: values.length, sums }
}

/** SE = √(C/(C−1) Σ_c (Σ_{i∈c} (x_i − x̄))²) / n: Miller 2024, with the correction for C clusters that Inspect adds. */
export function clusteredStandardError({ n, sums }: ClusterSums): number {
  const count = sums.size
  if (count < 2) return 0
  let squares = 0
  for (const { deviation } of sums.values()) squares += deviation ** 2
  return Math.sqrt((squares * count) / (count - 1)) / n
}

/**
 * The mean with an error to test by: the jackknife over clusters, SE² = (C−1)/C Σ_c (x̄ without c − x̄)². With clusters of
 * one size it is the formula above, with unequal ones it is wider, as it has to be: a large cluster pulls the mean towards
 * itself. Degrees of freedom count the clusters by their squared sizes, (Σ n_c²)² / Σ n_c⁴ − 1.
 */
export function clusteredMean(values: readonly number[], clusters: readonly string[]): StudentEstimate {
  const found = clusterSums(values, clusters)
  const count = found.sums.size
  if (count < 2) return { mean: found.mean, standardError: 0, degreesOfFreedom: 1 }
  let squares = 0
  let second = 0
  let fourth = 0
  for (const { deviation, size } of found.sums.values()) {
    squares += (deviation / (found.n - size)) ** 2
    second += size ** 2
    fourth += size ** 4
  }
  return {
    mean: found.mean,
    standardError: Math.sqrt((squares * (count - 1)) / count),
    degreesOfFreedom: Math.max(1, second ** 2 / fourth - 1),
  }
}

/** One of several tasks: its estimate, and the deviations of its items by cluster. */
export interface TaskMean {
  readonly estimate: StudentEstimate
  readonly sums: ClusterSums | null
}

/**
 * The mean over tasks, each counting alike: SE² = Σ SE_t² / T², with Satterthwaite's degrees of freedom. Items of one
 * cluster in several tasks go together, which adds twice their covariance where it is positive.
 */
export function meanOverTasks(tasks: readonly TaskMean[]): StudentEstimate {
  const count = tasks.length
  const variances = tasks.map(({ estimate }) => estimate.standardError ** 2)
  const own = variances.reduce((sum, each) => sum + each, 0)
  const totals = new Map<string, number>()
  let squares = 0
  for (const { sums } of tasks) {
    for (const [cluster, { deviation }] of sums?.sums ?? []) {
      const share = deviation / (sums?.n ?? 1)
      totals.set(cluster, (totals.get(cluster) ?? 0) + share)
      squares += share ** 2
    }
  }
  let together = 0
  for (const total of totals.values()) together += total ** 2
  const spread = tasks.reduce((sum, { estimate }, t) => sum + variances[t] ** 2 / estimate.degreesOfFreedom, 0)
  return {
    mean: mean(tasks.map(({ estimate }) => estimate.mean)),
    standardError: Math.sqrt(own + Math.max(0, together - squares)) / count,
    degreesOfFreedom: spread > 0 ? Math.max(1, own ** 2 / spread) : 1,
  }
}

/** Of n answers c are right: the chance that one of k drawn from them is, 1 − C(n−c, k)/C(n, k) (Chen et al. 2021), unbiased. */
export function passAtK(n: number, correct: number, k: number): number {
  if (n - correct < k) return 1
  let none = 1
  for (let i = n - correct + 1; i <= n; i += 1) none *= 1 - k / i
  return 1 - none
}

/** The score of the answer that most attempts gave; of several equally frequent ones their mean. */
export function majorityScore(answers: readonly string[], scores: readonly number[]): number {
  const votes = new Map<string, number[]>()
  for (const [i, answer] of answers.entries()) votes.set(answer, [...(votes.get(answer) ?? []), scores[i]])
  const most = Math.max(...[...votes.values()].map(({ length }) => length))
  return mean([...votes.values()].filter(({ length }) => length === most).map(mean))
}

/**
 * The 95 % interval of a mean of shares, one an item, such as pass@k: t over the items with one item at 0 and one at 1 added
 * (as Agresti and Coull add answers to a share), because without them it has no width where all items agree.
 */
export function shareInterval(values: readonly number[], clusters: readonly string[]): Interval {
  const { low, high, level } = intervalOf(clusteredMean([...values, 0, 1], [...clusters, '\0wrong', '\0right']))
  return { estimate: mean(values), low: Math.max(0, low), high: Math.min(1, high), level }
}
