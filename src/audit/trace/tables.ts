import type { Table } from '../../logs/document/document.js'
import { groupBy } from '../../logs/model/util/group-by.js'
import type { Above } from './binding.js'
import { agrees, type PrintedFigure, scaleOf, significant } from './figure.js'
import type { Log, LogMetric, LogRun } from './log.js'
import { type MetricMention, meantBy } from './metric-mentions.js'
import type { Nickname } from './nicknames.js'
import { type PartMention, partsIn } from './part-mentions.js'
import { type FigureJudgement, judge } from './reading.js'
import type { LogNames } from './sentence.js'
import { GAP, type TableAxis, type TableCell } from './table-axes.js'
import { cellsOf } from './table-cells.js'
import { type DecodedTable, decodeTable } from './table-decode.js'
import {
  conventionOf,
  judgeChange,
  ofConvention,
  readingsOf,
  UNTRACED,
  withoutMostlyWrong,
  withRightSteps,
} from './table-judging.js'

/** The cells of a table, each with what it is by headers and fits, and what came of it. */

export type JudgedCell = FigureJudgement & {
  readonly figure: PrintedFigure
  readonly quote: string
  /** The words of its headers for what is measured. */
  readonly mention: MetricMention | null
  /** What its header says that names nothing known. */
  readonly unknown: string | null
}

/** A table that bears the names of runs and agrees with nothing in them. */
export interface InventedTable {
  readonly runs: readonly string[]
  readonly figures: readonly PrintedFigure[]
}

export interface JudgedTable {
  readonly cells: readonly JudgedCell[]
  /** The runs of its rows, and those of its columns: the order in which the text goes through them. */
  readonly listings: readonly RunListing[]
  /** What its headers call runs, as their figures tell. */
  readonly called: readonly Nickname[]
  readonly invented: InventedTable | null
}

/** Runs or groups, one after the other. */
export type RunListing = readonly (readonly LogRun[])[]

/** What stands around a table. */
export interface TableSurroundings {
  readonly above: Above
  readonly hints: readonly PartMention[]
  readonly topics: readonly LogMetric[]
  /** The only seed that its caption names. */
  readonly seed: number | null
  /** Whether runs that no header names are looked for. */
  readonly maySearch: boolean
}

const MOST_CELLS = 20_000

export function judgeTable(names: LogNames, table: Table, around: TableSurroundings): JudgedTable {
  const { log } = names
  const { rows, header } = table
  if (rows.length * header.length > MOST_CELLS) return { cells: [], listings: [], called: [], invented: null }
  const cells = cellsOf(names, table)
  const above = aboveTable(names, table, around.above)
  const plain = cells.filter(({ figure: { quantity } }) => !quantity.plusMinus)
  const isGap = plain.length > 0 && plain.every(({ figure: { quantity } }) => quantity.signed)
  const rising = new Set(plain.flatMap(({ figure, at }) => (/^\s*\+/.test(figure.text) ? [at[1]] : [])))
  // A column of negative values may be of levels; where some have a plus, all are changes.
  const levels = cells.filter(
    ({ row, column, at, figure: { quantity } }) =>
      !row.isChange && !column.isChange && (!quantity.signed || quantity.plusMinus || isGap || !rising.has(at[1])),
  )
  const decoded = decodeTable({
    log,
    cells: levels,
    ...around,
    above,
    isGap: isGap || GAP.test(header[0]?.text ?? ''),
  })
  const judged = new Map<PrintedFigure, FigureJudgement>()
  const expected = new Map<string, number>()
  const convention = conventionOf(log, levels, decoded)
  for (const cell of levels) {
    const readings = readingsOf(log, cell, decoded).map(one => ofConvention(one, convention))
    const found = judge(cell.figure, readings)
    const value = found.state === 'untraced' ? readings[0]?.values[0] : found.value
    if (value !== undefined) expected.set(cell.at.join(), value.printed)
    judged.set(cell.figure, found)
  }
  withRightSteps(log, levels, decoded, judged)
  withoutMostlyWrong(levels, decoded, judged)
  const traced = new Set(
    levels.filter(({ figure }) => judged.get(figure)?.state === 'traced').map(({ at }) => at.join()),
  )
  for (const cell of cells.filter(
    ({ figure }) =>
      !judged.has(figure) ||
      (figure.quantity.signed && !figure.quantity.plusMinus && judged.get(figure)?.state === 'untraced'),
  ))
    judged.set(cell.figure, judgeChange(cell, cells, expected, traced))
  return {
    cells: cells.map(cell => ({
      ...(judged.get(cell.figure) ?? UNTRACED),
      figure: cell.figure,
      quote: quoteOf(cell),
      mention: cell.column.metric ?? cell.row.metric,
      unknown: cell.column.isUnknown
        ? cell.column.text
        : cell.row.isUnknown && cell.column.runs !== null
          ? cell.row.text
          : null,
    })),
    listings: [listingOf(cells.map(({ row }) => row)), listingOf(cells.map(({ column }) => column))],
    called: [...calledIn(levels, decoded, traced, 'row'), ...calledIn(levels, decoded, traced, 'column')],
    invented: inventedIn(log, levels, judged),
  }
}

