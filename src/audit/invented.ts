import type { Cell } from '../document/document.js'
import type { Line, Point } from '../document/matrix.js'
import { memoByObject } from '../model/util/memo.js'
import { significantDigits } from './evidence.js'
import { agrees, FEWEST_DIGITS, foundAmong, type LogIndex, mostVoted } from './log-index.js'
import { type Logged, type LoggedSeries, pointsOf } from './log-series.js'

/**
 * Figures that bear the names of runs and agree with nothing in their logs, beyond what chance gives. Charity first: a
 * common step, means over equally many points at either end, and averages that nobody can redo from the log acquit.
 */
export interface InventedTable {
  readonly runs: readonly string[]
  readonly cells: readonly Cell[]
  readonly agreeing: number
  /** Whether the runs log what the table says that it shows. */
  readonly isLogged: boolean
}

/** A line of cells that bear the names of runs, each another. */
export interface RunLine extends Line {
  readonly points: readonly (Point & { readonly run: string })[]
  /** What is said of the whole table. */
  readonly around: string
}

const FEWEST_FIGURES = 4
export const MOST_AGREEING = 0.2

/** Words of what nobody logs as a series: costs, sizes, settings. */
const NOT_LOGGED =
  /time|hour|cost|price|memory|param|size|batch|rate(?:_|\s)?$|(?<![a-z])(?:lr|gpu|seed|beta|coef\w*|n)(?![a-z])|耗时|时间|成本|显存|参数|系数|学习率|批/i

/** Words that tell of an average which nobody can redo from the log alone. */
const AVERAGED = /smooth|moving|rolling|seeds?(?![a-z])|(?<![a-z])(?:ema|std)(?![a-z])|平滑|滑动|移动|种子|[±]/i

export function inventedTable(lines: readonly RunLine[], index: LogIndex): readonly InventedTable[] {
  const figures = lines
    .filter(({ of: { name }, around }) => !NOT_LOGGED.test(name) && !AVERAGED.test(`${name}\n${around}`))
    .flatMap(({ of: { name }, points }) => {
      const metrics = index.metricsIn(name)
      const isNamed = metrics.size > 0
      const printed = points
        .filter(({ quantity }) => quantity.hedge === null && significantDigits(quantity) >= FEWEST_DIGITS)
        .map(point => ({ ...point, series: index.seriesOf(new Set([point.run]), isNamed ? metrics : null) }))
      const [, sharing] = mostVoted(printed, ({ series, quantity }) =>
        series.flatMap(one =>
          [...everyPart(one)].filter(([, { value }]) => agrees(quantity, value)).map(([key]) => key),
        ),
      )
      // A point, or a mean of the beginning or the end: told by its size, where the log is short enough for that.
      return printed.map(point => {
        const isFound = point.series.some(one => foundAmong([...everyPart(one).values()], point.quantity) !== undefined)
        return { ...point, isNamed, isKnown: sharing >= 2 || isFound }
      })
    })
  const agreeing = figures.filter(({ isKnown }) => isKnown).length
  if (figures.length < FEWEST_FIGURES || agreeing > MOST_AGREEING * figures.length) return []
  const isLogged = figures.filter(({ isNamed }) => isNamed).length * 2 >= figures.length
  const [runs, cells] = [[...new Set(figures.map(({ run }) => run))], figures.map(({ cell }) => cell)]
  return [{ runs, cells, agreeing, isLogged }]
}

/** Each point, and the mean of all up to it and from it on, counted from either end. */
const everyPart = memoByObject((series: LoggedSeries): ReadonlyMap<string, Logged> => {
  const points = pointsOf(series)
  let [first, last] = [0, 0]
  return new Map(
    points.flatMap((point, i) => {
      first += point.value
      last += points[points.length - 1 - i].value
      return [
        [`${series.metric} step ${point.step}`, point],
        [`${series.metric} first ${i + 1}`, { ...point, value: first / (i + 1) }],
        [`${series.metric} last ${i + 1}`, { ...point, value: last / (i + 1) }],
      ] as const
    }),
  )
})
