import type { Above } from './binding.js'
import { agrees, chanceOf, scaleOf } from './figure.js'
import type { Across, Log, LoggedValue, LogMetric, LogRun, Part } from './log.js'
import { type MetricMention, meaningOf, meantBy } from './metric-mentions.js'
import { isExtreme, type PartMention, partsMeant } from './part-mentions.js'
import { isSame } from './sentence.js'
import type { TableCell } from './table-axes.js'
import { MOST_LINES, type Structure, structuresOf, type TableGrid } from './table-structure.js'

/**
 * What the cells of a table are. Headers and what stands above name runs, metrics and parts; what they leave open is chosen
 * for a whole line at once, as what most of its figures are. A choice counts where so many fits can hardly be chance, given
 * how many choices there were: then the few cells of the line that do not fit are wrong, and not the choice.
 */
export interface CellMeaning {
  readonly runs: readonly LogRun[]
  readonly metric: LogMetric
  readonly part: Part
  readonly across: Across | null
  /** Named throughout, or chosen by enough fits. */
  readonly isSure: boolean
  /** Other cells of its line fit. */
  readonly isProved: boolean
}

/** What a line of cells measures. */
interface Measure {
  readonly metric: LogMetric
  readonly part: PartMention
  readonly isNamed: boolean
}

export interface DecodedTable {
  readonly meaningOf: (cell: TableCell) => CellMeaning | null
  /** Also of cells that measure nothing. */
  readonly runsOf: (cell: TableCell) => readonly LogRun[] | null
}

const partNamed = (word: PartMention['word']): PartMention => ({ from: 0, to: 0, word, steps: null })
const USUAL = (['last', 'max', 'mean', 'min', 'first'] as const).map(partNamed)
const MOST_METRICS = 80
/** Of a long line some cells tell what it is. */
const MOST_TOLD = 16
const MOST_OPEN_TOLD = 6
/** Where runs are open, too, few metrics are tried. */
const MOST_OPEN = 12
const MOST_HINTS = 10
/** A choice among n fits by chance once in 400 at most. */
const ENOUGH = Math.log(400)

export function decodeTable(grid: TableGrid): DecodedTable {
  let best: Decoded | null = null
  for (const structure of structuresOf(grid)) {
    const decoded = decodeAs(grid, structure)
    // Another reading than the headers suggest has to explain clearly more.
    if (best === null || decoded.score > best.score + GUESSED) best = decoded
    if (decoded.share >= UNDERSTOOD) break
  }
  return best ?? { meaningOf: () => null, runsOf: () => null }
}

const UNDERSTOOD = 0.85
/** What a cell that does not fit its meaning takes away: few cells of a table are wrong. */
const MISSED = 3
/** What a choice that no word names has to bring. */
const GUESSED = 5

interface Decoded extends DecodedTable {
  readonly score: number
  /** Of the cells, those that fit. */
  readonly share: number
}

type Accepted = Measure & { readonly isAccepted: boolean; readonly score: number; readonly fits: number }

