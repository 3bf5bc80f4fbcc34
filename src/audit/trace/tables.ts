import type { Cell, Table } from '../../logs/document/document.js'
import type { Above } from './binding.js'
import { countReadings } from './counts.js'
import { agrees, type PrintedFigure, scaleOf, significant } from './figure.js'
import type { Log, LogMetric } from './log.js'
import { meantBy } from './metric-mentions.js'
import { isExtreme, type PartMention } from './part-mentions.js'
import {
  computedReadings,
  type FigureJudgement,
  type FigureReading,
  judge,
  readingAt,
  settingReading,
} from './reading.js'
import type { LogNames } from './sentence.js'
import { axisOf, columnText, keyCells, keyColumns, rowText, type TableAxis, type TableCell } from './table-axes.js'
import { type DecodedTable, decodeTable } from './table-decode.js'

/** The cells of a table, each with what it is by headers and fits, and what came of it. */

export type JudgedCell = FigureJudgement & { readonly figure: PrintedFigure; readonly quote: string }

/** A table that bears the names of runs and agrees with nothing in them. */
export interface InventedTable {
  readonly runs: readonly string[]
  readonly figures: readonly PrintedFigure[]
}

export interface JudgedTable {
  readonly cells: readonly JudgedCell[]
  readonly invented: InventedTable | null
}

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
  if (rows.length * header.length > MOST_CELLS) return { cells: [], invented: null }
  const cells = cellsOf(names, table)
  const above = aboveTable(names, table, around.above)
  const levels = cells.filter(isLevel)
  const decoded = decodeTable({ log, cells: levels, ...around, above })
  const judged = new Map<PrintedFigure, FigureJudgement>()
  const expected = new Map<string, number>()
  for (const cell of levels) {
    const readings = readingsOf(log, cell, decoded)
    const found = judge(cell.figure, readings, null, decoded.meaningOf(cell)?.isProved ?? true)
    const value = found.state === 'untraced' ? readings[0]?.values[0] : found.value
    if (value !== undefined) expected.set(cell.at.join(), value.printed)
    judged.set(cell.figure, found)
  }
  withoutMostlyWrong(levels, judged)
  const traced = new Set(
    levels.filter(({ figure }) => judged.get(figure)?.state === 'traced').map(({ at }) => at.join()),
  )
  for (const cell of cells.filter(one => !judged.has(one.figure)))
    judged.set(cell.figure, judgeChange(cell, cells, expected, traced))
  return {
    cells: cells.map(cell => ({
      ...(judged.get(cell.figure) ?? { state: 'untraced' as const, fitsByChance: false }),
      figure: cell.figure,
      quote: quoteOf(cell),
    })),
    invented: inventedIn(log, levels, judged),
  }
}

/** A run or a metric in the corner is what the whole table is of. */
function aboveTable({ runs, metrics }: LogNames, { header: [corner], rows }: Table, above: Above): Above {
  // "KL coefficient" over 0.01 and 0.1 says what these are.
  const isKnob = rows.every(([key]) => key?.quantities.length === 1)
  const text = corner?.text ?? ''
  const named = runs.namedIn(text).filter(({ refers }) => refers === null)
  return {
    ...above,
    runs: named.length === 1 ? named : above.runs,
    metrics: [...(isKnob ? [] : metrics.namedIn(text)), ...above.metrics],
  }
}

const isLevel = ({ row, column, figure: { quantity } }: TableCell): boolean =>
  !row.isChange && !column.isChange && (!quantity.signed || quantity.plusMinus)

