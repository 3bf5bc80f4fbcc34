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
 * A total against a column elsewhere that counts its parts: "Total flights: 900" over a table of days with the flights of
 * each, "360 recipes", said twice, over a table of kinds of recipes. A table that shows only some, and a sum that the
 * report prints itself, are no contradiction.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.total-elsewhere': { en: '“{quote}”: “{column}” in the table of line {at} adds up to {expected}, not {found}; correct one of the two, or say what the table leaves out', zh: '“{quote}”：第 {at} 行的表中“{column}”之和是 {expected}，不是 {found}；应改正其一，或说明表中未列出的部分' },
})

export function* totals({ document, matrices, printed }: Evidence): Generator<Fault> {
  const columns = matrices.flatMap(countsIn)
  const said = columns.length === 0 ? [] : document.statements.flatMap(totalsIn)
  for (const { matrix, name, nouns, sum, top } of columns) {
    const inAll = columns.filter(other => other.name === name).reduce((all, other) => all + other.sum, 0)
    const meant = said.filter(({ statement, quantity: { value }, words, isCalled }) => {
      const isOfIt = isCalled ? words.join(' ') === nounsIn(name).join(' ') : words.some(word => nouns.includes(word))
      return (
        isOfIt &&
        statement.table !== matrix.table &&
        value > top &&
        value < (isCalled ? CALLED_TIMES : SAID_TIMES) * sum
      )
    })
    const isTwice = (value: number): boolean => meant.filter(({ quantity }) => quantity.value === value).length > 1
    const told = meant.find(({ isCalled, quantity: { value } }) => isCalled || isTwice(value))
    if (told === undefined || [sum, inAll].includes(told.quantity.value) || printed(sum) > 0) continue
    const {
      statement: { text, offsetOf },
      quantity: { from, to },
    } = told
    const quote = text.slice(Math.max(0, from - AROUND), to + AROUND).trim()
    const params = { quote, column: name, found: text.slice(from, to), expected: sum }
    const message = say('audit.total-elsewhere', { ...params, at: document.placeOf(matrix.table.offset).line })
    yield fault('total-elsewhere', offsetOf(from), message, { also: [matrix.table.offset] })
  }
}

const AROUND = 24
/** What is further off is a total of something else. */
const CALLED_TIMES = 5
const SAID_TIMES = 2
const FEWEST_PARTS = 3
const MOST_ROWS = 100
const PARTLY =
  /(?<![a-z])(?:top|selected|examples?|sample|recent|last|first|best|some)(?![a-z])|部分|示例|举例|最近|主要|前\s?\d/i

/** Columns of whole numbers that differ, in a table with no total of its own. */
function countsIn(matrix: Matrix) {
  const { table, rows, columns } = matrix
  const title = table.section?.title ?? ''
  const isOpen = rows.every(({ role }) => role === 'value') && rows.length >= FEWEST_PARTS && rows.length <= MOST_ROWS
  if (!isOpen || PARTLY.test(title)) return []
  return columns.flatMap(column => {
    const { points } = lineOf(matrix, column, true, rows)
    const values = points.map(({ quantity }) => quantity.value)
    const areCounts = points.every(({ quantity }) => isCount(quantity)) && points.length === rows.length
    if (column.index === 0 || column.role !== 'value' || !areCounts || new Set(values).size === 1) return []
    const nouns = isSizeName(column.name) ? [title, table.header[0].text, column.name].flatMap(nounsIn) : []
    const sum = values.reduce((all, value) => all + value, 0)
    return [{ matrix, name: column.name, nouns, sum, top: Math.max(...values) }]
  })
}

const isCount = ({ value, unit, hedge, bound, ends, signed }: Quantity): boolean =>
  Number.isInteger(value) && unit === null && hedge === null && bound === null && ends === null && !signed

const CALLED = /^(?:total(?: number of)? |总)(.+?)数?[:：]\s?$/i

/** Figures with what they count: by the label before them, or by the two words behind them. */
function totalsIn(statement: Statement) {
  const { text, quantities, kind } = statement
  if (kind === 'code' || kind === 'cell') return []
  return quantities.filter(isCount).map(quantity => {
    const called = CALLED.exec(text.slice(0, quantity.from))?.[1]
    // A Chinese character alone is no noun.
    const behind = nounsIn(text.slice(quantity.to, quantity.to + AROUND)).slice(0, 2)
    const words = called === undefined ? behind.filter(word => /^[a-z]/.test(word)) : nounsIn(called)
    return { statement, quantity, words, isCalled: called !== undefined }
  })
}

/** "Queries" and "query" are one. */
const nounsIn = (text: string): readonly string[] =>
  wordsOf(withoutBrackets(text))
    .map(({ text: word }) => word.replace(/(?:ie|y)$/, ''))
    .filter(word => /^[a-z]{3,}$|\p{Script=Han}/u.test(word))
