import { mean, variance } from '../../../stats/descriptive.js'
import { studentCdf } from '../../../stats/distributions.js'
import type { StudentEstimate } from '../../../stats/student-estimate.js'

/**
 * Keep, discard, or run more? One try of a loop, by one score per run. All tries of a loop together keep a candidate that
 * is no better than its incumbent in at most `LOOP_ERROR` of loops, however many tries there are and however they are
 * chosen. Three things pay for that: each try has its own small share of the error, the variance between runs is that of
 * all settings of the loop together, and before a keep the incumbent is run again. What it costs and where it breaks is
 * measured in calibration/studies/gate.ts (docs/statistics.md, "Loops").
 */

export const LOOP_ERROR = 0.05

/** The error of the t-th try falls as 1/(t + 20)²: 71 % of it within fifty tries, and never all of it. */
const FLAT_TRIES = 20
/** A sum over all t ≥ 1 of (t + c)⁻² lies below 1/(c + ½). */
export function errorOfTry(number: number): number {
  return (LOOP_ERROR * (FLAT_TRIES + 0.5)) / (number + FLAT_TRIES) ** 2
}

/** Runs of the incumbent before anything is judged, and the most that a try asks for beyond what a keep needs. */
const FEWEST_BASELINE = 3
const MOST_BASELINE = 8
/** Candidate runs of one try: the share of its error that each may spend. One run is never enough to keep. */
const SPENT_AT: readonly number[] = [0, 0.6, 0.25, 0.1, 0.03, 0.02]

function spentAfter(runs: number): number {
  return SPENT_AT.slice(0, Math.max(0, runs)).reduce((sum, share) => sum + share, 0)
}

/** Below so many standard errors, after one run, two and more, a candidate is let go. Most tries end at the first. */
const LET_GO_BELOW = [1, 1.5, 1.8, 2] as const
/** Standard errors above the incumbent's runs of this very try: an old bar may have moved with the code or the machines. */
const ABOVE_FRESH = 2.5
/** Standard errors below the incumbent at which nothing more is run, and a candidate in the middle of its training is stopped. */
const STOPPED_BELOW = -3
/** Not before so much of it: settings that warm up longer start lower. */
const STOPPED_FROM = 0.5
/** A margin counts as out of reach beyond so many standard errors. */
const OUT_OF_REACH = 2

/** Scores of runs, higher being better. */
export interface TryEvidence {
  readonly baseline: readonly number[]
  /** Those among the incumbent's runs that no earlier try has seen. */
  readonly fresh: readonly number[]
  readonly candidate: readonly number[]
  /** How many of the candidate's runs an earlier try has used, */
  readonly candidateBefore: number
  /** and how many the last look at fewer of them had: what looks in between did not spend is spent now. */
  readonly candidateLooked: number
  /** Scores of the loop's other settings, one list each, for the variance between runs. */
  readonly others: readonly (readonly number[])[]
  /** Whether the incumbent was kept by this loop and has not been run since. */
  readonly isUnmeasured: boolean
  /** How much of its training the candidate has done; 1 where it has ended. */
  readonly progress: number
}

export type GateDecision = 'keep' | 'discard' | 'more'

/** Why, as a key of the sentences that say it. */
export const GATE_REASONS = [
  'shown-better',
  'below-margin',
  'margin-out-of-reach',
  'clearly-lower',
  'not-ahead',
  'not-shown',
  'not-above-fresh',
  'baseline-few',
  'incumbent-again',
  'incumbent-fresh',
  'candidate-first',
  'candidate-more',
  'baseline-more',
  'candidate-growing',
] as const

type GateReason = (typeof GATE_REASONS)[number]

export interface TryJudgement {
  readonly decision: GateDecision
  readonly reason: GateReason
  /** What to run, and how many of it. */
  readonly more: { readonly what: 'candidate' | 'baseline' | 'steps'; readonly n: number } | null
  /** Candidate minus incumbent; null before anything tells how much runs vary. */
  readonly difference: StudentEstimate | null
  /** One-sided, that the candidate is no better. */
  readonly p: number | null
  /** What p must be below at this look. */
  readonly level: number
}

