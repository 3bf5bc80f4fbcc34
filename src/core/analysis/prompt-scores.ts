import type { EvaluatedMetric, SampleScores } from '../../logs/model/evaluation.js'
import { groupBy } from '../../logs/model/util/group-by.js'
import { mean, variance } from '../../stats/descriptive.js'
import type { StudentEstimate } from '../../stats/student-estimate.js'
import { listSamples, readSamples, type SampleSet } from '../store/samples.js'
import type { LoadedRun, SeriesPoints } from '../store/series.js'
import { seriesOf } from './align.js'

/**
 * Scores of single prompts, and what they tell about a comparison: how much of it hangs on which prompts were asked.
 *
 * All evaluations of a run use the same prompts, so the luck of their draw is a constant offset that no look at the
 * curve can see. On real runs the interval from the curve alone covers the difference on fresh prompts in 95 % of pairs
 * at nine evaluations and in 84 % at eighty; with the prompts' own scatter added it covers in 97 % and more at every length.
 */
export interface PromptScores {
  readonly metric: string
  readonly prompts: readonly string[]
  /** Per step the score of each prompt, repeats averaged, in the order of `prompts`. */
  readonly byStep: ReadonlyMap<number, Float64Array>
}

/** One entry per metric and condition. A step that asked other prompts than the first one is left out. */
export function promptScores(batches: readonly SampleScores[]): readonly PromptScores[] {
  const kinds = groupBy(batches, ({ metric, condition }) => JSON.stringify([metric, condition]))
  return [...kinds.values()].map(steps => {
    const prompts = [...new Set(steps[0].ids)]
    const byStep = new Map<number, Float64Array>()
    for (const batch of steps) {
      const scores = meanByPrompt(batch, prompts)
      if (scores !== null) byStep.set(batch.step, scores)
    }
    return { metric: steps[0].metric, prompts, byStep }
  })
}

function meanByPrompt({ ids, scores }: SampleScores, prompts: readonly string[]): Float64Array | null {
  const position = new Map(prompts.map((prompt, i) => [prompt, i]))
  const sums = new Float64Array(prompts.length)
  const counts = new Float64Array(prompts.length)
  for (const [i, id] of ids.entries()) {
    const at = position.get(id)
    if (at === undefined) return null
    sums[at] += scores[i]
    counts[at] += 1
  }
  return counts.every(count => count > 0) ? sums.map((sum, i) => sum / counts[i]) : null
}

/** The mean over prompts as a series, to be compared in the same way as the metric itself. */
export function meanScores({ byStep }: PromptScores): SeriesPoints {
  const steps = [...byStep.keys()].sort((a, b) => a - b)
  return seriesOf(
    steps,
    steps.map(step => mean(byStep.get(step) ?? [])),
  )
}

/** Whether a metric is the mean of these scores: it is, at every step that both have. */
export function areScoresOf({ steps, values }: SeriesPoints, scores: PromptScores): boolean {
  const shared = Array.from(steps.keys()).filter(i => scores.byStep.has(steps[i]))
  return (
    shared.length > 0 &&
    shared.every(
      i => Math.abs(mean(scores.byStep.get(steps[i]) ?? []) - values[i]) < 1e-6 * Math.max(1, Math.abs(values[i])),
    )
  )
}

/** Scores of runs that asked the same prompts, in one order; null when they did not. */
export function onSamePrompts(runs: readonly PromptScores[]): readonly PromptScores[] | null {
  const [first, ...rest] = runs
  if (first === undefined) return null
  const known = new Set(first.prompts)
  const same = rest.every(({ prompts }) => prompts.length === known.size && prompts.every(prompt => known.has(prompt)))
  return same ? runs.map(run => reordered(run, first.prompts)) : null
}

function reordered(scores: PromptScores, prompts: readonly string[]): PromptScores {
  if (scores.prompts.every((prompt, i) => prompt === prompts[i])) return scores
  const position = new Map(scores.prompts.map((prompt, i) => [prompt, i]))
  const order = prompts.map(prompt => position.get(prompt) ?? 0)
  const byStep = new Map([...scores.byStep].map(([step, values]) => [step, Float64Array.from(order, i => values[i])]))
  return { metric: scores.metric, prompts, byStep }
}

/** Per prompt: the other side's mean score over runs and steps minus the baseline's. */
export function differenceByPrompt(
  baseline: readonly PromptScores[],
  other: readonly PromptScores[],
  steps: readonly number[],
): Float64Array {
  const [first, second] = [sideMeans(baseline, steps), sideMeans(other, steps)]
  return second.map((score, i) => score - first[i])
}

