import type { Cell } from '../document/document.js'
import { type Axis, type Line, linesOfMatrix, type Matrix, mainQuantity } from '../document/matrix.js'
import type { Quantity } from '../document/quantity.js'
import { isMisprint } from './arithmetic.js'
import { type Evidence, significantDigits } from './evidence.js'
import { agrees, foundAmong, foundAt, type LogIndex } from './log-index.js'
import {
  EVERY_AGGREGATE,
  type Logged,
  type LoggedSeries,
  loggedAt,
  type Place,
  pointsOf,
  valueAt,
} from './log-series.js'
import { placesIn } from './log-words.js'

/**
 * Tables against the logs. A line of a table is recognised by what most of it agrees with: a curve with one series at its
 * steps, a line over runs with one metric at one place (the last value, the best, a mean). What else the line prints must
 * agree then too. A line over runs that agrees with nothing at all is invented.
 */
export interface MatchedLine {
  /** Cells that have what was logged, by their place in the document. */
  readonly hits: readonly (readonly [offset: number, logged: Logged])[]
  readonly misses: readonly Miss[]
}

export interface Miss {
  readonly cell: Cell
  readonly quantity: Quantity
  readonly logged: Logged
  readonly row: string
  readonly column: string
}

/** Two figures may agree by chance; three of four do not. */
const FEWEST_AGREEING = 3
const LEAST_SHARE = 0.6
const FEWEST_NAMED = 2

/** A printed curve belongs to the series that it agrees with at most of its steps; then all of it must agree. */
export function matchCurve(line: Line, index: LogIndex): MatchedLine | null {
  const points = line.points.filter(({ at }) => at.step !== null)
  if (points.length < 2 || line.of.role !== 'value') return null
  const measured = points.filter(({ quantity }) => quantity.hedge === null)
  const counts = new Map<LoggedSeries, number>()
  for (const { at, quantity } of measured) {
    for (const one of index.seriesWith(quantity, at.step ?? 0)) counts.set(one, (counts.get(one) ?? 0) + 1)
  }
  const [best, agreeing] = most(counts)
  if (best === null || agreeing < LEAST_SHARE * measured.length) return null
  const isNamed = index.runsIn(line.of.name).some(({ run }) => run === best.run)
  if (agreeing < FEWEST_AGREEING && !(isNamed && agreeing >= FEWEST_NAMED && agreeing === measured.length)) return null
  return judged(
    points.flatMap(({ at, cell, quantity }) => {
      const [logged] = loggedAt(best, { kind: 'step', step: at.step ?? 0 })
      return logged === undefined ? [] : [{ cell, quantity, logged, ...namesOf(line.matrix, cell) }]
    }),
  )
}

function most(counts: ReadonlyMap<LoggedSeries, number>): readonly [LoggedSeries | null, number] {
  let [best, agreeing]: [LoggedSeries | null, number] = [null, 0]
  for (const [series, count] of counts) if (count > agreeing) [best, agreeing] = [series, count]
  return [best, agreeing]
}

function judged(points: readonly Miss[]): MatchedLine {
  return {
    hits: points
      .filter(({ quantity, logged }) => agrees(quantity, logged.value))
      .map(({ cell, logged }) => [cell.offset, logged] as const),
    misses: points.filter(({ quantity, logged }) => !agrees(quantity, logged.value)),
  }
}

function namesOf({ table }: Matrix, { row, column }: Cell): { readonly row: string; readonly column: string } {
  return { row: table.rows[row]?.[0]?.text ?? '', column: table.header[column]?.text ?? '' }
}

/** A line of cells that bear the names of runs. */
export interface RunLine {
  readonly matrix: Matrix
  readonly of: Axis
  readonly points: readonly RunPoint[]
  /** What names the quantity, and what stands around the table. */
  readonly words: string
  readonly around: string
}

interface RunPoint {
  readonly run: string
  readonly cell: Cell
  readonly quantity: Quantity
}

/** Of a longer table its beginning tells. */
const MOST_LINES = 60

