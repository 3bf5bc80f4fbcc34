import type { Statement } from '../../document/document.js'
import type { Matrix } from '../../document/matrix.js'
import { NUMBER_WORDS, type Quantity } from '../../document/quantity.js'
import { remembered } from '../../document/remembered.js'
import { isMistyped } from '../arithmetic.js'
import type { Figure } from '../assertion.js'
import { entriesOf } from '../entries.js'
import type { Evidence } from '../evidence.js'
import { cellFigure, figureOf } from '../read.js'
import type { Operation } from './reckoned.js'
import { isCalledTotal, isUntold } from './reckoning.js'
import { isCount } from './share-columns.js'

/**
 * Totals whose factor or parts stand elsewhere: "400 per region, 2,000 in total" where a setting says how many regions
 * there are, "5 shelves, 930 books in total" over a table with five rows of books. Only a misprint of the one product or
 * sum that comes near is taken for one.
 */
interface Whole {
  readonly operation: Operation
  readonly terms: readonly Figure[]
  readonly result: Quantity
}

const LONGEST = 200
const LONGEST_NAME = 20
const SMALLEST = 100
/** From here on a misprint is no chance. */
const LARGE = 1000

export function wholeElsewhere(statement: Statement, evidence: Evidence): Whole | null {
  const { text, quantities } = statement
  if (quantities.length === 0 || text.length > LONGEST) return null
  const result = quantities.find(one => isCount(one) && one.value >= SMALLEST && isCalledTotal(text, one))
  if (result === undefined) return null
  const ways = [...products(statement, result, evidence), ...sums(statement, result, evidence)]
  const right = ways.find(({ value }) => value === result.value)
  if (right !== undefined || isUntold(text)) return right ?? null
  const slips = ways.filter(({ value }) => isMistyped(result.value, value, 0))
  return new Set(slips.map(({ value }) => value)).size === 1 ? (slips[0] ?? null) : null
}

type Way = Whole & { readonly value: number }

/** What the report says there are so many of, by the bare word for one of them. */
const countsIn = remembered((evidence: Evidence): readonly { readonly name: string; readonly figure: Figure }[] => {
  const rows = evidence.matrices.flatMap(({ table, isSettings }) => (isSettings ? table.rows : []))
  const cells = rows.flatMap(([head, ...rest]) =>
    rest.map(({ text, ...cell }) => ({ ...cell, key: head.text, value: text })),
  )
  return [...cells, ...entriesOf(evidence)].flatMap(({ key, value, quantities: [quantity], offset }) => {
    const name = bareName(key)
    const isNumber = quantity?.from === 0 && isCount(quantity) && quantity.value > 1
    if (!isNumber || name === '' || name.length > LONGEST_NAME) return []
    return [{ name, figure: { role: 'term', quantity, offset, text: value.slice(0, quantity.to) } }]
  })
})

function bareName(key: string): string {
  const bare = key.toLowerCase().replace(/^(?:(?:number of|num|total|training|train|max|#)\s|训练|总|最大)+/, '')
  return bare
    .replace(/数量?$/, '')
    .replace(/s$/, '')
    .trim()
}

const EACH = ['per ', 'each ', 'every ', '每', '每个', '每一']

/** "128 per step", 每步 128 条: times the number of steps. */
function products(statement: Statement, result: Quantity, evidence: Evidence): readonly Way[] {
  const said = statement.text.toLowerCase()
  if (!EACH.some(word => said.includes(word))) return []
  const factors = countsIn(evidence).filter(({ name }) => EACH.some(word => said.includes(`${word}${name}`)))
  const others = statement.quantities.filter(one => one !== result && isCount(one) && one.value > 1)
  return others.flatMap(one =>
    factors.map(({ figure }): Way => {
      const terms = [figureOf(statement, one, 'term'), figure]
      return { operation: 'product', terms, result, value: one.value * figure.quantity.value }
    }),
  )
}

const NOUN = /^[\d,]+\s?([\u4e00-\u9fff]|[a-z]{3,}?)s?(?![a-z])/i

/** Columns of counts, each with what it is called; found once, because a long report has many totals. */
const countColumns = remembered((matrices: readonly Matrix[]) =>
  matrices.flatMap(({ table, columns, rows }) => {
    const own = rows.filter(({ role }) => role === 'value').map(({ index }) => table.rows[index] ?? [])
    const all = columns.map(({ index, name }) => ({ name: name.toLowerCase(), cells: own.map(row => row[index]) }))
    return all.filter(
      ({ cells }) =>
        cells.length > 2 &&
        cells.every(({ quantities: [one, more] }) => one !== undefined && more === undefined && isCount(one)),
    )
  }),
)

/** The sums of columns of counts that are named like the total, or have as many rows as the sentence says. */
function sums({ text, quantities }: Statement, result: Quantity, { matrices }: Evidence): readonly Way[] {
  const noun = NOUN.exec(text.slice(result.from))?.[1]?.toLowerCase() ?? ''
  const spelt = [...NUMBER_WORDS].flatMap(([word, value]) => (text.includes(word) ? [value] : []))
  const sizes = [...quantities.map(({ value }) => value), ...spelt]
  return countColumns(matrices).flatMap(({ name, cells }): Way[] => {
    const [isSize, isNamed] = [sizes.includes(cells.length), noun !== '' && name.includes(noun)]
    if (!(result.value < LARGE ? isSize && isNamed : isSize || isNamed)) return []
    const terms = cells.flatMap(cell =>
      cell.quantities.map(one => ({ ...cellFigure(cell, one), role: 'term' as const })),
    )
    return [{ operation: 'sum', terms, result, value: terms.reduce((sum, { quantity }) => sum + quantity.value, 0) }]
  })
}
