import { type Line, type Matrix, mainQuantity } from '../document/matrix.js'
import type { Quantity } from '../document/quantity.js'
import { sentences } from '../text/sentences.js'
import type { Fault } from './assertion.js'
import { type Evidence, significantDigits } from './evidence.js'
import { fault } from './fault.js'
import { agrees, type LoggedSeries, type LogIndex } from './log-index.js'

/**
 * Figures that bear the name of a run and are nowhere in its log. A curve is invented when it agrees with nothing at its
 * steps. A table of runs and metrics is invented when not one figure of it is a point, an extreme, or a mean of the
 * beginning or the end of the metric that it names; of averages of another kind only what lies outside all that was
 * logged is told.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.data-invented': { en: '“{column}” is named after {run}, but of its {count} figures {agreeing} agree with anything logged there; print what was logged', zh: '“{column}”以 {run} 为名，但 {count} 个数字中只有 {agreeing} 个与相应的日志值相符；应照日志填写' },
})

interface Printed {
  readonly text: string
  readonly offset: number
}

const FEWEST_CURVE_POINTS = 3
const MOST_AGREEING = 0.2

/** A column that bears the name of a run which has been logged at these steps, and agrees with nothing of it. */
export function inventedCurve(line: Line, index: LogIndex, agreeing: number, measured: number): readonly Fault[] {
  const runs = index.runsNamed(line.of.name)
  const named = index.series.filter(({ run }) => runs.has(run))
  const covered = line.points.filter(
    ({ at }) => at.step !== null && named.some(one => one.valueAt(at.step ?? 0) !== undefined),
  )
  if (named.length === 0 || measured < FEWEST_CURVE_POINTS) return []
  if (covered.length < measured || agreeing > MOST_AGREEING * measured) return []
  return [
    inventedFault(
      line.of.name,
      [named[0].run],
      line.points.map(({ cell }) => cell),
      agreeing,
    ),
  ]
}

const FEWEST_FIGURES = 4
const FEWEST_DIGITS = 3
/** Of a longer table its beginning tells. */
const MOST_ROWS = 60

/** A table without steps whose rows or columns are runs, the others metrics that these log. */
export function inventedTable(matrix: Matrix, evidence: Evidence, index: LogIndex): readonly Fault[] {
  if (index.runs.length === 0 || matrix.isSettings) return []
  if ([...matrix.rows, ...matrix.columns].some(({ step }) => step !== null)) return []
  const isAveraged = AVERAGED.test(wordsAround(matrix, evidence))
  const figures = matrix.rows.slice(0, MOST_ROWS).flatMap(row =>
    matrix.columns.flatMap(column => {
      if (row.role !== 'value' || column.role !== 'value') return []
      const cell = matrix.table.rows[row.index]?.[column.index]
      const quantity = cell === undefined || cell.pending ? null : mainQuantity(cell)
      if (cell === undefined || quantity === null || quantity.hedge !== null) return []
      if (significantDigits(quantity) < FEWEST_DIGITS) return []
      const series = index.seriesNamed(column.name, row.name) ?? index.seriesNamed(row.name, column.name)
      return series === null ? [] : [{ cell, quantity, series }]
    }),
  )
  if (figures.length < FEWEST_FIGURES) return []
  const mayBe = isAveraged ? isInRange : isSomewhere
  if (figures.some(({ quantity, series }) => series.some(one => mayBe(quantity, one)))) return []
  const runs = [...new Set(figures.flatMap(({ series }) => series.map(({ run }) => run)))]
  return [
    inventedFault(
      runs.join(', '),
      runs,
      figures.map(({ cell }) => cell),
      0,
    ),
  ]
}

/** Words that tell of an average which nobody can redo from the log alone. */
const AVERAGED =
  /smooth|moving|window|rolling|averag|(?<![a-z])(?:ema|avg|mean|std)(?![a-z])|平滑|滑动|移动|平均|均值|[±]/i

function wordsAround({ table }: Matrix, { document }: Evidence): string {
  const { caption, header, rows, section } = table
  const labels = [...header, ...rows.map(row => row[0])].map(cell => cell?.text ?? '')
  const behind = document.text.slice(table.offset, table.offset + 2000).split('\n\n', 3)
  return [section?.title ?? '', caption?.text ?? '', ...labels, ...behind].join('\n')
}

function isInRange({ range, unit }: Quantity, { values }: LoggedSeries): boolean {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let i = 0; i < values.length; i += 1) {
    if (values[i] < low) low = values[i]
    if (values[i] > high) high = values[i]
  }
  const shares = unit === '%' ? [1, 100] : [1]
  return shares.some(scale => range.high >= low * scale && range.low <= high * scale)
}

/** A point, or the mean of the first or the last so many. */
function isSomewhere(quantity: Quantity, { values }: LoggedSeries): boolean {
  const count = values.length
  let [first, last] = [0, 0]
  for (let i = 0; i < count; i += 1) {
    first += values[i]
    last += values[count - 1 - i]
    if ([values[i], first / (i + 1), last / (i + 1)].some(value => agrees(quantity, value))) return true
  }
  return false
}

function inventedFault(column: string, runs: readonly string[], cells: readonly Printed[], agreeing: number): Fault {
  return fault(
    'data-invented',
    cells[0].offset,
    say('audit.data-invented', { column, run: runs.join(', '), count: cells.length, agreeing }),
    {
      found: cells
        .slice(0, 4)
        .map(({ text }) => text)
        .join(', '),
      also: cells.map(({ offset }) => offset),
    },
  )
}
