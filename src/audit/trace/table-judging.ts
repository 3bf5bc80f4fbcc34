import { groupBy } from '../../logs/model/util/group-by.js'
import { countReadings } from './counts.js'
import { agrees, isOfSize, type PrintedFigure } from './figure.js'
import type { Log } from './log.js'
import {
  computedReadings,
  type FigureJudgement,
  type FigureReading,
  judge,
  readingAt,
  settingReading,
} from './reading.js'
import type { TableCell } from './table-axes.js'
import type { DecodedTable } from './table-decode.js'
import { addressOf, type CellMeaning, unitOf } from './table-gains.js'
import { isStepPart } from './table-parts.js'

/**
 * What comes of the figures of a table once it is known what they are. Whole lines are looked at, too: how deviations are made,
 * whether a row names the wrong step, what most of a column fits, and of which two columns another is the difference.
 */
export const UNTRACED: FigureJudgement = { state: 'untraced', fitsByChance: false }

export function readingsOf(log: Log, cell: TableCell, { meaningOf, runsOf }: DecodedTable): readonly FigureReading[] {
  const { column, row, figure } = cell
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
  return [...set, readingOf(log, cell, meaning)]
}

function readingOf(log: Log, cell: TableCell, meaning: CellMeaning): FigureReading {
  const isStep = isStepPart(meaning)
  const quantity = { ...cell.figure.quantity, unit: isStep ? ('step' as const) : unitOf(cell) }
  const isSpread = meaning.across === 'std' || meaning.across === 'range'
  const isOfMetric = isStep || isSpread || meaning.minus !== null || isOfSize({ quantity }, meaning.metric)
  const isNamed = meaning.isSure && isOfMetric && !(isStep && meaning.runs.length > 1)
  return readingAt(log, { quantity }, addressOf(cell, meaning), { rank: 0, isNamed })
}

/** Of a sample, of a population, of the mean. */
const DEVIATIONS = 3

/** Which of the ways to make a deviation most deviations of a table fit, where no other does as well. */
export function conventionOf(log: Log, cells: readonly TableCell[], decoded: DecodedTable): number | null {
  const fits = Array.from({ length: DEVIATIONS }, () => 0)
  for (const cell of cells.filter(({ figure }) => figure.quantity.plusMinus)) {
    const values = readingsOf(log, cell, decoded).at(-1)?.values ?? []
    for (const i of fits.keys())
      if (values.some(({ printed }, j) => j % fits.length === i && agrees(cell.figure.quantity, printed)))
        fits[i] = (fits[i] ?? 0) + 1
  }
  const most = Math.max(...fits)
  return most > 1 && fits.filter(count => count === most).length === 1 ? fits.indexOf(most) : null
}

export const ofConvention = (reading: FigureReading, convention: number | null): FigureReading => {
  if (convention === null || reading.address?.across !== 'std') return reading
  return { ...reading, values: reading.values.filter((_, i) => i % DEVIATIONS === convention) }
}

/** A column or row of which most figures fit nothing is not understood, rather than wrong throughout. */
export function withoutMostlyWrong(
  cells: readonly TableCell[],
  { runsOf }: DecodedTable,
  judged: Map<PrintedFigure, FigureJudgement>,
): void {
  const named = (cell: TableCell): string => (runsOf(cell) ?? []).map(({ name }) => name).join()
  // Of the other figures of the table nearly all are right.
  const isProved = (line: readonly TableCell[]): boolean => {
    const others = cells.filter(cell => !line.includes(cell)).map(({ figure }) => judged.get(figure)?.state)
    return others.filter(state => state === 'traced').length > 4 * others.filter(state => state !== 'traced').length
  }
  const isOfSeveral = new Set(cells.map(named)).size > 1
  for (const [line, isRow] of [
    ...linesOf(cells, 0).map(line => [line, true] as const),
    ...linesOf(cells, 1).map(line => [line, false] as const),
  ]) {
    const plain = line.filter(({ figure }) => figure.quantity.hedge === null)
    const states = plain.map(({ figure }) => judged.get(figure)?.state)
    const wrong = states.filter(state => state === 'contradicted').length
    const right = states.filter(state => state === 'traced').length
    // Its header is known, and so is what the table measures.
    const isKnown = line.every(({ column }) => !column.isUnknown && !column.isStepOfBest) && isProved(line)
    // A line of one run among lines of others, or a row: where something fits, it is the right run.
    const isRun = isOfSeveral ? new Set(line.map(named)).size === 1 : isRow
    if (line.length < 3 || wrong <= 1 || right >= (isRun || isKnown ? 1 : wrong)) continue
    for (const { figure } of line) if (judged.get(figure)?.state === 'contradicted') judged.set(figure, UNTRACED)
  }
}

/** Where the step of a row is wrong, its other figures are what was logged at the right one. */
export function withRightSteps(
  log: Log,
  cells: readonly TableCell[],
  { meaningOf }: DecodedTable,
  judged: Map<PrintedFigure, FigureJudgement>,
): void {
  for (const row of linesOf(cells, 0)) {
    const wrong = row.flatMap(({ figure, column }) => {
      const found = judged.get(figure)
      const isWrong = column.isStepOfBest && found?.state === 'contradicted'
      return isWrong ? [found.value.printed - figure.quantity.value] : []
    })
    const isOpen = row.some(({ figure }) => figure.isStep && judged.get(figure)?.state === 'untraced')
    for (const cell of isOpen || wrong.length === 1 ? row : []) {
      const { part, ...meant } = meaningOf(cell) ?? { part: null }
      if (judged.get(cell.figure)?.state !== 'contradicted' || part?.kind !== 'at' || !('runs' in meant)) continue
      const step = part.step + (wrong[0] ?? 0)
      const reading = readingOf(log, cell, { ...meant, part: { kind: 'at', step } })
      const moved = judge(cell.figure, isOpen ? [] : [reading])
      judged.set(cell.figure, moved.state === 'contradicted' ? UNTRACED : moved)
    }
  }
}

const linesOf = (cells: readonly TableCell[], side: 0 | 1): readonly (readonly TableCell[])[] => [
  ...groupBy(cells, ({ at }) => at[side]).values(),
]

const POINTS = /points?|(?<![a-z])pp(?![a-z])|百分点|个点/i

/** A difference of two columns: which two, most rows tell. */
export function judgeChange(
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
  if (best.fits < Math.max(2, own.length / 2)) return UNTRACED
  return judge(
    cell.figure,
    readingsFor(cell, best.i, best.j).map(one => ({ ...one, chance: 0, isNamed: isKnown })),
  )
}
