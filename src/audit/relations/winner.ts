import type { Statement } from '../../document/document.js'
import { type Axis, type Line, linesOfMatrix, type Matrix, matrixOf, type Point } from '../../document/matrix.js'
import { sentences } from '../../text/sentences.js'
import { meets } from '../arithmetic.js'
import { type Assertion, confirmed, type Figure, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import { type Evidence, goalOf, goalOfLine, topOf } from '../evidence.js'
import { refute } from '../fault.js'
import { has, places } from '../lexicon.js'
import { mentionsInText } from '../mentions.js'
import { assertionIn, assertionInCell, figureOf, masked } from '../read.js'
import { isDenied } from '../stance.js'

/**
 * Who wins. In a table: a column of remarks names one of the other columns ("甲组更好", "run B best"). In a sentence:
 * "A has the smaller loss (3.2 vs 3.4)"; the table that holds both figures says whose they are.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.winner': { en: '“{quote}” (row “{row}”): {claimed} has {found}, but {owner} has {expected}; write {owner}', zh: '“{quote}”（“{row}”行）：{claimed} 是 {found}，而 {owner} 是 {expected}；应写 {owner}' },
  'audit.named-comparison': { en: '“{quote}”: in the table {claimed} has {found} and {owner} has {expected}, the other way round; write {owner}', zh: '“{quote}”：表中 {claimed} 是 {found}，{owner} 是 {expected}，正好相反；应写 {owner}' },
  'audit.first-figure': { en: '“{quote}”: {found} against {expected} is the other way round; change the word, or the order of the figures', zh: '“{quote}”：{found} 与 {expected} 正好相反；应改用词，或调换两个数' },
})

type Sense = 'up' | 'down' | 'good' | 'bad'

function senseOf(text: string): Sense | null {
  if (has(text, 'best', 'better')) return 'good'
  if (has(text, 'worst', 'worse')) return 'bad'
  if (has(text, 'maximum', 'larger')) return 'up'
  return has(text, 'minimum', 'smaller') ? 'down' : null
}

/** The rows or columns of a few that a text names. */
function namedOf(text: string, matrix: Matrix, axes: readonly Axis[]): readonly Axis[] {
  const named = mentionsInText(text, matrix).flatMap(mention => (mention.axes.length === 1 ? mention.axes : []))
  return axes.filter(axis => named.includes(axis))
}

const WINNER_HEADER = /最优|最佳|胜者|赢家|结论|更优|winner|best|verdict|better/i

interface Remark {
  readonly row: Axis
  readonly named: Axis
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
  for (const column of matrix.columns.filter(({ role }) => role !== 'label' && role !== 'step')) {
    const isWinner = WINNER_HEADER.test(column.name)
    for (const row of matrix.rows) {
      const cell = matrix.table.rows[row.index]?.[column.index]
      if (cell === undefined || !/\p{L}/u.test(cell.text) || cell.text.length > 60) continue
      const sense = senseOf(cell.text) ?? (isWinner && cell.text.length < 24 ? 'good' : null)
      if (sense === null) continue
      const [named, another] = namedOf(cell.text, matrix, values)
      if (named === undefined || another !== undefined || column === named || has(cell.text, 'denial', 'doubt'))
        continue
      const assertion = assertionInCell(matrix, cell, 'winner', {
        subjects: [named.name, row.name],
        quantity: row.name,
        sense: sense === 'up' || sense === 'down' ? sense : null,
        manner: `cell ${row.index} ${named.index} ${sense}`,
      })
      yield { row, named, sense, assertion }
    }
  }
}

const VERSUS = /^\s?\)?\s?(?:vs\.?|versus|对比)\s?[^\d;；。]{0,16}$/i

/** "S … 更小（x vs y）": one subject, a comparing word, and two figures. */
function* inStatement(statement: Statement): Generator<Assertion> {
  const { text, quantities } = statement
  if (quantities.length < 2 || text.length > 300) return
  const words = masked(statement)
  for (const [i, a] of quantities.entries()) {
    const b = quantities[i + 1]
    if (b === undefined || !VERSUS.test(words.slice(a.to, b.from))) continue
    const word = [...places(text.slice(0, a.from), 'larger', 'smaller', 'better', 'worse')].at(-1)
    if (word === undefined || a.from - word.to > 24 || isDenied(text, word.from)) continue
    yield assertionIn(
      statement,
      'winner',
      { from: 0, to: b.to },
      {
        figures: [figureOf(statement, a, 'value'), figureOf(statement, b, 'value')],
        subjects: [text.slice(0, word.from)],
        quantity: text.slice(0, a.from),
        manner: senseOf(word.text) ?? 'up',
      },
    )
  }
}

function check(assertion: Assertion, evidence: Evidence): Outcome {
  return assertion.manner.startsWith('cell ') ? checkCell(assertion) : checkSentence(assertion, evidence)
}

