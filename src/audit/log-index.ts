import { firstThat } from '../document/places.js'
import type { Quantity } from '../document/quantity.js'
import { remembered } from '../document/remembered.js'
import { groupBy } from '../model/group-by.js'
import type { Range } from '../stats/rounding.js'
import { scale } from './arithmetic.js'
import { type Logged, type LoggedSeries, pointsOf } from './log-series.js'
import { type LogWords, logWords } from './log-words.js'

/**
 * Everything that the logs hold, found by name or by size. A figure is looked up by the range that its printed digits
 * stand for, and counts as found only where it would hardly be met by chance.
 */
export interface LogIndex extends LogWords {
  /** What these runs log under these names; null stands for all. */
  readonly seriesOf: (runs: ReadonlySet<string> | null, metrics: ReadonlySet<string> | null) => readonly LoggedSeries[]
  /** Every series that has this figure at this step. */
  readonly seriesWith: (quantity: Quantity, step: number) => readonly LoggedSeries[]
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
export const logIndex: (logs: LoggedRuns) => LogIndex = remembered(({ series, settings }) => {
  const points = series.flatMap(pointsOf)
  const byStep = new Map([...groupBy(points, ({ step }) => step)].map(([step, list]) => [step, rising(list)]))
  const byRun = groupBy(series, ({ run }) => run)
  return {
    ...logWords(series),
    seriesOf: (runs, metrics) => {
      const ofRuns = runs === null ? series : [...runs].flatMap(run => byRun.get(run) ?? [])
      return metrics === null ? ofRuns : ofRuns.filter(({ metric }) => metrics.has(metric))
    },
    seriesWith: (quantity, step) => [...new Set(within(byStep.get(step) ?? [], quantity).map(point => point.series))],
    settings: settings.length === 0 ? null : logIndex({ series: settings, settings: [] }),
  }
})

function rising(list: readonly Logged[]): readonly Logged[] {
  return list.toSorted((a, b) => a.value - b.value)
}

/** A figure is traced by its size where fewer than so many of the values looked at would fit it by chance. */
const MOST_BY_CHANCE = 0.1

/** The value that a figure prints; undefined where none is, or it may be chance. */
export function foundAmong(
  candidates: readonly Logged[],
  quantity: Quantity,
  mostByChance = MOST_BY_CHANCE,
): Logged | undefined {
  const isThere = candidates.some(({ value }) => agrees(quantity, value))
  return isThere ? fitting(rising(candidates), quantity, mostByChance)[0] : undefined
}

export function agrees(quantity: Quantity, value: number): boolean {
  return rangesOf(quantity).some(({ low, high }) => value >= low && value <= high)
}

/** All that a figure stands for. A share may be logged as such and printed as a percentage. */
function rangesOf({ range, unit }: Quantity): readonly Range[] {
  const slack = 1e-9 * Math.max(Math.abs(range.low), Math.abs(range.high))
  const stated = { low: range.low - slack, high: range.high + slack }
  return unit === '%' ? [stated, scale(stated, 0.01)] : [stated]
}

/** Where the neighbourhood is looked at, in widths of the printed figure. */
const NEIGHBOURHOOD = 20

/** The values of a rising list that a figure prints; none where too many would meet it if it meant none of them. */
function fitting(list: readonly Logged[], quantity: Quantity, mostByChance = MOST_BY_CHANCE): readonly Logged[] {
  const count = ([from, to]: readonly [number, number]): number => to - from
  const byChance = rangesOf(quantity).reduce((sum, { low, high }) => {
    const reach = NEIGHBOURHOOD * (high - low)
    const around = count(stretchOf(list, { low: low - reach, high: high + reach }))
    return sum + (around - count(stretchOf(list, { low, high }))) / (2 * NEIGHBOURHOOD)
  }, 0)
  return byChance > mostByChance ? [] : within(list, quantity)
}

const MOST_CANDIDATES = 200

function within(list: readonly Logged[], quantity: Quantity): readonly Logged[] {
  return rangesOf(quantity).flatMap(range => {
    const [from, to] = stretchOf(list, range)
    return list.slice(from, Math.min(to, from + MOST_CANDIDATES))
  })
}

/** The stretch of a rising list whose values a range holds. */
function stretchOf(list: readonly Logged[], { low, high }: Range): readonly [from: number, to: number] {
  return [firstThat(list, ({ value }) => value >= low), firstThat(list, ({ value }) => value > high)]
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
