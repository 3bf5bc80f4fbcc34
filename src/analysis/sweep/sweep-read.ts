import { type Condition, type Evaluation, evaluatedName } from '../../model/evaluation.js'
import { groupBy } from '../../model/util/group-by.js'
import { readEvaluations } from '../../store/evaluations.js'
import { type LoadedRun, readSeries } from '../../store/series.js'
import { seriesOf } from '../align.js'
import type { PromptScores } from '../prompt-scores.js'
import { readScores as readScoresBehind } from '../read-scores.js'
import type { RunView } from '../run-view.js'

/** What a sweep needs of one run: its scores by condition, and its course of training. */

export interface Scores {
  readonly metric: string
  readonly condition: Condition
  /** Measured and finite, by step. */
  readonly points: ReadonlyMap<number, number>
  /** Steps whose cell the source marks as empty. */
  readonly marked: readonly number[]
  /** Cells marked as estimates, which are left out. */
  readonly estimated: number
  /** Prompts behind one score; null where nothing tells. */
  readonly n: number | null
}

/** Scores of single prompts by the metric whose values are their means, as far as the run has them. */
export async function readPromptScores(
  run: RunView,
  scores: readonly Scores[],
): Promise<ReadonlyMap<string, PromptScores>> {
  const found = new Map<string, PromptScores>()
  for (const { metric, points } of scores) {
    const steps = [...points.keys()].sort((a, b) => a - b)
    const values = steps.map(step => points.get(step) ?? Number.NaN)
    const behind = found.has(metric) ? null : await readScoresBehind(run, metric, seriesOf(steps, values))
    if (behind?.own) found.set(metric, behind.scores)
  }
  return found
}

/** By canonical name: the values at each step, finite only. */
export type Training = ReadonlyMap<string, ReadonlyMap<number, number>>

/** One entry for each (metric, condition) that carries the metric asked for, the best carrier first. */
export async function readScores(run: LoadedRun, metrics: readonly string[]): Promise<readonly Scores[]> {
  const evaluations = run.manifest.evaluations > 0 ? await readEvaluations(run) : []
  const byMetric = groupBy(evaluations, ({ metric }) => metric)
  const bySeries = groupBy(evaluations, evaluatedName)
  const found = metrics.map(async metric => {
    const evaluated = byMetric.get(metric) ?? bySeries.get(metric)
    return evaluated === undefined ? [await fromSeries(run, metric)] : fromEvaluations(metric, evaluated)
  })
  return (await Promise.all(found)).flat()
}

function fromEvaluations(metric: string, evaluations: readonly Evaluation[]): readonly Scores[] {
  return [...groupBy(evaluations, ({ condition }) => conditionKey(condition)).values()].map(group => {
    const measured = group.filter(({ quality, value }) => quality === 'measured' && Number.isFinite(value))
    const counts = group.flatMap(({ n }) => (n === null ? [] : [n]))
    return {
      metric,
      condition: group[0].condition,
      points: new Map(measured.map(({ step, value }) => [step, value])),
      marked: group.filter(({ quality }) => quality === 'missing').map(({ step }) => step),
      estimated: group.filter(({ quality }) => quality === 'estimated').length,
      n: counts.length === 0 ? null : Math.min(...counts),
    }
  })
}

async function fromSeries(run: LoadedRun, metric: string): Promise<Scores> {
  const measured = (await readSeries(run, [metric])).get(metric)
  const missing = (await readSeries(run, [metric], { quality: 'missing' })).get(metric)
  return {
    metric,
    condition: {},
    points: finitePoints(measured),
    marked: Array.from(missing?.steps ?? []),
    estimated: run.manifest.metrics.get(metric)?.estimated ?? 0,
    n: null,
  }
}

/** Same data, same shots, same split: how repeats were folded is a choice of summary, not another condition. */
export function conditionKey({ dataset, shots, temperature, split }: Condition): string {
  return JSON.stringify([dataset ?? null, shots ?? null, temperature ?? null, split ?? null])
}

/**
 * Outcomes of a training step. What follows from the data, the schedule or the clock (advantage statistics, rates,
 * counters, times) may rightly be equal in two runs and is not among them.
 */
const OUTCOMES = ['loss.total', 'loss.policy', 'kl.ref', 'entropy', 'grad.norm', 'reward.mean', 'kl.old', 'val.loss']

export async function readTraining(run: RunView): Promise<Training> {
  const names = [...run.manifest.metrics.keys()]
  const carriers = new Map<string, string>()
  for (const canonical of OUTCOMES) {
    const name = run.carriersAmong(names, canonical).find(raw => ![...carriers.values()].includes(raw))
    if (name !== undefined) carriers.set(canonical, name)
  }
  const series = await readSeries(run, [...carriers.values()])
  return new Map([...carriers].map(([canonical, raw]) => [canonical, finitePoints(series.get(raw))]))
}

function finitePoints(points: { steps: Float64Array; values: Float64Array } | undefined): Map<number, number> {
  const entries = Array.from(points?.steps ?? [], (step, i): [number, number] => [
    step,
    points?.values[i] ?? Number.NaN,
  ])
  return new Map(entries.filter(([, value]) => Number.isFinite(value)))
}
