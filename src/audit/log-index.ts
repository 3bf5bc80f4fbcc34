import type { Quantity } from '../document/quantity.js'
import { rememberedText } from '../document/remembered.js'
import { groupBy } from '../model/util/group-by.js'
import { memoByObject } from '../model/util/memo.js'
import type { Logged, LoggedSeries } from './log-series.js'
import { metricFinder, type RunMention, runFinder } from './log-words.js'

/**
 * Everything that the logs hold, found by name or by size. A figure is looked up by the range that its printed digits
 * stand for, and counts as found only where it would hardly be met by chance.
 */
export interface LogIndex {
  readonly runs: readonly string[]
  /** Every place where a run is named. */
  readonly runsIn: (text: string) => readonly RunMention[]
  /** The metrics that the words fit best. */
  readonly metricsIn: (text: string) => ReadonlySet<string>
  /** What these runs log under these names; null stands for all. */
  readonly seriesOf: (runs: ReadonlySet<string> | null, metrics: ReadonlySet<string> | null) => readonly LoggedSeries[]
  /** What was set, likewise. */
  readonly settings: LogIndex | null
}

/** What the runs behind a report logged. */
export interface LoggedRuns {
  readonly series: readonly LoggedSeries[]
  /** The numbers of their configs: a key is the metric, and its value the only point. */
  readonly settings: readonly LoggedSeries[]
}

/** Figures with fewer digits are in every log by chance. */
export const FEWEST_DIGITS = 3

/** Everything that the logs hold; made once for all reports of an audit. */
export const logIndex: (logs: LoggedRuns) => LogIndex = memoByObject(({ series, settings }) => {
  const byRun = groupBy(series, ({ run }) => run)
  const runs = [...byRun.keys()]
  const runsIn = rememberedText(runFinder(runs))
  const find = metricFinder(series)
  return {
    runs,
    runsIn,
    // A run that is called kl-0.1 names no KL.
    metricsIn: rememberedText(text =>
      find(
        runsIn(text).reduce((rest, { from, to }) => rest.slice(0, from) + ' '.repeat(to - from) + rest.slice(to), text),
      ),
    ),
    seriesOf: (runs, metrics) => {
      const ofRuns = runs === null ? series : [...runs].flatMap(run => byRun.get(run) ?? [])
      return metrics === null ? ofRuns : ofRuns.filter(({ metric }) => metrics.has(metric))
    },
    settings: settings.length === 0 ? null : logIndex({ series: settings, settings: [] }),
  }
})

/** Where the neighbourhood of a figure is looked at, in its widths to either side. */
const NEIGHBOURHOOD = 20

/** The value that a figure prints; undefined where none is, or where more than so many would meet it by chance. */
export function foundAmong(candidates: readonly Logged[], quantity: Quantity, mostByChance = 0.1): Logged | undefined {
  const found = candidates.find(({ value }) => agrees(quantity, value))
  if (found === undefined) return undefined
  const beside = candidates.filter(({ value }) => !agrees(quantity, value) && agrees(quantity, value, NEIGHBOURHOOD))
  return beside.length / (2 * NEIGHBOURHOOD) > mostByChance ? undefined : found
}

/** Whether a figure stands for a value, or misses it by no more than so many of its widths. */
export function agrees({ range: { low, high }, unit }: Quantity, value: number, widths = 0): boolean {
  const slack = 1e-9 * Math.max(Math.abs(low), Math.abs(high)) + widths * (high - low)
  const isNear = (one: number): boolean => one >= low - slack && one <= high + slack
  // A share may be logged as such and printed as a percentage.
  return isNear(value) || (unit === '%' && isNear(value * 100))
}

/** What most of some points agree with, the first of equals, and how many do. */
export function mostVoted<Item, Choice>(
  points: readonly Item[],
  choicesOf: (point: Item) => Iterable<Choice>,
): readonly [Choice | undefined, number] {
  const counts = new Map<Choice, number>()
  for (const point of points) for (const one of choicesOf(point)) counts.set(one, (counts.get(one) ?? 0) + 1)
  let best: readonly [Choice | undefined, number] = [undefined, 0]
  for (const entry of counts) if (entry[1] > best[1]) best = entry
  return best
}
