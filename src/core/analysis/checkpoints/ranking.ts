import { z } from 'zod'
import type { Message } from '../../../logs/model/run.js'
import { figure, pair } from '../../../logs/model/schema.js'
import type { Goal } from '../../../logs/model/vocabulary/metric.js'
import { bestOf, bestOnSharedPrompts, heldOutBest } from '../../../stats/best-of-several.js'
import { mean, standardDeviation, variance } from '../../../stats/descriptive.js'
import { jitter } from '../../../stats/trend.js'
import { figure as figureText } from '../../../text/numbers.js'
import { message } from '../../../text/say.js'
import type { SeriesPoints } from '../../store/series.js'
import type { EvaluationCurve } from './recommend.js'

/** Checkpoints by score, and which ones the evaluations cannot tell from the best. No conclusion rests on the maximum alone. */

export const bestCheckpoint = z.object({
  step: z.number(),
  value: z.number(),
  /** The estimated true score, once the luck of having been chosen is taken off; null without an error of one score. */
  shrunken: figure.nullable(),
  interval: pair(z.number()).nullable(),
  /** The score on the other half of the prompts when chosen on one half; null without per-prompt scores. */
  heldOut: z.number().nullable(),
})

export interface CheckpointRanking {
  /** Best first. */
  readonly ranking: readonly { readonly step: number; readonly value: number }[]
  readonly best: z.infer<typeof bestCheckpoint>
  /** Standard error of one evaluation; null where nothing tells. */
  readonly error: number | null
  /**
   * Steps in order that cannot be told from the best at this n; only the best itself where no error is known. That is
   * not to say that they are as good: with so many compared at once, a pair of them may well differ.
   */
  readonly indistinguishable: readonly number[]
  /** What the choice among them rests on. */
  readonly course: EvaluationCurve
  readonly reasons: readonly Message[]
}

/** What is known about the error of one evaluation. */
export interface EvaluationNoise {
  /** Scores of single prompts at each step, where there are any. */
  readonly scores: ReadonlyMap<number, ArrayLike<number>>
  /** Prompts behind each evaluation, where the log or config tells. */
  readonly prompts: number | null
}

/** Of a run that may go on, or was looked at before: at which level checkpoints are told apart, and among how many. */
export interface LookBound {
  readonly level: number
  readonly among: number
}

export function rankCheckpoints(
  { steps, values }: Pick<SeriesPoints, 'steps' | 'values'>,
  goal: Goal,
  noise: EvaluationNoise,
  bound: LookBound | null = null,
): CheckpointRanking | null {
  const evaluated = Array.from(steps, (step, i) => ({ step, value: values[i] })).filter(({ value }) =>
    Number.isFinite(value),
  )
  if (evaluated.length === 0) return null
  const sign = goal === 'max' ? 1 : -1
  const ranking = [...evaluated].sort((a, b) => sign * (b.value - a.value) || a.step - b.step)
  const top = ranking[0]
  const error = errorOf(evaluated, top, noise)
  const last = evaluated[evaluated.length - 1]
  const censored =
    top.step === last.step && evaluated.length > 1 ? [message('checkpoints.best-is-last', { step: top.step })] : []
  const scores = evaluated.map(({ value }) => sign * value)
  const course = { steps: evaluated.map(({ step }) => step), scores }
  if (error === null) {
    const reasons = [message('checkpoints.no-error', { n: evaluated.length }), ...censored]
    const inSet = new Set([scores.indexOf(sign * top.value)])
    return {
      ranking,
      best: { ...top, shrunken: null, interval: null, heldOut: null },
      error: null,
      indistinguishable: [top.step],
      course: { ...course, inSet, errorVariance: null, flicker: 0 },
      reasons,
    }
  }
  const matrix = matrixOf(evaluated, sign, noise)
  const look = bound === null ? {} : { level: 1 - bound.level, among: Math.max(scores.length, bound.among) }
  const all = bestOf(scores, error.size, look)
  const told = matrix === null ? all.indistinguishable : bestOnSharedPrompts(matrix, { ...look, resamples: 1_000 })
  // What to take is advice for today and no claim: looking again does not spoil it.
  const set = bound === null ? told : setToday(scores, error.size, matrix)
  // A collapse, or the first steps of learning, would pass for spread between checkpoints, and nothing would be shrunk.
  const { shrunken } = bestOf(
    set.map(i => scores[i]),
    error.size,
  )
  const heldOut = matrix === null ? null : sign * heldOutBest(matrix)
  const [low, high] = [sign * all.interval.low, sign * all.interval.high].sort((a, b) => a - b).map(within)
  const alike = told.map(i => evaluated[i].step)
  const reasons = [
    error.reason,
    message('checkpoints.alike', { count: alike.length, all: evaluated.length }),
    ...(heldOut === null ? [] : [message('checkpoints.held-out', { value: figureText(heldOut, 4) })]),
    ...censored,
  ]
  return {
    ranking,
    best: { ...top, shrunken: Math.min(high, Math.max(low, sign * shrunken)), interval: [low, high], heldOut },
    error: error.size,
    indistinguishable: alike,
    course: { ...course, inSet: new Set(set), ...noiseAround(course, new Set(set), matrix, error) },
    reasons,
  }

  /** A share lies between 0 and 1, and so does what it may truly be. */
  function within(end: number): number {
    return isShare(evaluated) ? Math.min(1, Math.max(0, end)) : end
  }
}

