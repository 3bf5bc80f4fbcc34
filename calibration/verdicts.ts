import type { SideEvidence } from '../src/core/analysis/compare/evidence.js'
import { comparePair, compareSides, headline } from '../src/core/analysis/compare/judge-sides.js'
import type { ComparisonSpec } from '../src/core/analysis/compare/specification.js'
import type { SeriesPoints } from '../src/core/store/series.js'
import type { Verdict, VerdictQuestion } from '../src/logs/model/verdict.js'
import type { Goal } from '../src/logs/model/vocabulary/metric.js'
import { MARGIN } from './noise.js'

/** The door to what klens ships: curves in, the verdicts of `klens compare` out. */

/** Steps from one evaluation to the next, as in the UserRL runs. */
export const STEP = 5

function seriesOf(values: Float64Array): SeriesPoints {
  const unknown = new Float64Array(values.length).fill(Number.NaN)
  return { steps: Float64Array.from(values, (_, i) => STEP * (i + 1)), values, times: unknown, segments: unknown }
}

export function measuredSide(label: string, runs: readonly Float64Array[]): SideEvidence {
  // The noise of these curves is new at every evaluation.
  return { label, series: runs.map(seriesOf), freshPrompts: true }
}

/** A difference was claimed, small or not. */
export function claims({ answer }: Verdict): boolean {
  return ['better', 'worse', 'higher', 'lower', 'different-but-small'].includes(answer)
}

/**
 * A margin that nothing is within. What would settle a comparison is found by simulation, which takes a thousand times
 * longer than the verdict itself; for a margin out of reach klens does not ask. Whether two are the same at the real margin
 * then follows from the smallest margin that would pass.
 */
export const OUT_OF_REACH = { absolute: 1e-9 }

interface Answers {
  readonly verdicts: readonly Verdict[]
}

/** Every question by itself. Without a goal nothing is said about speed, which is dear as well; `better` reads `higher` then. */
export function compareCurves(
  baseline: readonly Float64Array[],
  other: readonly Float64Array[],
  asked: { readonly goal?: Goal | null } = {},
): Answers {
  const severalRuns = Math.min(baseline.length, other.length) > 1
  const margin = severalRuns ? { absolute: MARGIN } : OUT_OF_REACH
  return comparePair(measuredSide('baseline', baseline), measuredSide('other', other), { ...SCORE, ...asked, margin })
}

/** One call of `klens compare`, which asks all questions at once, of two single runs. */
export function askAtOnce(
  first: Float64Array,
  second: Float64Array,
  asked: Pick<ComparisonSpec, 'growing'> & { readonly goal?: Goal | null; readonly freshPrompts?: boolean } = {},
): Answers {
  const { freshPrompts = true, ...spec } = asked
  const sides = [measuredSide('baseline', [first]), measuredSide('other', [second])]
  return compareSides(
    sides.map(side => ({ ...side, freshPrompts })),
    { ...SCORE, ...spec, margin: OUT_OF_REACH },
  )
}

const SCORE = { metric: 'val.score', goal: null } as const

export function answerTo(question: VerdictQuestion, { verdicts }: Answers): Verdict {
  const found = verdicts.find(verdict => verdict.question === question)
  if (found === undefined) throw new Error(`no verdict on ${question}`)
  return found
}

export function headlineOf({ verdicts }: Answers): Verdict {
  return headline(verdicts)
}

/** A verdict against the truth, as numbers to average. */
export interface Judged {
  /** A difference was claimed, small or not. */
  readonly claimed: number
  /** Of a claim: it has the wrong sign, or there is nothing at all. */
  readonly wrong: number
  /** Shown to be smaller than the margin, with a difference shown as well or not. */
  readonly same: number
  readonly sameOnly: number
  readonly covered: number
  /** Of claims: how many carry the tag. */
  readonly fragile: number
}

export function judged(verdict: Verdict, truth: number): Judged {
  const { estimate, interval, smallestMargin, tags } = verdict
  const claimed = claims(verdict)
  const same = smallestMargin !== null && smallestMargin < MARGIN
  const rightSign = Math.sign(estimate ?? 0) === Math.sign(truth)
  return {
    claimed: Number(claimed),
    wrong: Number(claimed && !rightSign),
    same: Number(same),
    sameOnly: Number(same && !claimed),
    covered: interval === null ? Number.NaN : Number(interval[0] <= truth && truth <= interval[1]),
    fragile: claimed ? Number(tags.includes('fragile')) : Number.NaN,
  }
}

/** The same numbers under names of their own: `final.claimed`. */
export function named(prefix: string, numbers: Judged): Record<string, number> {
  return Object.fromEntries(Object.entries(numbers).map(([name, value]) => [`${prefix}.${name}`, value]))
}
