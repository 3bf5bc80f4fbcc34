import type { Cell } from '../../document/document.js'
import {
  type Axis,
  isOfStep,
  type Line,
  lineOf,
  linesOfMatrix,
  type Matrix,
  matrixOf,
  type Point,
} from '../../document/matrix.js'
import { namedStep } from '../../document/words.js'
import { sentences } from '../../text/sentences.js'
import { areLevel } from '../arithmetic.js'
import { type Assertion, confirmed, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import { isBaseIn } from '../binding.js'
import { goalOf, goalOfLine, isSizeName, topOf } from '../evidence.js'
import { refute } from '../fault.js'
import { has } from '../lexicon.js'
import { mentionsInText } from '../mentions.js'
import { assertionInCell } from '../read.js'

/** Who wins a row of a table: a column of remarks names one of the other columns ("甲组更好", "run B best"). */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.winner': { en: '“{quote}” (row “{row}”): {claimed} has {found}, but {owner} has {expected}; write {owner}', zh: '“{quote}”（“{row}”行）：{claimed} 是 {found}，而 {owner} 是 {expected}；应写 {owner}' },
})

const SENSES = [
  ['good', ['best', 'better']],
  ['bad', ['worst', 'worse']],
  ['max', ['maximum', 'larger']],
  ['min', ['minimum', 'smaller']],
] as const

const WINNER_HEADER = /胜者|赢家|结论|winner|verdict/i
const LONGEST_NAME = 24

function senseOf(cell: Cell, header: string): string | null {
  const saidIn = (text: string): string | undefined => SENSES.find(([, words]) => has(text, ...words))?.[0]
  const ofHeader = cell.text.length < LONGEST_NAME ? saidIn(header) : undefined
  const isOfWinners = WINNER_HEADER.test(header) && cell.text.length < LONGEST_NAME
  return saidIn(cell.text) ?? ofHeader ?? (isOfWinners ? 'good' : null)
}

function* inTable(matrix: Matrix): Generator<Assertion> {
  // A remark on a step speaks of what is measured, not of who wins.
  for (const line of rowsOf(matrix).filter(line => !isOfStep(line))) {
    for (const column of matrix.columns) {
      const cell = matrix.table.rows[line.of.index]?.[column.index]
      // A remark with figures of its own speaks of them.
      if (cell === undefined || cell.text.length > 60 || cell.quantities.length > 1) continue
      if (has(cell.text, 'denial', 'doubt')) continue
      const sense = senseOf(cell, column.name)
      const named = sense === null ? null : namedIn(line, cell)
      if (named === null || named.at === column) continue
      const draft = { subjects: [named.at.name, line.of.name], quantity: line.of.name }
      yield assertionInCell(matrix, cell, 'winner', { ...draft, manner: `${sense} ${cell.row} ${cell.column}` })
    }
  }
}

/** Of a longer table nobody remarks row by row. */
const MOST_ROWS = 400

function rowsOf(matrix: Matrix): readonly Line[] {
  return matrix.rows.length > MOST_ROWS ? [] : linesOfMatrix(matrix).filter(({ isColumn }) => !isColumn)
}

/** The one column that a remark names. */
function namedIn({ matrix, points }: Line, { text }: Cell): Point | null {
  const step = namedStep(text)
  if (step !== null) return points.find(({ at }) => at.step === step.step) ?? null
  const axes: readonly Axis[] = mentionsInText(text, matrix).flatMap(one =>
    one.axes.length === 1 && !isBaseIn(text, one) ? one.axes : [],
  )
  // "fast" is "A-fast", and "A" is "A-fast", where no other name ends or begins so.
  const isEnd = (name: string): boolean => name.endsWith(text) || name.startsWith(`${text}-`)
  const [ending, twin] = points.filter(({ at }) => /\p{L}/u.test(text) && text.length > 1 && isEnd(at.name))
  const same = points.find(({ at }) => at.name === text) ?? (twin === undefined ? ending : undefined)
  if (same !== undefined) return same
  const [named = null, another] = points.filter(({ at }) => axes.includes(at))
  return another === undefined ? named : null
}

