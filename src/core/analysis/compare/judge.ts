import type { Message } from '../../../logs/model/run.js'
import type { Answer, Method, Scope, ToSettle, Verdict } from '../../../logs/model/verdict.js'
import type { Goal } from '../../../logs/model/vocabulary/metric.js'
import { FEWEST_EVALUATIONS } from '../../../stats/paired-mean.js'
import {
  equivalence,
  intervalOf,
  pValueOf,
  type StudentEstimate,
  smallestMargin,
} from '../../../stats/student-estimate.js'
import { comparisonSentences as message } from '../../../text/compare.js'
import { countText } from './axis.js'
import { type QuestionSpec, SHARED_STEPS } from './specification.js'

/** From an estimate with its error to one of the four verdicts. Not significant is undetermined, never the same. */

/** What a verdict rests on. */
interface VerdictBasis {
  readonly scope: Scope
  readonly tags?: readonly string[]
  readonly reasons: readonly Message[]
  readonly toSettle?: ToSettle
  readonly method?: Method
}

export function judge(asked: QuestionSpec, estimate: StudentEstimate, basis: VerdictBasis): Verdict {
  if (!(estimate.standardError > NOTHING * Math.abs(estimate.mean))) return withoutNoise(asked, estimate, basis)
  const { low, high } = intervalOf(estimate)
  const differs = low > 0 || high < 0
  const same = asked.margin !== null && equivalence(estimate, asked.margin).equivalent
  return {
    ...named(asked),
    scope: basis.scope,
    answer: answerFor(estimate.mean, differs, same, asked.goal),
    estimate: estimate.mean,
    interval: [low, high],
    p: pValueOf(estimate),
    smallestMargin: smallestMargin(estimate),
    tags: differs ? (basis.tags ?? []) : [],
    reasons: basis.reasons,
    toSettle: basis.toSettle ?? {},
    method: basis.method ?? null,
  }
}

/** Below this share of the difference, an error is what is left of rounding. */
const NOTHING = 1e-9

/** Values that never vary have no noise to measure a difference against: equal ones, copies, a metric that is a setting. */
function withoutNoise(asked: QuestionSpec, { mean }: StudentEstimate, basis: VerdictBasis): Verdict {
  const gone = Math.abs(mean) < 1e-12
  const reason = gone ? message('compare.identical', {}) : message('compare.no-noise', {})
  return undetermined(asked, { ...basis, reasons: [reason, ...basis.reasons] }, gone ? 0 : mean)
}

/** When the data cannot speak, the reason is all there is; an estimate may still be worth showing. */
export function undetermined(asked: QuestionSpec, basis: VerdictBasis, estimate: number | null = null): Verdict {
  return {
    ...named(asked),
    scope: basis.scope,
    answer: 'undetermined',
    estimate,
    interval: null,
    p: null,
    smallestMargin: null,
    tags: [],
    reasons: basis.reasons,
    toSettle: basis.toSettle ?? {},
    method: basis.method ?? null,
  }
}

export function answerFor(difference: number, differs: boolean, same: boolean, goal: Goal | null): Answer {
  if (differs && same) return 'different-but-small'
  if (same) return 'same'
  if (!differs) return 'undetermined'
  if (goal === null) return difference > 0 ? 'higher' : 'lower'
  return difference > 0 === (goal === 'max') ? 'better' : 'worse'
}

function named({ question, metric, baseline, other, margin, level = Number.NaN }: QuestionSpec) {
  return { question, metric, baseline, other, margin, level: Number.isFinite(level) ? level : null }
}

/** Fewer shared evaluations than an interval needs. */
export function tooFewShared(asked: QuestionSpec, shared: number): Verdict {
  const count = countText(asked.axis ?? SHARED_STEPS, shared)
  const reasons = [message('compare.too-few', { count, needed: FEWEST_EVALUATIONS })]
  return undetermined(asked, { scope: 'runs', reasons })
}
