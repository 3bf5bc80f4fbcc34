import type { Cell, Statement } from '../../logs/document/document.js'
import { everyMatch } from '../../logs/document/matches.js'
import { type Line, linesOfMatrix, type Matrix, matrixOf, type Point } from '../../logs/document/matrix.js'
import type { Quantity } from '../../logs/document/quantity.js'
import { memoByObject } from '../../logs/model/util/memo.js'
import { sentences } from '../../text/sentences.js'
import { areLevel, meets } from '../arithmetic.js'
import { type Assertion, type CheckOutcome, confirmed, type Relation, refute, UNCHECKED } from '../assertion.js'
import { isBaseIn } from '../binding.js'
import { goalOfLine, isSizeName, topOf } from '../evidence.js'
import { assertionIn, assertionInCell, figureOf } from '../extract.js'
import { has } from '../lexicon.js'
import { mentionsInText } from '../mentions.js'

/** Who wins a row of a table: a column of remarks names one of the other columns ("甲组更好", "run B best"). */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.winner': { en: '“{quote}” (row “{row}”): {claimed} has {found}, but {owner} has {expected}; write {owner}', zh: '“{quote}”（“{row}”行）：{claimed} 是 {found}，而 {owner} 是 {expected}；应写 {owner}' },
  'audit.order-contradicted': { en: '“{quote}”: but {expected}; write them in order', zh: '“{quote}”：实际是 {expected}；应按大小重排' },
})

const SENSES = [
  ['good', ['best', 'better']],
  ['max', ['maximum', 'larger']],
  ['min', ['minimum', 'smaller']],
] as const

const senseIn = (text: string): string | null => SENSES.find(([, senses]) => has(text, ...senses))?.[0] ?? null
const WINNER_HEADER = /胜者|赢家|结论|winner|verdict/i

/** A cell that names one of the columns of its row, what it says of it, and whom it is compared with. */
interface Remark {
  readonly line: Line
  readonly cell: Cell
  readonly sense: string
  readonly named: Point
  readonly rivals: readonly Point[]
}

/** Of a longer table nobody remarks row by row. */
const MOST_ROWS = 400
const LONGEST_NAME = 24

const remarksIn = memoByObject((matrix: Matrix): readonly Remark[] => {
  const { header, rows } = matrix.table
  const senses = header.map(({ text }) => senseIn(text) ?? (WINNER_HEADER.test(text) ? 'good' : null))
  const lines = rows.length > MOST_ROWS ? [] : linesOfMatrix(matrix).filter(({ isColumn }) => !isColumn)
  return lines.flatMap(line =>
    (rows[line.of.index] ?? []).flatMap(cell => {
      const sense = senseIn(cell.text) ?? (cell.text.length < LONGEST_NAME ? senses[cell.column] : null)
      const named = sense == null || has(cell.text, 'denial', 'doubt') ? null : namedIn(line, cell)
      if (sense == null || named === null) return []
      // A count of questions beside scores takes no part.
      const isRival = ({ at, quantity: { unit } }: Point): boolean =>
        unit === named.quantity.unit && !isSizeName(at.name)
      return [{ line, cell, sense, named, rivals: line.points.filter(isRival) }]
    }),
  )
})

/** The one column that a remark names. */
function namedIn({ matrix, points }: Line, { text }: Cell): Point | null {
  const axes = mentionsInText(text, matrix).flatMap(one => (isBaseIn(text, one) ? [] : one.axes))
  const [named = null, another] = points.filter(({ at }) => axes.includes(at))
  return points.find(({ at }) => at.name === text) ?? (another === undefined ? named : null)
}

function* inTable(matrix: Matrix): Generator<Assertion> {
  for (const [i, { line, cell, named }] of remarksIn(matrix).entries())
    yield assertionInCell(matrix, cell, 'winner', { subjects: [named.at.name, line.of.name], manner: `${i}` })
}

