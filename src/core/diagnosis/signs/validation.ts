import type { Evaluation } from '../../../logs/model/evaluation.js'
import { mean, standardDeviation } from '../../../stats/descriptive.js'
import { binomialCdf, normalCdf } from '../../../stats/distributions.js'
import { jitter } from '../../../stats/trend.js'
import type { Subject } from '../subject.js'
import type { Curve, Stretch } from './curve.js'

/** What a run's validation is: one curve for each data set and number of shots, and how exact each of its points is. */

/** The best carrier for each data set and number of shots. Best-of-n and other folds of the same answers are no news. */
export function validationCurves(subject: Subject): readonly Curve[] {
  const about = new Map(subject.evaluations.map(({ metric, condition }) => [metric, condition]))
  const chosen = new Map<string, Curve>()
  for (const curve of subject.curves('val.score')) {
    const { dataset, shots } = about.get(curve.metric) ?? {}
    const key = JSON.stringify([dataset, shots])
    if (!chosen.has(key)) chosen.set(key, curve)
  }
  return [...chosen.values()]
}

/**
 * For each data set the validation curve that is scored as training is: named reward or score like it, or where both lie
 * between 0 and 1, whatever it is called.
 */
export function likeScored(subject: Subject, training: Curve): readonly Curve[] {
  const about = new Map(subject.evaluations.map(({ metric, condition }) => [metric, condition]))
  const isShare = ({ values }: Curve): boolean => values.every(value => value >= 0 && value <= 1)
  const highest = subject.curve('score.max') ?? subject.curve('reward.max')
  const isTrainingShare = isShare(training) && (highest === undefined || isShare(highest))
  const likeness = (curve: Curve): number => (REWARD.test(curve.metric) ? 2 : isTrainingShare && isShare(curve) ? 1 : 0)
  const chosen = new Map<string, Curve>()
  for (const curve of subject.curves('val.score')) {
    const { dataset, shots, aggregate } = about.get(curve.metric) ?? {}
    if (likeness(curve) === 0 || !/^(?:mean|avg)\b|^$/.test(aggregate ?? '')) continue
    const key = JSON.stringify([dataset, shots])
    const known = chosen.get(key)
    if (known === undefined || likeness(curve) > likeness(known)) chosen.set(key, curve)
  }
  return [...chosen.values()]
}

const REWARD = /reward|score/i

/** Evaluations of trained policies: what was measured before the first update says nothing about training. */
export function afterStart({ metric, steps, values }: Curve): Curve {
  const from = steps.findIndex(step => step > 0)
  const start = from < 0 ? steps.length : from
  return { metric, steps: steps.subarray(start), values: values.subarray(start) }
}

/** Prompts behind a metric's evaluations, where all that tell a number tell the same. */
export function promptsOf({ evaluations }: Subject, metric: string): number | null {
  const told = new Set(evaluations.flatMap(({ metric: of, n }: Evaluation) => (of === metric && n !== null ? [n] : [])))
  const [n = null, another] = told
  return another === undefined ? n : null
}

/** Scores of single prompts by step, of the batches whose means are this curve's values. */
export function scoresBehind({ samples }: Subject, { steps, values }: Curve): ReadonlyMap<number, readonly number[]> {
  const valueAt = new Map(Array.from(steps, (step, i) => [step, values[i]]))
  return new Map(
    samples.flatMap(({ step, scores }) =>
      Math.abs(mean(scores) - (valueAt.get(step) ?? Number.NaN)) < SAME_MEAN ? [[step, scores] as const] : [],
    ),
  )
}

/** Logs keep six or seven digits. */
const SAME_MEAN = 1e-6

export interface SamplingError {
  /** Of one evaluation, typically. */
  readonly size: number
  readonly prompts: number
  readonly from: 'scores' | 'number'
}

/**
 * Standard error of one evaluation from its prompts: their own scores, else for shares the largest that their number
 * allows, √(p(1 − p)/n). Null where neither is known.
 */
export function samplingError(subject: Subject, curve: Curve): SamplingError | null {
  const scores = [...scoresBehind(subject, curve).values()].filter(({ length }) => length > 1)
  if (scores.length > 0) {
    const sizes = scores.map(each => standardDeviation(each) / Math.sqrt(each.length))
    return { size: mean(sizes), prompts: scores[0].length, from: 'scores' }
  }
  const prompts = promptsOf(subject, curve.metric)
  const share = mean(curve.values)
  if (prompts === null || !curve.values.every(value => value >= 0 && value <= 1)) return null
  return { size: Math.sqrt((share * (1 - share)) / prompts), prompts, from: 'number' }
}

/**
 * What one evaluation can be off by: how the curve jitters, or its sampling error where that is larger, as it is when the
 * same prompts are asked every time. NaN where neither is known.
 */
export function evaluationNoise(subject: Subject, curve: Curve): number {
  const rough = jitter(curve.steps, curve.values)
  const known = [rough, samplingError(subject, curve)?.size ?? Number.NaN].filter(Number.isFinite)
  return known.length === 0 ? Number.NaN : Math.max(...known)
}

/**
 * How likely the evaluations from index `from` to before `to` lie so far below the others if the policy never changed, so
 * that all have the mean of all. The fewer of the two groups is compared with that mean: by the binomial where the curve
 * is a share of a known number of prompts, else by its noise. 0, no objection, where nothing is known.
 */
export function chanceOfSoLow(subject: Subject, curve: Curve, { from, to }: Stretch): number {
  const { values } = curve
  const low = values.subarray(from, to)
  const isMinor = low.length <= values.length / 2
  const few = isMinor ? low : Float64Array.from([...values.subarray(0, from), ...values.subarray(to)])
  if (few.length === 0) return 1
  const pooled = mean(values)
  const prompts = promptsOf(subject, curve.metric)
  if (prompts !== null && values.every(value => value >= 0 && value <= 1)) {
    const trials = prompts * few.length
    const hits = Math.round(prompts * mean(few) * few.length)
    // So many high ones are as improbable as so few misses.
    return isMinor ? binomialChance(hits, trials, pooled) : binomialChance(trials - hits, trials, 1 - pooled)
  }
  const noise = evaluationNoise(subject, curve)
  if (!(noise > 0)) return 0
  return normalCdf(-Math.abs(mean(few) - pooled) / (noise * Math.sqrt(INFLATION / few.length)))
}

/** Of at most so many hits. */
function binomialChance(hits: number, trials: number, share: number): number {
  const spread = Math.sqrt(trials * share * (1 - share))
  return spread < MOST_SPREAD ? binomialCdf(hits, trials, share) : normalCdf((hits + 0.5 - trials * share) / spread)
}

/** Beyond it the sum over all outcomes takes long, and the normal is as good. */
const MOST_SPREAD = 30
/** Variance of a mean of evaluations with autocorrelation 0.3, the floor of docs/statistics.md, relative to independent ones. */
export const INFLATION = 1.3 / 0.7
