import type { Cell } from '../../document/document.js'
import { type Line, linesOfMatrix, type Matrix, matrixOf, type Point } from '../../document/matrix.js'
import { sentences } from '../../text/sentences.js'
import { meets } from '../arithmetic.js'
import { type Assertion, confirmed, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import { goalOf, goalOfLine, topOf } from '../evidence.js'
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

const WINNER_HEADER = /最优|最佳|胜者|赢家|结论|更优|winner|best|verdict|better/i

interface Remark {
  readonly line: Line
  readonly named: Point
  readonly cell: Cell
  readonly sense: (typeof SENSES)[number][0]
}

const remarks = new WeakMap<Matrix, readonly Remark[]>()

/** Remarks that name exactly one of the columns they stand beside. */
function remarksIn(matrix: Matrix): readonly Remark[] {
  const known = remarks.get(matrix) ?? [...readRemarks(matrix)]
  remarks.set(matrix, known)
  return known
}

function* readRemarks(matrix: Matrix): Generator<Remark> {
  const lines = linesOfMatrix(matrix).filter(({ isColumn }) => !isColumn)
  for (const column of matrix.columns.filter(({ role }) => role !== 'label' && role !== 'step')) {
    const isWinner = WINNER_HEADER.test(column.name)
    for (const line of lines) {
      const cell = matrix.table.rows[line.of.index]?.[column.index]
      if (cell === undefined || !/\p{L}/u.test(cell.text) || cell.text.length > 60) continue
      const said = SENSES.find(([, words]) => has(cell.text, ...words))?.[0]
      const sense = said ?? (isWinner && cell.text.length < 24 ? 'good' : null)
      if (sense === null || has(cell.text, 'denial', 'doubt')) continue
      const axes = mentionsInText(cell.text, matrix).flatMap(one => (one.axes.length === 1 ? one.axes : []))
      const [named, another] = line.points.filter(({ at }) => axes.includes(at))
      if (named !== undefined && another === undefined && named.at !== column) yield { line, named, cell, sense }
    }
  }
}

function inTable(matrix: Matrix): readonly Assertion[] {
  return remarksIn(matrix).map(({ line, named, cell }) => {
    const subjects = [named.at.name, line.of.name]
    return assertionInCell(matrix, cell, 'winner', { subjects, quantity: line.of.name })
  })
}

function check({ scope: { table }, offset, quote }: Assertion): Outcome {
  const all = table === null ? [] : remarksIn(matrixOf(table))
  const remark = all.find(({ cell }) => cell.offset === offset)
  const wants = remark === undefined ? null : wanted(remark, all)
  if (remark === undefined || wants === null) return UNCHECKED
  const { line, named } = remark
  const top = topOf(line.points, wants)
  if (top === null || meets(top.quantity.range, named.quantity.range)) return confirmed(line.of.name)
  // Of values with different signs the size may be meant.
  if (goalOf([line.of.name]) === 'min' && line.points.some(({ quantity }) => quantity.value < 0)) return UNCHECKED
  const [claimed, owner] = [named.at.name, top.at.name]
  const params = { quote, row: line.of.name, claimed, found: named.cell.text, owner, expected: top.cell.text }
  return refute('winner-contradicted', offset, say('audit.winner', params), { found: claimed, expected: owner })
}

function wanted(remark: Remark, all: readonly Remark[]): 'max' | 'min' | null {
  const { sense, line } = remark
  if (sense === 'max' || sense === 'min') return sense
  const goal = goalOf([line.of.name]) ?? customary(remark, all) ?? goalOfLine(line)
  return goal === null || sense === 'good' ? goal : goal === 'max' ? 'min' : 'max'
}

const MOST_REMARKS = 60

/** What the other rows of the same column call better, where the name of the quantity does not tell. */
function customary({ line: own, sense, named }: Remark, all: readonly Remark[]): 'max' | 'min' | null {
  const like = all.slice(0, MOST_REMARKS).filter(other => {
    const isUnknown = other.line !== own && goalOf([other.line.of.name]) === null
    return isUnknown && other.sense === sense && other.named.quantity.unit === named.quantity.unit
  })
  const count = (which: 'max' | 'min'): number =>
    like.filter(one => topOf(one.line.points, which)?.quantity.value === one.named.quantity.value).length
  const [high, low] = [count('max'), count('min')]
  if (sense !== 'good' || high + low < 2 || (high > 0 && low > 0)) return null
  return high > 0 ? 'max' : 'min'
}

export const winner: Relation = { names: ['winner'], inTable, check }
