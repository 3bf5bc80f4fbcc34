import type { Cell } from '../../document/document.js'
import { type Line, lineOf, linesOfMatrix, type Matrix, matrixOf, type Point } from '../../document/matrix.js'
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
  ['max', ['maximum', 'larger']],
  ['min', ['minimum', 'smaller']],
] as const

const WINNER_HEADER = /胜者|赢家|结论|winner|verdict/i
const LONGEST_NAME = 24

function senseOf({ text }: Cell, header: string): string | null {
  const saidIn = (words: string): string | undefined => SENSES.find(([, senses]) => has(words, ...senses))?.[0]
  const ofHeader = saidIn(header) ?? (WINNER_HEADER.test(header) ? 'good' : null)
  return saidIn(text) ?? (text.length < LONGEST_NAME ? ofHeader : null)
}

function* inTable(matrix: Matrix): Generator<Assertion> {
  for (const line of rowsOf(matrix)) {
    for (const cell of matrix.table.rows[line.of.index]) {
      const sense = has(cell.text, 'denial', 'doubt')
        ? null
        : senseOf(cell, matrix.table.header[cell.column]?.text ?? '')
      const named = sense === null ? null : namedIn(line, cell)
      if (named === null) continue
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
  const axes = mentionsInText(text, matrix).flatMap(one => (isBaseIn(text, one) ? [] : one.axes))
  const same = points.find(({ at }) => at.name === text)
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
  const top = wants === null ? null : topOf(points, wants)
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

/** A count of questions beside scores takes no part. */
function comparable({ quantity: { unit } }: Point, { points }: Line): readonly Point[] {
  return points.filter(({ at, quantity }) => quantity.unit === unit && !isSizeName(at.name))
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
