import { meaningOf } from '../../model/vocabulary/resolve.js'
import { validationSize } from '../../model/vocabulary/settings.js'
import { readEvaluations } from '../../store/evaluations.js'
import { wholeConfig } from '../../store/manifest.js'
import { frameworkOf, metricsNamed, vocabularyOf, type WorkspaceWords } from '../../store/meaning.js'
import { readSamples } from '../../store/samples.js'
import { type LoadedRun, readSeries, type SeriesPoints } from '../../store/series.js'
import { areScoresOf, type PromptScores, promptScores } from '../prompt-scores.js'
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
    scores: await readScores(runs, series),
    prompts: await promptsBehind(runs[0], metric),
    costs: costsOf(runs, read, costNames),
    checkpoint,
  }
}

/** Per run the scores whose mean the metric is, else any of the same evaluations; null unless all runs have them. */
async function readScores(
  runs: readonly LoadedRun[],
  series: readonly SeriesPoints[],
): Promise<readonly PromptScores[] | null> {
  if (series.length < runs.length || runs.some(({ manifest }) => manifest.samples === 0)) return null
  const all = await Promise.all(runs.map(async ({ folder }) => promptScores(await readSamples(folder))))
  const chosen = all.map((kinds, i) => kinds.find(kind => areScoresOf(series[i], kind)) ?? kinds[0])
  return chosen.every(kind => kind !== undefined) ? chosen : null
}

/** How many prompts one evaluation asks, where the log or the config tells. */
export async function promptsBehind({ folder, manifest }: LoadedRun, metric: string): Promise<number | null> {
  const told = manifest.evaluations === 0 ? [] : await readEvaluations(folder)
  const known = told.find(evaluation => evaluation.metric === metric && evaluation.n !== null)?.n
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
