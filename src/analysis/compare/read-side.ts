import { type Evaluation, isSameCondition } from '../../model/evaluation.js'
import { meaningOf } from '../../model/vocabulary/resolve.js'
import { validationSize } from '../../model/vocabulary/settings.js'
import { readEvaluations } from '../../store/evaluations.js'
import { wholeConfig } from '../../store/manifest.js'
import { frameworkOf, metricsNamed, vocabularyOf, type WorkspaceWords } from '../../store/meaning.js'
import { type LoadedRun, readSeries, type SeriesPoints } from '../../store/series.js'
import type { PromptScores } from '../prompt-scores.js'
import { readScores } from '../read-scores.js'
import type { Side } from './compare.js'
import { COST_METRICS, type Cost, type CostMetric } from './compare-cost.js'
import { reportedRanges } from './reported.js'

/** All that the store knows of one side of a comparison: evaluations, per-prompt scores, costs. */

/** A side as it was named: one run or replicates of one setting, perhaps at one step. */
export interface RunSide {
  readonly label: string
  readonly runs: readonly LoadedRun[]
  readonly checkpoint: number | null
}

export async function readSide(
  { label, runs, checkpoint }: RunSide,
  metric: string,
  words: WorkspaceWords,
): Promise<Side> {
  const costNames = runs.map(({ manifest }) =>
    COST_METRICS.map(cost => [cost, metricsNamed(manifest, cost, words)[0]] as const),
  )
  const read = await Promise.all(
    runs.map((run, i) => readSeries(run, [metric, ...costNames[i].flatMap(([, name]) => name ?? [])])),
  )
  const series = read.flatMap(found => found.get(metric) ?? [])
  return {
    label,
    series,
    scores: await scoresOf(runs, metric, series),
    prompts: await promptsBehind(runs[0], metric),
    costs: costsOf(runs, read, costNames),
    checkpoint,
  }
}

/** One per run; null unless all have them. */
async function scoresOf(
  runs: readonly LoadedRun[],
  metric: string,
  series: readonly SeriesPoints[],
): Promise<readonly PromptScores[] | null> {
  if (series.length < runs.length) return null
  const found = await Promise.all(runs.map((run, i) => readScores(run, metric, series[i])))
  const scores = found.flatMap(each => (each === null ? [] : [each.scores]))
  return scores.length === runs.length ? scores : null
}

/** How many prompts one evaluation asks, where the log or the config tells. */
export async function promptsBehind(run: LoadedRun, metric: string): Promise<number | null> {
  const { manifest } = run
  const told = manifest.evaluations === 0 ? [] : await readEvaluations(run)
  const evaluated = manifest.evaluated?.get(metric)
  const isOfMetric = (evaluation: Evaluation): boolean =>
    evaluated === undefined
      ? evaluation.metric === metric
      : evaluation.metric === evaluated.metric && isSameCondition(evaluation.condition, evaluated.condition)
  const known = told.find(evaluation => isOfMetric(evaluation) && evaluation.n !== null)?.n
  return known ?? validationSize(wholeConfig(manifest), frameworkOf(manifest))
}

function costsOf(
  runs: readonly LoadedRun[],
  read: readonly ReadonlyMap<string, SeriesPoints>[],
  names: readonly (readonly (readonly [CostMetric, string | undefined])[])[],
): ReadonlyMap<CostMetric, Cost> {
  const costs = new Map<CostMetric, Cost>()
  const reported = reportedRanges(wholeConfig(runs[0].manifest))
  for (const [place, metric] of COST_METRICS.entries()) {
    const series = runs.flatMap((_, i) => read[i].get(names[i][place][1] ?? '') ?? [])
    const vocabulary = vocabularyOf(runs[0].manifest, { user: undefined, problems: [] })
    const range = [...reported].find(([name]) => meaningOf(name, vocabulary).canonical === metric)?.[1] ?? null
    if (series.length === runs.length || range !== null) {
      costs.set(metric, { series: series.length === runs.length ? series : [], range })
    }
  }
  return costs
}
