import { RUNS_FOR_CONFIGS } from '../../core/analysis/conventions.js'
import { judgeFigures } from '../../core/analysis/judge-figures.js'
import type { FinalVerdict } from '../../logs/model/study/terms.js'
import { farthestGroupP } from '../../stats/exact-tests.js'
import { twoStageP } from '../../stats/group-sequential.js'
import { holm } from '../../stats/multiplicity.js'
import { equivalence, welch } from '../../stats/student-estimate.js'
import { type Cell, usableValue } from './cell.js'
import { baselineOf, type PlannedStudy } from './plan/plan-study.js'
import { seedsOf, type Trial, trialsOf } from './trial.js'

/**
 * What a study that was run as planned says in the end: each arm against the baseline by Welch's test over seeds, put
 * right by Holm for all arms that were started; of several arms none is claimed where seeds dealt again to them differ as much. A dropped arm counts with p = 1, so that dropping can lose a claim and
 * never make one. Seeds that were bought with what dropping had saved are a stage of their own (stats/group-sequential.ts), and
 * then every arm gets an equal part of the 5 %.
 */
export interface JudgedArm {
  readonly name: string
  /** By seed, as the study had planned them. */
  readonly scores: readonly number[]
  /** Of the seeds bought afterwards. */
  readonly fresh: readonly number[]
  readonly isDropped: boolean
}

const LEVEL = 0.05

export function finalVerdicts(
  baseline: JudgedArm,
  others: readonly JudgedArm[],
  { margin, direction }: { readonly margin: number | null; readonly direction: 'max' | 'min' },
): readonly FinalVerdict[] {
  const tested = others.map(arm => testOf(baseline, arm, margin))
  const isTwoStage = others.some(({ fresh }) => fresh.length > 0)
  const shared = (pValues: readonly number[]): readonly number[] =>
    isTwoStage ? pValues.map(p => Math.min(1, p * pValues.length)) : holm(pValues)
  const corrected = shared(tested.map(test => test?.p ?? 1))
  const byChance = !isTwoStage && corrected.some(p => p < LEVEL) ? chanceOfFarthest(baseline, others) : 0
  const claims = corrected.map(p => Math.max(p, byChance))
  const sames = shared(tested.map(test => test?.pSame ?? 1))
  return others.map(({ name, isDropped, scores, fresh }, i) => {
    const test = tested[i]
    const seeds = scores.length + fresh.length
    if (test === null) {
      return {
        other: name,
        verdict: 'undetermined',
        estimate: null,
        interval: null,
        p: null,
        pSame: null,
        seeds,
        isDropped,
        interim: null,
      }
    }
    const { estimate, interval } = test
    const isBetter = estimate > 0 === (direction === 'max')
    const verdict =
      claims[i] < LEVEL ? (isBetter ? 'better' : 'worse') : sames[i] < LEVEL ? 'same' : ('undetermined' as const)
    const pSame = test.pSame === null ? null : sames[i]
    return { other: name, verdict, estimate, interval, p: claims[i], pSame, seeds, isDropped, interim: null }
  })
}

/** Fewer arms are few enough for Welch and Holm (stats/exact-tests.ts). */
const FEWEST_DEALT = 3

/** That seeds dealt again to the arms differ as much as the farthest arm does. */
function chanceOfFarthest(baseline: JudgedArm, others: readonly JudgedArm[]): number {
  const judged = others.map(({ scores }) => scores).filter(({ length }) => length >= RUNS_FOR_CONFIGS)
  return judged.length < FEWEST_DEALT ? 0 : farthestGroupP([baseline.scores, ...judged])
}

interface Tested {
  readonly estimate: number
  readonly interval: readonly [number, number]
  readonly p: number
  readonly pSame: number | null
}

/** Null where an arm has too few seeds, or seeds that never vary. */
function testOf(baseline: JudgedArm, arm: JudgedArm, margin: number | null): Tested | null {
  const planned = figuresTest(baseline.scores, arm.scores, margin)
  if (arm.isDropped) return planned && { ...planned, p: 1, pSame: margin === null ? null : 1 }
  if (Math.min(baseline.fresh.length, arm.fresh.length) < 2) return planned
  const pooled = figuresTest([...baseline.scores, ...baseline.fresh], [...arm.scores, ...arm.fresh], margin)
  const p = twoStageP([
    { first: baseline.scores, second: arm.scores },
    { first: baseline.fresh, second: arm.fresh },
  ])
  // Equivalence has no such joint test here; with a second stage it is not claimed.
  return pooled && { ...pooled, p, pSame: margin === null ? null : 1 }
}

/** What a comparison of the two settings says, one figure a run. */
export function figuresTest(first: readonly number[], second: readonly number[], margin: number | null): Tested | null {
  if (Math.min(first.length, second.length) < RUNS_FOR_CONFIGS) return null
  const asked = { metric: '', goal: null, baseline: 'baseline', other: 'arm', margin }
  const { estimate, interval, p } = judgeFigures(asked, first, second)
  if (estimate === null || interval === null || p === null) return null
  return { estimate, interval, p, pSame: margin === null ? null : equivalence(welch(first, second), margin).p }
}

/** The trials that a verdict may rest on: those of the file, and those that what dropping saved has bought. */
export function judgedTrials({ name, arms, file: { seeds, drop } }: PlannedStudy): readonly Trial[] {
  return trialsOf(name, arms, seedsOf(seeds, seeds.length + (drop === 'none' ? 0 : drop.fresh)))
}

/**
 * What the trials say by now; cells of further seeds are left out. An arm speaks when all its planned seeds do: to pass over
 * one that failed would favour the arm that fails.
 */
export function verdictsOf(
  plan: PlannedStudy,
  cells: readonly Cell[],
  dropped: ReadonlySet<string>,
): readonly FinalVerdict[] {
  const { seeds, margin, direction } = plan.file
  const known = new Map(cells.map(cell => [cell.trial.id, cell]))
  const trials = judgedTrials(plan)
  const judged = plan.arms.map(({ name }): JudgedArm => {
    const own = trials.filter(({ arm }) => arm.name === name).map(({ id }) => soundValue(known.get(id)))
    const planned = own.slice(0, seeds.length)
    return {
      name,
      scores: planned.includes(null) ? [] : planned.flatMap(value => value ?? []),
      fresh: own.slice(seeds.length).flatMap(value => value ?? []),
      isDropped: dropped.has(name),
    }
  })
  const baseline = judged.find(({ name }) => name === baselineOf(plan)) ?? judged[0]
  const others = judged.filter(arm => arm !== baseline)
  return finalVerdicts(baseline, others, { margin, direction })
}

function soundValue(cell: Cell | undefined): number | null {
  return cell?.state === 'done' ? usableValue(cell) : null
}
