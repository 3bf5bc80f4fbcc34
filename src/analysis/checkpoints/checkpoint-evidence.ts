import type { Goal } from '../../model/vocabulary/metric.js'
import { readSeries, type SeriesPoints } from '../../store/series.js'
import { promptsBehind } from '../compare/evidence.js'
import { readScores } from '../read-scores.js'
import type { RunView } from '../run-view.js'
import { onEverySet } from '../validation-sets.js'
import { type CheckpointRanking, type EvaluationNoise, rankCheckpoints } from './checkpoints.js'
import { criteriaOf, fullestCriterion, restsOn } from './criteria.js'
import { savedSteps } from './saved-steps.js'
import { placeOf, type Take, takeFrom } from './take.js'

/** A run's checkpoints ranked by one metric, with what a reader weighs beside the score at each of them. */
export interface RankedRun {
  readonly metric: string
  /** Null: nobody has said which direction is better, and nothing is ranked. */
  readonly goal: Goal | null
  /** Null: no finite value, or no goal. */
  readonly ranked: CheckpointRanking | null
  /** The one step to take; null where nothing is ranked. */
  readonly take: Take | null
  /** The same score on every validation set that the run logs, this one first. */
  readonly sets: readonly string[]
  /** Raw names of the metrics beside it, as far as the run has them. */
  readonly beside: readonly string[]
  readonly valuesAt: (step: number) => { readonly [metric: string]: number }
}

const BESIDE = ['val.loss', 'loss.policy', 'kl.ref', 'entropy', 'adv.std', 'len.response']

/** `wanted` null: the validation score, or what rests on more queries. Null when the run has no metric of that name. */
export async function rankRun(run: RunView, wanted: string | null, goalGiven: Goal | null): Promise<RankedRun | null> {
  const criteria = await criteriaOf(run)
  const metric = run.metricsNamed(wanted ?? fullestCriterion(criteria) ?? 'val.score')[0]
  if (metric === undefined) return null
  const goal = goalGiven ?? run.meaningOf(metric).goal
  const names = [...run.manifest.metrics.keys()]
  const carriers = BESIDE.flatMap(canonical => run.carriersAmong(names, canonical).slice(0, 1))
  const beside = carriers.filter(other => other !== metric)
  const sets = onEverySet(run, metric)
  const series = await readSeries(run, [...sets, ...beside])
  const ranked = await Promise.all(sets.map(set => rankedBy(run, set, goal, series.get(set))))
  const courses = ranked.flatMap(each => each?.course ?? [])
  const take =
    goal === null || ranked[0] === null ? null : takeFrom(courses, await savedSteps(run), goal === 'max' ? 1 : -1)
  const [first] = ranked
  return {
    metric,
    goal,
    ranked: first === null ? null : { ...first, reasons: [...first.reasons, ...restsOn(criteria)] },
    take,
    sets,
    beside,
    valuesAt: step => valuesAt(series, beside, step),
  }
}

async function rankedBy(
  run: RunView,
  metric: string,
  goal: Goal | null,
  points: SeriesPoints | undefined,
): Promise<CheckpointRanking | null> {
  return goal === null || points === undefined
    ? null
    : rankCheckpoints(points, goal, await noiseOf(run, metric, points))
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
      if (points === undefined) return []
      const place = placeOf(points.steps, step)
      return points.steps[place] === step ? [[metric, points.values[place]]] : []
    }),
  )
}
