import type { Cell, Table } from '../../logs/document/document.js'
import type { Above } from './binding.js'
import { countReadings } from './counts.js'
import { agrees, type PrintedFigure, scaleOf } from './figure.js'
import type { Address, Log, LogMetric, LogRun, Part } from './log.js'
import { type MetricMention, meaningOf, meantBy } from './metric-mentions.js'
import { acrossMeant, atStep, isExtreme, type PartMention, partsIn, partsMeant } from './part-mentions.js'
import {
  computedReadings,
  type FigureJudgement,
  type FigureReading,
  judge,
  readingAt,
  settingReading,
} from './reading.js'
import { isSame, type LogNames } from './sentence.js'

/**
 * From the cells of a table to their addresses: row and column headers name run, seed, metric, part and step, and what
 * neither names is taken from what stands above. What nothing names is chosen for all cells alike that lack it, by what
 * most of them fit; then the few that do not fit are wrong, and a table of which most do not fit is not understood.
 */

/** What the headers of a row or column say. */
interface Axis {
  readonly text: string
  readonly runs: readonly LogRun[] | null
  readonly seed: number | null
  readonly metric: MetricMention | null
  readonly parts: readonly PartMention[]
  readonly isMean: boolean
  readonly isChange: boolean
  readonly isStepOfBest: boolean
  /** It has words that name nothing known: perhaps what is measured. */
  readonly isUnknown: boolean
}

interface TableCell {
  readonly figure: PrintedFigure
  readonly isPercent: boolean
  readonly row: Axis
  readonly column: Axis
  readonly at: readonly [row: number, column: number]
}

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

const KEY =
  /^(?:#|no\.?|id|seeds?|随机?种子|step|epoch|iter|轮次?|step 数|runs?|arms?|groups?|models?|settings?|variants?|methods?|experiments?|names?|配置|组别?|实验|方案|方法|模型|名称)$/i
const CHANGE =
  /^(?:diff(?:erence)?s?|gain|Δ.*|delta|change|improvement|gap|差(?:异|值|距)?|提升|变化|增益|涨幅|降幅)(?![a-z])|\bvs\.?\b|(?<!标准)(?:差|提升|变化)[)）]?$/i
const STEP = /steps?(?![a-z])|epochs?(?![a-z])|步数?|轮/i