const FEWEST_CALLING = 2

/** A header that names no run, over figures that are all of one: what the report calls it. */
function calledIn(
  cells: readonly TableCell[],
  { runsOf }: DecodedTable,
  traced: ReadonlySet<string>,
  side: 'row' | 'column',
): readonly Nickname[] {
  return [...groupBy(cells, cell => cell[side])].flatMap(([axis, own]) => {
    const telling = own.filter(({ at, figure }) => traced.has(at.join()) && significant(figure.quantity) > 1)
    const each = telling.map(cell => runsOf(cell) ?? [])
    const [first] = each
    const groups = new Set(each.flatMap(runs => runs.map(({ group }) => group)))
    const isOpen = axis.metric === null && (axis.runs === null || axis.isLoose)
    if (!isOpen || first === undefined || groups.size !== 1 || telling.length < FEWEST_CALLING) return []
    const whole = [...new Set(each.flat())]
    const isRun = each.every(runs => runs.length === 1 && runs[0] === first[0])
    return [
      {
        name: axis.text
          .replace(/[(（[].*$/, '')
          .replace(/[*`"“”]/g, '')
          .trim(),
        runs: isRun ? first : whole,
      },
    ]
  })
}

function listingOf(axes: readonly TableAxis[]): RunListing {
  return [...new Set(axes)].flatMap(({ runs }) => (runs === null ? [] : [runs]))
}

/** A run or a metric in the corner is what the whole table is of. */
function aboveTable({ runs, metrics }: LogNames, { header: [corner], rows }: Table, above: Above): Above {
  // "KL coefficient" over 0.01 and 0.1 says what these are.
  const isKnob = rows.every(([key]) => key?.quantities.length === 1)
  const text = corner?.text ?? ''
  const named = runs.namedIn(text).filter(({ refers }) => refers === null)
  const parts = partsIn(text)
  return {
    ...above,
    parts: parts.length > 0 ? parts : above.parts,
    runs: named.length === 1 ? named : above.runs,
    metrics: [...(isKnob ? [] : metrics.namedIn(text)), ...above.metrics],
  }
}

function quoteOf({ row, column, figure }: TableCell): string {
  return `${figure.text} (${[row.text, column.text]
    .map(text => text.trim())
    .filter(text => text !== '')
    .join(', ')})`
}

const FEWEST_INVENTED = 4

/** Named runs, many figures with digits enough that are no estimates, and not one of them anywhere in what those runs logged. */
function inventedIn(
  log: Log,
  cells: readonly TableCell[],
  judged: ReadonlyMap<PrintedFigure, FigureJudgement>,
): InventedTable | null {
  const named = cells.flatMap(cell => {
    const runs = cell.row.runs ?? cell.column.runs
    const { quantity } = cell.figure
    return runs === null || quantity.hedge === 'about' || significant(quantity) < 3 ? [] : [{ cell, runs }]
  })
  if (
    named.length < FEWEST_INVENTED ||
    named.some(({ cell }) => ['traced', 'derived', 'contradicted'].includes(judged.get(cell.figure)?.state ?? ''))
  )
    return null
  const isLogged = ({ cell, runs }: (typeof named)[number]): boolean => {
    const mention = cell.column.metric ?? cell.row.metric
    return runs.some(run => {
      const metrics = mention === null ? [...log.metrics.values()] : Object.values(meantBy(mention, log, runs)).flat()
      return metrics.some(metric => {
        const scale = scaleOf(cell.figure.quantity, metric)
        const { values = [] } = log.seriesOf(run, metric.name) ?? {}
        return [...values, ...runningMeans(values)].some(value => agrees(cell.figure.quantity, value * scale))
      })
    })
  }
  if (named.some(isLogged)) return null
  return {
    runs: [...new Set(named.flatMap(({ runs }) => runs.map(({ name }) => name)))],
    figures: named.map(({ cell }) => cell.figure),
  }
}

/** Of the first and of the last so many. */
function runningMeans(values: readonly number[]): readonly number[] {
  let [first, last] = [0, 0]
  return values.flatMap((value, i) => {
    first += value
    last += values.at(-1 - i) ?? 0
    return [first / (i + 1), last / (i + 1)]
  })
}
