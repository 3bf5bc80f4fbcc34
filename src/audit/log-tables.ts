import type { Cell, ReportDocument, Table } from '../document/document.js'
import { type Axis, type Line, lineOf, linesOfMatrix, type Matrix } from '../document/matrix.js'
import type { Quantity } from '../document/quantity.js'
import { isMisprint } from './arithmetic.js'
import { significantDigits } from './evidence.js'
import { type InventedTable, inventedCurve, inventedTable, type RunLine } from './invented.js'
import { agrees, foundAmong, type LogIndex, mostVoted } from './log-index.js'
import { EVERY_AGGREGATE, type Logged, loggedAt, loggedAtAny, pointsOf } from './log-series.js'
import { placesIn } from './log-words.js'

/**
 * Tables against the logs. A line of a table is recognised by what most of it agrees with: a curve with one series at its
 * steps, a line over runs with one metric at one place (the last value, the best, a mean). What else the line prints must
 * agree then too; and what agrees with nothing is invented.
 */
export interface TableReading {
  /** Cells that have what was logged, and cells that have not. */
  readonly hits: readonly LoggedCell[]
  readonly misses: readonly LoggedCell[]
  readonly invented: readonly InventedTable[]
}

/** A cell beside what was logged where it belongs. */
export interface LoggedCell {
  readonly table: Table
  readonly cell: Cell
  readonly quantity: Quantity
  readonly logged: Logged
}

/** Two figures may agree by chance; three of four do not. */
const FEWEST_AGREEING = 3
const LEAST_SHARE = 0.6
const FEWEST_NAMED = 2
const FEWEST_DIGITS = 3

export function readTable(matrix: Matrix, document: ReportDocument, index: LogIndex): TableReading {
  const curves = linesOfMatrix(matrix).filter(
    ({ of, points }) => of.role === 'value' && points.some(({ at }) => at.step !== null),
  )
  const overRuns = runLines(matrix, document, index)
  const cells = curves.map(line => cellsOfCurve(line, index))
  const judged = [...cells, ...overRuns.map(line => cellsOfRuns(line, index))].flat()
  const [hits, misses] = [true, false].map(hit => judged.filter(cell => isHit(cell) === hit))
  const isKnown = new Set(hits.map(({ cell }) => cell))
  const isStepped = [...matrix.rows, ...matrix.columns].some(({ step }) => step !== null)
  const strange = curves.filter((_, i) => cells[i].length === 0).map(line => inventedCurve(line, index))
  const whole = isStepped || hits.length > 0 ? null : inventedTable(overRuns, index)
  return {
    hits,
    misses: misses.filter(({ cell }) => !isKnown.has(cell)),
    invented: [...strange, whole].filter(one => one !== null),
  }
}

function isHit({ quantity, logged }: LoggedCell): boolean {
  return agrees(quantity, logged.value)
}

/** A printed curve belongs to the series that it agrees with at most of its steps; then all of it must agree. */
function cellsOfCurve({ matrix: { table }, of, points }: Line, index: LogIndex): readonly LoggedCell[] {
  const stepped = points.flatMap(({ at: { step }, ...point }) => (step === null ? [] : [{ ...point, step }]))
  const measured = stepped.filter(({ quantity }) => quantity.hedge === null)
  const [series, agreeing] = mostVoted(measured, ({ quantity, step }) => index.seriesWith(quantity, step))
  if (series === undefined || stepped.length < 2 || agreeing < LEAST_SHARE * measured.length) return []
  const isNamed = index.runsIn(of.name).some(({ run }) => run === series.run)
  if (agreeing < FEWEST_AGREEING && !(isNamed && agreeing >= FEWEST_NAMED && agreeing === measured.length)) return []
  return stepped.flatMap(({ cell, quantity, step }) =>
    loggedAt(series, { kind: 'step', step }).map(logged => ({ table, cell, quantity, logged })),
  )
}

/** Of a longer table its beginning tells. */
const MOST_LINES = 60