function decodeAs(grid: TableGrid, { measured, open }: Structure): Decoded {
  const { log, cells } = grid
  const measures = new Map<readonly TableCell[], Accepted>()
  const chosen = new Map<TableCell, readonly LogRun[]>()
  const runsOf = (cell: TableCell): readonly LogRun[] | null => {
    // Where a best is, is of the same runs as the best beside it.
    const own = chosen.get(cell) ?? (cell.column.isStepOfBest ? chosen.get(beside(cell)) : undefined)
    return own === undefined ? runsOfCell(grid, cell) : ofSeed(cell, own)
  }
  const byPlace = new Map(cells.map(cell => [cell.at.join(), cell]))
  const beside = (cell: TableCell): TableCell => byPlace.get(`${cell.at[0]},${cell.at[1] - 1}`) ?? cell
  const lineOf = new Map(measured.flatMap(line => line.map(cell => [cell, line] as const)))
  const measureOf = (cell: TableCell): Measure | null => measures.get(lineOf.get(cell) ?? []) ?? null
  const openCells = new Set(open.flatMap(({ own }) => own))
  for (let round = 0; round < 2; round += 1) {
    for (const line of measured) {
      const best = bestMeasure(grid, line, runsOf, openCells)
      if (best !== null) measures.set(line, best)
    }
    if (open.length === 0) break
    for (const { own } of open) {
      const runs = bestRuns(grid, own, measureOf)
      for (const cell of own)
        if (runs === null) chosen.delete(cell)
        else chosen.set(cell, runs)
    }
  }
  const meaningOf = (cell: TableCell): CellMeaning | null => {
    const measure = measures.get(lineOf.get(cell) ?? [])
    const runs = runsOf(cell)
    const meant = measure === undefined || runs === null ? null : partAt(cell, measure, runs.length > 1)
    if (measure === undefined || runs === null || meant === null) return null
    return { ...meant, runs, metric: measure.metric, isSure: measure.isAccepted, isProved: measure.fits > 0 }
  }
  const gains = cells.map(cell => {
    const [measure, runs] = [measureOf(cell), runsOf(cell)]
    if (measure === null || runs === null) return 0
    const won = gain(log, cell, measure, runs)
    return won > 0 || cell.figure.quantity.hedge !== null ? won : -MISSED
  })
  const guessed = measured.filter(line => measures.get(line)?.isNamed !== true).length
  return {
    meaningOf,
    runsOf,
    score: gains.reduce((a, b) => a + b, 0) - GUESSED * (open.length + guessed),
    share: gains.filter(won => won > 0).length / Math.max(1, cells.length),
  }
}

function bestMeasure(
  { log, above, hints, topics }: TableGrid,
  line: readonly TableCell[],
  runsOf: (cell: TableCell) => readonly LogRun[] | null,
  open: ReadonlySet<TableCell>,
): Accepted | null {
  const isOpen = line.some(cell => runsOf(cell) === null)
  const every = Math.ceil(line.length / (isOpen ? MOST_OPEN_TOLD : MOST_TOLD))
  const told = line.filter((_, i) => i % every === 0)
  const all = [...new Set(told.flatMap(cell => runsOf(cell) ?? []))]
  const isLogged = ({ name }: LogMetric): boolean =>
    all.length === 0 || all.some(run => log.seriesOf(run, name) !== undefined)
  const named = mentionOfLine(line, above)
  const meant = named === null ? null : meantBy(named, log, all)
  const fitting = (meant === null ? [] : [...meant.metrics, ...meant.others]).filter(isLogged)
  const logged = [...log.metrics.values()].sort((a, b) => Number(b.isValidation) - Number(a.isValidation))
  const metrics =
    fitting.length > 0
      ? fitting
      : [...new Set([...topics, ...logged])].filter(isLogged).slice(0, isOpen ? MOST_OPEN : MOST_METRICS)
  const words = partsOfLine(line, above)
  const parts = [...words, ...hints.slice(0, MOST_HINTS), ...USUAL].filter(
    (one, i, list) => list.findIndex(other => isSamePart(other, one)) === i,
  )
  let best: (Measure & { readonly score: number; readonly fits: number }) | null = null
  for (const [m, metric] of metrics.entries())
    for (const [p, part] of parts.entries()) {
      const isNamed = fitting.length > 0 && m === 0 && (words.length > 0 ? p < words.length : part.word === 'last')
      const { score, fits } = scoreOf(log, told, { metric, part, isNamed }, runsOf, open)
      // What the words say needs less proof, and of equals the first is meant.
      const sum = score + (isNamed ? 3 : 0) - 0.05 * p - 0.2 * m
      if (fits > 0 && (best === null || sum > best.score)) best = { metric, part, isNamed, score: sum, fits }
    }
  if (best === null) {
    const [metric] = fitting
    const [part = USUAL[0]] = parts
    if (metric === undefined || part === undefined) return null
    // A lone cell has nothing beside it that could tell: its words have to say it all.
    const isAlone = told.length < 3 || told.every(({ figure }) => figure.quantity.hedge === 'estimated')
    const isSaid = isAlone && meant?.metrics.length === 1 && words.length > 0
    return { metric, part, isNamed: false, isAccepted: isSaid, score: 0, fits: 0 }
  }
  const measured = told.filter(({ figure }) => figure.quantity.hedge !== 'estimated')
  const known = measured.filter(cell => runsOf(cell) !== null).length
  const judged = known > 0 ? known : measured.filter(cell => open.has(cell)).length
  const isMost = best.fits >= Math.max(1, judged / 2)
  const isProved = best.score - Math.log(metrics.length * parts.length) >= ENOUGH
  return { ...best, isAccepted: isMost && (best.isNamed ? best.fits > 1 || judged < 3 : isProved) }
}

