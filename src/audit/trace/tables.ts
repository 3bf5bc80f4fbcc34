import type { Cell, Table } from '../../logs/document/document.js'
import type { Above } from './binding.js'
import { countReadings } from './counts.js'
import { agrees, type PrintedFigure, scaleOf } from './figure.js'
import { levels } from './levels.js'
import type { Log, LogMetric, LogRun } from './log.js'
import { type MetricMention, meaningOf, meantBy } from './metric-mentions.js'
import { isExtreme, type PartMention } from './part-mentions.js'
import { computedReadings, type FigureJudgement, type FigureReading, judge, settingReading } from './reading.js'
import { isSame, type LogNames } from './sentence.js'
import { axisOf, columnText, keyCells, keyColumns, rowText, type TableAxis, type TableCell } from './table-axes.js'
import { fittedColumns, significant } from './table-fit.js'

/**
 * From the cells of a table to their addresses: row and column headers name run, seed, metric, part and step, and what
 * neither names is taken from what stands above. What nothing names is chosen for all cells alike that lack it, by what
 * most of them fit; then the few that do not fit are wrong, and a table of which most do not fit is not understood.
 */

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

export function judgeTable(names: LogNames, table: Table, above: Above): JudgedTable {
  const { log } = names
  const { rows, header } = table
  if (rows.length * header.length > MOST_CELLS) return { cells: [], invented: null }
  const keys = keyColumns(table)
  const columns = header.map((cell, i) => (keys.has(i) ? null : axisOf(names, columnText(cell, header[0], i))))
  const axes = rows.map(row => axisOf(names, rowText(row, header, keys), keyCells(row, header, keys)))
  // Shares are printed as 0.895 or as 89.5, one way in a column: then its deviation of 0.3 is one of 0.3 %.
  const isPercent = (line: readonly (Cell | undefined)[]): boolean =>
    line.some(cell => cell?.quantities.some(({ value, signed, unit }) => !signed && unit === null && value > 1.5))
  const percentColumns = new Set([...header.keys()].filter(i => isPercent(rows.map(row => row[i]))))
  const percentRows = new Set([...rows.keys()].filter(i => isPercent(rows[i] ?? [])))
  const cells = rows.flatMap((row, r) =>
    row.flatMap((cell, c) => {
      const [column, own] = [columns[c], axes[r]]
      if (column === null || column === undefined || own === undefined) return []
      return figuresIn(cell).map(
        (figure): TableCell => ({
          figure,
          isPercent: own.metric === null ? percentColumns.has(c) : percentRows.has(r),
          row: own,
          column,
          at: [r, c],
        }),
      )
    }),
  )
  if (
    !cells.some(
      ({ row, column }) =>
        [row, column].some(
          ({ runs, seed, parts }) => runs !== null || seed !== null || parts.some(({ word }) => word === 'at'),
        ) || above.runs.length > 0,
    )
  ) {
    return {
      cells: cells.map(cell => ({ state: 'untraced', fitsByChance: false, figure: cell.figure, quote: quoteOf(cell) })),
      invented: null,
    }
  }
  const fitted = new Map(fittedColumns(log, above, cells))
  const shared: Shared = { log, names, above, axes, columns: columns.filter(one => one !== null), fitted }
  const levels = cells.filter(
    ({ row, column, figure }) =>
      !row.isChange && !column.isChange && (!figure.quantity.signed || figure.quantity.plusMinus),
  )
  const open = chooseOpen(shared, levels)
  const judged = new Map<PrintedFigure, FigureJudgement>()
  const expected = new Map<string, number>()
  for (const cell of levels) {
    const readings = readingsOf(shared, cell, open)
    const [first] = readings
    if (first?.values[0] !== undefined) expected.set(cell.at.join(), first.values[0].printed)
    judged.set(
      cell.figure,
      judge(cell.figure, readings, () => false),
    )
  }
  withoutMostlyWrong(levels, judged)
  for (const cell of cells.filter(one => !judged.has(one.figure)))
    judged.set(cell.figure, judgeChange(cell, cells, expected, shared))
  return {
    cells: cells.map(cell => ({
      ...(judged.get(cell.figure) ?? { state: 'untraced' as const, fitsByChance: false }),
      figure: cell.figure,
      quote: quoteOf(cell),
    })),
    invented: inventedIn(shared, levels, judged),
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
  shared: Shared,
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
      const metrics =
        mention === null ? [...shared.log.metrics.values()] : Object.values(meantBy(mention, shared.log, runs)).flat()
      return metrics.some(metric => {
        const scale = scaleOf(cell.figure.quantity, metric)
        const { values = [] } = shared.log.seriesOf(run, metric.name) ?? {}
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

const MOST_CELLS = 20_000

interface Shared {
  readonly log: Log
  readonly names: LogNames
  readonly above: Above
  readonly axes: readonly TableAxis[]
  readonly columns: readonly TableAxis[]
  /** Columns of steps that bear no run's name, and the run that most of their figures are. */
  readonly fitted: ReadonlyMap<TableAxis, LogRun>
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

function runsOf({ log, above, axes, columns, fitted }: Shared, { row, column }: TableCell): readonly LogRun[] | null {
  const fit = fitted.get(column)
  if (fit !== undefined) return [fit]
  const named = row.runs ?? column.runs ?? above.runs[0]?.runs ?? null
  const other = row.runs !== null && column.runs !== null && !isSame(row.runs, column.runs) ? column.runs : null
  const crossed = other === null || named === null ? named : named.filter(run => other.includes(run))
  const all = crossed === null || crossed.length === 0 ? named : crossed
  const seed = row.seed ?? column.seed
  if (seed !== null) {
    const own = (all ?? log.runs).filter(run => run.seed === seed)
    return own.length > 0 ? own : null
  }
  if (all === null) return null
  // "Mean" beside rows of seeds is the mean of those that the table shows.
  const shown = new Set([...axes, ...columns].flatMap(axis => axis.seed ?? []))
  const isOfShown =
    (row.isMean || column.isMean || [row, column].some(({ parts }) => parts.some(({ word }) => word === 'std'))) &&
    shown.size > 1
  const part = isOfShown ? all.filter(run => run.seed !== null && shown.has(run.seed)) : all
  return part.length > 0 ? part : all
}

/** What no header and nothing above names, chosen once for all cells that lack it. */
interface Open {
  readonly metric: readonly LogMetric[]
  readonly part: PartMention | null
}

const partNamed = (word: PartMention['word'], steps: PartMention['steps'] = null): PartMention => ({
  from: 0,
  to: 0,
  word,
  steps,
})
const LAST = partNamed('last')
const PARTS = (['last', 'max', 'mean', 'min', 'first'] as const).map(word => partNamed(word))

function lacks({ above }: Shared, { row, column }: TableCell): { readonly metric: boolean; readonly part: boolean } {
  const parts = [...row.parts, ...column.parts].filter(
    ({ word }) => word !== 'mean' && word !== 'std' && word !== 'bestSeed' && word !== 'worstSeed',
  )
  return {
    metric: row.metric === null && column.metric === null && above.metrics.length === 0,
    part: parts.length === 0 && above.parts.every(({ word }) => word === 'mean' || word === 'std'),
  }
}

function chooseOpen(shared: Shared, cells: readonly TableCell[]): Open {
  const { log } = shared
  // A column that is no run's says nothing of what the others show.
  const lacking = cells
    .filter(cell => runsOf(shared, cell) !== null)
    .map(cell => ({ cell, ...lacks(shared, cell) }))
    .filter(({ metric, part }) => metric || part)
  if (lacking.length === 0) return { metric: [], part: null }
  const validated = [...log.metrics.values()].sort((a, b) => Number(b.isValidation) - Number(a.isValidation))
  const metrics: readonly (LogMetric | null)[] = lacking.some(({ metric }) => metric) ? validated.slice(0, 60) : [null]
  const steps = [
    ...new Set(
      lacking.flatMap(
        ({ cell }) =>
          runsOf(shared, cell)
            ?.slice(0, 1)
            .flatMap(run => validated.slice(0, 1).flatMap(metric => log.seriesOf(run, metric.name)?.steps ?? [])) ?? [],
      ),
    ),
  ]
  const parts: readonly (PartMention | null)[] = lacking.some(({ part }) => part) ? PARTS : [null]
  const tried = metrics.flatMap(metric => parts.map(part => ({ metric: metric === null ? [] : [metric], part })))
  const score = (open: Open): number =>
    lacking.filter(({ cell }) =>
      readingsOf(shared, cell, open).some(
        ({ rank, values }) => rank < 1 && values.some(({ printed }) => agrees(cell.figure.quantity, printed)),
      ),
    ).length
  const scored = tried.map(open => ({ open, fits: score(open) }))
  const best = scored.reduce(
    (a, b) => (b.fits > a.fits ? b : a),
    scored[0] ?? { open: { metric: [], part: null }, fits: 0 },
  )
  if (best.fits >= Math.max(2, lacking.length / 2)) return best.open
  const stepped = steps
    .slice(0, 200)
    .map((step): Open => ({ metric: best.open.metric, part: partNamed('at', [step, step]) }))
    .map(open => ({ open, fits: score(open) }))
  const other = stepped.reduce((a, b) => (b.fits > a.fits ? b : a), best)
  return other.fits >= Math.max(3, lacking.length * 0.6) ? other.open : { metric: [], part: null }
}

function readingsOf(shared: Shared, cell: TableCell, open: Open): readonly FigureReading[] {
  const { log, above } = shared
  const { row, column, isPercent } = cell
  const { quantity } = cell.figure
  const runs = runsOf(shared, cell)
  const counts = countReadings(
    log,
    `${cell.figure.text} ${column.text}`,
    { ...cell.figure, from: 0, to: cell.figure.text.length },
    runs === null ? [] : [{ value: runs, isSure: true }],
  )
  if (counts.length > 0 && column.metric === null && !column.isStepOfBest && column.text.trim().length < 12)
    return counts
  if (runs === null) return []
  const figure =
    isPercent && quantity.unit === null
      ? { ...cell.figure, quantity: { ...quantity, unit: '%' as const } }
      : cell.figure
  const outer = open.metric.length > 0 ? [] : above.metrics.slice(0, 1)
  // A set of a row or column is one of what the other, or the title, measures.
  const named = meaningOf([column.metric, row.metric, ...outer].filter(one => one !== null))
  const set = (named?.settings ?? [])
    .flatMap(setting => settingReading(log, cell.figure, runs, setting, 0))
    .filter(({ isNamed }) => isNamed)
  const step = row.isStepOfBest || column.isStepOfBest
  const neighbours = step && (row.isStepOfBest ? row : column).metric === null ? neighbourMetric(shared, cell) : []
  const mentions = neighbours.length > 0 ? neighbours : named === null ? [] : [named]
  const metrics =
    mentions.length > 0
      ? mentions.flatMap((one, i) => meantBy(one, log, runs).metrics.map(metric => ({ metric, rank: i })))
      : open.metric.map(metric => ({ metric, rank: 0 }))
  const others = mentions.flatMap(one => meantBy(one, log, runs).others.map(metric => ({ metric, rank: 1.5 })))
  const own = [...row.parts, ...column.parts]
  const isGroup = runs.length > 1
  const isPart = ({ word }: PartMention): boolean => !ACROSS.has(word) && !(word === 'mean' && isGroup)
  const upper =
    open.part === null ? above.parts.filter(({ word }) => word !== 'mean' && word !== 'std').slice(0, 1) : []
  const said = own.some(isPart) ? own : [...own, ...upper, ...(open.part === null ? [] : [open.part])]
  const isOfTable = row.metric === null && column.metric === null && open.metric.length === 0
  const isUnknown = isOfTable && !shared.fitted.has(column) && (row.isUnknown || column.isUnknown)
  const isSaid = step || (said.some(isPart) && !isUnknown)
  const isAmbiguous = metrics.filter(one => one.rank === 0).length > 1
  const read = step ? { ...figure, quantity: { ...figure.quantity, unit: 'step' as const } } : figure
  const parts = { value: said.some(isPart) ? said : [LAST, ...said], isSure: isSaid }
  return [
    ...set,
    ...[...metrics, ...others].flatMap(({ metric, rank }) =>
      levels(log, '', read, runs, metric, parts, { rank, isNamed: rank === 0, isAmbiguous }),
    ),
  ]
}

/** "Best step" is that of the column before it, first of all of one that shows a best. */
function neighbourMetric({ columns, axes, above }: Shared, { row, column }: TableCell): readonly MetricMention[] {
  const [lines, own] = row.isStepOfBest ? [axes, row] : [columns, column]
  const before = lines
    .slice(0, lines.indexOf(own))
    .toReversed()
    .filter(({ metric }) => metric !== null)
  const nearest = before.find(({ parts }) => parts.some(isExtreme)) ?? before[0]
  return nearest?.metric ? [nearest.metric] : above.metrics.slice(0, 1)
}

const ACROSS: ReadonlySet<PartMention['word']> = new Set(['std', 'bestSeed', 'worstSeed', 'whole'])

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

/** A difference of two columns: which two, most rows tell. */
function judgeChange(
  cell: TableCell,
  cells: readonly TableCell[],
  expected: ReadonlyMap<string, number>,
  { axes }: Shared,
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
    const unit = one.figure.quantity.unit === 'points' ? null : one.figure.quantity.unit
    const figure = { quantity: { ...one.figure.quantity, unit, signed: true } }
    return computedReadings(
      figure,
      { name: axes[one.at[0]]?.text ?? '', spread: Math.abs(a - b) || 1, distinct: 200, isFraction: false },
      [a, b],
      { words: `${j} − ${i}`, rank: 0, isNamed: true },
    )
  }
  const tried = columns.flatMap(i => columns.filter(j => j !== i).map(j => ({ i, j, fits: fits(i, j) })))
  const best = tried.reduce((a, b) => (b.fits > a.fits ? b : a), tried[0] ?? { i: 0, j: 0, fits: 0 })
  if (best.fits < Math.max(2, own.length / 2)) return { state: 'untraced', fitsByChance: false }
  return judge(
    cell.figure,
    readingsFor(cell, best.i, best.j).map(one => ({ ...one, chance: 0 })),
    () => false,
  )
}
