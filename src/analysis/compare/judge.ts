import type { Message } from '../../model/run.js'
import type { Answer, Method, Scope, ToSettle, Verdict, VerdictQuestion } from '../../model/verdict.js'
import type { Goal } from '../../model/vocabulary/metric.js'
import {
  equivalence,
  intervalOf,
  pValueOf,
  type StudentEstimate,
  smallestMargin,
} from '../../stats/student-estimate.js'
import { message } from '../../text/say.js'
import type { Along } from './axis.js'

/** From an estimate with its error to one of the four verdicts. Not significant is undetermined, never the same. */

export interface Asked {
  readonly question: VerdictQuestion
  readonly metric: string
  readonly goal: Goal | null
  readonly baseline: string
  readonly other: string
  /** Absolute; null where the user set none, and then nothing is ever called the same. */
  readonly margin: number | null
  /** The baseline's mean over what is compared: what a percentage is of. */
  readonly level?: number
  /** What the evaluations stand along; shared steps unless given. */
  readonly along?: Along
}

export interface Grounds {
  readonly scope: Scope
  readonly tags?: readonly string[]
  readonly reasons: readonly Message[]
  readonly toSettle?: ToSettle
  readonly method?: Method
}

export function judge(asked: Asked, estimate: StudentEstimate, grounds: Grounds): Verdict {
  if (!(estimate.standardError > NOTHING * Math.abs(estimate.mean))) return withoutNoise(asked, estimate, grounds)
  const { low, high } = intervalOf(estimate)
  const differs = low > 0 || high < 0
  const same = asked.margin !== null && equivalence(estimate, asked.margin).equivalent
  return {
    ...named(asked),
    scope: grounds.scope,
    answer: answerFor(estimate.mean, differs, same, asked.goal),
    estimate: estimate.mean,
    interval: [low, high],
    p: pValueOf(estimate),
    smallestMargin: smallestMargin(estimate),
    tags: differs ? (grounds.tags ?? []) : [],
    reasons: grounds.reasons,
    toSettle: grounds.toSettle ?? {},
    method: grounds.method ?? null,
  }
}

/** Below this share of the difference, an error is what is left of rounding. */
const NOTHING = 1e-9

/** Values that never vary have no noise to measure a difference against: equal ones, copies, a metric that is a setting. */
function withoutNoise(asked: Asked, { mean }: StudentEstimate, grounds: Grounds): Verdict {
  const gone = Math.abs(mean) < 1e-12
  const reason = gone ? message('compare.identical', {}) : message('compare.no-noise', {})
  return undetermined(asked, { ...grounds, reasons: [reason, ...grounds.reasons] }, gone ? 0 : mean)
}

/** When the data cannot speak, the reason is all there is; an estimate may still be worth showing. */
export function undetermined(asked: Asked, grounds: Grounds, estimate: number | null = null): Verdict {
  return {
    ...named(asked),
    scope: grounds.scope,
    answer: 'undetermined',
    estimate,
    interval: null,
    p: null,
    smallestMargin: null,
    tags: [],
    reasons: grounds.reasons,
    toSettle: grounds.toSettle ?? {},
    method: grounds.method ?? null,
  }
}

export function answerFor(difference: number, differs: boolean, same: boolean, goal: Goal | null): Answer {
  if (differs && same) return 'different-but-small'
  if (same) return 'same'
  if (!differs) return 'undetermined'
  if (goal === null) return difference > 0 ? 'higher' : 'lower'
  return difference > 0 === (goal === 'max') ? 'better' : 'worse'
}

function named({ question, metric, baseline, other, margin, level = Number.NaN }: Asked) {
  return { question, metric, baseline, other, margin, level: Number.isFinite(level) ? level : null }
}