/** How improbable it is that so many cells fit by chance, in natural units. */
function scoreOf(
  log: Log,
  line: readonly TableCell[],
  measure: Measure,
  runsOf: (cell: TableCell) => readonly LogRun[] | null,
  open: ReadonlySet<TableCell>,
): { readonly score: number; readonly fits: number } {
  let [score, fits] = [0, 0]
  const seen = new Set<number>()
  for (const cell of line) {
    const { value } = cell.figure.quantity
    const runs = runsOf(cell)
    if (runs === null && !open.has(cell)) continue
    const won = runs === null ? mostGained(log, cell, measure) : gain(log, cell, measure, runs)
    if (won <= 0) continue
    fits += 1
    // The same figure twice proves nothing twice.
    if (!seen.has(value)) score += won
    seen.add(value)
  }
  return { score, fits }
}

/** By any runs, less what so many tries bring by chance. */
function mostGained(log: Log, cell: TableCell, { metric, part }: Measure): number {
  const { quantity } = cell.figure
  const scale = scaleIn(cell, metric)
  const fits = [false, true].some(isGroup => {
    const meant = partAt(cell, { metric, part }, isGroup)
    return meant !== null && anyValues(log, cell, metric, meant, isGroup).some(value => agrees(quantity, value * scale))
  })
  return fits ? -Math.log(chanceOf(quantity, metric, scale)) - Math.log(candidatesOf(log, cell).length) : 0
}

const anyKnown = new WeakMap<Log, Map<string, readonly number[]>>()

/** The values of a part of all runs, or of all groups: asked for again and again. */
function anyValues(
  log: Log,
  cell: TableCell,
  metric: LogMetric,
  meant: Pick<CellMeaning, 'part' | 'across'>,
  isGroup: boolean,
): readonly number[] {
  const known = anyKnown.get(log) ?? new Map<string, readonly number[]>()
  anyKnown.set(log, known)
  const which = Object.values(meant.part).join()
  const key = `${metric.name} ${which} ${meant.across} ${cell.row.seed ?? cell.column.seed} ${isGroup} ${cell.figure.quantity.plusMinus}`
  const found =
    known.get(key) ??
    candidatesOf(log, cell)
      .filter(({ length }) => length > 1 === isGroup)
      .flatMap(runs => valuesOf(log, cell, { ...meant, runs, metric }).map(({ value }) => value))
  known.set(key, found)
  return found
}

function gain(log: Log, cell: TableCell, { metric, part }: Measure, runs: readonly LogRun[]): number {
  const meant = partAt(cell, { metric, part }, runs.length > 1)
  if (meant === null) return 0
  const isStep = meant.part.kind === 'maxStep' || meant.part.kind === 'minStep'
  const scale = isStep ? 1 : scaleIn(cell, metric)
  const { quantity } = cell.figure
  const values = valuesOf(log, cell, { ...meant, runs, metric })
  if (!values.some(({ value }) => agrees(quantity, value * scale))) return 0
  // What never changes proves next to nothing, and fits all the same.
  return Math.max(0.05, -Math.log(isStep ? 0.05 : chanceOf(quantity, metric, scale)))
}

