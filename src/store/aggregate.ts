import { readDoubles, sqlFiles, sqlText } from './duck.js'
import { type LoadedRun, partFiles, readSeries } from './series.js'

/** Mean and spread of one metric over many runs, step by step. Only runs that have a step count at that step. */
export interface AggregatePoint {
  readonly step: number
  readonly runs: number
  readonly mean: number
  /** Sample standard deviation; NaN where one run alone has the step. */
  readonly deviation: number
}

/**
 * Runs whose metric has one point per step, which is nearly all, go through one query over their files; a restarted run
 * is read on its own, so that a replaced point is not counted.
 */
export async function aggregateRuns(runs: readonly LoadedRun[], metric: string): Promise<readonly AggregatePoint[]> {
  const having = runs.filter(({ manifest }) => manifest.metrics.has(metric))
  const plain = having.filter(run => isPlain(run, metric))
  const groups: AggregatePoint[][] = [await aggregateFiles(plain.flatMap(partFiles), metric)]
  for (const run of having) {
    if (isPlain(run, metric)) continue
    const series = (await readSeries(run, [metric])).get(metric)
    if (series === undefined) continue
    const { steps, values } = series
    groups.push(Array.from(steps, (step, i) => ({ step, runs: 1, mean: values[i], deviation: Number.NaN })))
  }
  return groups.length === 1 ? groups[0] : groups.reduce(pool)
}

function isPlain({ manifest, live }: LoadedRun, metric: string): boolean {
  const record = manifest.metrics.get(metric)
  if (record === undefined || (live !== null && live.length > 0)) return false
  return record.stored - record.estimated - record.missing === record.n && !record.stale
}

async function aggregateFiles(files: readonly string[], metric: string): Promise<AggregatePoint[]> {
  if (files.length === 0) return []
  const [steps, counts, means, deviations] = await readDoubles(
    `SELECT step, count(*)::DOUBLE, avg(value), coalesce(stddev_samp(value), 'nan'::DOUBLE)
     FROM read_parquet(${sqlFiles(files)}) WHERE metric = ${sqlText(metric)} AND quality = 'measured'
     GROUP BY step ORDER BY step`,
    4,
  )
  return Array.from(steps, (step, i) => ({ step, runs: counts[i], mean: means[i], deviation: deviations[i] }))
}

/** Two groups as one, by the parallel form of the variance (Chan, Golub and LeVeque 1979). */
function pool(a: AggregatePoint[], b: AggregatePoint[]): AggregatePoint[] {
  const byStep = new Map(a.map(point => [point.step, point]))
  for (const added of b) {
    const known = byStep.get(added.step)
    if (known === undefined) {
      byStep.set(added.step, added)
      continue
    }
    const runs = known.runs + added.runs
    const gap = added.mean - known.mean
    const squares = squaresOf(known) + squaresOf(added) + (gap * gap * known.runs * added.runs) / runs
    const mean = known.mean + (gap * added.runs) / runs
    byStep.set(added.step, { step: added.step, runs, mean, deviation: Math.sqrt(squares / (runs - 1)) })
  }
  return [...byStep.values()].sort((x, y) => x.step - y.step)
}

function squaresOf({ runs, deviation }: AggregatePoint): number {
  return runs > 1 ? deviation * deviation * (runs - 1) : 0
}
