import { sqlFiles, sqlText } from './duck.js'
import type { PointBuffer } from './point-buffer.js'
import type { RunState } from './run-state.js'
import { partFiles } from './series.js'
import { lastOfEachStep } from './series-points.js'
import type { RunPlace } from './workspace.js'

/**
 * Summaries of metrics whose points came out of order, as they do after a restart. The points go by in step order, once and
 * in small pieces: after a restart all metrics of a run are concerned, and its points need not fit into memory. They are
 * added up in that order, so that two imports of one log agree to the last digit.
 */
export async function summariseFromDisk(
  { workspace, folder }: RunPlace,
  state: RunState,
  stale: readonly string[] = state.staleMetrics(),
): Promise<void> {
  const files = partFiles({ folder, manifest: state.manifest() })
  const summaries = stale.map(name => state.metricState(name))
  for (const summary of summaries) summary?.beginAnew()
  if (stale.length === 0 || files.length === 0) return
  const names = stale.map(sqlText).join(', ')
  const points = workspace.duck.streamDoubles(
    `SELECT list_position([${names}], metric)::DOUBLE, step, coalesce(value, 'nan'::DOUBLE)
     FROM read_parquet(${sqlFiles(files)}, file_row_number = true)
     WHERE metric IN (${names}) AND quality = 'measured'
     ORDER BY 1, step, file_index, file_row_number`,
    3,
  )
  // Of points at one step the last counts, so each waits for the one behind it.
  let waiting: readonly [metric: number, step: number, value: number] | null = null
  for await (const [metrics, steps, values] of points) {
    for (let i = 0; i < metrics.length; i += 1) {
      if (waiting !== null && !(waiting[0] === metrics[i] && waiting[1] === steps[i])) {
        summaries[waiting[0] - 1]?.extend(waiting[1], waiting[2])
      }
      waiting = [metrics[i], steps[i], values[i]]
    }
  }
  if (waiting !== null) summaries[waiting[0] - 1]?.extend(waiting[1], waiting[2])
}

/** The same of points that are still in memory. */
export function summariseInMemory(points: PointBuffer, state: RunState, stale: readonly string[]): void {
  for (const name of stale) {
    const summary = state.metricState(name)
    const { steps, values } = lastOfEachStep(points.pointsOf(name, 'measured'))
    summary?.beginAnew()
    for (const [i, step] of steps.entries()) summary?.extend(step, values[i])
  }
}
