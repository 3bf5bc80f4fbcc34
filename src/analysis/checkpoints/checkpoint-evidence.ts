import type { Goal } from '../../model/vocabulary/metric.js'
import { readSeries, type SeriesPoints } from '../../store/series.js'
import { promptsBehind } from '../compare/evidence.js'
import { readScores } from '../read-scores.js'
import type { RunView } from '../run-view.js'
import { type CheckpointRanking, type EvaluationNoise, rankCheckpoints } from './checkpoints.js'

/** A run's checkpoints ranked by one metric, with what a reader weighs beside the score at each of them. */
export interface RankedRun {
  readonly metric: string
  /** Null: nobody has said which direction is better, and nothing is ranked. */
  readonly goal: Goal | null
  /** Null: no finite value, or no goal. */
  readonly ranked: CheckpointRanking | null
  /** Raw names of the metrics beside it, as far as the run has them. */
  readonly beside: readonly string[]
  readonly valuesAt: (step: number) => { readonly [metric: string]: number }
}

const BESIDE = ['val.loss', 'loss.policy', 'kl.ref', 'entropy', 'adv.std', 'len.response']

/** Null when the run has no metric of that name. */
export async function rankRun(run: RunView, wanted: string, goalGiven: Goal | null): Promise<RankedRun | null> {
  const metric = run.metricsNamed(wanted)[0]
  if (metric === undefined) return null
  const goal = goalGiven ?? run.meaningOf(metric).goal
  const names = [...run.manifest.metrics.keys()]
  const carriers = BESIDE.flatMap(canonical => run.carriersAmong(names, canonical).slice(0, 1))
  const beside = carriers.filter(other => other !== metric)
  const series = await readSeries(run, [metric, ...beside])
  const scored = series.get(metric)
  const ranked =
    goal === null || scored === undefined ? null : rankCheckpoints(scored, goal, await noiseOf(run, metric, scored))
  return { metric, goal, ranked, beside, valuesAt: step => valuesAt(series, beside, step) }
}

/** Per-prompt scores belong to the metric whose values are their means. */
async function noiseOf(run: RunView, metric: string, points: SeriesPoints): Promise<EvaluationNoise> {
  const found = await readScores(run, metric, points)
  return { scores: found?.own ? found.scores.byStep : new Map(), prompts: await promptsBehind(run, metric) }
}

function valuesAt(series: ReadonlyMap<string, SeriesPoints>, metrics: readonly string[], step: number) {
  return Object.fromEntries(
    metrics.flatMap(metric => {
      const points = series.get(metric)
      const at = points?.steps.indexOf(step) ?? -1
      return points === undefined || at < 0 ? [] : [[metric, points.values[at]]]
    }),
  )
}
