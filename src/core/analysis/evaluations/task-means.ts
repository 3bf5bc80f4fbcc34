import { mean } from '../../../stats/descriptive.js'
import { clusteredStandardError, clusterSums, majorityScore, passAtK, shareInterval } from '../../../stats/item-mean.js'
import { FEWEST_CLUSTERS } from './judge-tasks.js'
import type { TaskMeanAnswer } from './result.js'
import type { TaskItems } from './task-items.js'

export function meanOfTask(items: TaskItems, cluster: string | null = null): TaskMeanAnswer {
  const { task, metric, reported } = items
  const scored = [...items.items].filter(([, scores]) => scores.length > 0)
  if (scored.length === 0) {
    const { mean = Number.NaN, standardError = null, n = null } = reported ?? {}
    return { task, metric, mean, standardError, clusteredError: null, cluster: null, n, repeats: 1, attempts: [] }
  }
  const values = scored.map(([, scores]) => mean(scores))
  const ids = scored.map(([id]) => id)
  const clusters = cluster === null ? null : clustersOf(items, ids, cluster)
  return {
    task,
    metric,
    mean: mean(values),
    standardError: clusteredStandardError(clusterSums(values, ids)),
    clusteredError: clusters === null ? null : clusteredStandardError(clusterSums(values, clusters)),
    cluster: clusters === null ? null : cluster,
    n: ids.length,
    repeats: Math.max(...scored.map(([, scores]) => scores.length)),
    attempts: attemptsOf(items, ids, clusters ?? ids).map(({ measure, values }) => {
      const { estimate, low, high } = shareInterval(values, clusters ?? ids)
      return { measure, value: estimate, interval: [low, high] as const }
    }),
  }
}

/** The cluster of each item; null where an item has no such column. */
export function clustersOf({ columns }: TaskItems, ids: readonly string[], column: string): readonly string[] | null {
  const found = ids.flatMap(id => columns.get(id)?.[column] ?? [])
  return found.length === ids.length ? found : null
}

/** By item: the unbiased chance that one of k answers is right, and whether the most frequent answer is. */
export function attemptsOf(
  { items, answers }: TaskItems,
  ids: readonly string[],
  clusters: readonly string[],
): readonly { readonly measure: string; readonly values: readonly number[] }[] {
  const scores = ids.map(id => items.get(id) ?? [])
  const fewest = Math.min(...scores.map(({ length }) => length))
  if (
    !(fewest > 1) ||
    new Set(clusters).size < FEWEST_CLUSTERS ||
    !scores.flat().every(score => score === 0 || score === 1)
  )
    return []
  const sizes = [2, 4, 8, 16, 32, 64, 128, 256].filter(k => k < fewest)
  const right = scores.map(each => each.reduce((sum, score) => sum + score, 0))
  const passes = [...sizes, fewest].map(k => ({
    measure: `pass@${k}`,
    values: scores.map((each, i) => passAtK(each.length, right[i], k)),
  }))
  if (answers === null) return passes
  const majority = ids.map((id, i) => majorityScore(answers.get(id) ?? [], scores[i]))
  return [...passes, { measure: `maj@${fewest}`, values: majority }]
}
