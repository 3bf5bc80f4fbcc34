import { mean, standardDeviation, variance } from '../../../stats/descriptive.js'
import { studentQuantile } from '../../../stats/distributions.js'
import { ASSUMED_SEED_SD } from '../compare/choose.js'
import type { PairJudgement } from '../judge-pair.js'

/** A setting to choose from, by what its runs are estimated to be worth at the step that would be shipped of each. */
export interface Candidate {
  readonly label: string
  readonly runs: readonly CandidateRun[]
}

/** Scores as if higher were better. */
export interface CandidateRun {
  readonly id: string
  readonly name: string
  /** The step that `klens checkpoints` advises. */
  readonly step: number
  /** Whether that step is known to be on disk. */
  readonly saved: boolean | null
  /** The smoothed score at that step: what is shipped. */
  readonly value: number
  /** The mean at the end of training: what settings are compared by. */
  readonly level: number
  readonly hours: number | null
  /** Points per hour at the end, where it still rises beyond its noise; 0 where it does not. */
  readonly rise: number
  /** Of a run that goes on: what finished runs say its rest will gain, the hours it takes, and its share of the training. */
  readonly rest?: { readonly gain: number; readonly hours: number | null; readonly share: number } | null
}

/** The run to ship, and its setting. */
export interface Choice {
  readonly side: Candidate
  readonly run: CandidateRun
}

/** A setting that might be better than the one that is shipped, as the two are judged; null where they share nothing. */
export interface JudgedRival {
  readonly rival: Candidate
  readonly judged: PairJudgement | null
}

/** Between runs of one setting. */
export interface SeedVariation {
  readonly size: number
  readonly isAssumed: boolean
}

/** Pooled over settings with several runs, else a share of the level. */
export function seedVariation(candidates: readonly Candidate[]): SeedVariation {
  const several = candidates.map(valuesOf).filter(values => values.length > 1)
  const degrees = several.reduce((sum, values) => sum + values.length - 1, 0)
  const squares = several.reduce((sum, values) => sum + variance(values) * (values.length - 1), 0)
  if (degrees > 0 && squares > 0) return { size: Math.sqrt(squares / degrees), isAssumed: false }
  return { size: ASSUMED_SEED_SD * Math.abs(mean(candidates.flatMap(valuesOf))), isAssumed: true }
}

/** The first of equals. */
export function bestRun({ runs }: Candidate): CandidateRun {
  return runs.reduce((best, run) => (run.value > best.value ? run : best))
}

export function meanValue(candidate: Candidate): number {
  return mean(valuesOf(candidate))
}

/** Above it nine in ten new seeds should be: the setting's own variance counts here, as far as it is known. */
export function floorOf(candidate: Candidate, { size }: SeedVariation): number {
  const values = valuesOf(candidate)
  const own = values.length > 2 ? Math.max(standardDeviation(values), size / 2) : size
  const quantile = studentQuantile(0.9, Math.max(2, values.length - 1))
  return mean(values) - quantile * own * Math.sqrt(1 + 1 / values.length)
}

export function hoursOf({ runs }: Candidate): number | null {
  const hours = runs.flatMap(run => run.hours ?? [])
  return hours.length === 0 ? null : mean(hours)
}

function valuesOf({ runs }: Candidate): readonly number[] {
  return runs.map(({ value }) => value)
}