function check({ scope: { table }, manner, offset, quote }: Assertion): CheckOutcome {
  const remark = table === null ? undefined : remarksIn(matrixOf(table))[Number(manner)]
  if (remark === undefined) return UNCHECKED
  const { line, cell, named, sense, rivals } = remark
  const goal = goalOfLine(line) ?? usualIn(remark)
  const wants = sense === 'max' || sense === 'min' ? sense : goal
  const top = wants === null ? null : topOf(rivals, wants)
  if (top === null) return UNCHECKED
  if (areLevel(top.quantity, named.quantity)) return confirmed(line.of.name)
  const [claimed, owner] = [named.at.name, top.at.name]
  // A remark may speak of the column that it names; of values with different signs the size may be meant.
  const isName = cell.text === claimed
  const areAlike = isName || rivals.every(({ quantity }) => quantity.decimals === named.quantity.decimals)
  if (!areAlike || (goal === 'min' && rivals.some(({ quantity }) => quantity.value < 0))) return UNCHECKED
  const params = { quote, row: line.of.name, claimed, found: named.cell.text, owner, expected: top.cell.text }
  const more = { found: claimed, expected: owner, severity: isName ? 'error' : 'warning' } as const
  return refute('winner-contradicted', offset, say('audit.winner', params), more)
}

/** Which way is good, by what the column says in most rows; rows that measure different things have no such way. */
function usualIn({ line: { matrix }, cell: { column } }: Remark): 'max' | 'min' | null {
  const remarks = matrix.alongColumns ? remarksIn(matrix).filter(({ cell }) => cell.column === column) : []
  const agreeing = (which: 'max' | 'min'): number =>
    remarks.filter(({ rivals, named }) => topOf(rivals, which)?.quantity.value === named.quantity.value).length
  const [most, least] = [agreeing('max'), agreeing('min')]
  return Math.max(most, least) < 2 || most === least ? null : most > least ? 'max' : 'min'
}

export const winner: Relation = { names: ['winner'], inTable, check }

/** Chains whose links print their figures: "A (0.63) > B (0.61) ≈ C (0.60)". */

const SIGNS = /[><≈≥≤]/g
/** At least two, so that "x > 3" is no chain. */
const ONE_WAY = /^(?:[>≥≈]{2,12}|[<≤≈]{2,12})$/

function* chainsIn(statement: Statement): Generator<Assertion> {
  const { text, quantities } = statement
  if (!/[><].*[><≈≥≤]/.test(text)) return
  for (const { index, 0: chain } of everyMatch(text, /[^,;。:]+/g)) {
    const manner = chain.match(SIGNS)?.join('') ?? ''
    // "A -> B" leads on.
    if (!ONE_WAY.test(manner) || /[-=]>|<-/.test(chain)) continue
    const stretch = { from: index, to: index + chain.length }
    const own = quantities.filter(({ from, to }) => from >= stretch.from && to <= stretch.to)
    const isLink = ({ to, unit }: Quantity, i: number): boolean =>
      unit === own[0]?.unit && text.slice(index, to).split(SIGNS).length === i + 1
    if (own.length !== manner.length + 1 || !own.every(isLink)) continue
    const figures = own.map(one => figureOf(statement, one, 'value'))
    yield assertionIn(statement, 'order', stretch, { figures, manner })
  }
}

function checkChain({ figures, manner, quote, offset, stance }: Assertion): CheckOutcome {
  const isDown = /[>≥]/.test(manner)
  const isBroken = figures.some(({ quantity: b }, i) => {
    const a = figures[i - 1]?.quantity
    return a !== undefined && manner[i - 1] !== '≈' && !meets(a.range, b.range) && a.value > b.value !== isDown
  })
  if (!isBroken) return confirmed(quote)
  if (stance !== 'said') return UNCHECKED
  const sorted = figures.toSorted((x, y) => (isDown ? -1 : 1) * (x.quantity.value - y.quantity.value))
  const expected = sorted.map(({ text }) => text).join(isDown ? ' > ' : ' < ')
  return refute('order-contradicted', offset, say('audit.order-contradicted', { quote, expected }), { found: quote })
}

export const order: Relation = { names: ['order'], inStatement: chainsIn, check: checkChain }
