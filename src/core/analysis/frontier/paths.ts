import { mean } from '../../../stats/descriptive.js'
import { intervalOf, welch } from '../../../stats/student-estimate.js'
import { RUNS_FOR_CONFIGS } from '../conventions.js'
import type { KlPoint } from './legs.js'
import type { Figure } from './setting.js'

/** The way of each run through (KL, score), and what a picture of it tempts one to compare: scores at equal KL. Pure. */

export interface PathPoint {
  readonly step: number
  readonly kl: number
  readonly score: number
  /** What was optimised, as validated, where that is not the score. */
  readonly optimised: number | null
}

/** KL and score at the evaluations; KL is the mean since the evaluation before, or since the leg began. */
export function pathOf(
  scores: ReadonlyMap<number, number>,
  kl: readonly KlPoint[],
  { resets = [], optimised = new Map() }: PathExtras = {},
): readonly PathPoint[] {
  const steps = [...scores.keys()].sort((a, b) => a - b)
  const path: PathPoint[] = []
  let next = 0
  for (const [i, step] of steps.entries()) {
    const begun = resets.findLast(reset => reset <= step) ?? Number.NEGATIVE_INFINITY
    const since = Math.max(steps[i - 1] ?? Number.NEGATIVE_INFINITY, begun - 1)
    const values: number[] = []
    for (; next < kl.length && kl[next].step <= step; next += 1) if (kl[next].step > since) values.push(kl[next].kl)
    const score = scores.get(step)
    if (values.length === 0 || score === undefined) continue
    path.push({ step, kl: mean(values), score, optimised: optimised.get(step) ?? null })
  }
  return path
}

interface PathExtras {
  readonly resets?: readonly number[]
  readonly optimised?: ReadonlyMap<number, number>
}

/** The mean over some steps, those of a whole leg or run; null where there are none, or no ratio can be made. */
export function klLevel(points: readonly KlPoint[], steps: readonly number[]): number | null {
  const [first, last] = [steps[0], steps.at(-1)]
  if (first === undefined || last === undefined) return null
  const from = steps.length > 1 ? first : last - Math.max(1, last / 10)
  const values = points.filter(({ step }) => step >= from && step <= last).map(({ kl }) => kl)
  const level = values.length === 0 ? Number.NaN : mean(values)
  return level > 0 ? level : null
}

/** A setting as the paths of its runs. */
export interface SettingPaths {
  readonly label: string
  readonly paths: readonly (readonly PathPoint[])[]
}

interface Crossing {
  readonly step: number
  readonly score: number
  /** How many of its runs come so far. */
  readonly runs: number
}

/** Two settings where their KL first reaches a level. */
export interface EqualKl {
  readonly kl: number
  readonly baseline: Crossing
  readonly other: Crossing
  /** Of the scores there; null where the steps differ or the runs are few, so that nothing may be compared. */
  readonly difference: Figure | null
}

/** By so much of the later step may two settings differ to count as equally trained. */
const STEPS_ALIKE = 0.1

/**
 * Scores at equal KL favour the setting that trained longer to get there (addition, penalty 0.1 against none, KL 0.2:
 * +7 points at step 240 against step 124, and no difference at equal steps). So both steps are given, and a difference only where they agree.
 */
export function equalKlAt(baseline: SettingPaths, other: SettingPaths, kl: number): EqualKl | null {
  const [first, second] = [baseline, other].map(({ paths }) =>
    paths.flatMap(path => path.find(point => point.kl >= kl) ?? []),
  )
  if (first.length === 0 || second.length === 0) return null
  const [from, to] = [crossing(first), crossing(second)]
  const isAlike = Math.abs(from.step - to.step) <= STEPS_ALIKE * Math.max(from.step, to.step)
  const isReplicated = Math.min(from.runs, to.runs) >= RUNS_FOR_CONFIGS
  return { kl, baseline: from, other: to, difference: isAlike && isReplicated ? differenceOf(first, second) : null }
}

/** A level that nearly all runs of both settings pass. */
export function sharedKl(levels: readonly (readonly number[])[]): number | null {
  return levels.some(({ length }) => length === 0) ? null : 0.9 * Math.min(...levels.map(level => mean(level)))
}

function crossing(points: readonly PathPoint[]): Crossing {
  const [step, score] = [points.map(point => point.step), points.map(point => point.score)]
  return { step: mean(step), score: mean(score), runs: points.length }
}

function differenceOf(first: readonly PathPoint[], second: readonly PathPoint[]): Figure {
  const [a, b] = [first, second].map(points => points.map(({ score }) => score))
  const { estimate, low, high } = intervalOf(welch(a, b))
  return { estimate, interval: [low, high] }
}
