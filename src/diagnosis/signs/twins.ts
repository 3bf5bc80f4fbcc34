import { groupBy } from '../../model/util/group-by.js'
import type { MetricRecord } from '../../store/manifest.js'
import { type LoadedRun, readSeries, type SeriesPoints } from '../../store/series.js'

/**
 * Metrics of one run that are equal to each other at every step. Only those whose summaries agree are read at all.
 * A constant says nothing: two zeros are not copies of each other, nor are two shares that go from 0.975 to their limit.
 */
export async function twins(run: LoadedRun): Promise<readonly (readonly string[])[]> {
  const varying = [...run.manifest.metrics].filter(([, record]) => record.finite > 1 && record.min !== record.max)
  const alike = [...groupBy(varying, ([, record]) => summaryKey(record)).values()].filter(group => group.length > 1)
  if (alike.length === 0) return []
  const series = await readSeries(
    run,
    alike.flat().map(([name]) => name),
  )
  return alike.flatMap(group => {
    const read = group.flatMap(([name]) => {
      const points = series.get(name)
      return points === undefined || !isTelling(points.values) ? [] : [{ name, points }]
    })
    const equal = [...groupBy(read, ({ points }) => pointsKey(points)).values()]
    return equal.filter(same => same.length > 1).map(same => same.map(({ name }) => name))
  })
}

/** Different values that two metrics must share before one is called a copy. Derived. */
const FEWEST_VALUES = 5

export function isTelling(values: Float64Array): boolean {
  const seen = new Set<number>()
  for (const value of values) if (seen.add(value).size >= FEWEST_VALUES) return true
  return false
}

function summaryKey({ n, first, last, min, minStep, max, maxStep, sum }: MetricRecord): string {
  return [n, first, last, min, minStep, max, maxStep, sum].join()
}

function pointsKey({ steps, values }: SeriesPoints): string {
  return `${steps.join()};${values.join()}`
}
