import type { Cell } from '../../document/document.js'
import { type Line, linesOfMatrix, type Matrix, matrixOf, type Point } from '../../document/matrix.js'
import { type Range, subtract } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, meets, middle, percentOf, sizeOf, statedRange } from '../arithmetic.js'
import { type Assertion, confirmed, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import { goalOf, goalOfLine, topOf } from '../evidence.js'
import { refute } from '../fault.js'
import { has } from '../lexicon.js'
import { mentionsInText } from '../mentions.js'
import { assertionInCell } from '../read.js'

/** Who wins a row of a table: a column of remarks names one of the other columns ("甲组更好", "run B best"). */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.lead-base': { en: '“{quote}” (row “{row}”): {to} over {from} is {expected}; {found} is a share of the winner’s own figure; write {expected}', zh: '“{quote}”（“{row}”行）：{to} 比 {from} 高 {expected}；{found} 是以胜者自己为基数；应写 {expected}' },
  'audit.winner': { en: '“{quote}” (row “{row}”): {claimed} has {found}, but {owner} has {expected}; write {owner}', zh: '“{quote}”（“{row}”行）：{claimed} 是 {found}，而 {owner} 是 {expected}；应写 {owner}' },
})

type Sense = 'up' | 'down' | 'good' | 'bad'

function senseOf(text: string): Sense | null {
  if (has(text, 'best', 'better')) return 'good'
  if (has(text, 'worst', 'worse')) return 'bad'
  if (has(text, 'maximum', 'larger')) return 'up'
  return has(text, 'minimum', 'smaller') ? 'down' : null
}

const WINNER_HEADER = /最优|最佳|胜者|赢家|结论|更优|winner|best|verdict|better/i

interface Remark {
  readonly line: Line
  readonly named: Point
  readonly cell: Cell
  readonly sense: Sense
  readonly assertion: Assertion
}

const remarks = new WeakMap<Matrix, readonly Remark[]>()

/** Remarks that name exactly one of the columns they stand beside. */
function remarksIn(matrix: Matrix): readonly Remark[] {
  const known = remarks.get(matrix) ?? [...readRemarks(matrix)]
  remarks.set(matrix, known)
  return known
}

function* readRemarks(matrix: Matrix): Generator<Remark> {
  const values = matrix.alongRows ? matrix.columns.filter(({ role }) => role === 'value') : []
  if (values.length < 2) return
  const lines = new Map(linesOfMatrix(matrix).flatMap(line => (line.isColumn ? [] : [[line.of, line] as const])))
  for (const column of matrix.columns.filter(({ role }) => role !== 'label' && role !== 'step')) {
    const isWinner = WINNER_HEADER.test(column.name)
    for (const row of matrix.rows) {
      const [cell, line] = [matrix.table.rows[row.index]?.[column.index], lines.get(row)]
      if (cell === undefined || line === undefined || !/\p{L}/u.test(cell.text) || cell.text.length > 60) continue
      const sense = senseOf(cell.text) ?? (isWinner && cell.text.length < 24 ? 'good' : null)
      const axes = mentionsInText(cell.text, matrix).flatMap(one => (one.axes.length === 1 ? one.axes : []))
      const [named, another] = line.points.filter(({ at }) => at.role === 'value' && axes.includes(at))
      if (sense === null || named === undefined || another !== undefined || named.at === column) continue
      if (has(cell.text, 'denial', 'doubt')) continue
      const assertion = assertionInCell(matrix, cell, 'winner', {
        subjects: [named.at.name, row.name],
        quantity: row.name,
        sense: sense === 'up' || sense === 'down' ? sense : null,
        manner: `cell ${sense}`,
      })
      yield { line, named, cell, sense, assertion }
    }
  }
}

function check({ scope, offset, quote }: Assertion): Outcome {
  const all = scope.table === null ? [] : remarksIn(matrixOf(scope.table))
  const remark = all.find(({ assertion }) => assertion.offset === offset)
  if (remark === undefined) return UNCHECKED
  const { line, named, sense } = remark
  const own = goalOf([line.of.name])
  const wants = wanted(sense, own ?? customary(all, remark) ?? goalOfLine(line))
  const others = line.points.filter(({ at }) => at.role === 'value')
  const top = wants === null ? null : topOf(others, wants)
  if (wants === null) return UNCHECKED
  if (top === null || meets(top.quantity.range, named.quantity.range)) return checkLead(remark)
  // Of values with different units or signs the size may be meant.
  if (own === 'min' && others.some(({ quantity }) => quantity.value < 0)) return UNCHECKED
  const [claimed, owner] = [named.at.name, top.at.name]
  const params = { quote, row: line.of.name, claimed, found: named.cell.text, owner, expected: top.cell.text }
  return refute('winner-contradicted', offset, say('audit.winner', params), { found: claimed, expected: owner })
}

/** "B (+3.6 %)": by how much the winner of two leads, as a share of the other. */
function checkLead({ line, named, cell }: Remark): Outcome {
  const [stated, more] = cell.quantities
  const [other, third] = line.points.filter(({ at }) => at.role === 'value' && at !== named.at)
  const isLead = stated?.unit === '%' && stated.signed && more === undefined && stated.hedge === null
  if (!isLead || other === undefined || third !== undefined) return confirmed(line.of.name)
  const [own, rival] = [named.quantity.range, other.quantity.range]
  const [right, wrong] = [percentOf(rival, own), percentOf(own, rival)]
  const fits = (range: Range | null): boolean => range !== null && meets(sizeOf(statedRange(stated)), sizeOf(range))
  const isPoints = named.quantity.unit === '%' && fits(subtract(own, rival))
  if (right === null || isPoints || fits(right) || !fits(wrong)) return confirmed(line.of.name)
  const [from, to, found] = [other.cell.text, named.cell.text, cell.text.slice(stated.from, stated.to)]
  const expected = asPrinted(Math.sign(stated.value) * Math.abs(middle(right)), stated)
  const message = say('audit.lead-base', { quote: cell.text, row: line.of.name, from, to, found, expected })
  return refute('percent-base', cell.offset, message)
}

function wanted(sense: Sense, goal: 'max' | 'min' | null): 'max' | 'min' | null {
  if (sense === 'up' || sense === 'down') return sense === 'up' ? 'max' : 'min'
  return goal === null || sense === 'good' ? goal : goal === 'max' ? 'min' : 'max'
}

const MOST_REMARKS = 60

/** What the other rows of the same column call better, where the name of the quantity does not tell. */
function customary(all: readonly Remark[], { line: own, sense, named }: Remark): 'max' | 'min' | null {
  if (sense !== 'good') return null
  const isLike = ({ line, sense: other, named: { quantity } }: Remark): boolean =>
    other === 'good' && line !== own && goalOf([line.of.name]) === null && quantity.unit === named.quantity.unit
  const like = all.slice(0, MOST_REMARKS).filter(isLike)
  const isTop = (which: 'max' | 'min') => (one: Remark) =>
    topOf(one.line.points, which)?.quantity.value === one.named.quantity.value
  const [high, low] = [like.filter(isTop('max')).length, like.filter(isTop('min')).length]
  if (high >= 2 && low === 0) return 'max'
  return low >= 2 && high === 0 ? 'min' : null
}

export const winner: Relation = {
  names: ['winner'],
  inTable: matrix => remarksIn(matrix).map(({ assertion }) => assertion),
  check,
}
