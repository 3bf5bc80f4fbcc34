import { comparisonsWithBest } from '../../stats/best-of-several.js'
import { mean, variance } from '../../stats/descriptive.js'
import { studentQuantile } from '../../stats/distributions.js'
import type { DropEvidence } from './ledger.js'

/**
 * Which arms are hopeless half-way? An arm is dropped where, by how far runs of this house still came from there, it
 * would hardly catch up with the arm that leads now. Whole arms, never single seeds: stopping the worse half of an arm's
 * seeds makes that arm better on paper. How far a run still comes is learnt from finished runs; without any, nothing is
 * dropped but what is dead. A run that died stays in with its score.
 */
export interface ArmCourse {
  readonly arm: string
  /** The evaluations of each seed so far, higher is better; not finite where a run is dead. */
  readonly runs: readonly (readonly number[])[]
}

/** Finished runs of the house: by setting, each with all its evaluations. */
export type House = readonly (readonly (readonly number[])[])[]

/** How much is still open after a share of the evaluations. */
export interface StillOpen {
  /** Spread of (end − now) between runs of one setting, and between settings. */
  readonly runs: number
  readonly settings: number
  /** Scatter of the ends between seeds of one setting. */
  readonly seeds: number
  readonly degreesOfFreedom: number
}

export interface Dropping {
  readonly arm: string
  readonly evidence: DropEvidence
}

/** An arm's level is the mean of its last evaluations: ten, or an eighth of them all where that is less. */
const MOST_AVERAGED = 10
const AVERAGED_SHARE = 1 / 8

export function levelAfter(values: readonly number[], share: number, planned = values.length): number {
  const seen = Math.max(1, Math.round(share * planned))
  const width = Math.max(1, Math.min(MOST_AVERAGED, Math.round(AVERAGED_SHARE * planned)))
  return mean(values.slice(Math.max(0, seen - width), seen))
}

/** Null where no two settings have two finished runs each. */
export function stillOpen(house: House, share: number): StillOpen | null {
  const replicated = house.filter(runs => runs.length > 1)
  if (replicated.length < 2) return null
  const growths = replicated.map(runs => runs.map(values => levelAfter(values, 1) - levelAfter(values, share)))
  const degreesOfFreedom = replicated.reduce((sum, runs) => sum + runs.length - 1, 0)
  const pooled = (groups: readonly (readonly number[])[]): number =>
    groups.reduce((sum, values) => sum + variance(values) * (values.length - 1), 0) / degreesOfFreedom
  const within = pooled(growths)
  const chance = mean(growths.map(values => within / values.length))
  return {
    runs: Math.sqrt(within),
    settings: Math.sqrt(Math.max(0, variance(growths.map(values => mean(values))) - chance)),
    seeds: Math.sqrt(pooled(replicated.map(runs => runs.map(values => levelAfter(values, 1))))),
    degreesOfFreedom,
  }
}

/**
 * The leader is the luckiest of several, so that an arm may be as far behind it as the best of them is expected to be
 * (Hsu 1981). For two arms this is Student's quantile; without it the best of nine near-equal arms was lost in 7 %.
 */
function quantileFor(arms: number, level: number, degreesOfFreedom: number): number {
  const lucky = comparisonsWithBest(arms, level) / comparisonsWithBest(2, level)
  return studentQuantile(level, degreesOfFreedom) * Math.max(1, lucky)
}

/**
 * Drops j where m_j − m_leader < −q √((ω_r² + τ²)(1/K_j + 1/K_leader) + 2 ω_s²), q for 5 % over all looks together.
 * `planned` are the evaluations that a whole run has, `looks` how often one looks.
 */
export function hopeless(
  arms: readonly ArmCourse[],
  open: StillOpen | null,
  { share, planned, looks }: { readonly share: number; readonly planned: number; readonly looks: number },
): readonly Dropping[] {
  const standing = arms
    .filter(({ runs }) => runs.length > 0)
    .map(({ arm, runs }) => {
      const levels = runs.map(values => levelAfter(values, share, planned))
      return { arm, levels, level: levels.every(Number.isFinite) ? mean(levels) : Number.NaN }
    })
  const alive = standing.filter(({ level }) => Number.isFinite(level))
  const leader = alive.reduce<(typeof alive)[number] | null>(
    (best, each) => (best === null || each.level > best.level ? each : best),
    null,
  )
  if (leader === null) return []
  const quantile = open === null ? 0 : quantileFor(alive.length, 1 - 0.05 / looks, open.degreesOfFreedom)
  return standing.flatMap(({ arm, level, levels }) => {
    if (arm === leader.arm) return []
    const isDead = levels.every(each => !Number.isFinite(each))
    const reach =
      open === null
        ? Number.POSITIVE_INFINITY
        : quantile *
          Math.sqrt(
            (open.runs ** 2 + open.seeds ** 2) * (1 / levels.length + 1 / leader.levels.length) +
              2 * open.settings ** 2,
          )
    if (!isDead && !(level - leader.level < -reach)) return []
    return [
      {
        arm,
        evidence: {
          share,
          leader: leader.arm,
          level: isDead ? null : level,
          leaderLevel: leader.level,
          seeds: levels.length,
          leaderSeeds: leader.levels.length,
          reach: isDead ? null : reach,
        },
      },
    ]
  })
}
