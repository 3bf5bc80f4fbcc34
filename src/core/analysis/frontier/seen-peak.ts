import { groupBy } from '../../../logs/model/util/group-by.js'
import { mean, median } from '../../../stats/descriptive.js'
import { RUNS_FOR_CONFIGS } from '../conventions.js'
import type { PathPoint } from './paths.js'

/**
 * The KL beyond which every run of this workspace did harm: it ended at least a tenth below where the runs of the best setting
 * were first evaluated. The limit is half as high again as the KL of any run that did none; without five runs that went
 * beyond it there is none.
 */
export interface SeenPeak {
  readonly metric: string
  readonly kl: number
  /** Runs that did no harm, and runs that went beyond the limit and did. */
  readonly good: number
  readonly beyond: number
  /** Steps between evaluations, over which KL is averaged. */
  readonly every: number
  /** A score below it is harm. */
  readonly floor: number
}

export interface SeenPath {
  readonly setting: string
  readonly path: readonly PathPoint[]
  /** Of its score at the end. */
  readonly level: number
}

const DEPTH = 0.1
const HEADROOM = 1.5
const FEWEST_BEYOND = 5

/** Scores are such that a tenth of one means something: none is negative. */
export function seenPeak(metric: string, seen: readonly SeenPath[]): SeenPeak | null {
  const begun = seen.filter(({ path }) => path.length > 0)
  if (begun.some(({ path }) => path.some(({ score }) => score < 0))) return null
  const settings = [...groupBy(begun, ({ setting }) => setting).values()].filter(
    ({ length }) => length >= RUNS_FOR_CONFIGS,
  )
  if (settings.length === 0) return null
  const levelOf = (runs: readonly SeenPath[]): number => mean(runs.map(({ level }) => level))
  const best = settings.reduce((first, next) => (levelOf(next) > levelOf(first) ? next : first))
  const floor = (1 - DEPTH) * Math.min(...best.map(({ path }) => path[0].score))
  const good = begun.filter(({ level }) => level >= floor)
  const kl = HEADROOM * Math.max(...good.map(({ path }) => farthest(path)))
  const beyond = begun.filter(({ path, level }) => level < floor && farthest(path) > kl)
  if (beyond.length < FEWEST_BEYOND || !(kl > 0)) return null
  const gaps = good.flatMap(({ path }) => path.slice(1).map(({ step }, i) => step - path[i].step))
  return {
    metric,
    kl,
    good: good.length,
    beyond: beyond.length,
    every: gaps.length === 0 ? 1 : median(gaps),
    floor,
  }
}

/** The highest KL that two evaluations in a row had. */
function farthest(path: readonly PathPoint[]): number {
  return Math.max(0, ...path.slice(1).map(({ kl }, i) => Math.min(kl, path[i].kl)))
}

/** Whether a run has passed it: KL beyond the limit twice in a row and, where it is validated, a score that is harm. */
export function passesPeak(
  path: readonly PathPoint[],
  { kl, floor }: SeenPeak,
  { isScored }: { readonly isScored: boolean },
): boolean {
  const [before, now] = path.slice(-2)
  if (now === undefined || Math.min(before.kl, now.kl) <= kl) return false
  return !isScored || (before.score + now.score) / 2 < floor
}