export function judgeTable(names: LogNames, table: Table, above: Above): JudgedTable {
  const { log } = names
  const { rows, header } = table
  if (rows.length * header.length > MOST_CELLS) return NOTHING
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
  const fitted = new Map<Axis, LogRun>()
  const shared: Shared = { log, names, above, axes, columns: columns.filter(one => one !== null), fitted }
  for (const [column, run] of fittedColumns(shared, cells)) fitted.set(column, run)
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

const NOTHING: JudgedTable = { cells: [], invented: null }

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

const significant = ({ value, decimals }: PrintedFigure['quantity']): number =>
  Math.abs(value)
    .toFixed(Math.min(12, Math.max(0, decimals)))
    .replace(/^0*\.?0*|\./g, '').length

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
  readonly axes: readonly Axis[]
  readonly columns: readonly Axis[]
  /** Columns of steps that bear no run's name, and the run that most of their figures are. */
  readonly fitted: ReadonlyMap<Axis, LogRun>
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

function keyColumns({ header, rows }: Table): ReadonlySet<number> {
  const keys = new Set([0])
  for (const [i, { text }] of header.entries()) {
    const isWord = rows.every(row => (row[i]?.quantities.length ?? 0) === 0)
    const follows = keys.has(i - 1)
    if (
      follows &&
      (KEY.test(text.trim()) || (isWord && rows.some(row => row[i]?.text !== ''))) &&
      !/(?:best|max|最)/i.test(text)
    )
      keys.add(i)
  }
  return keys
}

/** A bare number in a header is one of what the corner names. */
function columnText({ text }: Cell, corner: Cell | undefined, i: number): string {
  return i > 0 && /^[\d.]+$/.test(text.trim()) ? `${(corner?.text ?? '').split(/[\\/]/).at(-1) ?? ''} ${text}` : text
}

function rowText(row: readonly Cell[], header: readonly Cell[], keys: ReadonlySet<number>): string {
  return keyCells(row, header, keys).join(' ; ')
}

function keyCells(row: readonly Cell[], header: readonly Cell[], keys: ReadonlySet<number>): readonly string[] {
  return [...keys].map(i => {
    const [text, head] = [row[i]?.text ?? '', header[i]?.text ?? '']
    return /^[\d.,eE+-]+%?$/.test(text.trim()) ? `${head} ${text}` : text
  })
}

function axisOf({ runs: runNames, metrics }: LogNames, text: string, cells: readonly string[] = [text]): Axis {
  const named = cells.flatMap(one => runNames.namedIn(one)).filter(({ refers }) => refers === null)
  const [seed] = cells.flatMap(one => runNames.seedsIn(one))
  const steps = cells.flatMap(one => {
    const [, digits] =
      /^(?:global[ _])?(?:steps?|epochs?|iters?|轮次?|第)\s?(\d{1,7})\s?(?:步|轮)?$/i.exec(one.trim()) ?? []
    return digits === undefined ? [] : [{ from: 0, to: one.length, first: Number(digits), last: Number(digits) }]
  })
  const [first] = named
  const parts = [...cells.flatMap(one => partsIn(one)), ...steps.map(atStep)]
  const isChange = CHANGE.test(text.trim())
  const metric = meaningOf(
    metrics.namedIn(text).filter(one => !named.some(run => run.from < one.to && one.from < run.to)),
  )
  const bySeed =
    seed === undefined || first === undefined ? undefined : first.runs.filter(run => run.seed === seed.seed)
  const narrowed = bySeed !== undefined && bySeed.length > 0 ? bySeed : (first?.runs ?? null)
  return {
    text,
    runs: isChange ? null : narrowed,
    seed: seed?.seed ?? null,
    metric,
    parts,
    isMean: parts.some(({ word }) => word === 'mean') && metric === null && first === undefined,
    isChange,
    isStepOfBest: parts.some(isExtreme) && STEP.test(text) && !steps.length,
    isUnknown: first === undefined && metric === null && isUnknownIn(cells),
  }
}

const PLAIN_WORDS =
  /seeds?|steps?|epochs?|iters?|global|runs?|values?|mean|means|std|evaluations?|eval|over|across|of|the|at|on|in|all|and|by|随机|种子|步|轮|第|值|次|的|平均|±/giu

function isUnknownIn(cells: readonly string[]): boolean {
  return cells.some(text => {
    const rest = partsIn(text)
      .toReversed()
      .reduce((left, { from, to }) => left.slice(0, from) + left.slice(to), text)
    return /\p{L}{2}/u.test(rest.replace(PLAIN_WORDS, ' '))
  })
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

/** Under whatever name a report prints a run: three figures in four at their steps are its figures. */
function fittedColumns({ log, above }: Shared, cells: readonly TableCell[]): readonly (readonly [Axis, LogRun])[] {
  const stepped = cells.filter(
    ({ row, column, figure }) =>
      row.runs === null &&
      column.runs === null &&
      row.seed === null &&
      !column.isChange &&
      above.runs.length === 0 &&
      significant(figure.quantity) >= 3 &&
      row.parts.some(({ word }) => word === 'at'),
  )
  return [...new Set(stepped.map(({ column }) => column))].flatMap(column => {
    const own = stepped.filter(one => one.column === column)
    const scored = log.runs.flatMap(run =>
      [...log.metrics.values()]
        .filter(({ isValidation }) => isValidation)
        .map(metric => ({
          run,
          fits: own.filter(({ row, figure }) => {
            const step = row.parts.find(({ word }) => word === 'at')?.steps?.[0] ?? 0
            const address: Address = { runs: [run], metric: metric.name, part: { kind: 'at', step }, across: null }
            return log
              .at(address)
              .some(({ value }) => agrees(figure.quantity, value * scaleOf(figure.quantity, metric)))
          }).length,
        })),
    )
    const best = scored.reduce((a, b) => (b.fits > a.fits ? b : a), { run: log.runs[0], fits: 0 })
    return best.run !== undefined && best.fits >= 3 && best.fits >= 0.75 * own.length
      ? [[column, best.run] as const]
      : []
  })
}

/** What no header and nothing above names, chosen once for all cells that lack it. */
interface Open {
  readonly metric: readonly LogMetric[]
  readonly part: Part | null
}

const PARTS: readonly Part[] = [{ kind: 'last' }, { kind: 'max' }, { kind: 'mean' }, { kind: 'min' }, { kind: 'first' }]
const LAST: PartMention = { from: 0, to: 0, word: 'last', steps: null }

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
  const parts: readonly (Part | null)[] = lacking.some(({ part }) => part) ? PARTS : [null]
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
    .map((step): Open => ({ metric: best.open.metric, part: { kind: 'at', step } }))
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
  const across = isGroup ? (figure.quantity.plusMinus ? 'std' : acrossMeant(own)) : null
  const level = own.filter(({ word }) => !ACROSS.has(word) && !(word === 'mean' && isGroup))
  const upper = above.parts.filter(({ word }) => word !== 'mean' && word !== 'std')
  const words = level.length > 0 ? level : open.part !== null ? [] : upper.slice(0, 1)
  return [
    ...set,
    ...[...metrics, ...others].flatMap(({ metric, rank }) => {
      const at = (part: Part): Address => ({ runs, metric: metric.name, part, across })
      if (step) {
        const end = partsMeant(own.filter(isExtreme), metric, false)[0]?.part.kind === 'min' ? 'minStep' : 'maxStep'
        return [
          readingAt(
            log,
            figure,
            { ...at({ kind: end }), across: null },
            { rank, isNamed: rank === 0 && metrics.length === 1 },
          ),
        ]
      }
      const meant =
        words.length > 0
          ? partsMeant(words, metric, isGroup).map(({ part }) => part)
          : open.part !== null
            ? [open.part]
            : [LAST].flatMap(one => partsMeant([one], metric, isGroup).map(({ part }) => part))
      const isOfTable = row.metric === null && column.metric === null && open.metric.length === 0
      const isSaid = !isOfTable || shared.fitted.has(column) || !(row.isUnknown || column.isUnknown)
      const isNamed = rank === 0 && isSaid && (words.length > 0 || open.part !== null)
      const isAmbiguous = metrics.filter(one => one.rank === 0).length > 1
      return meant.map((part, i) =>
        readingAt(log, figure, at(part), { rank: rank + i, isNamed: isNamed && i === 0, isAmbiguous }),
      )
    }),
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
