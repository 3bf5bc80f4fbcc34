import type { LogRun } from './log.js'
import { isSame } from './sentence.js'
import { seedOf, type TableCell } from './table-axes.js'
import { type CellMeaning, candidatesOf, ENOUGH, GUESSED, gain, type LineMeasure, MISSED } from './table-gains.js'
import { type Accepted, bestMeasure, endsOf } from './table-measures.js'
import { isStepCell, partAt } from './table-parts.js'
import { MOST_LINES, type Structure, structuresOf, type TableGrid } from './table-structure.js'

/**
 * What the cells of a table are. Headers and what stands above name runs, metrics and parts; what they leave open is chosen
 * for a whole line at once, as what most of its figures are. A choice counts where so many fits can hardly be chance, given
 * how many choices there were: then the few cells of the line that do not fit are wrong, and not the choice.
 */
export interface DecodedTable {
  readonly meaningOf: (cell: TableCell) => CellMeaning | null
  /** Also of cells that measure nothing. */
  readonly runsOf: (cell: TableCell) => readonly LogRun[] | null
}

export function decodeTable(around: Omit<Grid, 'known'>): DecodedTable {
  const grid: Grid = { ...around, known: new Map() }
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

interface Decoded extends DecodedTable {
  readonly score: number
  /** Of the cells, those that fit. */
  readonly share: number
}

/** What was found for a line under the same runs serves in every structure. */
type Grid = TableGrid & { readonly known: Map<string, Accepted | null> }

function decodeAs(grid: Grid, { measured, open }: Structure): Decoded {
  const { log, cells, known } = grid
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
  const measureOf = (cell: TableCell): Accepted | null => measures.get(lineOf.get(cell) ?? []) ?? null
  const openCells = new Set(open.flatMap(({ own }) => own))
  for (let round = 0; round < 2; round += 1) {
    let before: LineMeasure | undefined
    for (const line of measured) {
      const runs = line.map(cell => `${cell.at} ${runsOf(cell)?.map(({ name }) => name)} ${openCells.has(cell)}`)
      const key = [line.length, ...runs, before?.metric.name, JSON.stringify(before?.words)].join(';')
      const found = known.get(key)
      const best = found === undefined ? bestMeasure(grid, line, runsOf, openCells, before) : found
      known.set(key, best)
      if (best === null) continue
      measures.set(line, best)
      if (!line.every(isStepCell)) before = { ...best, words: [...endsOf(line), ...best.words] }
    }
    if (open.length === 0) break
    for (const { own } of open) {
      const runs = bestRuns(grid, own, measureOf)
      for (const cell of own)
        if (runs === null) chosen.delete(cell)
        else chosen.set(cell, runs)
    }
  }
  // Where the other lines are what their words say, so is this one, though most of its figures may be wrong.
  const accepted = [...measures.values()].filter(one => one.isAccepted).length
  if (accepted > 1 && accepted >= measured.length / 2)
    for (const [line, one] of measures)
      if (one.isNamed && one.fits > 0) measures.set(line, { ...one, isAccepted: true })
  const meaningOf = (cell: TableCell): CellMeaning | null => {
    const [measure, runs] = [measureOf(cell), runsOf(cell)]
    if (measure === null || runs === null) return null
    const meant = partAt(cell, measure, runs.length > 1)
    return meant && { ...meant, runs, metric: measure.metric, minus: measure.minus, isSure: measure.isAccepted }
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

function bestRuns(
  grid: TableGrid,
  own: readonly TableCell[],
  measureOf: (cell: TableCell) => LineMeasure | null,
): readonly LogRun[] | null {
  const { log } = grid
  const [first] = own
  if (first === undefined) return null
  const isOneSeed = own.every(cell => seedOf(cell) === seedOf(first))
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
function ofSeed(cell: TableCell, runs: readonly LogRun[]): readonly LogRun[] {
  const seed = seedOf(cell)
  return seed === null ? runs : runs.filter(run => run.seed === seed)
}

function runsOfCell({ log, above, cells, seed: ofCaption }: TableGrid, cell: TableCell): readonly LogRun[] | null {
  const { row, column } = cell
  const [inRow, inColumn] = [row.runs, column.runs]
  const named = inRow ?? inColumn ?? above.runs[0]?.runs ?? null
  const other = inRow !== null && inColumn !== null && !isSame(inRow, inColumn) ? inColumn : null
  const crossed = other === null || named === null ? named : named.filter(run => other.includes(run))
  const all = crossed === null || crossed.length === 0 ? named : crossed
  const seed = seedOf(cell) ?? (named !== null && named.length > 1 ? ofCaption : null)
  if (seed !== null) {
    const own = (all ?? log.runs).filter(run => run.seed === seed)
    return own.length > 0 && (all !== null || own.length === 1) ? own : null
  }
  if (all === null) return null
  // "Mean" beside rows of seeds is the mean of those that the table shows.
  const isMade = row.isMean || column.isMean || [row, column].some(({ parts }) => parts.some(one => one.word === 'std'))
  if (!isMade) return all
  const shown = new Set(cells.flatMap(one => seedOf(one) ?? []))
  const part = shown.size > 1 ? all.filter(run => run.seed !== null && shown.has(run.seed)) : all
  return part.length > 0 ? part : all
}
