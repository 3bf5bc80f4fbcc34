import { sqlFiles } from './duck.js'
import { isPlain } from './envelope.js'
import { type LoadedRun, partFiles } from './series.js'

/** How regularly each metric was logged. Computed by DuckDB, because a long run does not fit into memory. */
export interface Regularity {
  readonly metric: string
  /** The most common distance between two steps. */
  readonly interval: number
  /** How many distances there are, and how many of them are just that. */
  readonly distances: number
  readonly regular: number
  readonly wider: number
  /** The widest hole. */
  readonly from: number
  readonly to: number
}

export async function regularities(run: LoadedRun): Promise<readonly Regularity[]> {
  const files = partFiles(run)
  if (files.length === 0) return []
  // Of millions of points it takes half of the time to look for a step that is there twice.
  const isOnce = [...run.manifest.metrics.keys()].every(metric => isPlain(run, metric))
  const rows = await run.workspace.duck.readRows(
    `WITH steps AS (
       SELECT ${isOnce ? '' : 'DISTINCT'} metric, step FROM read_parquet(${sqlFiles(files)}) WHERE quality = 'measured'
     ), distances AS (
       SELECT metric, step, lag(step) OVER (PARTITION BY metric ORDER BY step) AS before FROM steps
     ), usual AS (
       SELECT metric, mode(step - before) AS usual_distance FROM distances WHERE before IS NOT NULL GROUP BY metric
     )
     SELECT metric, any_value(usual_distance) AS usual_distance, count(*) AS distances,
            count(*) FILTER (step - before = usual_distance) AS regular,
            count(*) FILTER (step - before > usual_distance) AS wider,
            arg_max(before, step - before) AS hole_from, arg_max(step, step - before) AS hole_to
     FROM distances JOIN usual USING (metric) WHERE before IS NOT NULL GROUP BY metric ORDER BY metric`,
  )
  return rows.map(row => ({
    metric: String(row.metric),
    interval: Number(row.usual_distance),
    distances: Number(row.distances),
    regular: Number(row.regular),
    wider: Number(row.wider),
    from: Number(row.hole_from),
    to: Number(row.hole_to),
  }))
}
