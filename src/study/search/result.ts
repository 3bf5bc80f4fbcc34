import { comparisonsWithBest } from '../../stats/best-of-several.js'
import { mean, variance } from '../../stats/descriptive.js'
import type { GaussianProcess, SurrogatePoint } from '../../stats/gaussian-process.js'

/**
 * What a search comes to: not a winner, but the points that cannot be told from the best (Hsu 1981, on the beliefs of
 * every process that may be behind the scores), and the one of them to take: the highest believed level, not the highest
 * score.
 */
export interface SearchResult {
  /** Place of the point to take. */
  readonly take: number
  /** Places of all that cannot be told from it, itself included. */
  readonly notSeparable: readonly number[]
  /** By point: the level that is believed, and how surely. */
  readonly beliefs: readonly { readonly mean: number; readonly spread: number }[]
}

/** A point is left out where all but so many of the processes tell it from the best. */
const DOUBT = 0.05

export function searchResult(measured: readonly SurrogatePoint[], processes: readonly GaussianProcess[]): SearchResult {
  const beliefs = measured.map(({ at }) => {
    const each = processes.map(model => model.believe(at))
    const means = each.map(belief => belief.mean)
    const between = means.length > 1 ? variance(means) : 0
    return { mean: mean(means), spread: Math.sqrt(mean(each.map(({ spread }) => spread ** 2)) + between) }
  })
  const take = beliefs.reduce((best, { mean: level }, i) => (level > beliefs[best].mean ? i : best), 0)
  // For two points of equal error, the quantile of one difference.
  const quantile = comparisonsWithBest(measured.length) / Math.SQRT2
  const notSeparable = measured.flatMap(({ at }, i) => {
    const doubting = processes.filter(model => {
      const behind = model.believe(measured[take].at).mean - model.believe(at).mean
      return behind <= quantile * model.spreadBetween(measured[take].at, at)
    })
    return i === take || doubting.length > DOUBT * processes.length ? [i] : []
  })
  return { take, notSeparable, beliefs }
}