/** The lines of a table one axis of which names runs, each another. */
function runLines(matrix: Matrix, document: ReportDocument, index: LogIndex): readonly RunLine[] {
  if (matrix.isSettings) return []
  const named = (axes: readonly Axis[]): ReadonlyMap<Axis, string> =>
    new Map(
      axes.flatMap(axis => {
        const runs = new Set(index.runsIn(axis.name).map(({ run }) => run))
        return runs.size === 1 && axis.role === 'value' ? [...runs].map(run => [axis, run] as const) : []
      }),
    )
  const [inRows, inColumns] = [named(matrix.rows), named(matrix.columns)]
  const areRows = inRows.size >= inColumns.size
  const runs = areRows ? inRows : inColumns
  if (runs.size < 2 || new Set(runs.values()).size < runs.size) return []
  const others = (areRows ? matrix.columns : matrix.rows).filter(({ role }) => role === 'value' || role === 'summary')
  const { caption, section, offset } = matrix.table
  const behind = document.text.slice(offset, offset + 2000).split('\n\n', 3)[1] ?? ''
  const around = [caption?.text ?? '', section?.title ?? '', behind].join('\n')
  return others.slice(0, MOST_LINES).map(of => {
    const line = lineOf(matrix, of, areRows, [...runs.keys()])
    return { ...line, around, points: line.points.map(point => ({ ...point, run: runs.get(point.at) ?? '' })) }
  })
}

/** A line over runs is of the metric and the place that most of its figures agree with. */
function cellsOfRuns({ matrix: { table }, of, points, around }: RunLine, index: LogIndex): readonly LoggedCell[] {
  const measured = points.filter(({ quantity }) => quantity.hedge === null && quantity.bound === null)
  const steps = of.step === null ? [] : [{ from: 0, to: 0, first: of.step, last: of.step }]
  const places = [...placesIn(of.name, steps), ...EVERY_AGGREGATE]
  const meant = new Set([of.name, around].flatMap(words => [...index.metricsIn(words)]))
  const readings = [...new Set(index.seriesOf(new Set(measured.map(({ run }) => run)), null).map(one => one.metric))]
    .sort((a, b) => Number(meant.has(b)) - Number(meant.has(a)))
    .flatMap(metric =>
      places.map(place => {
        const cells = measured.flatMap(({ run, cell, quantity }) => {
          const all = loggedAtAny(index.seriesOf(new Set([run]), new Set([metric])), [place])
          const logged = all.find(({ value }) => agrees(quantity, value)) ?? all[0]
          return logged === undefined ? [] : [{ table, cell, quantity, logged }]
        })
        return { metric, cells, agreeing: cells.filter(isHit).length }
      }),
    )
  const most = Math.max(...readings.map(({ agreeing }) => agreeing))
  const best = readings.find(({ agreeing }) => agreeing === most)
  if (best === undefined || most < FEWEST_NAMED || most < LEAST_SHARE * measured.length) return []
  const isSure =
    meant.has(best.metric) || measured.every(({ quantity }) => significantDigits(quantity) >= FEWEST_DIGITS)
  if (!isSure && most < FEWEST_AGREEING) return []
  // What was logged elsewhere in the series is another's place, and what is far off was not understood.
  const mayBeElsewhere = ({ quantity, logged: { series } }: LoggedCell): boolean =>
    foundAmong(loggedAtAny([series], places), quantity, 1) !== undefined ||
    foundAmong(pointsOf(series), quantity) !== undefined
  return best.cells.filter(
    cell => isHit(cell) || (isMisprint(cell.quantity.value, inUnitOf(cell)) && !mayBeElsewhere(cell)),
  )
}

/** A share as the percentage that is printed. */
export function inUnitOf({ quantity: { unit, value }, logged }: Pick<LoggedCell, 'quantity' | 'logged'>): number {
  const percent = logged.value * 100
  return unit === '%' && Math.abs(percent - value) < Math.abs(logged.value - value) ? percent : logged.value
}
