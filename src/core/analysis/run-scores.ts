import { memoByText } from '../../logs/model/util/memo.js'
import { comparableName } from '../../logs/model/vocabulary/names.js'
import type { RunEntry, RunScore } from '../store/catalogue.js'

/**
 * The scores of a list of runs, a column for each metric: values of two metrics or two data sets never stand in one
 * column, and an order is by one of them.
 */
export interface ScoreColumn {
  readonly metric: string
  /** How many of the runs are judged by it. */
  readonly runs: number
}

/** What most runs are judged by first; names that only trackers write differently are one. */
export function scoreColumns(entries: Iterable<RunEntry>): readonly ScoreColumn[] {
  const columns = new Map<string, { metric: string; runs: number; place: number }>()
  for (const { scores } of entries) {
    for (const [place, { metric, isYardstick }] of scores.entries()) {
      if (!isYardstick) continue
      const column = columns.get(keyOf(metric)) ?? { metric, runs: 0, place }
      if (column.runs === 0) columns.set(keyOf(metric), column)
      column.runs += 1
      column.place = Math.min(place, column.place)
    }
  }
  const ordered = [...columns.values()].sort(
    (a, b) => b.runs - a.runs || a.place - b.place || (keyOf(a.metric) < keyOf(b.metric) ? -1 : 1),
  )
  return ordered.map(({ metric, runs }) => ({ metric, runs }))
}

/** That of a metric that the run is judged by, or of the reward that it optimises. */
export function scoreIn({ scores }: RunEntry, metric: string): RunScore | undefined {
  const key = keyOf(metric)
  return scores.find(score => keyOf(score.metric) === key)
}

/** Runs share most of their names. */
const keyOf = memoByText(comparableName)