function sideMeans(runs: readonly PromptScores[], steps: readonly number[]): Float64Array {
  const sums = new Float64Array(runs[0].prompts.length)
  for (const { byStep } of runs) {
    for (const step of steps) {
      const scores = byStep.get(step)
      if (scores !== undefined) for (let i = 0; i < sums.length; i += 1) sums[i] += scores[i]
    }
  }
  return sums.map(sum => sum / (runs.length * steps.length))
}

/**
 * An estimate with the luck of the prompts added: the variance of the per-prompt difference over the number of prompts
 * joins that of the estimate, and Satterthwaite's formula joins their degrees of freedom. What both hold of a prompt's
 * flicker counts twice, which errs on the side of caution. `forScores` is the same estimate made from the scores' own
 * means: where the metric judged is another one of the same evaluations, the scores lend it their ratio of the two.
 */
export function withPrompts(
  estimate: StudentEstimate,
  forScores: StudentEstimate,
  differences: ArrayLike<number>,
): StudentEstimate & { readonly promptError: number } {
  const ofPrompts = variance(differences) / differences.length
  const own = estimate.standardError ** 2
  const lent = forScores.standardError > 0 ? (ofPrompts * own) / forScores.standardError ** 2 : ofPrompts
  return withVariance(estimate, lent, differences.length - 1)
}

/** An estimate with another, independent source of error joined to its own. */
export function withVariance(
  estimate: StudentEstimate,
  added: number,
  degrees: number,
): StudentEstimate & { readonly promptError: number } {
  const own = estimate.standardError ** 2
  const degreesOfFreedom = (own + added) ** 2 / (own ** 2 / estimate.degreesOfFreedom + added ** 2 / degrees)
  return {
    mean: estimate.mean,
    standardError: Math.sqrt(own + added),
    degreesOfFreedom: Number.isFinite(degreesOfFreedom) ? degreesOfFreedom : estimate.degreesOfFreedom,
    promptError: Math.sqrt(added),
  }
}

/**
 * Which per-prompt scores stand behind a metric. Means are looked at first and only the scores that fit are read: a run
 * with rollout dumps holds millions of others.
 */

/** The scores whose mean the metric is; else any of the same evaluations, which share their prompts; else null. */
export async function readScores(
  run: LoadedRun,
  metric: string,
  series: SeriesPoints,
): Promise<{ readonly scores: PromptScores; readonly own: boolean } | null> {
  if (run.manifest.samples === 0) return null
  const evaluated = run.manifest.evaluated?.get(metric)
  if (evaluated !== undefined) {
    const [scores] = promptScores(await readSamples(run, unfolded(evaluated)))
    return scores === undefined ? null : { scores, own: areScoresOf(series, scores) }
  }
  const chosen = metricBehind(await listSamples(run), metric, series)
  if (chosen === null) return null
  const kinds = promptScores(await readSamples(run, { metric: chosen }))
  const own = kinds.find(kind => areScoresOf(series, kind))
  const scores = own ?? kinds[0]
  return scores === undefined ? null : { scores, own: own !== undefined }
}

/** A mean over repeats was folded from samples that stand unfolded. */
function unfolded({ metric, condition: { aggregate, ...condition } }: EvaluatedMetric): EvaluatedMetric {
  const isMean = aggregate === undefined || aggregate.startsWith('mean@')
  return { metric, condition: isMean ? condition : { ...condition, aggregate } }
}

/** The name of the samples behind a metric: the same name, or means that are the metric's values. */
export function metricBehind(sets: readonly SampleSet[], metric: string, series: SeriesPoints): string | null {
  const kinds = [...groupBy(sets, ({ metric, condition }) => JSON.stringify([metric, condition])).values()]
  const fitting = kinds.filter(kind => areMeansOf(series, kind)).map(([{ metric }]) => metric)
  if (fitting.includes(metric)) return metric
  return fitting[0] ?? sets.find(set => !isTraining(set.metric))?.metric ?? null
}

/** Samples of training batches ask other prompts at every step, and lend nothing to a validation. */
export function isTraining(metric: string): boolean {
  return /^(?:rollout|completions|dialogue)\//.test(metric)
}

function areMeansOf({ steps, values }: SeriesPoints, sets: readonly SampleSet[]): boolean {
  const shared = sets.flatMap(({ step, mean }) => {
    const at = steps.indexOf(step)
    return at < 0 ? [] : [{ mean, value: values[at] }]
  })
  return (
    shared.length > 0 && shared.every(({ mean, value }) => Math.abs(mean - value) < 1e-6 * Math.max(1, Math.abs(value)))
  )
}
