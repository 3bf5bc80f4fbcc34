import type { Section, Statement } from '../../document/document.js'
import { lineOf, type Matrix } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { withoutBrackets } from '../../document/words.js'
import { sentences } from '../../text/sentences.js'
import { isSlip } from '../arithmetic.js'
import type { Fault } from '../assertion.js'
import { entriesOf } from '../entries.js'
import { type Evidence, isIn, isSizeName } from '../evidence.js'
import { fault } from '../fault.js'
import { wordsOf } from '../names.js'
import { isCalledTotal } from '../relations/reckoning.js'

/**
 * A total against parts that stand elsewhere: "Total flights: 900" over a table of days with the flights of each, "360
 * recipes", said twice, over a table of kinds of recipes, "90 h in total" behind sections that each give their hours. A
 * table that shows only some, and a sum that the report prints itself, are no contradiction.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.total-elsewhere': { en: '“{quote}”: the {count} figures of “{name}” from line {at} on add up to {expected}, not {found}; correct one of the two, or say what is left out', zh: '“{quote}”：第 {at} 行起“{name}”的 {count} 个数之和是 {expected}，不是 {found}；应改正其一，或说明未列出的部分' },
})

interface Total {
  readonly statement: Statement
  readonly quantity: Quantity
  /** What it counts: by the label before it, or by the words behind it. */
  readonly nouns: readonly string[]
  readonly isLabelled: boolean
}

interface Parts {
  readonly name: string
  readonly values: readonly number[]
  /** Where they begin. */
  readonly offset: number
}

export function* totals(evidence: Evidence): Generator<Fault> {
  const { document, printed } = evidence
  const said = document.statements.flatMap(totalsIn)
  const columns = evidence.matrices.flatMap(columnsOfCounts)
  const found = [...columns.flatMap(column => overColumn(column, columns, said)), ...overSections(evidence, said)]
  for (const {
    parts: { name, values, offset },
    total: { statement, quantity },
  } of found) {
    const expected = sumOf(values)
    if (expected === quantity.value || printed(expected) > 0) continue
    const [from, to] = [quantity.from, quantity.to]
    const quote = statement.text.slice(Math.max(0, from - AROUND), to + AROUND).trim()
    const params = { quote, name, count: values.length, expected, found: statement.text.slice(from, to) }
    const message = say('audit.total-elsewhere', { ...params, at: document.placeOf(offset).line })
    yield fault('total-elsewhere', statement.offsetOf(from), message, { also: [offset] })
  }
}

const AROUND = 24
const FEWEST_PARTS = 3
const MOST_ROWS = 100
const LABEL = /^(?:total(?: number of)? |总)(.+?)数?[:：]\s?$/i

function totalsIn(statement: Statement): readonly Total[] {
  const { text, quantities, kind } = statement
  if (kind === 'code' || kind === 'cell') return []
  return quantities.filter(isExact).map(quantity => {
    const label = LABEL.exec(text.slice(0, quantity.from))?.[1]
    const nouns = nounsIn(label ?? text.slice(quantity.to, quantity.to + AROUND))
    return { statement, quantity, nouns, isLabelled: label !== undefined }
  })
}

const isExact = ({ hedge, bound, ends, signed }: Quantity): boolean =>
  hedge === null && bound === null && ends === null && !signed
const isCount = (one: Quantity): boolean => isExact(one) && Number.isInteger(one.value) && one.unit === null
const sumOf = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

/** "Queries" and "query" are one. */
const nounsIn = (text: string): readonly string[] =>
  wordsOf(withoutBrackets(text))
    .map(({ text: word }) => word.replace(/(?:ie|y)$/, ''))
    .filter(word => /^[a-z]{3,}$|\p{Script=Han}/u.test(word))

const PARTLY =
  /(?<![a-z])(?:top|selected|examples?|sample|recent|last|first|best|some)(?![a-z])|部分|示例|举例|最近|主要|前\s?\d/i

