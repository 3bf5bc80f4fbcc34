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

/**
 * What most runs are judged by first, then what most of those are judged by that no column before has a value for: three
 * validation sets of one task do not hide the score of another. Names that only trackers write differently are one.
 */
export function scoreColumns(entries: Iterable<RunEntry>): readonly ScoreColumn[] {
  const columns = new Map<string, { metric: string; runs: number; place: number }>()
  /** How many runs are judged by the same metrics. */
  const alike = new Map<string, number>()
  for (const { scores } of entries) {
    const keys: string[] = []
    for (const [place, { metric, isYardstick }] of scores.entries()) {
      if (!isYardstick) continue
      const key = keyOf(metric)
      const column = columns.get(key) ?? { metric, runs: 0, place }
      if (column.runs === 0) columns.set(key, column)
      column.runs += 1
      column.place = Math.min(place, column.place)
      keys.push(key)
    }
    alike.set(keys.join('\n'), (alike.get(keys.join('\n')) ?? 0) + 1)
  }
  const left = [...columns].sort(
    ([a, one], [b, other]) => other.runs - one.runs || one.place - other.place || (a < b ? -1 : 1),
  )
  let without = Array.from(alike, ([keys, runs]) => ({ keys: new Set(keys.split('\n')), runs }))
  const gain = (key: string): number => without.reduce((sum, { keys, runs }) => sum + (keys.has(key) ? runs : 0), 0)
  const ordered: ScoreColumn[] = []
  while (left.length > 0) {
    const gains = without.length === 0 ? [] : left.map(([key]) => gain(key))
    const [[key, { metric, runs }]] = left.splice(Math.max(0, gains.indexOf(Math.max(...gains))), 1)
    without = without.filter(({ keys }) => !keys.has(key))
    ordered.push({ metric, runs })
  }
  return ordered
}

/** That of a metric that the run is judged by, or of the reward that it optimises. */
export function scoreIn({ scores }: RunEntry, metric: string): RunScore | undefined {
  const key = keyOf(metric)
  return scores.find(score => keyOf(score.metric) === key)
}

/** Runs share most of their names. */
const keyOf = memoByText(comparableName)
