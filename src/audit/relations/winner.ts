import { type Axis, type Line, linesOfMatrix, type Matrix, matrixOf, type Point } from '../../document/matrix.js'
import { sentences } from '../../text/sentences.js'
import { meets } from '../arithmetic.js'
import {
  type Assertion,
  confirmed,
  type Figure,
  type Outcome,
  type Relation,
  refuted,
  UNCHECKED,
} from '../assertion.js'
import { axesNamed, type Evidence, goalOf, goalOfLine } from '../evidence.js'
import { fault } from '../fault.js'
import { has, places } from '../lexicon.js'
import { assertionIn, figureOf, masked } from '../read.js'
import { isDenied } from '../stance.js'
import { topOf } from './extremum.js'

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

const WINNER_HEADER = /最优|最佳|胜者|赢家|结论|更优|winner|best|verdict|better/i

function* read(evidence: Evidence): Generator<Assertion> {
  for (const matrix of evidence.matrices) yield* inTable(matrix)
  yield* inSentences(evidence)
}

/** Remarks that name exactly one of the columns they stand beside. */
function* inTable(matrix: Matrix): Generator<Assertion> {
  if (!matrix.alongRows) return
  const values = matrix.columns.filter(({ role }) => role === 'value')
  if (values.length < 2) return
  for (const column of matrix.columns) {
    if (column.role === 'label' || column.role === 'step') continue
    const isWinner = WINNER_HEADER.test(column.name)
    for (const row of matrix.rows) {
      const cell = matrix.table.rows[row.index]?.[column.index]
      if (cell === undefined || !/\p{L}/u.test(cell.text) || cell.text.length > 60) continue
      const named = axesNamed(cell.text, matrix, values, false)
      const [only] = named
      if (only === undefined || named.length !== 1 || column.index === only.index) continue
      const sense = senseOf(cell.text, isWinner)
      if (sense === null || has(cell.text, 'denial', 'doubt')) continue
      yield {
        relation: 'winner',
        stance: 'said',
        quote: cell.text,
        offset: cell.offset,
        subjects: [only.name, row.name],
        quantity: row.name,
        figures: [],
        sense: sense === 'up' || sense === 'down' ? sense : null,
        scope: { section: matrix.table.section, table: matrix.table, steps: null, statement: null, stretch: null },
        manner: `cell ${row.index} ${only.index} ${sense}`,
      }
    }
  }
}

const remarks = new WeakMap<Matrix, readonly Assertion[]>()
const MOST_REMARKS = 60

function remarksIn(matrix: Matrix): readonly Assertion[] {
  const known = remarks.get(matrix) ?? [...inTable(matrix)].slice(0, MOST_REMARKS)
  remarks.set(matrix, known)
  return known
}

type Sense = 'up' | 'down' | 'good' | 'bad'

function senseOf(text: string, isWinner: boolean): Sense | null {
  if (has(text, 'best') || has(text, 'better')) return 'good'
  if (has(text, 'worst') || has(text, 'worse')) return 'bad'
  if (has(text, 'maximum', 'larger')) return 'up'
  if (has(text, 'minimum', 'smaller')) return 'down'
  return isWinner && text.length < 24 ? 'good' : null
}

const VERSUS = /^\s?\)?\s?(?:vs\.?|versus|对比)\s?[^\d;；。]{0,16}$/i

/** "S … 更小（x vs y）": one subject, a comparing word, and two figures. */
function* inSentences({ document }: Evidence): Generator<Assertion> {
  for (const statement of document.statements) {
    if (statement.kind === 'code' || statement.quantities.length < 2 || statement.text.length > 300) continue
    const words = masked(statement)
    for (const [i, a] of statement.quantities.entries()) {
      const b = statement.quantities[i + 1]
      if (b === undefined || !VERSUS.test(words.slice(a.to, b.from))) continue
      const word = [...places(statement.text.slice(0, a.from), 'larger', 'smaller', 'better', 'worse')].at(-1)
      if (word === undefined || a.from - word.to > 24 || isDenied(statement.text, word.from)) continue
      const sense = has(word.text, 'better')
        ? 'good'
        : has(word.text, 'worse')
          ? 'bad'
          : has(word.text, 'larger')
            ? 'up'
            : 'down'
      yield assertionIn(statement, 'winner', {
        from: 0,
        to: b.to,
        figures: [figureOf(statement, a, 'value'), figureOf(statement, b, 'value')],
        subjects: [statement.text.slice(0, word.from)],
        quantity: statement.text.slice(0, a.from),
        manner: sense,
      })
    }
  }
}

function check(assertion: Assertion, evidence: Evidence): Outcome {
  return assertion.manner.startsWith('cell ') ? checkCell(assertion) : checkSentence(assertion, evidence)
}

function checkCell(assertion: Assertion): Outcome {
  const [, row = '', column = '', sense = ''] = /^cell (\d+) (\d+) (\w+)$/.exec(assertion.manner) ?? []
  const matrix = assertion.scope.table === null ? undefined : matrixOf(assertion.scope.table)
  const line = matrix === undefined ? undefined : rowLine(matrix, Number(row))
  const point = line?.points.find(({ at }) => at.index === Number(column))
  if (matrix === undefined || line === undefined || point === undefined) return UNCHECKED
  const wants = wanted(
    sense,
    goalOf([line.of.name]) ?? customary(matrix, line.of, sense, point.quantity.unit) ?? goalOfLine(line),
  )
  if (wants === null) return UNCHECKED
  const others = line.points.filter(one => !isComputed(one.at))
  const top = topOf(others, wants)
  if (top === null || meets(top.quantity.range, point.quantity.range)) return confirmed(line.of.name)
  // Of values with different units or signs the size may be meant.
  if (others.some(({ quantity }) => quantity.value < 0) && goalOf([line.of.name]) === 'min') return UNCHECKED
  return refuted(
    fault(
      'winner-contradicted',
      assertion.offset,
      say('audit.winner', {
        quote: assertion.quote,
        row: line.of.name,
        claimed: point.at.name,
        found: point.cell.text,
        owner: top.at.name,
        expected: top.cell.text,
      }),
      { found: point.at.name, expected: top.at.name },
    ),
  )
}

