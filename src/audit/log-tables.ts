import type { Cell } from '../logs/document/document.js'
import { type Line, lineOf, linesOfMatrix, type Matrix, type MatrixAxis, type Point } from '../logs/document/matrix.js'
import type { Quantity } from '../logs/document/quantity.js'
import type { Severity } from '../logs/model/finding.js'
import { memoByObject } from '../logs/model/util/memo.js'
import { isMisprint } from './arithmetic.js'
import { significantDigits } from './evidence.js'
import {
  agrees,
  atStep,
  EVERY_AGGREGATE,
  FEWEST_DIGITS,
  foundAmong,
  type Logged,
  type LoggedSeries,
  type LogIndex,
  loggedAtAny,
  mostVoted,
  placesIn,
  pointsOf,
} from './log-index.js'

/**
 * Tables against the logs. A line of a table is recognised by what most of it agrees with: a curve with one series at its
 * steps, a line over runs with one metric at one place (the last value, the best, a mean). What else the line prints must
 * agree then too; and what agrees with nothing is invented.
 */
export interface TableTrace {
  readonly figures: readonly LoggedFigure[]
  readonly invented: readonly InventedTable[]
}

/** A printed figure beside what was logged where it belongs. */
export interface LoggedFigure {
  readonly offset: number
  readonly quantity: Quantity
  readonly logged: Logged
  readonly found: string
  /** Its row and column, or the words around it. */
  readonly where: string
  /** Of the finding where it is not what was logged. */
  readonly severity: Severity
}

export function isLogged({ quantity, logged }: Pick<LoggedFigure, 'quantity' | 'logged'>): boolean {
  return agrees(quantity, logged.value)
}

/** Two figures may agree by chance, unless the line bears the right name; three of four do not. */
const FEWEST_AGREEING = 3
const FEWEST_NAMED = 2
const LEAST_SHARE = 0.6

/** Of a longer table its beginning tells. */
const MOST_LINES = 60
const MOST_POINTS = 400

export function readTable(matrix: Matrix, index: LogIndex): TableTrace {
  const curves = linesOfMatrix(matrix)
    .filter(({ of, points }) => of.role === 'value' && points.some(({ at }) => at.step !== null))
    .map(line => readCurve(line, index))
  const overRuns = runLines(matrix, index)
  const figures = [...curves.flatMap(curve => curve.figures), ...overRuns.flatMap(line => figuresOfRuns(line, index))]
  const mayBeInvented = curves.length === 0 && !figures.some(isLogged)
  return {
    figures,
    invented: mayBeInvented ? inventedTable(overRuns, index) : curves.flatMap(curve => curve.invented),
  }
}

function figureAt({ table }: Matrix, { cell, quantity }: Omit<Point, 'at'>, logged: Logged): LoggedFigure {
  const [row, column] = [table.rows[cell.row]?.[0]?.text ?? '', table.header[cell.column]?.text ?? '']
  const severity = quantity.hedge === null ? 'error' : 'warning'
  return { offset: cell.offset, quantity, logged, found: cell.text, where: `“${row}”, “${column}”`, severity }
}

/**
 * A printed curve belongs to the series that it agrees with at most of its steps; then all of it must agree. One that
 * bears the name of a run which was logged at these steps, and agrees with nothing, is invented.
 */
function readCurve({ matrix, of, points }: Line, index: LogIndex): TableTrace {
  const stepped = points.flatMap(({ at: { step }, ...point }) => (step === null ? [] : [{ ...point, step }]))
  const measured = stepped.filter(({ quantity }) => quantity.hedge === null).slice(0, MOST_POINTS)
  const [series, agreeing] = mostVoted(measured, ({ quantity, step }) =>
    index.seriesOf(null, null).filter(one => atStep(step)(one).some(({ value }) => agrees(quantity, value))),
  )
  const runs = new Set(index.runsIn(of.name).map(({ run }) => run))
  const own = index.seriesOf(runs, null)
  const fewest = runs.has(series?.run ?? '') ? FEWEST_NAMED : FEWEST_AGREEING
  if (series !== undefined && agreeing >= Math.max(fewest, LEAST_SHARE * measured.length)) {
    const figures = stepped.flatMap(point => atStep(point.step)(series).map(logged => figureAt(matrix, point, logged)))
    return { figures, invented: [] }
  }
  const areSteps = measured.every(({ step }) => own.some(one => atStep(step)(one).length > 0))
  const isInvented = areSteps && measured.length >= FEWEST_AGREEING && agreeing <= MOST_AGREEING * measured.length
  const cells = points.map(({ cell }) => cell)
  return { figures: [], invented: isInvented ? [{ runs: [...runs], cells, agreeing, isLogged: true }] : [] }
}

