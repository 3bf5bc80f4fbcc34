import type { EvaluatedMetric } from '../model/evaluation.js'
import { groupBy } from '../model/util/group-by.js'
import { listSamples, readSamples, type SampleSet } from '../store/samples.js'
import type { LoadedRun, SeriesPoints } from '../store/series.js'
import { areScoresOf, type PromptScores, promptScores } from './prompt-scores.js'

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