function checkCell({ manner, scope, offset, quote }: Assertion): Outcome {
  const [, row, column, sense = ''] = manner.split(' ')
  const matrix = scope.table === null ? undefined : matrixOf(scope.table)
  const line = matrix === undefined ? undefined : rowLine(matrix, Number(row))
  const point = line?.points.find(({ at }) => at.index === Number(column))
  if (matrix === undefined || line === undefined || point === undefined) return UNCHECKED
  const own = goalOf([line.of.name])
  const wants = wanted(sense, own ?? customary(matrix, line.of, sense, point) ?? goalOfLine(line))
  if (wants === null) return UNCHECKED
  const others = line.points.filter(({ at }) => at.role === 'value')
  const top = topOf(others, wants)
  if (top === null || meets(top.quantity.range, point.quantity.range)) return confirmed(line.of.name)
  // Of values with different units or signs the size may be meant.
  if (own === 'min' && others.some(({ quantity }) => quantity.value < 0)) return UNCHECKED
  const [claimed, owner] = [point.at.name, top.at.name]
  const params = { quote, row: line.of.name, claimed, found: point.cell.text, owner, expected: top.cell.text }
  return refute('winner-contradicted', offset, say('audit.winner', params), { found: claimed, expected: owner })
}

const rowLines = new WeakMap<Matrix, ReadonlyMap<number, Line>>()

function rowLine(matrix: Matrix, row: number): Line | undefined {
  const rows = linesOfMatrix(matrix).filter(({ isColumn }) => !isColumn)
  const known = rowLines.get(matrix) ?? new Map(rows.map(line => [line.of.index, line]))
  rowLines.set(matrix, known)
  return known.get(row)
}

function wanted(sense: string, goal: 'max' | 'min' | null): 'max' | 'min' | null {
  if (sense === 'up' || sense === 'down') return sense === 'up' ? 'max' : 'min'
  return goal === null || sense === 'good' ? goal : goal === 'max' ? 'min' : 'max'
}

const MOST_REMARKS = 60

/** What the other rows of the same column call better, where the name of the quantity does not tell. */
function customary(matrix: Matrix, own: Axis, sense: string, { quantity }: Point): 'max' | 'min' | null {
  if (sense !== 'good') return null
  let [high, low] = [0, 0]
  for (const { row, named, sense: other } of remarksIn(matrix).slice(0, MOST_REMARKS)) {
    const points = rowLine(matrix, row.index)?.points ?? []
    const point = points.find(({ at }) => at === named)
    if (other !== 'good' || row === own || goalOf([row.name]) !== null || point?.quantity.unit !== quantity.unit)
      continue
    if (topOf(points, 'max')?.quantity.value === point.quantity.value) high += 1
    if (topOf(points, 'min')?.quantity.value === point.quantity.value) low += 1
  }
  if (high >= 2 && low === 0) return 'max'
  return low >= 2 && high === 0 ? 'min' : null
}

function checkSentence(assertion: Assertion, evidence: Evidence): Outcome {
  const { quote, manner, offset } = assertion
  const [a, b] = assertion.figures
  if (a === undefined || b === undefined || assertion.stance === 'planned' || meets(a.quantity.range, b.quantity.range))
    return UNCHECKED
  const text = assertion.subjects[0] ?? ''
  let miss: { readonly claimed: Point; readonly rival: Point } | null = null
  for (const { line, point } of evidence.holding(a.quantity)) {
    const other = line.points.find(one => one !== point && one.quantity.value === b.quantity.value)
    const [only, another] = other === undefined ? [] : namedOf(text, line.matrix, [point.at, other.at])
    const wants = wanted(manner, goalOf([line.of.name]) ?? goalOf([text]) ?? goalOfLine(line))
    if (other === undefined || only === undefined || another !== undefined || wants === null) continue
    const [claimed, rival] = only === point.at ? [point, other] : [other, point]
    if (topOf([claimed, rival], wants) === claimed) return confirmed(line.of.name)
    miss = { claimed, rival }
  }
  if (miss === null) return byConvention(assertion, a, b)
  const { claimed, rival } = miss
  const [name, owner] = [claimed.at.name, rival.at.name]
  const params = { quote, claimed: name, found: claimed.cell.text, owner, expected: rival.cell.text }
  return refute('named-comparison', offset, say('audit.named-comparison', params), {
    severity: 'error',
    found: name,
    expected: owner,
    also: [claimed.cell.offset, rival.cell.offset],
  })
}

/** Without a table the first figure belongs to what the sentence is about: "X is higher (10.2 vs 7.8)". */
function byConvention({ scope: { statement }, manner, stance, quote }: Assertion, a: Figure, b: Figure): Outcome {
  if ((manner !== 'up' && manner !== 'down') || statement === null || stance !== 'said') return UNCHECKED
  const isUp = a.quantity.value > b.quantity.value
  if (isUp === (manner === 'up')) return confirmed(`${a.text} vs ${b.text}`)
  // Of negative figures the size may be meant; and a name between the two may turn them round.
  const between = statement.text.slice(a.quantity.to, b.quantity.from)
  if (a.quantity.value < 0 || b.quantity.value < 0 || !/^\s?(?:vs\.?|versus|对比)\s?$/i.test(between)) return UNCHECKED
  const message = say('audit.first-figure', { quote, found: a.text, expected: b.text })
  return refute('sign-contradicted', a.offset, message, { severity: 'warning' })
}

export const winner: Relation = {
  names: ['winner'],
  inTable: matrix => remarksIn(matrix).map(({ assertion }) => assertion),
  inStatement,
  check,
}