function bestRuns(
  grid: TableGrid,
  own: readonly TableCell[],
  measureOf: (cell: TableCell) => Measure | null,
): readonly LogRun[] | null {
  const { log } = grid
  const [first] = own
  if (first === undefined) return null
  const isOneSeed = own.every(({ row, column }) => (row.seed ?? column.seed) === (first.row.seed ?? first.column.seed))
  const candidates = isOneSeed ? candidatesOf(log, first) : [...log.groups.values()].slice(0, MOST_LINES)
  const gainOf = (cell: TableCell, runs: readonly LogRun[]): number => {
    const measure = measureOf(cell)
    return measure === null ? 0 : gain(log, cell, measure, ofSeed(cell, runs))
  }
  const scored = candidates.map(runs => {
    const each = own.map(cell => gainOf(cell, runs))
    return { runs, score: each.reduce((a, b) => a + b, 0), fits: each.filter(won => won > 0).length }
  })
  const none: (typeof scored)[number] = { runs: [], score: 0, fits: 0 }
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a), none)
  const named = own.reduce((sum, cell) => sum + gainOf(cell, runsOfCell(grid, cell) ?? []), 0)
  if (best.score < named + GUESSED) return null
  return best.fits >= own.length / 2 && best.score - Math.log(candidates.length) >= ENOUGH ? best.runs : null
}

/** Of a group the run with the seed that the cell stands under. */
function ofSeed({ row, column }: TableCell, runs: readonly LogRun[]): readonly LogRun[] {
  const seed = row.seed ?? column.seed
  return seed === null ? runs : runs.filter(run => run.seed === seed)
}

/** In how many of the figure's units the metric is printed. */
export function scaleIn({ figure: { quantity }, isPercent }: TableCell, metric: LogMetric): number {
  return scaleOf(isPercent && quantity.unit === null ? { ...quantity, unit: '%' } : quantity, metric)
}

export function valuesOf(
  log: Log,
  { figure }: TableCell,
  { runs, metric, part, across }: Pick<CellMeaning, 'runs' | 'metric' | 'part' | 'across'>,
): readonly LoggedValue[] {
  const made = runs.length < 2 ? null : figure.quantity.plusMinus ? 'std' : across
  return runs.length < 2 && figure.quantity.plusMinus
    ? []
    : log.at({ runs: loggingOf(log, runs, metric), metric: metric.name, part, across: made })
}

/** A setting that runs of several projects share means those that log the metric. */
function loggingOf(log: Log, runs: readonly LogRun[], { name }: LogMetric): readonly LogRun[] {
  const own = runs.length < 2 ? runs : runs.filter(run => log.seriesOf(run, name) !== undefined)
  return own.length === runs.length || own.length === 0 ? runs : own
}

/** What part of a curve a cell is: its own words before what was chosen for its line. */
function partAt(
  { row, column }: TableCell,
  measure: Pick<Measure, 'metric' | 'part'>,
  isGroup: boolean,
): { readonly part: Part; readonly across: Across | null } | null {
  const own = [...row.parts, ...column.parts]
  const isStep = row.isStepOfBest || column.isStepOfBest
  const levels = own.filter(one => isLevelOf(one, isGroup))
  const words = levels.length > 0 ? own : [...own, measure.part]
  const [meant] = partsMeant(words, measure.metric, isGroup)
  if (meant === undefined) return null
  if (isStep) {
    const extreme = words.find(isExtreme)
    const kind = extreme === undefined ? 'max' : partsMeant([extreme], measure.metric, false)[0]?.part.kind
    return isGroup ? null : { part: { kind: kind === 'min' ? 'minStep' : 'maxStep' }, across: null }
  }
  // "Worst final score" of several runs: the lowest of their last values.
  const [end, level] = [own.find(isExtreme), own.find(({ word }) => word === 'last' || word === 'at')]
  if (isGroup && end !== undefined && level !== undefined) {
    const kind = partsMeant([end], measure.metric, false)[0]?.part.kind === 'min' ? 'min' : 'max'
    const [of] = partsMeant([level], measure.metric, true)
    if (of !== undefined) return { part: of.part, across: kind }
  }
  return { part: meant.part, across: isGroup ? (meant.across ?? 'mean') : null }
}