const rowLines = new WeakMap<Matrix, ReadonlyMap<number, Line>>()

function rowLine(matrix: Matrix, row: number): Line | undefined {
  const known =
    rowLines.get(matrix) ??
    new Map(linesOfMatrix(matrix).flatMap(line => (line.isColumn ? [] : [[line.of.index, line] as const])))
  rowLines.set(matrix, known)
  return known.get(row)
}

function isComputed({ role }: Axis): boolean {
  return role !== 'value'
}

function wanted(sense: string, goal: 'max' | 'min' | null): 'max' | 'min' | null {
  if (sense === 'up') return 'max'
  if (sense === 'down') return 'min'
  if (goal === null) return null
  return sense === 'good' ? goal : goal === 'max' ? 'min' : 'max'
}

/** What the other rows of the same column call better, where the name of the quantity does not tell. */
function customary(matrix: Matrix, own: Axis, sense: string, unit: Point['quantity']['unit']): 'max' | 'min' | null {
  if (sense !== 'good') return null
  let [high, low] = [0, 0]
  for (const { manner } of remarksIn(matrix)) {
    const [, row = '', column = '', which = ''] = /^cell (\d+) (\d+) (\w+)$/.exec(manner) ?? []
    const line = rowLine(matrix, Number(row))
    if (which !== 'good' || line === undefined || line.of.index === own.index || goalOf([line.of.name]) !== null)
      continue
    const point = line.points.find(({ at }) => at.index === Number(column))
    if (point === undefined || point.quantity.unit !== unit) continue
    if (topOf(line.points, 'max')?.quantity.value === point.quantity.value) high += 1
    if (topOf(line.points, 'min')?.quantity.value === point.quantity.value) low += 1
  }
  if (high >= 2 && low === 0) return 'max'
  return low >= 2 && high === 0 ? 'min' : null
}

function checkSentence(assertion: Assertion, evidence: Evidence): Outcome {
  const [a, b] = assertion.figures
  if (a === undefined || b === undefined || assertion.stance === 'planned' || meets(a.quantity.range, b.quantity.range))
    return UNCHECKED
  const text = assertion.subjects[0] ?? ''
  let contradiction: { claimed: Point; other: Point } | null = null
  for (const { line, point } of evidence.holding(a.quantity)) {
    const other = line.points.find(one => one !== point && one.quantity.value === b.quantity.value)
    if (other === undefined) continue
    const named = axesNamed(text, line.matrix, [point.at, other.at], line.isColumn)
    const [only] = named
    if (only === undefined || named.length !== 1) continue
    const wants = wanted(assertion.manner, goalOf([line.of.name]) ?? goalOf([text]) ?? goalOfLine(line))
    if (wants === null) continue
    const [claimed, rival]: readonly [Point, Point] = only.index === point.at.index ? [point, other] : [other, point]
    const holds =
      wants === 'max' ? claimed.quantity.value > rival.quantity.value : claimed.quantity.value < rival.quantity.value
    if (holds) return confirmed(line.of.name)
    contradiction = { claimed, other: rival }
  }
  if (contradiction === null) return byConvention(assertion, a, b)
  const { claimed, other } = contradiction
  return refuted(
    fault(
      'named-comparison',
      assertion.offset,
      say('audit.named-comparison', {
        quote: assertion.quote,
        claimed: claimed.at.name,
        found: claimed.cell.text,
        owner: other.at.name,
        expected: other.cell.text,
      }),
      {
        severity: 'error',
        found: claimed.at.name,
        expected: other.at.name,
        also: [claimed.cell.offset, other.cell.offset],
      },
    ),
  )
}

/** Without a table the first figure belongs to what the sentence is about: "X is higher (10.2 vs 7.8)". */
function byConvention(assertion: Assertion, a: Figure, b: Figure): Outcome {
  const { statement } = assertion.scope
  const isPlain = assertion.manner === 'up' || assertion.manner === 'down'
  if (!isPlain || statement === null || assertion.stance !== 'said') return UNCHECKED
  const isUp = a.quantity.value > b.quantity.value
  if (isUp === (assertion.manner === 'up')) return confirmed(`${a.text} vs ${b.text}`)
  // Of negative figures the size may be meant; and a name between the two may turn them round.
  const between = statement.text.slice(a.quantity.to, b.quantity.from)
  if (a.quantity.value < 0 || b.quantity.value < 0 || !/^\s?(?:vs\.?|versus|对比)\s?$/i.test(between)) return UNCHECKED
  return refuted(
    fault(
      'sign-contradicted',
      a.offset,
      say('audit.first-figure', { quote: assertion.quote, found: a.text, expected: b.text }),
      { severity: 'warning' },
    ),
  )
}

export const winner: Relation = { name: 'winner', read, check }