function setToday(scores: readonly number[], error: number, matrix: readonly Float64Array[] | null): readonly number[] {
  return matrix === null ? bestOf(scores, error).indistinguishable : bestOnSharedPrompts(matrix, { resamples: 1_000 })
}

/**
 * The variance of one score from evaluation to evaluation, among those that matter: all of them ask the same prompts, so
 * the luck of the prompts moves none against another. From the prompts that flip between neighbours, else from the
 * jitter, which the error of so many prompts bounds. What scores move beyond the prompts' flips is the checkpoints' own.
 */
function noiseAround(
  { steps, scores }: Pick<EvaluationCurve, 'steps' | 'scores'>,
  inSet: ReadonlySet<number>,
  matrix: readonly Float64Array[] | null,
  error: ScoreError,
): Pick<EvaluationCurve, 'errorVariance' | 'flicker' | 'ownShare'> {
  const places = [...inSet]
  const wobble = jitter(
    places.map(i => steps[i]),
    places.map(i => scores[i]),
  )
  if (matrix !== null) {
    const flips = places.flatMap(i => (inSet.has(i - 1) ? [flipVariance(matrix[i - 1], matrix[i])] : []))
    if (flips.length < FEWEST_NEIGHBOURS) return { errorVariance: error.size ** 2, flicker: error.size ** 2 }
    const flicker = Math.max(mean(flips), NO_FLICKER * error.size ** 2)
    const errorVariance = Math.max(flicker, wobble > 0 ? wobble ** 2 : 0)
    return { errorVariance, flicker, ownShare: 1 - flicker / errorVariance }
  }
  const size = (wobble > 0 ? Math.min(wobble, error.size) : error.size) ** 2
  return { errorVariance: size, flicker: size }
}

/** Fewer pairs of neighbours do not tell how much scores flicker. */
const FEWEST_NEIGHBOURS = 2
/** Neighbours that agree on every prompt are copies of one policy; the error of a score is never quite nothing. */
const NO_FLICKER = 1e-4

/** Of one mean score, from the difference of two on the same prompts. */
function flipVariance(first: Float64Array, second: Float64Array): number {
  const differences = second.map((score, i) => score - first[i])
  return variance(differences) / differences.length / 2
}

/** Scores by evaluation, then by prompt, higher is better; null unless all evaluations asked the same number of prompts. */
function matrixOf(
  evaluated: readonly { readonly step: number }[],
  sign: number,
  { scores }: EvaluationNoise,
): readonly Float64Array[] | null {
  const matrix = evaluated.map(({ step }) => Float64Array.from(scores.get(step) ?? [], score => sign * score))
  const prompts = matrix[0].length
  return matrix.length > 1 && prompts > 1 && matrix.every(({ length }) => length === prompts) ? matrix : null
}

interface ScoreError {
  readonly size: number
  readonly reason: Message
}

/** From the prompts' own scores, else from their number, else roughly from how the curve jitters. */
function errorOf(
  evaluated: readonly { readonly step: number; readonly value: number }[],
  top: { readonly step: number; readonly value: number },
  { scores, prompts }: EvaluationNoise,
): ScoreError | null {
  const ofTop = scores.get(top.step)
  if (ofTop !== undefined && ofTop.length > 1) {
    const size = standardDeviation(ofTop) / Math.sqrt(ofTop.length)
    return { size, reason: message('checkpoints.error-from-scores', { n: ofTop.length, error: figureText(size, 2) }) }
  }
  if (prompts !== null && isShare(evaluated)) {
    const size = Math.sqrt((top.value * (1 - top.value)) / prompts)
    if (size > 0)
      return { size, reason: message('checkpoints.error-from-n', { n: prompts, error: figureText(size, 2) }) }
  }
  const size = jitter(
    evaluated.map(({ step }) => step),
    evaluated.map(({ value }) => value),
  )
  return size > 0 ? { size, reason: message('checkpoints.error-from-jitter', { error: figureText(size, 2) }) } : null
}

function isShare(evaluated: readonly { readonly value: number }[]): boolean {
  return evaluated.every(({ value }) => value >= 0 && value <= 1)
}
