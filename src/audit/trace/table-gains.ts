import type { Quantity } from '../../logs/document/quantity.js'
import { memoByObject } from '../../logs/model/util/memo.js'
import { agrees, chanceOf, scaleOf } from './figure.js'
import type { Address, Log, LoggedValue, LogMetric, LogRun } from './log.js'
import { isSame } from './sentence.js'
import { seedOf, type TableCell } from './table-axes.js'
import { type CellPart, isStepCell, isStepPart, partAt, type Statistic } from './table-parts.js'
import { MOST_LINES } from './table-structure.js'

/**
 * How much the cells of a table speak for a choice of what they are: the values that a cell then has,
 * and how improbable it is that its figure agrees with one of them by chance.
 */

/** A choice among n fits by chance once in 400 at most. */
export const ENOUGH = Math.log(400)
/** What a cell that does not fit its meaning takes away: few cells of a table are wrong. */
export const MISSED = 3
/** What a choice that no word names has to bring. */
export const GUESSED = 5

/** What a cell is. */
export interface CellMeaning extends CellPart {
  readonly runs: readonly LogRun[]
  readonly metric: LogMetric
  readonly minus: LogMetric | null
  /** Named throughout, or chosen by enough fits. */
  readonly isSure: boolean
}

/** What a line of cells measures. */
export interface LineMeasure {
  readonly metric: LogMetric
  /** What it is less of. */
  readonly minus: LogMetric | null
  readonly words: Statistic
  readonly isNamed: boolean
}

/** How improbable it is that so many cells fit by chance, in natural units. */
export function scoreOf(
  log: Log,
  line: readonly TableCell[],
  measure: LineMeasure,
  runsOf: (cell: TableCell) => readonly LogRun[] | null,
  open: ReadonlySet<TableCell>,
  least: number,
): { readonly score: number; readonly fits: number; readonly misses: number } {
  let [score, fits, misses] = [0, 0, 0]
  const seen = new Set<number>()
  for (const [i, cell] of line.entries()) {
    if (fits + line.length - i < least) break
    const runs = runsOf(cell)
    if (runs === null && !open.has(cell)) continue
    const own = runs === null ? 0 : gain(log, cell, measure, runs)
    const won = own > 0 || !open.has(cell) ? own : mostGained(log, cell, measure)
    if (won <= 0) {
      misses += 1
      continue
    }
    fits += 1
    // The same figure twice proves nothing twice.
    const { value } = cell.figure.quantity
    if (!seen.has(value)) score += won
    seen.add(value)
  }
  return { score, fits, misses }
}

/** By any runs, less what so many tries bring by chance. */
function mostGained(log: Log, cell: TableCell, measure: LineMeasure): number {
  const { quantity } = cell.figure
  const { metric } = measure
  const scale = isStepCell(cell) ? 1 : scaleIn(cell, metric)
  const fits = [false, true].some(isGroup => {
    const meant = partAt(cell, measure, isGroup)
    return (
      meant !== null && anyValues(log, cell, measure, meant, isGroup).some(value => agrees(quantity, value * scale))
    )
  })
  const chance = isStepCell(cell) ? stepChance(log, log.runs, metric) : chanceOf(quantity, metric, scale)
  return fits ? Math.max(LEAST_GAIN, -Math.log(chance) - Math.log(candidatesOf(log, cell).length)) : 0
}

const anyKnown = memoByObject<Log, Map<string, readonly number[]>>(() => new Map())

/** The values of a part of all runs, or of all groups: asked for again and again. */
function anyValues(
  log: Log,
  cell: TableCell,
  { metric, minus }: LineMeasure,
  meant: CellPart,
  isGroup: boolean,
): readonly number[] {
  const known = anyKnown(log)
  const which = Object.values(meant.part).join()
  const key = `${metric.name} ${minus?.name} ${which} ${meant.across} ${seedOf(cell)} ${isGroup} ${cell.figure.quantity.plusMinus}`
  const found =
    known.get(key) ??
    candidatesOf(log, cell)
      .filter(({ length }) => length > 1 === isGroup)
      .flatMap(runs => valuesOf(log, cell, { ...meant, runs, metric, minus }).map(({ value }) => value))
  known.set(key, found)
  return found
}