/** The lines of a table one axis of which names runs, each another. */
export function runLines(matrix: Matrix, { document }: Evidence, index: LogIndex): readonly RunLine[] {
  if (matrix.isSettings) return []
  const named = (axes: readonly Axis[]) =>
    axes.flatMap(axis => {
      const runs = new Set(index.runsIn(axis.name).map(({ run }) => run))
      return runs.size === 1 && axis.role === 'value' ? [...runs].map(run => ({ axis, run })) : []
    })
  const [inRows, inColumns] = [named(matrix.rows), named(matrix.columns)]
  const areRows = inRows.length >= inColumns.length
  const runs = areRows ? inRows : inColumns
  if (new Set(runs.map(({ run }) => run)).size < 2 || new Set(runs.map(({ run }) => run)).size < runs.length) return []
  const others = (areRows ? matrix.columns : matrix.rows).filter(({ role }) => role === 'value' || role === 'summary')
  const { caption, section, offset } = matrix.table
  const behind = document.text.slice(offset, offset + 2000).split('\n\n', 3)[1] ?? ''
  return others.slice(0, MOST_LINES).map(of => ({
    matrix,
    of,
    words: of.name,
    around: [caption?.text ?? '', section?.title ?? '', behind].join('\n'),
    points: runs.flatMap(({ axis, run }): RunPoint[] => {
      const [row, column] = areRows ? [axis.index, of.index] : [of.index, axis.index]
      const cell = matrix.table.rows[row]?.[column]
      const quantity = cell === undefined || cell.pending ? null : mainQuantity(cell)
      return cell === undefined || quantity === null ? [] : [{ run, cell, quantity }]
    }),
  }))
}

interface Reading {
  readonly metric: string
  readonly place: Place
  readonly agreeing: number
  readonly isNamed: boolean
}

/** A line over runs is of the metric and the place that most of its figures agree with. */
export function matchRuns({ matrix, of, points, words, around }: RunLine, index: LogIndex): MatchedLine | null {
  const measured = points.filter(({ quantity }) => quantity.hedge === null && quantity.bound === null)
  if (measured.length < 2) return null
  const meant = [words, around].map(index.metricsIn)
  const steps = of.step === null ? [] : [{ from: 0, to: 0, first: of.step, last: of.step }]
  const named = placesIn(words, steps)
  const reading = bestReading(measured, [...named, ...EVERY_AGGREGATE], index, meant)
  if (reading === null || reading.agreeing < FEWEST_NAMED || reading.agreeing < LEAST_SHARE * measured.length)
    return null
  const isSure = reading.isNamed || measured.every(({ quantity }) => significantDigits(quantity) >= FEWEST_DIGITS)
  if (!isSure && reading.agreeing < FEWEST_AGREEING) return null
  const all = measured.flatMap(({ run, cell, quantity }) => {
    const series = index.seriesOf(new Set([run]), new Set([reading.metric]))
    const [logged] = series.flatMap(one => loggedAt(one, reading.place))
    return logged === undefined ? [] : [{ cell, quantity, logged, series, ...namesOf(matrix, cell) }]
  })
  const { hits, misses } = judged(all)
  // Two of two are no line of which a third could be wrong; and what was logged elsewhere in the series is another's place.
  const isElsewhere = ({ quantity, logged: { series } }: Miss): boolean =>
    foundAt([series], [...named, ...EVERY_AGGREGATE], quantity, 1) !== undefined ||
    foundAmong(pointsOf(series), quantity) !== undefined
  return {
    hits,
    misses:
      hits.length < FEWEST_NAMED
        ? []
        : misses.filter(miss => isMisprint(miss.quantity.value, inUnitOf(miss)) && !isElsewhere(miss)),
  }
}

/** A share as the percentage that is printed. */
export function inUnitOf({ quantity: { unit, value }, logged }: Pick<Miss, 'quantity' | 'logged'>): number {
  const percent = logged.value * 100
  return unit === '%' && Math.abs(percent - value) < Math.abs(logged.value - value) ? percent : logged.value
}

function bestReading(
  points: readonly RunPoint[],
  places: readonly Place[],
  index: LogIndex,
  meant: readonly ReadonlySet<string>[],
): Reading | null {
  const runs = new Set(points.map(({ run }) => run))
  let best: Reading | null = null
  for (const metric of new Set(index.seriesOf(runs, null).map(one => one.metric))) {
    const named = meant.findIndex(metrics => metrics.has(metric))
    for (const place of places) {
      const agreeing = points.filter(({ run, quantity }) =>
        index
          .seriesOf(new Set([run]), new Set([metric]))
          .some(series => loggedAt(series, place).some(({ value }) => agrees(quantity, value))),
      ).length
      const isNamed = named >= 0
      if (best === null || agreeing > best.agreeing || (agreeing === best.agreeing && isNamed && !best.isNamed))
        best = { metric, place, agreeing, isNamed }
    }
  }
  return best
}

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

export function curvesOf(matrix: Matrix): readonly Line[] {
  return linesOfMatrix(matrix).filter(
    ({ points, of }) => of.role === 'value' && points.some(({ at }) => at.step !== null),
  )
}
