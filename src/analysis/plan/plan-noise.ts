import type { SampleScores } from '../../model/evaluation.js'
import type { Message } from '../../model/run.js'
import { detrended, mean, standardDeviation, variance } from '../../stats/descriptive.js'
import { FEWEST_EVALUATIONS, pairedMean } from '../../stats/paired-mean.js'
import type { SeriesPoints } from '../../store/series.js'
import { figure } from '../../text/numbers.js'
import { message } from '../../text/say.js'
import { align } from '../align.js'
import { judgedSteps } from '../conventions.js'
import type { EvaluationNoise, Noise } from './plan.js'

/** The noise of runs at hand, for planning the next ones; every figure comes with the sentence that says where from. */

export interface PlanSide {
  readonly label: string
  /** One per run. */
  readonly series: readonly SeriesPoints[]
  /** Scores of single prompts, one list of batches per run. */
  readonly samples: readonly (readonly SampleScores[])[]
}

export interface MeasuredNoise extends Noise {
  /** Mean score of the first side over its window: what a percentage is a percentage of. */
  readonly level: number
  readonly sources: readonly Message[]
}

export function noiseOf(sides: readonly PlanSide[]): MeasuredNoise {
  const evaluations = evaluationNoise(sides)
  const seeds = seedNoise(sides)
  const prompts = promptNoise(sides)
  return {
    pairedVariance: prompts?.pairedVariance ?? null,
    promptScatter: prompts?.promptScatter ?? null,
    evaluations: evaluations?.noise ?? null,
    seedScatter: seeds?.scatter ?? null,
    level: mean(sides[0].series.map(summary)),
    sources: [evaluations?.source, seeds?.source, prompts?.source].filter(source => source !== undefined),
  }
}

/** Two runs as they are, else two replicates, else one run doubled. */
function evaluationNoise(sides: readonly PlanSide[]): { noise: EvaluationNoise; source: Message } | null {
  const pair = sides.length > 1 ? [sides[0].series[0], sides[1].series[0]] : sides[0].series.slice(0, 2)
  const shared = align(pair)
  const n = shared.steps.length
  if (n < FEWEST_EVALUATIONS) return null
  const differences =
    pair.length > 1 ? shared.values[0].map((value, i) => shared.values[1][i] - value) : detrended(shared.values[0])
  const { autocorrelation } = pairedMean(differences)
  const spread = standardDeviation(differences) * (pair.length > 1 ? 1 : Math.SQRT2)
  if (!(spread > 0)) return null
  const params = { n, spread: figure(spread), autocorrelation: figure(autocorrelation) }
  const source = pair.length > 1 ? message('plan.from.pair', params) : message('plan.from.one-run', params)
  return { noise: { spread, autocorrelation }, source }
}

function seedNoise(sides: readonly PlanSide[]): { scatter: number; source: Message } | null {
  const groups = sides
    .map(({ series }) => series.map(summary).filter(Number.isFinite))
    .filter(({ length }) => length > 1)
  if (groups.length === 0) return null
  const free = groups.reduce((sum, { length }) => sum + length - 1, 0)
  const scatter = Math.sqrt(groups.reduce((sum, values) => sum + variance(values) * (values.length - 1), 0) / free)
  if (!(scatter > 0)) return null
  const runs = groups.reduce((sum, { length }) => sum + length, 0)
  return { scatter, source: message('plan.from.seeds', { scatter: figure(scatter), runs, settings: groups.length }) }
}

/** A run as one number: its mean over what runs are judged by. */
function summary(series: SeriesPoints): number {
  const { steps, values } = align([series])
  return mean(values[0].slice(-judgedSteps(steps).length))
}

/** The last evaluation that two runs share, prompt by prompt; of one run alone, its last two checkpoints. */
function promptNoise(
  sides: readonly PlanSide[],
): { pairedVariance: number | null; promptScatter: number; source: Message } | null {
  const runs = (sides.length > 1 ? [sides[0].samples[0], sides[1].samples[0]] : sides[0].samples.slice(0, 2)).filter(
    batches => batches !== undefined && batches.length > 0,
  )
  const first = runs[0]?.at(-1)
  if (first === undefined) return null
  const scores = meanByPrompt(first)
  const promptScatter = standardDeviation([...scores.values()])
  const second =
    runs.length > 1
      ? runs[1].findLast(({ metric, step }) => metric === first.metric && step === first.step)
      : runs[0].findLast(({ metric, step }) => metric === first.metric && step < first.step)
  const others = second === undefined ? new Map<string, number>() : meanByPrompt(second)
  const differences = [...scores].flatMap(([id, score]) => {
    const other = others.get(id)
    return other === undefined ? [] : [other - score]
  })
  const params = { metric: first.metric, step: first.step, n: scores.size }
  if (differences.length < 2) {
    return {
      pairedVariance: null,
      promptScatter,
      source: message('plan.from.prompts-one', { ...params, scatter: figure(promptScatter) }),
    }
  }
  const pairedVariance = variance(differences)
  const source = message(runs.length > 1 ? 'plan.from.prompts' : 'plan.from.neighbours', {
    ...params,
    n: differences.length,
    variance: figure(pairedVariance),
  })
  return { pairedVariance, promptScatter, source }
}

function meanByPrompt({ ids, scores }: SampleScores): Map<string, number> {
  const sums = new Map<string, { sum: number; count: number }>()
  ids.forEach((id, i) => {
    const { sum, count } = sums.get(id) ?? { sum: 0, count: 0 }
    sums.set(id, { sum: sum + scores[i], count: count + 1 })
  })
  return new Map([...sums].map(([id, { sum, count }]) => [id, sum / count]))
}
