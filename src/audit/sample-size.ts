import type { AuditDocument, Statement, Table } from './document.js'
import { mainQuantity, viewOf } from './table-view.js'

/** Tables of percentages for which the report says on how many samples they rest. */
export interface SampledTable {
  readonly table: Table
  /** Columns of scores in percent; means over columns and differences are none. */
  readonly columns: readonly number[]
  readonly n: number
  /** Where the number of samples is said. */
  readonly offset: number
}

const COUNTED =
  /^(?:n|pairs|tasks|samples|problems|questions|prompts|examples|(?:任务|样本|题目?|问题|对话|样例)数?(?:量)?)$/i

/** A header such as "Tasks", "n", 样本数. */
export function isSampleCount(header: string): boolean {
  return COUNTED.test(header.trim())
}

/** How many samples stand behind each figure of two rows: a column of their numbers, the caption, or the one evaluation set. */
export function samplesOf(document: AuditDocument, table: Table, ...rows: readonly number[]): number | null {
  const column = table.header.findIndex(({ text }) => isSampleCount(text))
  if (column > 0) {
    const sizes = rows
      .map(row => table.rows[row]?.[column])
      .map(cell => (cell === undefined ? null : mainQuantity(cell)))
    const values = new Set(sizes.map(size => size?.value ?? null))
    const [only] = values
    return values.size === 1 && only !== null && Number.isInteger(only) && only > 0 ? only : null
  }
  return sizesOf(document).get(table) ?? evaluationSize(document)
}

const byTable = new WeakMap<AuditDocument, ReadonlyMap<Table, number>>()

function sizesOf(document: AuditDocument): ReadonlyMap<Table, number> {
  const before = byTable.get(document)
  if (before !== undefined) return before
  const found = new Map(sampledTables(document).map(({ table, n }) => [table, n]))
  byTable.set(document, found)
  return found
}

const EVALUATION_SET = /验证集|测试集|评测集|(?<![a-z])(?:evaluation|validation|test|held-out)(?: set)?(?![a-z])|suite/i

const PLANNED = /建议|下一步|后续|计划|待办|next|to ?do|future|plans?(?![a-z])/i

const sizes = new WeakMap<AuditDocument, number | null>()

/** Where the report names one evaluation set with one size, and no other number of samples. */
function evaluationSize(document: AuditDocument): number | null {
  const before = sizes.get(document)
  if (before !== undefined) return before
  const said = document.statements.flatMap(statement =>
    statement.quantities.length > 0 &&
    EVALUATION_SET.test(statement.text) &&
    !PLANNED.test([statement.section?.title, ...statement.leads].join(' '))
      ? statement.quantities.filter(({ unit, ends }) => unit === 'sample' && ends === null)
      : [],
  )
  const values = [...new Set(said.map(({ value }) => value))]
  const size = values.length === 1 ? values[0] : null
  sizes.set(document, size)
  return size
}

const SAMPLES = /(?<![A-Za-z])[nN]\s?=\s?$/

const known = new WeakMap<AuditDocument, readonly SampledTable[]>()

export function sampledTables(document: AuditDocument): readonly SampledTable[] {
  const before = known.get(document)
  if (before !== undefined) return before
  const headings = new Map(
    document.statements.flatMap(statement =>
      statement.kind === 'heading' && statement.section !== null ? [[statement.section, statement] as const] : [],
    ),
  )
  const found = document.tables.flatMap((table): SampledTable[] => {
    const heading = table.section === null ? undefined : headings.get(table.section)
    const caption = table.caption?.section === table.section ? table.caption : null
    for (const place of [caption, heading ?? null]) {
      const said = place === null ? null : samplesIn(place)
      if (said === null) continue
      const columns = scoreColumns(table)
      return columns.length === 0 ? [] : [{ table, columns, ...said }]
    }
    return []
  })
  known.set(document, found)
  return found
}

/** Shares of the whole, not of the row's own samples. */
const SHARE_OF_ALL = /占比|比例|份额|(?<![a-z])(?:share|proportion|fraction|percent(?:age)?)(?![a-z])/i

/** Rows with a number of samples of their own. */
export function rowSamples(table: Table): ((row: number) => number | null) | null {
  const column = table.header.findIndex(({ text }) => isSampleCount(text))
  if (column <= 0) return null
  return row => {
    const size = mainQuantity(table.rows[row][column])
    return size !== null && Number.isInteger(size.value) && size.value > 0 && size.unit === null ? size.value : null
  }
}

export function scoreColumns(table: Table): readonly number[] {
  return viewOf(table).roles.flatMap((role, column) => {
    if (role !== 'value') return []
    if (SHARE_OF_ALL.test(table.header[column].text)) return []
    const scores = table.rows.flatMap(row => mainQuantity(row[column]) ?? [])
    const areShares = scores.every(({ unit, value, signed }) => unit === '%' && value >= 0 && value <= 100 && !signed)
    return scores.length > 0 && areShares ? [column] : []
  })
}

/** "200 samples", "n = 200"; two different numbers say nothing sure. */
function samplesIn({ quantities, text, offsetOf }: Statement): { readonly n: number; readonly offset: number } | null {
  const sizes = quantities.filter(
    ({ unit, value, from, ends, hedge }) =>
      (unit === 'sample' || SAMPLES.test(text.slice(Math.max(0, from - 6), from))) &&
      Number.isInteger(value) &&
      value > 0 &&
      ends === null &&
      hedge === null,
  )
  return sizes.length === 1 ? { n: sizes[0].value, offset: offsetOf(sizes[0].from) } : null
}