const isLevelOf = ({ word }: PartMention, isGroup: boolean): boolean =>
  word !== 'std' && word !== 'bestSeed' && word !== 'worstSeed' && word !== 'whole' && !(word === 'mean' && isGroup)

const isSamePart = (a: PartMention, b: PartMention): boolean =>
  a.word === b.word && a.steps?.[0] === b.steps?.[0] && a.steps?.[1] === b.steps?.[1]

/** Any group, or the runs of a seed that the other axis names. */
function candidatesOf(log: Log, { row, column }: TableCell): readonly (readonly LogRun[])[] {
  const known = candidates.get(log) ?? new Map<number | null, readonly (readonly LogRun[])[]>()
  const seed = row.seed ?? column.seed
  const found = known.get(seed) ?? allRuns(log, seed)
  candidates.set(log, known.set(seed, found))
  return found
}

const candidates = new WeakMap<Log, Map<number | null, readonly (readonly LogRun[])[]>>()

function allRuns(log: Log, seed: number | null): readonly (readonly LogRun[])[] {
  const groups = [...log.groups.values()].slice(0, MOST_LINES)
  if (seed !== null) return groups.map(all => all.filter(run => run.seed === seed)).filter(({ length }) => length > 0)
  return [...groups, ...log.runs.slice(0, MOST_LINES).map(run => [run])].filter(
    (one, i, list) => list.findIndex(other => isSame(other, one)) === i,
  )
}

function mentionOfLine(line: readonly TableCell[], above: Above): MetricMention | null {
  const [first] = line
  if (first === undefined) return null
  const shared = (axis: 'row' | 'column'): MetricMention | null =>
    line.every(cell => cell[axis] === first[axis]) ? first[axis].metric : null
  const own = [shared('column'), shared('row')].filter(one => one !== null)
  return meaningOf(own.length > 0 ? [...own, ...above.metrics.slice(0, 1)] : above.metrics.slice(0, 1))
}

/** The words for a part that every cell of the line stands under. */
function partsOfLine(line: readonly TableCell[], above: Above): readonly PartMention[] {
  const [first] = line
  if (first === undefined) return []
  const shared = [...first.row.parts, ...first.column.parts].filter(one =>
    line.every(({ row, column }) => row.parts.includes(one) || column.parts.includes(one)),
  )
  const own = shared.filter(one => isLevelOf(one, true))
  return own.length > 0 ? own : above.parts.filter(one => isLevelOf(one, true))
}

function runsOfCell(
  { log, above, cells, seed: ofCaption }: TableGrid,
  { row, column }: TableCell,
): readonly LogRun[] | null {
  const [inRow, inColumn] = [row.runs, column.runs]
  const named = inRow ?? inColumn ?? above.runs[0]?.runs ?? null
  const other = inRow !== null && inColumn !== null && !isSame(inRow, inColumn) ? inColumn : null
  const crossed = other === null || named === null ? named : named.filter(run => other.includes(run))
  const all = crossed === null || crossed.length === 0 ? named : crossed
  const seed = row.seed ?? column.seed ?? (named !== null && named.length > 1 ? ofCaption : null)
  if (seed !== null) {
    const own = (all ?? log.runs).filter(run => run.seed === seed)
    return own.length > 0 && (all !== null || own.length === 1) ? own : null
  }
  if (all === null) return null
  // "Mean" beside rows of seeds is the mean of those that the table shows.
  const isMade = row.isMean || column.isMean || [row, column].some(({ parts }) => parts.some(one => one.word === 'std'))
  if (!isMade) return all
  const shown = new Set(cells.flatMap(cell => cell.row.seed ?? cell.column.seed ?? []))
  const part = shown.size > 1 ? all.filter(run => run.seed !== null && shown.has(run.seed)) : all
  return part.length > 0 ? part : all
}
