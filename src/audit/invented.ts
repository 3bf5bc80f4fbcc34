import type { Cell } from '../document/document.js'
import type { Line, Point } from '../document/matrix.js'
import type { Quantity } from '../document/quantity.js'
import { remembered } from '../document/remembered.js'
import { significantDigits } from './evidence.js'
import { agrees, foundAmong, type LogIndex, mostVoted } from './log-index.js'
import { EVERY_AGGREGATE, type Logged, type LoggedSeries, loggedAt, loggedAtAny, pointsOf } from './log-series.js'

/**
 * Figures that bear the names of runs and agree with nothing in their logs, beyond what chance gives. Charity first: a
 * common step, means over equally many points at either end, and averages that nobody can redo from the log acquit.
 */
const FEWEST_FIGURES = 4
const FEWEST_DIGITS = 3
const MOST_AGREEING = 0.2

export interface InventedTable {
  readonly runs: readonly string[]
  readonly cells: readonly Cell[]
  readonly agreeing: number
  /** Whether the runs log what the table says that it shows. */
  readonly isLogged: boolean
}

/** A line of cells that bear the names of runs, each another. */
export interface RunLine extends Line {
  readonly points: readonly RunPoint[]
  /** What is said of the whole table, before and behind it. */
  readonly around: string
}

export interface RunPoint extends Point {
  readonly run: string
}

/** Words of what nobody logs as a series: costs, sizes, settings. */
const NOT_LOGGED =
  /time|hour|cost|price|memory|param|size|batch|rate(?:_|\s)?$|(?<![a-z])(?:lr|gpu|seed|beta|coef\w*|n)(?![a-z])|耗时|时间|成本|显存|参数|系数|学习率|批/i

/** Words that tell of an average which nobody can redo from the log alone. */
const AVERAGED = /smooth|moving|rolling|seeds?(?![a-z])|(?<![a-z])(?:ema|std)(?![a-z])|平滑|滑动|移动|种子|[±]/i

/** A table that bears the names of runs and agrees with nothing in them, beyond what chance gives. */
export function inventedTable(lines: readonly RunLine[], index: LogIndex): InventedTable | null {
  const figures = lines.flatMap(({ of: { name }, around, points }) => {
    if (NOT_LOGGED.test(name)) return []
    const metrics = index.metricsIn(name)
    const isAveraged = AVERAGED.test(`${name}\n${around}`)
    const printed = points.filter(({ quantity }) => isScore(quantity))
    const partsOf = ({ run, quantity }: RunPoint): readonly string[] =>
      seriesOf(run, metrics, index).flatMap(series =>
        [...everyPart(series)].flatMap(([part, { value }]) =>
          agrees(quantity, value) ? [`${series.metric} ${part}`] : [],
        ),
      )
    const isCommon = mostVoted(printed, partsOf)[1] >= 2
    return printed.map(point => ({
      ...point,
      isNamed: metrics.size > 0,
      isKnown: isCommon || mayBe(point, metrics, index, isAveraged),
    }))
  })
  const agreeing = figures.filter(({ isKnown }) => isKnown).length
  if (figures.length < FEWEST_FIGURES || agreeing > MOST_AGREEING * figures.length) return null
  return {
    runs: [...new Set(figures.map(({ run }) => run))],
    cells: figures.map(({ cell }) => cell),
    agreeing,
    isLogged: figures.filter(({ isNamed }) => isNamed).length * 2 >= figures.length,
  }
}

function isScore(quantity: Quantity): boolean {
  const { unit, plusMinus, hedge } = quantity
  const isPlain = (unit === null || unit === '%' || unit === 'points') && !plusMinus && hedge === null
  return isPlain && significantDigits(quantity) >= FEWEST_DIGITS
}

function seriesOf(run: string, metrics: ReadonlySet<string>, index: LogIndex): readonly LoggedSeries[] {
  return index.seriesOf(new Set([run]), metrics.size === 0 ? null : metrics)
}

function mayBe(
  { run, quantity }: RunPoint,
  metrics: ReadonlySet<string>,
  index: LogIndex,
  isAveraged: boolean,
): boolean {
  const series = seriesOf(run, metrics, index)
  if (isAveraged) return metrics.size === 0 || series.some(one => isInRange(quantity, one))
  // A point, or a mean of the beginning or the end: told by its size, where the log is short enough for that.
  return (
    foundAmong(loggedAtAny(series, EVERY_AGGREGATE), quantity, 1) !== undefined ||
    series.some(one => foundAmong([...everyPart(one).values()], quantity) !== undefined)
  )
}

function isInRange({ range, unit }: Quantity, series: LoggedSeries): boolean {
  const [low, high] = (['min', 'max'] as const).map(
    aggregate => loggedAt(series, { kind: 'aggregate', aggregate })[0]?.value ?? Number.NaN,
  )
  return (unit === '%' ? [1, 100] : [1]).some(scale => range.high >= low * scale && range.low <= high * scale)
}

/** Each point, and the mean of all up to it and from it on, counted from either end. */
const everyPart = remembered((series: LoggedSeries): ReadonlyMap<string, Logged> => {
  const points = pointsOf(series)
  let [first, last] = [0, 0]
  return new Map(
    points.flatMap((point, i) => {
      first += point.value
      last += points[points.length - 1 - i].value
      return [
        [`step ${point.step}`, point],
        [`first ${i + 1}`, { ...point, value: first / (i + 1) }],
        [`last ${i + 1}`, { ...point, value: last / (i + 1) }],
      ] as const
    }),
  )
})

const FEWEST_CURVE_POINTS = 3

/** A column that bears the name of a run which has been logged at these steps, and agrees with nothing of it. */
export function inventedCurve(line: Line, index: LogIndex): InventedTable | null {
  const runs = [...new Set(index.runsIn(line.of.name).map(({ run }) => run))]
  const series = index.seriesOf(new Set(runs), null)
  const measured = line.points.filter(({ at, quantity }) => at.step !== null && quantity.hedge === null)
  const loggedBy = measured.map(({ at, quantity }) => ({
    quantity,
    logged: series.flatMap(one => loggedAt(one, { kind: 'step', step: at.step ?? 0 })),
  }))
  if (measured.length < FEWEST_CURVE_POINTS || loggedBy.some(({ logged }) => logged.length === 0)) return null
  const [, agreeing] = mostVoted(loggedBy, ({ quantity, logged }) =>
    logged.filter(({ value }) => agrees(quantity, value)).map(one => one.series),
  )
  if (agreeing > MOST_AGREEING * measured.length) return null
  return { runs: runs.slice(0, 1), cells: line.points.map(({ cell }) => cell), agreeing, isLogged: true }
}
