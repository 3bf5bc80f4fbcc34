import type { Statement } from '../../document/document.js'
import { NUMBER_WORDS, type Quantity } from '../../document/quantity.js'
import { remembered } from '../../document/remembered.js'
import { isMistyped } from '../arithmetic.js'
import type { Figure } from '../assertion.js'
import { entriesOf } from '../entries.js'
import type { Evidence } from '../evidence.js'
import { cellFigure, figureOf } from '../read.js'
import { isCalledTotal, isUntold, type Operation } from './reckoned.js'
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
  const set = evidence.matrices.filter(({ isSettings }) => isSettings).flatMap(({ table }) => table.rows)
  const cells = set.flatMap(([head, ...rest]) =>
    rest.map(cell => ({
      key: head?.text ?? '',
      quantities: cell.quantities,
      figure: (one: Quantity) => cellFigure(cell, one),
    })),
  )
  const entries = entriesOf(evidence).map(({ key, quantities, offset, value }) => ({
    key,
    quantities,
    figure: (one: Quantity): Figure => ({ role: 'term', quantity: one, offset, text: value.slice(one.from, one.to) }),
  }))
  return [...cells, ...entries].flatMap(({ key, quantities: [one], figure }) => {
    const name = bareName(key)
    const isNumber = one !== undefined && one.from === 0 && isCount(one) && one.value > 1
    return isNumber && name.length > 0 && name.length < 20
      ? [{ name, figure: { ...figure(one), role: 'term' as const } }]
      : []
  })
})

function bareName(key: string): string {
  const bare = key.toLowerCase().replace(/^(?:(?:number of|num|total|training|train|max|#)\s|训练|总|最大)+/, '')
  return bare
    .replace(/数量?$/, '')
    .replace(/s$/, '')
    .trim()
}

/** "128 per step", 每步 128 条: times the number of steps. */
function products({ text, quantities, ...rest }: Statement, result: Quantity, evidence: Evidence): readonly Way[] {
  const said = text.toLowerCase()
  const statement = { text, quantities, ...rest }
  const isEach = (name: string): boolean =>
    ['per ', 'each ', 'every ', '每', '每个', '每一'].some(word => said.includes(`${word}${name}`))
  if (!/per |each |every |每/.test(said)) return []
  const factors = countsIn(evidence).filter(({ name }) => isEach(name))
  const others = quantities.filter(one => one !== result && isCount(one) && one.value > 1)
  return others.flatMap(one =>
    factors.map(
      ({ figure }): Way => ({
        operation: 'product',
        terms: [figureOf(statement, one, 'term'), figure],
        result,
        value: one.value * figure.quantity.value,
      }),
    ),
  )
}

const NOUN = /^[\d,]+\s?(\p{Script=Han}|[a-z]{3,}?)s?(?![a-z])/iu

/** The sums of columns of counts that are named like the total, or have as many rows as the sentence says. */
function sums({ text, quantities }: Statement, result: Quantity, { matrices }: Evidence): readonly Way[] {
  const noun = NOUN.exec(text.slice(result.from))?.[1]?.toLowerCase() ?? ''
  const spelt = [...NUMBER_WORDS].flatMap(([word, value]) => (text.includes(word) ? [value] : []))
  const sizes = [...quantities.map(({ value }) => value), ...spelt]
  return matrices.flatMap(({ table, columns, rows }) => {
    const own = rows.filter(({ role }) => role === 'value').map(({ index }) => table.rows[index] ?? [])
    return columns.flatMap(({ index, name }): Way[] => {
      const cells = own.flatMap(row => row[index] ?? [])
      const [isSize, isNamed] = [sizes.includes(own.length), noun !== '' && name.toLowerCase().includes(noun)]
      const isBound = result.value < LARGE ? isSize && isNamed : isSize || isNamed
      const areCounts =
        cells.length > 2 &&
        cells.every(({ quantities: [one, more] }) => one !== undefined && more === undefined && isCount(one))
      if (!isBound || !areCounts) return []
      const terms = cells.flatMap(cell =>
        cell.quantities.map(one => ({ ...cellFigure(cell, one), role: 'term' as const })),
      )
      return [{ operation: 'sum', terms, result, value: terms.reduce((sum, { quantity }) => sum + quantity.value, 0) }]
    })
  })
}