/** The lines of a table one axis of which names runs, each another. */
function runLines(matrix: Matrix, index: LogIndex): readonly RunLine[] {
  const [inRows, inColumns] = [runsOfAxes(matrix.rows, index), runsOfAxes(matrix.columns, index)]
  const areRows = inRows.size >= inColumns.size
  const runs = areRows ? inRows : inColumns
  if (matrix.isSettings || runs.size < 2 || new Set(runs.values()).size < runs.size) return []
  const others = (areRows ? matrix.columns : matrix.rows).filter(({ role }) => role === 'value' || role === 'summary')
  const around = `${matrix.table.caption?.text ?? ''}\n${matrix.table.section?.title ?? ''}`
  return others.slice(0, MOST_LINES).map(of => {
    const line = lineOf(matrix, of, areRows, [...runs.keys()])
    return { ...line, around, points: line.points.map(point => ({ ...point, run: runs.get(point.at) ?? '' })) }
  })
}

function runsOfAxes(axes: readonly MatrixAxis[], index: LogIndex): ReadonlyMap<MatrixAxis, string> {
  const named = axes.map(axis => [axis, new Set(index.runsIn(axis.name).map(({ run }) => run))] as const)
  return new Map(
    named.flatMap(([axis, [run, ...others]]) =>
      axis.role === 'value' && run !== undefined && others.length === 0 ? [[axis, run] as const] : [],
    ),
  )
}

/** A line over runs is of the metric and the place that most of its figures agree with. */
function figuresOfRuns({ matrix, of, points, around }: RunLine, index: LogIndex): readonly LoggedFigure[] {
  const measured = points.filter(({ quantity }) => quantity.hedge === null && quantity.bound === null)
  const places = [...(of.step === null ? [] : [atStep(of.step)]), ...placesIn(of.name, []), ...EVERY_AGGREGATE]
  const meant = new Set([of.name, around].flatMap(words => [...index.metricsIn(words)]))
  const metrics = new Set(index.seriesOf(new Set(measured.map(({ run }) => run)), null).map(one => one.metric))
  const readings = [...new Set([...meant, ...metrics])].flatMap(metric =>
    places.map(place => {
      const figures = measured.flatMap(point => {
        const all = loggedAtAny(index.seriesOf(new Set([point.run]), new Set([metric])), [place])
        const logged = all.find(({ value }) => agrees(point.quantity, value)) ?? all[0]
        return logged === undefined ? [] : [figureAt(matrix, point, logged)]
      })
      return { metric, figures, agreeing: figures.filter(isLogged).length }
    }),
  )
  const most = Math.max(...readings.map(({ agreeing }) => agreeing))
  const best = readings.find(({ agreeing }) => agreeing === most)
  const isFine = measured.every(({ quantity }) => significantDigits(quantity) >= FEWEST_DIGITS)
  const fewest = isFine || meant.has(best?.metric ?? '') ? FEWEST_NAMED : FEWEST_AGREEING
  if (best === undefined || most < Math.max(fewest, LEAST_SHARE * measured.length)) return []
  // What was logged elsewhere in the series is another's place, and what is far off was not understood.
  return best.figures.filter(figure => {
    const { quantity, logged } = figure
    const elsewhere = [...pointsOf(logged.series), ...loggedAtAny([logged.series], places)]
    const isOff = isMisprint(quantity.value, inUnitOf(figure)) && foundAmong(elsewhere, quantity) === undefined
    return isLogged(figure) || isOff
  })
}

/** A share as the percentage that is printed. */
export function inUnitOf({ quantity: { unit, value }, logged }: Pick<LoggedFigure, 'quantity' | 'logged'>): number {
  const percent = logged.value * 100
  return unit === '%' && Math.abs(percent - value) < Math.abs(logged.value - value) ? percent : logged.value
}

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
const MOST_AGREEING = 0.2

/** Words of what nobody logs as a series: costs, sizes, settings. */
const NOT_LOGGED =
  /time|hour|cost|price|memory|param|size|batch|rate(?:_|\s)?$|(?<![a-z])(?:lr|gpu|seed|beta|coef\w*|n)(?![a-z])|耗时|时间|成本|显存|参数|系数|学习率|批/i

/** Words that tell of an average which nobody can redo from the log alone. */
const AVERAGED = /smooth|moving|rolling|seeds?(?![a-z])|(?<![a-z])(?:ema|std)(?![a-z])|平滑|滑动|移动|种子|[±]/i

function inventedTable(lines: readonly RunLine[], index: LogIndex): readonly InventedTable[] {
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
      last += points[points.length - 1 - i]?.value ?? Number.NaN
      return [
        [`${series.metric} step ${point.step}`, point],
        [`${series.metric} first ${i + 1}`, { ...point, value: first / (i + 1) }],
        [`${series.metric} last ${i + 1}`, { ...point, value: last / (i + 1) }],
      ] as const
    }),
  )
})
