import type { Statement } from '../../document/document.js'
import { lineOf, type Matrix } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { withoutBrackets } from '../../document/words.js'
import { sentences } from '../../text/sentences.js'
import type { Fault } from '../assertion.js'
import { type Evidence, isSizeName } from '../evidence.js'
import { fault } from '../fault.js'
import { wordsOf } from '../names.js'

/**
 * A total that is said elsewhere against the column that counts its parts: "Total episodes: 4,000" over a table of
 * sessions with their episodes, "240 queries" said twice over a table of categories with the number of queries in each.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.total-elsewhere': { en: '“{quote}”: “{column}” in the table of line {at} adds up to {expected}, not {found}; correct the total, or say what is left out', zh: '“{quote}”：第 {at} 行的表中“{column}”之和是 {expected}，不是 {found}；应改正总数，或说明未列出的部分' },
})

interface Total {
  readonly statement: Statement
  readonly quantity: Quantity
  /** What is counted: the words around the figure. */
  readonly words: readonly string[]
  /** It is called a total. */
  readonly isCalled: boolean
}

export function* totals({ document, matrices, printed }: Evidence): Generator<Fault> {
  const columns = matrices.flatMap(countsIn)
  if (columns.length === 0) return
  const said = document.statements.flatMap(totalsIn)
  for (const { matrix, name, nouns, sum, top } of columns) {
    const rest = columns.filter(other => other.name === name).map(other => other.sum)
    const sums = [sum, rest.reduce((all, one) => all + one, 0)]
    const meant = said.filter(({ statement, quantity: { value }, words, isCalled }) => {
      const isOfIt = isCalled ? words.join(' ') === bare(name) : words.some(word => nouns.includes(word))
      return isOfIt && statement.table !== matrix.table && value > top && value < (isCalled ? 5 : 2) * sum
    })
    const told = meant.find(({ isCalled, quantity: { value } }) => isCalled || meant.filter(one => one.quantity.value === value).length > 1)
    if (told === undefined || sums.includes(told.quantity.value) || printed(sum) > 0) continue
    const { statement, quantity: { from, to } } = told
    const quote = statement.text.slice(Math.max(0, from - 24), to + 24).trim()
    const params = { quote, column: name, found: statement.text.slice(from, to), expected: sum, at: document.placeOf(matrix.table.offset).line }
    yield fault('total-elsewhere', statement.offsetOf(from), say('audit.total-elsewhere', params), { also: [matrix.table.offset] })
  }
}

const FEWEST_PARTS = 3
const MOST_ROWS = 100
const PARTLY = /(?<![a-z])(?:top|selected|examples?|sample|recent|last|first|best|some)(?![a-z])|部分|示例|举例|最近|主要|前\s?\d/i

/** Columns of counts that may be summed: whole numbers that differ, with no total of their own. */
function countsIn(matrix: Matrix) {
  const { table, rows, columns } = matrix
  const title = table.section?.title ?? ''
  const isSummed = rows.some(({ role }) => role !== 'value')
  if (isSummed || rows.length < FEWEST_PARTS || rows.length > MOST_ROWS || PARTLY.test(title)) return []
  return columns.filter(({ index, role }) => index > 0 && role === 'value').flatMap(column => {
    const { points } = lineOf(matrix, column, true, rows)
    const values = points.map(({ quantity }) => quantity.value)
    const areCounts = points.every(({ quantity }) => isCount(quantity)) && points.length === rows.length
    if (!areCounts || new Set(values).size === 1) return []
    const nouns = isSizeName(column.name) ? nounsIn(withoutBrackets(`${title} ${table.header[0].text} ${column.name}`)) : []
    const sum = values.reduce((all, value) => all + value, 0)
    return [{ matrix, name: column.name, nouns, sum, top: Math.max(...values) }]
  })
}

const isCount = ({ value, unit, hedge, bound, ends, signed }: Quantity): boolean =>
  Number.isInteger(value) && unit === null && hedge === null && bound === null && ends === null && !signed

const bare = (text: string): string => nounsIn(withoutBrackets(text)).join(' ')

const CALLED = /^(?:total(?: number of)? |总)(.+?)数?[:：]\s?$/i

function totalsIn(statement: Statement): readonly Total[] {
  const { text, quantities, kind } = statement
  if (kind === 'code' || kind === 'cell') return []
  return quantities.filter(isCount).map(quantity => {
    const called = CALLED.exec(text.slice(0, quantity.from))
    const words = called === null ? nounsIn(text.slice(quantity.to, quantity.to + 24)).slice(0, 2).filter(word => !HAN.test(word)) : nounsIn(called[1])
    return { statement, quantity, words, isCalled: called !== null }
  })
}

/** "Queries" and "query" are one. */
const nounsIn = (text: string): readonly string[] =>
  wordsOf(text).flatMap(({ text: word }) => (/^[a-z]{3,}$/.test(word) || HAN.test(word) ? [word.replace(/(?:ie|y)$/, '')] : []))
const HAN = /\p{Script=Han}/u
