import type { Message } from '../../model/run.js'
import type { Goal } from '../../model/vocabulary/metric.js'
import { bestOf, jitter } from '../../stats/best.js'
import { bestOnSharedPrompts } from '../../stats/best-on-prompts.js'
import { standardDeviation } from '../../stats/descriptive.js'
import { heldOutBest } from '../../stats/held-out.js'
import type { SeriesPoints } from '../../store/series.js'
import { figure } from '../../text/numbers.js'
import { message } from '../../text/say.js'

/** Which checkpoint to ship, and which ones the evaluations cannot tell from it. No conclusion rests on the maximum alone. */
export interface CheckpointRanking {
  /** Best first. */
  readonly ranking: readonly { readonly step: number; readonly value: number }[]
  readonly best: {
    readonly step: number
    readonly value: number
    /** What the best is worth once the luck of having been chosen is taken off; null without an error of one score. */
    readonly shrunken: number | null
    readonly interval: readonly [number, number] | null
    /** The score on the other half of the prompts when chosen on one half; null without per-prompt scores. */
    readonly heldOut: number | null
  }
  /** Standard error of one evaluation; null where nothing tells. */
  readonly error: number | null
  /** Steps in order; only the best itself where no error is known. */
  readonly indistinguishable: readonly number[]
  readonly reasons: readonly Message[]
}

/** What is known about the error of one evaluation. */
export interface EvaluationNoise {
  /** Scores of single prompts at each step, where there are any. */
  readonly scores: ReadonlyMap<number, ArrayLike<number>>
  /** Prompts behind each evaluation, where the log or config tells. */
  readonly prompts: number | null
}

export function rankCheckpoints(
  { steps, values }: Pick<SeriesPoints, 'steps' | 'values'>,
  goal: Goal,
  noise: EvaluationNoise,
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
  if (error === null) {
    const reasons = [message('checkpoints.no-error', { n: evaluated.length }), ...censored]
    return {
      ranking,
      best: { ...top, shrunken: null, interval: null, heldOut: null },
      error: null,
      indistinguishable: [top.step],
      reasons,
    }
  }
  const best = bestOf(
    evaluated.map(({ value }) => sign * value),
    error.size,
  )
  const ends = [sign * best.interval.low, sign * best.interval.high].sort((a, b) => a - b)
  const matrix = matrixOf(evaluated, sign, noise)
  const heldOut = matrix === null ? null : sign * heldOutBest(matrix)
  const set = matrix === null ? best.indistinguishable : bestOnSharedPrompts(matrix, { resamples: 1_000 })
  const alike = set.map(i => evaluated[i].step)
  const reasons = [
    error.reason,
    message('checkpoints.alike', { count: alike.length, all: evaluated.length, earliest: alike[0] }),
    ...(heldOut === null ? [] : [message('checkpoints.held-out', { value: figure(heldOut, 4) })]),
    ...censored,
  ]
  return {
    ranking,
    best: { ...top, shrunken: sign * best.shrunken, interval: [ends[0], ends[1]], heldOut },
    error: error.size,
    indistinguishable: alike,
    reasons,
  }
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
    return { size, reason: message('checkpoints.error-from-scores', { n: ofTop.length, error: figure(size, 2) }) }
  }
  const isShare = evaluated.every(({ value }) => value >= 0 && value <= 1)
  if (prompts !== null && isShare) {
    const size = Math.sqrt((top.value * (1 - top.value)) / prompts)
    if (size > 0) return { size, reason: message('checkpoints.error-from-n', { n: prompts, error: figure(size, 2) }) }
  }
  const size = jitter(
    evaluated.map(({ step }) => step),
    evaluated.map(({ value }) => value),
  )
  return size > 0 ? { size, reason: message('checkpoints.error-from-jitter', { error: figure(size, 2) }) } : null
}