export function gain(log: Log, cell: TableCell, measure: LineMeasure, runs: readonly LogRun[]): number {
  const { metric, minus } = measure
  const meant = partAt(cell, measure, runs.length > 1)
  if (meant === null) return 0
  const isStep = isStepPart(meant)
  const scale = isStep ? 1 : scaleIn(cell, metric)
  const { quantity } = cell.figure
  const values = valuesOf(log, cell, { ...meant, runs, metric, minus })
  // What never changes is highest everywhere.
  if (isStep && values.length > MOST_TIES) return 0
  if (!values.some(({ value }) => agrees(quantity, value * scale))) return 0
  return Math.max(
    LEAST_GAIN,
    -Math.log(isStep ? values.length * stepChance(log, runs, metric) : chanceOf(quantity, metric, scale)),
  )
}

/** In how many of the figure's units the metric is printed. */
const scaleIn = (cell: TableCell, metric: LogMetric): number =>
  scaleOf({ ...cell.figure.quantity, unit: unitOf(cell) }, metric)

export const unitOf = ({ figure: { quantity }, isPercent }: TableCell): Quantity['unit'] =>
  isPercent && quantity.unit === null ? '%' : quantity.unit

function valuesOf(log: Log, cell: TableCell, meaning: Omit<CellMeaning, 'isSure'>): readonly LoggedValue[] {
  if (meaning.runs.length < 2 && cell.figure.quantity.plusMinus) return []
  return log.at(addressOf(cell, { ...meaning, runs: loggingOf(log, meaning.runs, meaning.metric) }))
}

/** Where a cell's value is logged. */
export function addressOf(
  { figure: { quantity } }: TableCell,
  { runs, metric, minus, part, across }: Omit<CellMeaning, 'isSure'>,
): Address {
  const made = runs.length < 2 ? null : quantity.plusMinus ? 'std' : across
  return { runs, metric: metric.name, part, across: made, ...(minus === null ? {} : { minus: minus.name }) }
}

/** A setting that runs of several projects share means those that log the metric. */
function loggingOf(log: Log, runs: readonly LogRun[], { name }: LogMetric): readonly LogRun[] {
  const own = runs.length < 2 ? runs : runs.filter(run => log.seriesOf(run, name) !== undefined)
  return own.length === runs.length || own.length === 0 ? runs : own
}

/** What fits and proves next to nothing fits all the same. */
const LEAST_GAIN = 0.05
const MOST_TIES = 4

function stepChance(log: Log, runs: readonly LogRun[], { name }: LogMetric): number {
  const points = runs.map(run => log.seriesOf(run, name)?.steps.length ?? 0)
  return 1 / Math.max(2, ...points)
}

/** Any group, or the runs of a seed that the other axis names. */
export function candidatesOf(log: Log, cell: TableCell): readonly (readonly LogRun[])[] {
  const known = candidates(log)
  const seed = seedOf(cell)
  const found = known.get(seed) ?? allRuns(log, seed)
  known.set(seed, found)
  return found
}

const candidates = memoByObject<Log, Map<number | null, readonly (readonly LogRun[])[]>>(() => new Map())

function allRuns(log: Log, seed: number | null): readonly (readonly LogRun[])[] {
  const groups = [...log.groups.values()].slice(0, MOST_LINES)
  if (seed !== null) return groups.map(all => all.filter(run => run.seed === seed)).filter(({ length }) => length > 0)
  return [...groups, ...log.runs.slice(0, MOST_LINES).map(run => [run])].filter(
    (one, i, list) => list.findIndex(other => isSame(other, one)) === i,
  )
}
