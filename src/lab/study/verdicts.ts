import type { FinalVerdict } from '../../logs/model/study/terms.js'
import { twoStageP } from '../../stats/group-sequential.js'
import { holm } from '../../stats/multiplicity.js'
import { equivalence, intervalOf, pValueOf, welch } from '../../stats/student-estimate.js'
import { type Cell, usableValue } from './cell.js'
import { baselineOf, type PlannedStudy } from './plan/plan-study.js'
import { seedsOf, type Trial, trialsOf } from './trial.js'

/**
 * What a study that was run as planned says in the end: each arm against the baseline by Welch's test over seeds, put
 * right by Holm for all arms that were started. A dropped arm counts with p = 1, so that dropping can lose a claim and
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

/** A verdict on settings takes three runs a side. */
const FEWEST = 3
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
  const claims = shared(tested.map(test => test?.p ?? 1))
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
      }
    }
    const { estimate, interval } = test
    const isBetter = estimate > 0 === (direction === 'max')
    const verdict =
      claims[i] < LEVEL ? (isBetter ? 'better' : 'worse') : sames[i] < LEVEL ? 'same' : ('undetermined' as const)
    const pSame = test.pSame === null ? null : sames[i]
    return { other: name, verdict, estimate, interval, p: claims[i], pSame, seeds, isDropped }
  })
}

interface Tested {
  readonly estimate: number
  readonly interval: readonly [number, number]
  readonly p: number
  readonly pSame: number | null
}

function testOf(baseline: JudgedArm, arm: JudgedArm, margin: number | null): Tested | null {
  const [first, second] = [
    [...baseline.scores, ...baseline.fresh],
    [...arm.scores, ...arm.fresh],
  ]
  if (Math.min(first.length, second.length) < FEWEST) return null
  const pooled = welch(first, second)
  const { low, high } = intervalOf(pooled)
  const pooledEstimate = { estimate: pooled.mean, interval: [low, high] as const }
  if (arm.isDropped) return { ...pooledEstimate, p: 1, pSame: margin === null ? null : 1 }
  const hasFresh = Math.min(baseline.fresh.length, arm.fresh.length) > 1
  const p = hasFresh
    ? twoStageP([
        { first: baseline.scores, second: arm.scores },
        { first: baseline.fresh, second: arm.fresh },
      ])
    : pValueOf(welch(baseline.scores, arm.scores))
  // Equivalence has no such joint test here; with a second stage it is not claimed.
  const pSame = margin === null ? null : hasFresh ? 1 : equivalence(welch(baseline.scores, arm.scores), margin).p
  return { ...pooledEstimate, p, pSame }
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
