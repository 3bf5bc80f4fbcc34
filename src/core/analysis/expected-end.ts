import { readSeries } from '../store/series.js'
import { plannedEnd } from './growing.js'
import type { RunView } from './run-view.js'

/** When a training that goes on will have made its planned steps, by the time that its latest steps took. */
export interface ExpectedEnd {
  /** The step at which it is planned to end; null where nothing tells. */
  readonly planned: number | null
  /** Unix seconds; null without a plan, or where the log has no times. */
  readonly endsAt: number | null
}

/** So many of the latest points are looked at: enough to hold an evaluation or two, which take longer than a step. */
const LATEST = 50

export async function expectedEnd(run: RunView): Promise<ExpectedEnd> {
  const planned = plannedEnd(run)
  const [densest] = [...run.manifest.metrics].toSorted(([, a], [, b]) => b.n - a.n)
  if (planned === null || densest === undefined) return { planned, endsAt: null }
  const [metric, { lastStep }] = densest
  const points = (await readSeries(run, [metric], { after: lastStep - LATEST * stepBetween(densest[1]) })).get(metric)
  if (points === undefined || points.steps.length < 2) return { planned, endsAt: null }
  const { steps, times, segments } = points
  const last = steps.length - 1
  // What came before a restart tells nothing of the time between.
  const first = segments.indexOf(segments[last])
  const pace = (times[last] - times[first]) / (steps[last] - steps[first])
  return { planned, endsAt: pace > 0 ? times[last] + Math.max(0, planned - steps[last]) * pace : null }
}

function stepBetween({
  n,
  firstStep,
  lastStep,
}: {
  readonly n: number
  readonly firstStep: number
  readonly lastStep: number
}) {
  return n > 1 ? (lastStep - firstStep) / (n - 1) : 1
}
