import type { Axis } from '../../../logs/model/axis.js'
import { benjaminiHochberg } from '../../../stats/multiplicity.js'
import { FEWEST_EVALUATIONS } from '../../../stats/paired-mean.js'
import { pValueOf } from '../../../stats/student-estimate.js'
import { type Manifest, meanOf } from '../../store/manifest.js'
import { type LoadedRun, readSeries } from '../../store/series.js'
import { align, type Window } from '../align.js'
import { judgedSteps, scopeOf } from '../conventions.js'
import { alignSides } from './align-sides.js'
import type { Counter } from './axis.js'
import type { RunSide } from './evidence.js'
import { differenceOf } from './level.js'

/** All metrics that several sides share, side by side, as people tabulate them. From summaries alone: no point is read. */
export interface SummaryRow {
  readonly metric: string
  readonly values: readonly SummaryValues[]
}

/** Means over replicates; the steps of the extremes only for a single run. */
export interface SummaryValues {
  readonly first: number
  readonly last: number
  readonly mean: number
  readonly min: number
  readonly max: number
  readonly change: number
  readonly minStep: number | null
  readonly maxStep: number | null
}

/** Every metric that all runs have. */
export function summaryOf(sides: readonly { readonly runs: readonly LoadedRun[] }[]): SummaryRow[] {
  const manifests = sides.flatMap(({ runs }) => runs.map(({ manifest }) => manifest))
  const shared = [...manifests[0].metrics.keys()].filter(name => manifests.every(({ metrics }) => metrics.has(name)))
  return shared.map(metric => ({
    metric,
    values: sides.map(({ runs }) =>
      summaryValues(
        runs.map(({ manifest }) => manifest),
        metric,
      ),
    ),
  }))
}

function summaryValues(manifests: readonly Manifest[], metric: string): SummaryValues {
  const records = manifests.flatMap(({ metrics }) => metrics.get(metric) ?? [])
  const over = (member: (record: (typeof records)[number]) => number): number =>
    records.reduce((sum, record) => sum + member(record), 0) / records.length
  const single = records.length === 1 ? records[0] : null
  return {
    first: over(({ first }) => first),
    last: over(({ last }) => last),
    mean: over(meanOf),
    min: over(({ min }) => min),
    max: over(({ max }) => max),
    change: over(({ first, last }) => last - first),
    minStep: single?.minStep ?? null,
    maxStep: single?.maxStep ?? null,
  }
}

/** Metrics that all sides have, for somebody who asked for one that they do not. */
export function sharedMetrics(sides: readonly { readonly runs: readonly LoadedRun[] }[]): readonly string[] {
  return summaryOf(sides).map(({ metric }) => metric)
}

/**
 * Everything that both sides log, tested at once. Of a hundred metrics in which nothing differs four are called by
 * chance, and somebody finds them: so each has a q, the share of false finds expected among all that are no larger
 * (Benjamini and Hochberg).
 */
export interface MetricDifference {
  readonly metric: string
  readonly other: string
  /** Other minus baseline, over what runs are judged by. */
  readonly estimate: number
  readonly p: number
  readonly q: number
}

interface DifferencesSpec {
  readonly counters: readonly (readonly Counter[])[]
  readonly by: Axis
  readonly window: Window | undefined
}

export async function differencesInAll(
  sides: readonly RunSide[],
  { counters, by, window }: DifferencesSpec,
): Promise<readonly MetricDifference[]> {
  const metrics = sharedMetrics(sides)
  const read = await Promise.all(sides.map(({ runs }) => Promise.all(runs.map(run => readSeries(run, metrics)))))
  const found = metrics.flatMap(metric => {
    const series = read.map(runs => runs.flatMap(each => each.get(metric) ?? []))
    return sides.slice(1).flatMap(({ label }, i) => {
      const [first, second] = [series[0], series[i + 1]]
      if (first.length < sides[0].runs.length || second.length < sides[i + 1].runs.length) return []
      const evaluated = [
        { series: first, counters: counters[0] },
        { series: second, counters: counters[i + 1] },
      ]
      const shared = align(alignSides(evaluated, by, window).sides.flatMap(side => side.series))
      const used = judgedSteps(shared.steps).length
      const runs = [first.length, second.length] as const
      const scope = scopeOf(runs)
      if (scope === 'runs' && used < FEWEST_EVALUATIONS) return []
      const late = { steps: shared.steps.slice(-used), values: shared.values.map(values => values.slice(-used)) }
      const estimate = differenceOf(late, runs, scope)
      return estimate.standardError > 0
        ? [{ metric, other: label, estimate: estimate.mean, p: pValueOf(estimate) }]
        : []
    })
  })
  const qValues = benjaminiHochberg(found.map(({ p }) => p))
  return found.map((difference, i) => ({ ...difference, q: qValues[i] }))
}
