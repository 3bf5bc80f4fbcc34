import { firstThat } from '../document/places.js'
import type { Quantity } from '../document/quantity.js'
import { remembered } from '../document/remembered.js'
import { groupBy } from '../model/group-by.js'
import { exactly, type Range } from '../stats/rounding.js'
import { meets, scale } from './arithmetic.js'
import { significantDigits } from './evidence.js'
import { EVERY_AGGREGATE, type Logged, type LoggedSeries, loggedAtAny, pointsOf } from './log-series.js'
import { type LogWords, logWords } from './log-words.js'

/**
 * Everything that the logs hold, found by name or by size. A figure is looked up by the range that its printed digits
 * stand for, and counts as found only where it would hardly be met by chance.
 */
export interface LogIndex extends LogWords {
  /** What these runs log under these names; null stands for all. */
  readonly seriesOf: (runs: ReadonlySet<string> | null, metrics: ReadonlySet<string> | null) => readonly LoggedSeries[]
  /** By its step and its size alone: the places where a figure of so many digits was logged. */
  readonly anywhere: (quantity: Quantity, step: number | null) => readonly Logged[]
  /** What was set, likewise. */
  readonly settings: LogIndex | null
  /** Every series that has this figure at this step. */
  readonly seriesWith: (quantity: Quantity, step: number) => readonly LoggedSeries[]
}

const MOST_CANDIDATES = 200
/** A figure is traced by its size where fewer than so many of the values looked at would fit it by chance. */
const MOST_BY_CHANCE = 0.1
const FEWEST_DIGITS = 3

/** What the runs behind a report logged. */
export interface LoggedRuns {
  readonly series: readonly LoggedSeries[]
  /** The numbers of their configs: a key is the metric, and its value the only point. */
  readonly settings: readonly LoggedSeries[]
}

/** Everything that the logs hold; made once for all reports of an audit. */
export const logIndex: (logs: LoggedRuns) => LogIndex = remembered(({ series, settings }) => {
  const points = series.flatMap(pointsOf)
  const byStep = new Map([...groupBy(points, ({ step }) => step)].map(([step, list]) => [step, rising(list)]))
  const all = rising([...points, ...loggedAtAny(series, EVERY_AGGREGATE)])
  const byRun = groupBy(series, ({ run }) => run)
  return {
    ...logWords(series),
    seriesOf: (runs, metrics) => {
      const ofRuns = runs === null ? series : [...runs].flatMap(run => byRun.get(run) ?? [])
      return metrics === null ? ofRuns : ofRuns.filter(({ metric }) => metrics.has(metric))
    },
    anywhere: (quantity, step) => {
      const there = step === null ? [] : fitting(byStep.get(step) ?? [], quantity)
      return there.length > 0 || significantDigits(quantity) < FEWEST_DIGITS ? there : fitting(all, quantity)
    },
    settings: settings.length === 0 ? null : logIndex({ series: settings, settings: [] }),
    seriesWith: (quantity, step) => [...new Set(within(byStep.get(step) ?? [], quantity).map(point => point.series))],
  }
})

/** The value that a figure prints; undefined where none is, or it may be chance. */
export function foundAmong(
  candidates: readonly Logged[],
  quantity: Quantity,
  mostByChance = MOST_BY_CHANCE,
): Logged | undefined {
  if (!candidates.some(({ value }) => agrees(quantity, value))) return undefined
  return fitting(rising(candidates), quantity, mostByChance)[0]
}

/** A share may be logged as such and printed as a percentage. */
function rangesOf({ range, unit }: Quantity): readonly Range[] {
  return unit === '%' ? [range, scale(range, 0.01)] : [range]
}

export function agrees(quantity: Quantity, value: number): boolean {
  return rangesOf(quantity).some(range => meets(range, exactly(value)))
}

function rising(list: readonly Logged[]): readonly Logged[] {
  return list.toSorted((a, b) => a.value - b.value)
}

function fitting(list: readonly Logged[], quantity: Quantity, mostByChance = MOST_BY_CHANCE): readonly Logged[] {
  return chanceOf(list, quantity) > mostByChance ? [] : within(list, quantity)
}

function within(list: readonly Logged[], quantity: Quantity): readonly Logged[] {
  return rangesOf(quantity).flatMap(range => {
    const [from, to] = stretchOf(list, range, slackOf(range))
    return list.slice(from, Math.min(to, from + MOST_CANDIDATES))
  })
}

/** Where the neighbourhood is looked at, in widths of the printed figure. */
const NEIGHBOURHOOD = 20

/** How many values of the list a figure of these digits would meet if it meant none of them. */
function chanceOf(list: readonly Logged[], quantity: Quantity): number {
  const count = (range: Range, reach: number): number => {
    const [from, to] = stretchOf(list, range, reach)
    return to - from
  }
  return rangesOf(quantity).reduce((sum, range) => {
    const around = count(range, NEIGHBOURHOOD * Math.max(range.high - range.low, slackOf(range)))
    return sum + (around - count(range, slackOf(range))) / (2 * NEIGHBOURHOOD)
  }, 0)
}

/** The stretch of a rising list whose values a range holds, or misses by no more than `reach`. */
function stretchOf(list: readonly Logged[], { low, high }: Range, reach: number): readonly [from: number, to: number] {
  return [firstThat(list, ({ value }) => value >= low - reach), firstThat(list, ({ value }) => value > high + reach)]
}

const slackOf = ({ low, high }: Range): number => 1e-9 * Math.max(Math.abs(low), Math.abs(high))

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