/** Columns of whole numbers that differ, in a table that has no total of its own. */
function columnsOfCounts(matrix: Matrix): readonly (Parts & { readonly matrix: Matrix })[] {
  const { table, rows, columns } = matrix
  const isOpen = rows.every(({ role }) => role === 'value') && rows.length >= FEWEST_PARTS && rows.length <= MOST_ROWS
  if (!isOpen || PARTLY.test(table.section?.title ?? '')) return []
  return columns.flatMap(column => {
    const { points } = lineOf(matrix, column, true, rows)
    const values = points.map(({ quantity }) => quantity.value)
    const areCounts = points.every(({ quantity }) => isCount(quantity)) && values.length === rows.length
    if (column.index === 0 || column.role !== 'value' || !areCounts || new Set(values).size === 1) return []
    return [{ matrix, name: column.name, values, offset: table.offset }]
  })
}

/** By a label that is the name of the column; or by a noun of the table's title, where the column only counts. */
function overColumn(
  parts: ReturnType<typeof columnsOfCounts>[number],
  columns: readonly Parts[],
  said: readonly Total[],
): readonly { readonly parts: Parts; readonly total: Total }[] {
  const {
    matrix: { table },
    name,
    values,
  } = parts
  const titles = isSizeName(name) ? [table.section?.title ?? '', table.header[0].text, name].flatMap(nounsIn) : []
  // A Chinese character alone is no noun.
  const isOfTitle = (noun: string): boolean => /^[a-z]/.test(noun) && titles.includes(noun)
  const meant = said.filter(({ statement, quantity, nouns, isLabelled }) => {
    const isNamed = isLabelled ? nouns.join(' ') === nounsIn(name).join(' ') : nouns.slice(0, 2).some(isOfTitle)
    return isNamed && isCount(quantity) && statement.table !== table && quantity.value > Math.max(...values)
  })
  const isTwice = ({ quantity: { value } }: Total): boolean =>
    meant.filter(({ quantity }) => quantity.value === value).length > 1
  const total = meant.find(one => one.isLabelled || isTwice(one))
  const inAll = sumOf(columns.filter(other => other.name === name).flatMap(other => other.values))
  if (total === undefined || total.quantity.value === inAll) return []
  return isSlip(total.quantity.value, sumOf(values)) ? [{ parts, total }] : []
}

const sectionsAbove = (section: Section | null): readonly Section[] =>
  section === null ? [] : [section, ...sectionsAbove(section.parent)]

/** What is called a total, and one entry of one name in each of the sections around it. */
function overSections(
  evidence: Evidence,
  said: readonly Total[],
): readonly { readonly parts: Parts; readonly total: Total }[] {
  const entries = entriesOf(evidence).filter(({ quantities: [first] }) => first?.from === 0 && isExact(first))
  return said
    .filter(({ statement: { text }, quantity }) => isCalledTotal(text, quantity))
    .flatMap(total => {
      const {
        statement,
        quantity,
        nouns: [noun],
      } = total
      const alike = entries.filter(
        ({ statement: own, value, quantities: [{ unit, to }] }) =>
          own !== statement && unit === quantity.unit && nounsIn(value.slice(to))[0] === noun,
      )
      const scopes = sectionsAbove(statement.section).flatMap((scope): readonly Parts[] => {
        const own = alike.filter(({ section }) => isIn(section, scope))
        const areEach =
          new Set(own.map(({ section }) => section)).size === own.length &&
          new Set(own.map(({ key }) => key)).size === 1
        const values = own.map(({ quantities }) => quantities[0].value)
        return areEach && own.length >= FEWEST_PARTS ? [{ name: own[0].key, values, offset: own[0].offset }] : []
      })
      const off = ({ values }: Parts): number => Math.abs(Math.log(sumOf(values) / quantity.value))
      const [parts] = scopes.toSorted((a, b) => off(a) - off(b))
      return noun === undefined || parts === undefined || !isSlip(quantity.value, sumOf(parts.values))
        ? []
        : [{ parts, total }]
    })
}
