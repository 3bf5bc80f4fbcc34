import { mean, standardDeviation, variance } from '../../../stats/descriptive.js'
import { studentQuantile } from '../../../stats/distributions.js'
import { ASSUMED_SEED_SD } from '../compare/choose.js'

/**
 * What settings and their runs are believed to be worth. Settings are held against each other by the mean of their runs at
 * the end of training, pulled towards each other as far as seeds alone would explain their differences: the highest of
 * several means is too high. Seeds differ in truth, so a good run counts for itself, too.
 */

/** Runs of one setting; scores as if higher were better. */
export interface Candidate {
  readonly label: string
  readonly runs: readonly CandidateRun[]
}

export interface CandidateRun {
  readonly id: string
  readonly name: string
  /** The mean at the end of training. */
  readonly level: number
  readonly step: number
  /** Whether the advised step is known to be on disk. */
  readonly saved: boolean | null
  /** What the advised step is worth by the course under the noise. */
  readonly worth: number
  readonly hours: number | null
  /** Points per hour at the end, where it still rises beyond its noise; 0 where it does not. */
  readonly rise: number
}

export interface Beliefs {
  /** Between runs of one setting. */
  readonly scatter: Scatter
  /** Of each setting, by its label. */
  readonly levels: ReadonlyMap<string, number>
  /** How many each run was asked; null where nothing tells. */
  readonly prompts: number | null
}

interface Scatter {
  readonly size: number
  readonly isAssumed: boolean
  /** Over which it was pooled. */
  readonly settings: number
}

export function beliefsOf(candidates: readonly Candidate[], prompts: number | null): Beliefs {
  const scatter = scatterOf(candidates)
  return { scatter, levels: shrink(candidates, scatter.size), prompts }
}

/** Of a setting that has runs. */
export function levelOf({ levels }: Beliefs, { label }: Candidate): number {
  return levels.get(label) ?? Number.NEGATIVE_INFINITY
}

/** Pooled over settings with several runs, else a share of the level. */
function scatterOf(candidates: readonly Candidate[]): Scatter {
  const several = candidates.map(({ runs }) => runs.map(({ level }) => level)).filter(levels => levels.length > 1)
  const degrees = several.reduce((sum, levels) => sum + levels.length - 1, 0)
  const squares = several.reduce((sum, levels) => sum + variance(levels) * (levels.length - 1), 0)
  if (degrees > 0 && squares > 0)
    return { size: Math.sqrt(squares / degrees), isAssumed: false, settings: several.length }
  const level = mean(candidates.flatMap(({ runs }) => runs.map(run => run.level)))
  return { size: ASSUMED_SEED_SD * Math.abs(level), isAssumed: true, settings: 0 }
}

/** Towards the mean of all settings, by the share of their spread that seeds alone would make (James and Stein 1961). */
function shrink(candidates: readonly Candidate[], scatter: number): ReadonlyMap<string, number> {
  const means = candidates.map(({ runs }) => mean(runs.map(({ level }) => level)))
  // Settings that broke down say nothing about how much the others differ.
  const near = means.filter(each => each >= Math.max(...means) - NEAR * scatter)
  const centre = mean(near)
  const spread = near.length > 1 ? standardDeviation(near) ** 2 : 0
  return new Map(
    candidates.map(({ label, runs }, i) => {
      if (!near.includes(means[i])) return [label, means[i]] as const
      const error = scatter ** 2 / runs.length
      const share = spread > 0 ? Math.max(LEAST_SHARE, 1 - error / spread) : 0
      return [label, centre + share * (means[i] - centre)] as const
    }),
  )
}

/** Where seeds explain everything the order of the means still counts for something. */
const LEAST_SHARE = 0.05
/** In scatters of seeds below the highest. */
const NEAR = 5

/** What one run is worth: that of its setting, and of its own distance from it what is not the luck of the prompts. */
export function runWorth(beliefs: Beliefs, candidate: Candidate, { level }: CandidateRun): number {
  const { scatter, levels, prompts } = beliefs
  const own = level - mean(candidate.runs.map(run => run.level))
  const luck = promptError(candidate, candidate, prompts) ** 2 / 2
  const share = prompts === null || scatter.size === 0 ? UNKNOWN_LUCK : Math.max(0, 1 - luck / scatter.size ** 2)
  return (levels.get(candidate.label) ?? level) + share * own
}

/** How much of a run's distance from its setting is its own, where nothing tells how many prompts were asked. */
const UNKNOWN_LUCK = 0.7

/** Above it nine in ten new seeds should be: the setting's own scatter counts here, as far as it is known. */
export function floorOf(beliefs: Beliefs, candidate: Candidate): number {
  const { size } = beliefs.scatter
  const levels = candidate.runs.map(({ level }) => level)
  const own = levels.length > 2 ? Math.max(standardDeviation(levels), size / 2) : size
  const quantile = studentQuantile(0.9, Math.max(2, levels.length - 1))
  return levelOf(beliefs, candidate) - quantile * own * Math.sqrt(1 + 1 / Math.max(1, levels.length))
}

/** Standard error of the difference of two settings. */
export function spreadOf({ scatter, prompts }: Beliefs, first: Candidate, second: Candidate): number {
  const ofSeeds = scatter.size ** 2 * (1 / first.runs.length + 1 / second.runs.length)
  return Math.sqrt(ofSeeds + promptError(first, second, prompts) ** 2)
}

/** Of scores that are shares, over the end of training: 0.3·p(1 − p)/n (docs/statistics.md, "The luck of the prompts"). */
export function promptError(first: Candidate, second: Candidate, prompts: number | null): number {
  const level = mean([...first.runs, ...second.runs].map(run => run.level))
  return prompts === null || level <= 0 || level >= 1 ? 0 : Math.sqrt((0.3 * level * (1 - level)) / prompts)
}

export function hoursOf({ runs }: Candidate): number | null {
  const hours = runs.flatMap(run => run.hours ?? [])
  return hours.length === 0 ? null : mean(hours)
}
