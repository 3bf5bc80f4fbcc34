import { studentCdf, studentQuantile } from '../../stats/distributions.js'
import { equivalence } from '../../stats/equivalence.js'
import { intervalOf, pValueOf, type StudentEstimate } from '../../stats/paired-mean.js'
import { welch } from '../../stats/seeds.js'
import { spendingBounds } from '../../stats/spending.js'

/**
 * Seeds bought a few at a time until the question is settled, without claiming too often: Welch's test on equally many
 * seeds a side at planned looks, each held against its share of the 5 % (see stats/spending.ts). A claim and "the same"
 * may both be asked at every look, because they cannot both be false. The first look is at five: three good seeds against
 * three collapsed ones happen too often by chance. Giving up early is free: it can only lose claims.
 */
export interface SettlePlan {
  /** Seeds a side at each look, rising. */
  readonly looks: readonly number[]
  /** Two-sided p below which a difference is claimed, per look. */
  readonly claimBounds: readonly number[]
  /** One-sided p below which a difference beyond the margin is ruled out, per look. */
  readonly sameBounds: readonly number[]
}

export interface SeedLook {
  readonly seeds: number
  /** Second minus first. */
  readonly estimate: number
  readonly interval: readonly [low: number, high: number]
  /** Of seeds within an arm. */
  readonly scatter: number
  readonly p: number
  readonly claimBound: number
  /** Null without a margin. */
  readonly pSame: number | null
  readonly sameBound: number
  /** Chance that the last look would settle it, if seeds go on as they did. */
  readonly chance: number
}

export type SeedAnswer = 'higher' | 'lower' | 'same' | 'undetermined'

export interface SettledSeeds {
  readonly looks: readonly SeedLook[]
  /** Null: the next look needs more seeds. `undetermined`: hopeless, or the last look did not settle it. */
  readonly answer: SeedAnswer | null
  /** Why it ended. */
  readonly why: 'claim' | 'same' | 'futile' | 'last-look' | null
}

export const FIRST_LOOK = 5
const ALPHA = 0.05
/** Less than this chance of an answer is not worth buying seeds for. */
const FUTILE = 0.05
const SHARES = [5, 6, 8, 10, 12, 14, 17, 20].map(seeds => seeds / 20)

export function settlePlan(most: number): SettlePlan {
  const looks = [...new Set(SHARES.map(share => Math.max(FIRST_LOOK, Math.round(share * most))))]
  const shares = looks.map(seeds => seeds / most)
  return {
    looks,
    claimBounds: spendingBounds({ shares, alpha: ALPHA, sides: 2 }),
    sameBounds: spendingBounds({ shares, alpha: ALPHA, sides: 1 }),
  }
}

/** Scores in the order in which seeds were bought; what is beyond the shorter side is left out. */
export function settleSeeds(
  first: readonly number[],
  second: readonly number[],
  margin: number | null,
  plan: SettlePlan,
): SettledSeeds {
  const looks: SeedLook[] = []
  for (const [i, seeds] of plan.looks.entries()) {
    if (Math.min(first.length, second.length) < seeds) return { looks, answer: null, why: null }
    const look = lookAt(welch(first.slice(0, seeds), second.slice(0, seeds)), i, margin, plan)
    looks.push(look)
    if (look.p < look.claimBound) return { looks, answer: look.estimate > 0 ? 'higher' : 'lower', why: 'claim' }
    if (look.pSame !== null && look.pSame < look.sameBound) return { looks, answer: 'same', why: 'same' }
    if (i === plan.looks.length - 1) return { looks, answer: 'undetermined', why: 'last-look' }
    if (look.chance < FUTILE) return { looks, answer: 'undetermined', why: 'futile' }
  }
  return { looks, answer: null, why: null }
}

function lookAt(estimate: StudentEstimate, i: number, margin: number | null, plan: SettlePlan): SeedLook {
  const { low, high } = intervalOf(estimate)
  return {
    seeds: plan.looks[i],
    estimate: estimate.mean,
    interval: [low, high],
    scatter: estimate.standardError * Math.sqrt(plan.looks[i] / 2),
    p: pValueOf(estimate),
    claimBound: plan.claimBounds[i],
    pSame: margin === null ? null : equivalence(estimate, margin).p,
    sameBound: plan.sameBounds[i],
    chance: predictiveChance(estimate, i, margin, plan),
  }
}

/**
 * With v the variance of one pair's difference, the difference at the last look of K seeds, seen from k, scatters around
 * today's by v (K − k)/(K k), and its standard error there is √(v/K). Only the last look is counted.
 */
function predictiveChance(
  { mean, standardError, degreesOfFreedom }: StudentEstimate,
  i: number,
  margin: number | null,
  { looks, claimBounds, sameBounds }: SettlePlan,
): number {
  const [now, last] = [looks[i], looks[looks.length - 1]]
  if (now === last || standardError === 0) return 1
  const variance = standardError ** 2 * now
  const scatter = Math.sqrt((variance * (last - now)) / (last * now))
  const lastError = Math.sqrt(variance / last)
  const lastDegrees = (degreesOfFreedom * (last - 1)) / (now - 1)
  const claim = studentQuantile(1 - claimBounds[looks.length - 1] / 2, lastDegrees) * lastError
  const same = margin === null ? 0 : margin - studentQuantile(1 - sameBounds[looks.length - 1], lastDegrees) * lastError
  const below = (place: number): number => studentCdf((place - mean) / scatter, degreesOfFreedom)
  const beyond = 1 - (below(claim) - below(-claim))
  return Math.min(1, beyond + (same > 0 ? below(same) - below(-same) : 0))
}
