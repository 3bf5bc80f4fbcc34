import type { Section, Statement } from '../../document/document.js'
import { lineOf, type Matrix } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { withoutBrackets } from '../../document/words.js'
import { groupBy } from '../../model/group-by.js'
import { sentences } from '../../text/sentences.js'
import { isSlip } from '../arithmetic.js'
import type { Fault } from '../assertion.js'
import { type Entry, entriesOf } from '../entries.js'
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
  readonly noun: string
}

interface Parts {
  readonly name: string
  readonly values: readonly number[]
  /** Where they begin. */
  readonly offset: number
}

export function* totals(evidence: Evidence): Generator<Fault> {
  const { document, printed } = evidence
  for (const [parts, { statement, quantity }] of [...overColumns(evidence), ...overSections(evidence)]) {
    const [expected, { from, to, value }] = [sumOf(parts.values), quantity]
    // What is far off is a total of something else.
    if (value === expected || !isSlip(value, expected) || printed(expected) > 0) continue
    const quote = statement.text.slice(Math.max(0, from - AROUND), to + AROUND).trim()
    const figures = { name: parts.name, count: parts.values.length, expected, found: statement.text.slice(from, to) }
    const message = say('audit.total-elsewhere', { quote, ...figures, at: document.placeOf(parts.offset).line })
    yield fault('total-elsewhere', statement.offsetOf(from), message, { also: [parts.offset] })
  }
}

const AROUND = 24
const FEWEST_PARTS = 3
const MOST_ROWS = 100
const LONGEST = 600

const isExact = ({ hedge, bound, ends, signed }: Quantity): boolean =>
  hedge === null && bound === null && ends === null && !signed
const isCount = (one: Quantity): boolean => isExact(one) && Number.isInteger(one.value) && one.unit === null
const sumOf = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

/** "Queries" and "query" are one. */
const nounsIn = (text: string): readonly string[] =>
  wordsOf(withoutBrackets(text))
    .map(({ text: word }) => word.replace(/(?:ie|y)$/, ''))
    .filter(word => /^[a-z]{3,}$|\p{Script=Han}/u.test(word))

const LABEL = /^(?:total(?: number of)? |总)(.+?)数?[:：]\s?$/i
const labelOf = (name: string): string => `total ${nounsIn(name).join(' ')}`

/** By its label, or by each of the two words behind it; a Chinese character alone is no noun. */
function totalsIn(statement: Statement): readonly Total[] {
  const { text, quantities, kind } = statement
  if (kind === 'code' || kind === 'cell' || text.length > LONGEST) return []
  return quantities.filter(isCount).flatMap(quantity => {
    const label = LABEL.exec(text.slice(0, quantity.from))?.[1]
    const behind = nounsIn(text.slice(quantity.to, quantity.to + AROUND)).slice(0, 2)
    const nouns = label === undefined ? behind.filter(noun => /^[a-z]/.test(noun)) : [labelOf(label)]
    return nouns.map(noun => ({ statement, quantity, noun }))
  })
}

function overColumns({ matrices, document }: Evidence): readonly (readonly [Parts, Total])[] {
  const columns = matrices.flatMap(columnsOfCounts)
  if (columns.length === 0) return []
  const said = groupBy(document.statements.flatMap(totalsIn), ({ noun }) => noun)
  const inAll = new Map(
    [...groupBy(columns, ({ name }) => name)].map(([name, own]) => [name, sumOf(own.flatMap(({ values }) => values))]),
  )
  return columns.flatMap(parts => {
    const { table, name, values } = parts
    const titles = isSizeName(name) ? [table.section?.title ?? '', table.header[0].text, name].flatMap(nounsIn) : []
    const isMeant = ({ statement, quantity: { value } }: Total): boolean =>
      statement.table !== table && value > Math.max(...values) && value !== inAll.get(name)
    const behind = titles.flatMap(noun => (said.get(noun) ?? []).filter(isMeant))
    const [again] = [...groupBy(behind, ({ quantity }) => quantity.value).values()].find(same => same.length > 1) ?? []
    const total = (said.get(labelOf(name)) ?? []).find(isMeant) ?? again
    return total === undefined ? [] : [[parts, total] as const]
  })
}

const PARTLY =
  /(?<![a-z])(?:top|selected|examples?|sample|recent|last|first|best|some)(?![a-z])|部分|示例|举例|最近|主要|前\s?\d/i

/** Whole numbers that differ, in a table that has no total of its own. */
function columnsOfCounts(matrix: Matrix): readonly (Parts & Pick<Matrix, 'table'>)[] {
  const { table, rows, columns } = matrix
  const isOpen = rows.every(({ role }) => role === 'value') && rows.length >= FEWEST_PARTS && rows.length <= MOST_ROWS
  if (!isOpen || PARTLY.test(table.section?.title ?? '')) return []
  return columns.flatMap(column => {
    const { points } = lineOf(matrix, column, true, rows)
    const values = points.map(({ quantity }) => quantity.value)
    const areCounts = points.every(({ quantity }) => isCount(quantity)) && values.length === rows.length
    if (column.index === 0 || column.role !== 'value' || !areCounts || new Set(values).size === 1) return []
    return [{ table, name: column.name, values, offset: table.offset }]
  })
}

const sectionsAbove = (section: Section | null): readonly Section[] =>
  section === null ? [] : [section, ...sectionsAbove(section.parent)]

/** What is called a total, and one entry of one name in each of the sections around it: those that come nearest. */
function overSections(evidence: Evidence): readonly (readonly [Parts, Total])[] {
  const nounBehind = (text: string, { to, unit }: Quantity): string =>
    `${unit} ${nounsIn(text.slice(to, to + AROUND))[0]}`
  const isWhole = ({ quantities: [first] }: Entry): boolean => first?.from === 0 && isExact(first)
  const entries = groupBy(entriesOf(evidence).filter(isWhole), ({ value, quantities }) =>
    nounBehind(value, quantities[0]),
  )
  return evidence.document.statements.flatMap(statement => {
    const figures = statement.text.length > LONGEST ? [] : statement.quantities
    const quantity = figures.find(one => isExact(one) && isCalledTotal(statement.text, one))
    const noun = quantity === undefined ? '' : nounBehind(statement.text, quantity)
    const known = entries.get(noun) ?? []
    if (quantity === undefined || known.length < FEWEST_PARTS || known.length > MOST_ROWS) return []
    const alike = known.filter(one => one.statement !== statement)
    const scopes = sectionsAbove(statement.section).flatMap((scope): readonly Parts[] => {
      const own = alike.filter(({ section }) => isIn(section, scope))
      const [sections, keys] = [new Set(own.map(({ section }) => section)), new Set(own.map(({ key }) => key))]
      if (own.length < FEWEST_PARTS || sections.size < own.length || keys.size > 1) return []
      return [{ name: own[0].key, values: own.map(({ quantities }) => quantities[0].value), offset: own[0].offset }]
    })
    const off = ({ values }: Parts): number => Math.abs(sumOf(values) - quantity.value)
    const [parts] = scopes.toSorted((a, b) => off(a) - off(b))
    return parts === undefined ? [] : [[parts, { statement, quantity, noun }] as const]
  })
}