function cellsOf(names: LogNames, table: Table): readonly TableCell[] {
  const { rows, header } = table
  const keys = keyColumns(table)
  const columns = withNeighbours(
    header.map((cell, i) => (keys.has(i) ? null : axisOf(names, columnText(cell, header[0], i)))),
  )
  const axes = withNeighbours(rows.map(row => axisOf(names, rowText(row, header, keys), keyCells(row, header, keys))))
  // Shares are printed as 0.895 or as 89.5, one way in a column: then its deviation of 0.3 is one of 0.3 %.
  const isPercent = (line: readonly (Cell | undefined)[]): boolean =>
    line.some(cell => cell?.quantities.some(({ value, signed, unit }) => !signed && unit === null && value > 1.5))
  const percentColumns = new Set([...header.keys()].filter(i => isPercent(rows.map(row => row[i]))))
  const percentRows = new Set([...rows.keys()].filter(i => isPercent(rows[i] ?? [])))
  return rows.flatMap((row, r) =>
    row.flatMap((cell, c) => {
      const [column, own] = [columns[c], axes[r]]
      if (!column || !own) return []
      const isShare = own.metric === null ? percentColumns.has(c) : percentRows.has(r)
      return figuresIn(cell).map((figure): TableCell => ({ figure, isPercent: isShare, row: own, column, at: [r, c] }))
    }),
  )
}

/** "Best step" and "±" are of the line before them, the step first of all of one that shows a best. */
function withNeighbours<Axis extends TableAxis | null>(axes: readonly Axis[]): readonly (TableAxis | null)[] {
  return axes.map((read, i) => {
    const isPlace = read !== null && PLACE.test(read.text) && axes[i - 1]?.parts.some(isExtreme) === true
    const axis = isPlace ? { ...read, isStepOfBest: true } : read
    const isOfOther = axis !== null && axis.metric === null && (axis.isStepOfBest || axis.parts.some(isDeviation))
    if (!isOfOther) return axis
    const before = axes
      .slice(0, i)
      .toReversed()
      .filter(one => one !== null && one.metric !== null)
    const nearest = (axis.isStepOfBest ? before.find(one => one?.parts.some(isExtreme)) : undefined) ?? before[0]
    if (nearest === null || nearest === undefined) return axis
    const parts = axis.isStepOfBest
      ? [...axis.parts, ...nearest.parts.filter(isExtreme)]
      : [...nearest.parts.filter(one => one.word !== 'mean'), ...axis.parts]
    return { ...axis, metric: nearest.metric, parts, runs: axis.runs ?? nearest.runs }
  })
}

/** "… at step", "所在 step": where the best beside it is. */
const PLACE = /^[\s…()（）-]*(?:at|its|所在|对应|出现)?\s?(?:的\s?)?(?:steps?|epochs?|步数?|轮次?)[\s()（）]*$/i

const isDeviation = ({ word }: PartMention): boolean => word === 'std'

function readingsOf(log: Log, cell: TableCell, { meaningOf, runsOf }: DecodedTable): readonly FigureReading[] {
  const { column, row, isPercent, figure } = cell
  const { quantity } = figure
  const meaning = meaningOf(cell)
  const own = runsOf(cell)
  const counts = countReadings(
    log,
    `${figure.text} ${column.text}`,
    { ...figure, from: 0, to: figure.text.length },
    own === null ? [] : [{ value: own, isSure: true }],
  )
  if (counts.length > 0 && column.metric === null && !column.isStepOfBest && column.text.trim().length < 12)
    return counts.map(one => ({ ...one, isNamed: one.isNamed || (own?.length === 1 && one.values.length < 3) }))
  // A setting in a label ("coefficient 0.05") says which run, and not what is measured.
  const set = [column, row]
    .filter(({ text }) => !/\d/.test(text))
    .flatMap(({ metric }) => metric?.settings ?? [])
    .flatMap(setting => settingReading(log, figure, own ?? log.runs, setting, 0))
    .filter(({ isNamed }) => isNamed)
  if (meaning === null) return set
  const { runs, metric, part, isSure } = meaning
  const isStep = part.kind === 'maxStep' || part.kind === 'minStep'
  const unit = isStep ? ('step' as const) : isPercent && quantity.unit === null ? ('%' as const) : quantity.unit
  const across = runs.length < 2 ? null : quantity.plusMinus ? 'std' : meaning.across
  const address = { runs, metric: metric.name, part, across }
  return [
    ...set,
    readingAt(log, { quantity: { ...quantity, unit } }, address, {
      rank: 0,
      isNamed: isSure && !(isStep && runs.length > 1),
    }),
  ]
}

