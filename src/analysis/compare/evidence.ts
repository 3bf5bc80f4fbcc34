import type { Axis } from '../../model/axis.js'
import { isSameCondition } from '../../model/evaluation.js'
import { promptCounts, readEvaluations } from '../../store/evaluations.js'
import { readSeries, type SeriesPoints } from '../../store/series.js'
import { withoutCopies } from '../conventions.js'
import { type PromptScores, readScores } from '../prompt-scores.js'
import type { RunView } from '../run-view.js'
import { type Counter, counterOf } from './axis.js'
import { COST_METRICS, type Cost, type CostMetric } from './cost.js'
import type { Side } from './questions.js'
import { reportedRanges } from './reported.js'

/** All that the store knows of one side of a comparison: evaluations, per-prompt scores, costs. */

/** A side as it was named: one run or replicates of one setting, perhaps at one step. */
export interface RunSide {
  readonly label: string
  readonly runs: readonly RunView[]
  /** Copies of these runs that were named too: no replicates, and left out of everything. */
  readonly copies: readonly RunView[]
  readonly checkpoint: number | null
}

export function sideOf(label: string, named: readonly RunView[], checkpoint: number | null): RunSide {
  return { label, ...withoutCopies(named), checkpoint }
}

/** Two checkpoints of one run: everything that is asked of whole runs has no answer, and is not worth a line. */
export function areOfOneRun(sides: readonly RunSide[]): boolean {
  const ids = new Set(sides.map(({ runs }) => runs.map(({ manifest }) => manifest.id).join()))
  return ids.size === 1 && sides.every(({ checkpoint }) => checkpoint !== null)
}

/** A run whose log does not tell how far along the axis it is. */
export interface Uncounted {
  readonly run: RunView
}

/** Of each run of a side how far along the axis it is at a step; the first run that cannot tell instead. */
export async function countersOf(
  { runs }: RunSide,
  axis: Axis,
  metric: string,
): Promise<readonly Counter[] | Uncounted> {
  const counters = await Promise.all(runs.map(run => counterOf(run, axis, metric)))
  const missing = counters.indexOf(null)
  return missing < 0 ? counters.filter(counter => counter !== null) : { run: runs[missing] }
}

/** The side by each of several metrics, that of the question first; costs belong to the first. One query a run. */
export async function readSide(
  { label, runs, checkpoint }: RunSide,
  metrics: readonly string[],
  counters: readonly Counter[],
): Promise<readonly Side[]> {
  const costNames = runs.map(run => COST_METRICS.map(cost => [cost, run.metricsNamed(cost)[0]] as const))
  const read = await Promise.all(
    runs.map((run, i) => readSeries(run, [...metrics, ...costNames[i].flatMap(([, name]) => name ?? [])])),
  )
  const sides: Side[] = []
  for (const [place, metric] of metrics.entries()) {
    const series = read.flatMap(found => found.get(metric) ?? [])
    sides.push({
      label,
      series,
      scores: await scoresOf(runs, metric, series),
      prompts: await promptsBehind(runs[0], metric),
      checkpoint,
      counters,
      ...(place === 0 && { costs: costsOf(runs, read, costNames) }),
    })
  }
  return sides
}

/** One per run; null unless all have them. */
async function scoresOf(
  runs: readonly RunView[],
  metric: string,
  series: readonly SeriesPoints[],
): Promise<readonly PromptScores[] | null> {
  if (series.length < runs.length) return null
  const found = await Promise.all(runs.map((run, i) => readScores(run, metric, series[i])))
  const scores = found.flatMap(each => (each === null ? [] : [each.scores]))
  return scores.length === runs.length ? scores : null
}

/** How many prompts one evaluation asks, where the log or the config tells. */
export async function promptsBehind(run: RunView, metric: string): Promise<number | null> {
  const { manifest, validationSize } = run
  if (manifest.evaluations === 0) return validationSize
  const evaluated = manifest.evaluated?.get(metric)
  if (evaluated !== undefined) {
    const { metric: name, condition } = evaluated
    const told = (await readEvaluations(run)).filter(
      each => each.metric === name && isSameCondition(each.condition, condition),
    )
    return told.find(({ n }) => n !== null)?.n ?? validationSize
  }
  const told = counts.get(run) ?? (await promptCounts(run))
  counts.set(run, told)
  return told.get(metric) ?? validationSize
}

/** Asked once of a run, however many validation sets it has. */
const counts = new WeakMap<RunView, ReadonlyMap<string, number>>()

function costsOf(
  runs: readonly RunView[],
  read: readonly ReadonlyMap<string, SeriesPoints>[],
  names: readonly (readonly (readonly [CostMetric, string | undefined])[])[],
): ReadonlyMap<CostMetric, Cost> {
  const costs = new Map<CostMetric, Cost>()
  const reported = reportedRanges(runs[0].config)
  for (const [place, metric] of COST_METRICS.entries()) {
    const series = runs.flatMap((_, i) => read[i].get(names[i][place][1] ?? '') ?? [])
    const range = [...reported].find(([name]) => runs[0].meaningOf(name).canonical === metric)?.[1] ?? null
    if (series.length === runs.length || range !== null) {
      costs.set(metric, { series: series.length === runs.length ? series : [], range })
    }
  }
  return costs
}