/** `error`: what this try may spend. `margin`: the smallest gain worth keeping, in the score's unit. */
export function judgeTry(evidence: TryEvidence, error: number, margin: number | null = null): TryJudgement {
  const { baseline, fresh, candidate, candidateBefore, candidateLooked, isUnmeasured, progress } = evidence
  const ownRuns = candidate.length - candidateBefore
  const level = error * (spentAfter(ownRuns) - spentAfter(candidateLooked - candidateBefore))
  const pooled = pooledVariance([baseline, candidate, ...evidence.others])
  const difference = pooled === null ? null : differenceOf(baseline, candidate, pooled)
  const p = difference === null ? null : chanceOf(difference)
  const answer = (decision: GateDecision, reason: GateReason, more: TryJudgement['more'] = null): TryJudgement => ({
    decision,
    reason,
    more,
    difference,
    p,
    level,
  })
  const missing = FEWEST_BASELINE - baseline.length
  if (missing > 0 || pooled === null || difference === null || p === null) {
    return answer('more', 'baseline-few', { what: 'baseline', n: Math.max(1, missing) })
  }
  const distance = inErrors(difference)
  if (distance < STOPPED_BELOW && progress >= STOPPED_FROM) return answer('discard', 'clearly-lower')
  if (progress < 1) return answer('more', 'candidate-growing', { what: 'steps', n: candidate.length })
  if (isUnmeasured) return answer('more', 'incumbent-again', { what: 'baseline', n: 1 })
  if (margin !== null && difference.mean + OUT_OF_REACH * difference.standardError < margin) {
    return answer('discard', 'margin-out-of-reach')
  }
  if (p < level) {
    if (margin !== null && difference.mean < margin) return answer('discard', 'below-margin')
    if (fresh.length === 0) return answer('more', 'incumbent-fresh', { what: 'baseline', n: 1 })
    if (inErrors(differenceOf(fresh, candidate, pooled)) > ABOVE_FRESH) return answer('keep', 'shown-better')
  }
  if (distance < LET_GO_BELOW[Math.min(candidate.length, LET_GO_BELOW.length) - 1])
    return answer('discard', 'not-ahead')
  if (ownRuns >= SPENT_AT.length) return answer('discard', p < level ? 'not-above-fresh' : 'not-shown')
  return candidate.length >= baseline.length && baseline.length < MOST_BASELINE
    ? answer('more', 'baseline-more', { what: 'baseline', n: 1 })
    : answer('more', level > 0 ? 'candidate-more' : 'candidate-first', { what: 'candidate', n: 1 })
}

interface Variance {
  readonly size: number
  readonly degreesOfFreedom: number
}

/** A side whose own runs vary more than those of the loop counts with its own variance. */
function differenceOf(baseline: readonly number[], candidate: readonly number[], pooled: Variance): StudentEstimate {
  const error = (scores: readonly number[]): number =>
    Math.max(pooled.size, scores.length > 1 ? variance(scores) : 0) / scores.length
  return {
    mean: mean(candidate) - mean(baseline),
    standardError: Math.sqrt(error(baseline) + error(candidate)),
    degreesOfFreedom: pooled.degreesOfFreedom,
  }
}

/** A variance so many times that of the calmer half is that of a collapse: it would hide every gain that comes after it. */
const FAR_MORE = 25

/** Between runs of one setting, over all settings of the loop: what a try of one run is judged by. Null where none has two runs. */
function pooledVariance(settings: readonly (readonly number[])[]): Variance | null {
  const groups = settings
    .filter(({ length }) => length > 1)
    .map(scores => ({ size: variance(scores), n: scores.length }))
  if (groups.length === 0) return null
  const ordered = groups.toSorted((a, b) => a.size - b.size)
  const calm = pool(ordered.slice(0, Math.ceil(ordered.length / 2))).size
  return pool(ordered.length > 2 && calm > 0 ? ordered.filter(({ size }) => size < FAR_MORE * calm) : ordered)
}

function pool(groups: readonly { readonly size: number; readonly n: number }[]): Variance {
  const degreesOfFreedom = groups.reduce((sum, { n }) => sum + n - 1, 0)
  return { size: groups.reduce((sum, { size, n }) => sum + size * (n - 1), 0) / degreesOfFreedom, degreesOfFreedom }
}

/** Scores that never vary are certain either way. */
function inErrors({ mean: size, standardError }: StudentEstimate): number {
  return standardError > 0 ? size / standardError : Math.sign(size) * Number.POSITIVE_INFINITY || 0
}

function chanceOf(difference: StudentEstimate): number {
  const distance = inErrors(difference)
  if (!Number.isFinite(distance)) return distance > 0 ? 0 : 1
  return studentCdf(-distance, difference.degreesOfFreedom)
}
