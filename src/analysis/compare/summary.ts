import { type Manifest, meanOf } from '../../store/manifest.js'
import type { LoadedRun } from '../../store/series.js'

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
