import type { Cell } from '../document/document.js'
import type { Line } from '../document/matrix.js'
import type { Quantity } from '../document/quantity.js'
import { significantDigits } from './evidence.js'
import { agrees, foundAmong, foundAt, type LogIndex } from './log-index.js'
import { EVERY_AGGREGATE, type LoggedSeries, loggedAt, pointsOf, valueAt } from './log-series.js'
import type { RunLine, RunPoint } from './log-tables.js'

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

/** A table that bears the names of runs and agrees with nothing in them, beyond what chance gives. */
export function inventedTable(lines: readonly RunLine[], index: LogIndex): InventedTable | null {
  const scores = lines.filter(({ words }) => !NOT_LOGGED.test(words))
  const figures = scores.flatMap(line => {
    const metrics = index.metricsIn(line.words)
    const isAveraged = AVERAGED.test(`${line.words}\n${line.around}`)
    const printed = line.points.filter(
      ({ quantity: one }) => one.hedge === null && significantDigits(one) >= FEWEST_DIGITS && isScore(one),
    )
    const common = commonCount(printed, metrics, index)
    return printed.map(point => ({
      ...point,
      isNamed: metrics.size > 0,
      isKnown: common >= 2 || mayBe(point, metrics, index, isAveraged),
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

/** Words of what nobody logs as a series: costs, sizes, settings. */
const NOT_LOGGED =
  /time|hour|cost|price|memory|param|size|batch|rate(?:_|\s)?$|(?<![a-z])(?:lr|gpu|seed|beta|coef\w*|n)(?![a-z])|耗时|时间|成本|显存|参数|系数|学习率|批/i

/** Words that tell of an average which nobody can redo from the log alone. */
const AVERAGED = /smooth|moving|rolling|seeds?(?![a-z])|(?<![a-z])(?:ema|std)(?![a-z])|平滑|滑动|移动|种子|[±]/i

function isScore({ unit, plusMinus }: Quantity): boolean {
  return (unit === null || unit === '%' || unit === 'points') && !plusMinus
}

function mayBe(
  { run, quantity }: RunPoint,
  metrics: ReadonlySet<string>,
  index: LogIndex,
  isAveraged: boolean,
): boolean {
  const series = index.seriesOf(new Set([run]), metrics.size === 0 ? null : metrics)
  if (isAveraged) return metrics.size === 0 || series.some(one => isInRange(quantity, one))
  return foundAt(series, EVERY_AGGREGATE, quantity, 1) !== undefined || series.some(one => isSomewhere(one, quantity))
}

/** A point, or a mean of the beginning or the end: told by its size, where the log is short enough for that. */
function isSomewhere(series: LoggedSeries, quantity: Quantity): boolean {
  const parts = everyPart(series).map(({ value }) => ({ value, series, step: null, aggregate: null, over: null }))
  return foundAmong(parts, quantity) !== undefined
}

function isInRange({ range, unit }: Quantity, series: LoggedSeries): boolean {
  const [low, high] = (['min', 'max'] as const).map(
    aggregate => loggedAt(series, { kind: 'aggregate', aggregate })[0]?.value ?? Number.NaN,
  )
  return (unit === '%' ? [1, 100] : [1]).some(scale => range.high >= low * scale && range.low <= high * scale)
}

/** How many figures of a line agree with one metric at one common place: the same point, or means over equally many. */
function commonCount(points: readonly RunPoint[], metrics: ReadonlySet<string>, index: LogIndex): number {
  const runs = new Set(points.map(({ run }) => run))
  const all = metrics.size === 0 ? new Set(index.seriesOf(runs, null).map(one => one.metric)) : metrics
  let best = 0
  for (const metric of all) {
    const counts = new Map<string, number>()
    for (const { run, quantity } of points) {
      const series = index.seriesOf(new Set([run]), new Set([metric]))
      for (const { name, value } of series.flatMap(everyPart)) {
        if (!agrees(quantity, value)) continue
        const count = (counts.get(name) ?? 0) + 1
        counts.set(name, count)
        best = Math.max(best, count)
      }
    }
  }
  return best
}

interface Part {
  readonly name: string
  readonly value: number
}

const parts = new WeakMap<LoggedSeries, readonly Part[]>()

/** Each point, and the mean of all up to it and from it on, counted from either end. */
function everyPart(series: LoggedSeries): readonly Part[] {
  const known = parts.get(series)
  if (known !== undefined) return known
  const points = pointsOf(series)
  let [first, last] = [0, 0]
  const made = points.flatMap(({ value, step }, i) => {
    first += value
    last += points[points.length - 1 - i].value
    return [
      { name: `step ${step}`, value },
      { name: `first ${i + 1}`, value: first / (i + 1) },
      { name: `last ${i + 1}`, value: last / (i + 1) },
    ]
  })
  parts.set(series, made)
  return made
}

const FEWEST_CURVE_POINTS = 3

/** A column that bears the name of a run which has been logged at these steps, and agrees with nothing of it. */
export function inventedCurve(line: Line, index: LogIndex): InventedTable | null {
  const runs = [...new Set(index.runsIn(line.of.name).map(({ run }) => run))]
  const series = index.seriesOf(new Set(runs), null)
  const measured = line.points.filter(({ at, quantity }) => at.step !== null && quantity.hedge === null)
  const isLogged = ({ at }: (typeof measured)[number]): boolean =>
    series.some(one => valueAt(one, at.step ?? 0) !== undefined)
  if (series.length === 0 || measured.length < FEWEST_CURVE_POINTS || !measured.every(isLogged)) return null
  const agreeing = Math.max(
    ...series.map(
      one => measured.filter(({ at, quantity }) => agrees(quantity, valueAt(one, at.step ?? 0) ?? Number.NaN)).length,
    ),
  )
  if (agreeing > MOST_AGREEING * measured.length) return null
  return { runs: runs.slice(0, 1), cells: line.points.map(({ cell }) => cell), agreeing, isLogged: true }
}
