import type { Cell } from '../document/document.js'
import { type Axis, type Line, linesOfMatrix, type Matrix, mainQuantity } from '../document/matrix.js'
import type { Quantity } from '../document/quantity.js'
import { isMisprint } from './arithmetic.js'
import { type Evidence, significantDigits } from './evidence.js'
import { agrees, foundAmong, foundAt, type LogIndex } from './log-index.js'
import { EVERY_AGGREGATE, type Logged, type LoggedSeries, loggedAt, type Place, pointsOf } from './log-series.js'
import { placesIn } from './log-words.js'

/**
 * Tables against the logs. A line of a table is recognised by what most of it agrees with: a curve with one series at its
 * steps, a line over runs with one metric at one place (the last value, the best, a mean). What else the line prints must
 * agree then too.
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
const FEWEST_DIGITS = 3

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

export interface RunPoint {
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

export function curvesOf(matrix: Matrix): readonly Line[] {
  return linesOfMatrix(matrix).filter(
    ({ points, of }) => of.role === 'value' && points.some(({ at }) => at.step !== null),
  )
}