function check({ scope: { table }, manner, offset, quote }: Assertion): Outcome {
  const [sense, row, column] = manner.split(' ')
  const cell = table?.rows[Number(row)]?.[Number(column)]
  const line = table === null ? undefined : rowsOf(matrixOf(table)).find(({ of }) => of.index === cell?.row)
  const named = line === undefined || cell === undefined ? null : namedIn(line, cell)
  if (line === undefined || cell === undefined || named === null) return UNCHECKED
  const points = comparable(named, line)
  const goal = goalOf([line.of.name]) ?? goalOfLine(line) ?? usualIn(line.matrix, Number(column)) ?? goalInBold(points)
  const wants = sense === 'max' || sense === 'min' ? sense : goal
  const top = wants === null ? null : topOf(points, sense === 'bad' ? (wants === 'max' ? 'min' : 'max') : wants)
  if (top === null) return UNCHECKED
  if (areLevel(top.quantity, named.quantity)) return confirmed(line.of.name)
  // Of values with different signs the size may be meant.
  if (goal === 'min' && line.points.some(({ quantity }) => quantity.value < 0)) return UNCHECKED
  const [claimed, owner] = [named.at.name, top.at.name]
  const params = { quote, row: line.of.name, claimed, found: named.cell.text, owner, expected: top.cell.text }
  const isName = cell.text === claimed
  if (!isName && senseOf(cell, '') !== null && isOfColumn(line, named)) return UNCHECKED
  // What is no more than a name under a header is an error; a remark may speak of something else.
  const severity = isName ? 'error' : 'warning'
  const more = { found: claimed, expected: owner, severity } as const
  return refute('winner-contradicted', offset, say('audit.winner', params), more)
}

/** "Delay lowest" beside a row: the row has the least of that column, where columns are printed unlike. */
function isOfColumn({ of, points, matrix }: Line, { at, quantity: own }: Point): boolean {
  const over = lineOf(matrix, at, true, matrix.rows)
  const isTop = (['max', 'min'] as const).some(which => topOf(over.points, which)?.at === of)
  return isTop && points.some(({ quantity }) => quantity.decimals !== own.decimals)
}

/** A count of questions beside scores in percent, or beside scores with decimals, takes no part. */
function comparable({ quantity: { unit, decimals } }: Point, { points }: Line): readonly Point[] {
  return points.filter(
    ({ at, quantity: one }) => one.unit === unit && (one.decimals > 0 || decimals <= 0) && !isSizeName(at.name),
  )
}

/** Where nothing else tells, the one figure of a row in bold is the best. */
function goalInBold(points: readonly Point[]): 'max' | 'min' | null {
  const [bold, more] = points.filter(({ cell }) => cell.bold)
  if (bold === undefined || more !== undefined || points.length < 3) return null
  return (['max', 'min'] as const).find(which => topOf(points, which) === bold) ?? null
}

/** Which way is good, by what a column of winners says in most rows. */
function usualIn(matrix: Matrix, column: number): 'max' | 'min' | null {
  // Of rows that measure different things each has its own way.
  const rows = matrix.alongColumns ? rowsOf(matrix) : []
  const count = (which: 'max' | 'min'): number =>
    rows.filter(line => {
      const cell = matrix.table.rows[line.of.index]?.[column]
      const named = cell === undefined ? null : namedIn(line, cell)
      return named !== null && topOf(comparable(named, line), which)?.quantity.value === named.quantity.value
    }).length
  const [most, least] = [count('max'), count('min')]
  return Math.max(most, least) < 2 || most === least ? null : most > least ? 'max' : 'min'
}

export const winner: Relation = { names: ['winner'], inTable, check }