function quoteOf({ row, column, figure }: TableCell): string {
  return `${figure.text} (${[row.text, column.text]
    .map(text => text.trim())
    .filter(text => text !== '')
    .join(', ')})`
}

function figuresIn({ quantities, text, offset }: Cell): readonly PrintedFigure[] {
  return quantities.map(quantity => ({
    offset: offset + quantity.from,
    text: text.slice(quantity.from, quantity.to).trim(),
    from: quantity.from,
    to: quantity.to,
    quantity,
    isStep: false,
  }))
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

/** A column or row of which most figures fit nothing is not understood, rather than wrong throughout. */
function withoutMostlyWrong(cells: readonly TableCell[], judged: Map<PrintedFigure, FigureJudgement>): void {
  for (const { line, isRow } of [
    ...groups(cells, 0).map(line => ({ line, isRow: true })),
    ...groups(cells, 1).map(line => ({ line, isRow: false })),
  ]) {
    const plain = line.filter(({ figure }) => figure.quantity.hedge === null)
    const states = plain.map(({ figure }) => judged.get(figure)?.state)
    const wrong = states.filter(state => state === 'contradicted').length
    const right = states.filter(state => state === 'traced').length
    // A row is one run, a column one metric: a row of which something fits is the right run.
    if (line.length < 3 || wrong <= 1 || right >= (isRow ? 1 : wrong)) continue
    for (const { figure } of line)
      if (judged.get(figure)?.state === 'contradicted') judged.set(figure, { state: 'untraced', fitsByChance: false })
  }
}

function groups(cells: readonly TableCell[], side: 0 | 1): readonly (readonly TableCell[])[] {
  const lines = new Map<number, TableCell[]>()
  for (const cell of cells) lines.set(cell.at[side], [...(lines.get(cell.at[side]) ?? []), cell])
  return [...lines.values()]
}

const POINTS = /points?|(?<![a-z])pp(?![a-z])|百分点|个点/i

/** A difference of two columns: which two, most rows tell. */
function judgeChange(
  cell: TableCell,
  cells: readonly TableCell[],
  expected: ReadonlyMap<string, number>,
  traced: ReadonlySet<string>,
): FigureJudgement {
  const [, c] = cell.at
  const columns = [...new Set(cells.filter(({ at }) => at[1] !== c).map(({ at }) => at[1]))]
  const own = cells.filter(({ at }) => at[1] === c)
  const fits = (i: number, j: number): number =>
    own.filter(one =>
      readingsFor(one, i, j).some(({ values }) => agrees(one.figure.quantity, values[0]?.printed ?? Number.NaN)),
    ).length
  const readingsFor = (one: TableCell, i: number, j: number): readonly FigureReading[] => {
    const [a, b] = [expected.get(`${one.at[0]},${i}`), expected.get(`${one.at[0]},${j}`)]
    if (a === undefined || b === undefined) return []
    const isShares = POINTS.test(cell.column.text) && Math.max(Math.abs(a), Math.abs(b)) <= 1
    const unit = isShares
      ? ('points' as const)
      : one.figure.quantity.unit === 'points'
        ? null
        : one.figure.quantity.unit
    const figure = { quantity: { ...one.figure.quantity, unit, signed: true } }
    return computedReadings(
      figure,
      { name: one.row.text, spread: Math.abs(a - b) || 1, distinct: 200, isFraction: isShares },
      [a, b],
      { words: `${j} − ${i}`, rank: 0, isNamed: true },
    )
  }
  const tried = columns.flatMap(i => columns.filter(j => j !== i).map(j => ({ i, j, fits: fits(i, j) })))
  const best = tried.reduce((a, b) => (b.fits > a.fits ? b : a), tried[0] ?? { i: 0, j: 0, fits: 0 })
  const isKnown = [best.i, best.j].every(i => traced.has(`${cell.at[0]},${i}`))
  if (best.fits < Math.max(2, own.length / 2)) return { state: 'untraced', fitsByChance: false }
  return judge(
    cell.figure,
    readingsFor(cell, best.i, best.j).map(one => ({ ...one, chance: 0, isNamed: isKnown })),
  )
}
