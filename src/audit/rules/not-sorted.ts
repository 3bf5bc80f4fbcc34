import type { Quantity } from '../../document/quantity.js'
import { message } from '../../text/say.js'
import { asPrinted, meant } from '../change.js'
import type { AuditDocument, Cell, Statement, Table } from '../document.js'
import { columnsNamed } from '../nearby.js'
import type { AuditRule, Fault } from '../rule.js'
import { cellsIn, mainQuantity } from '../table-view.js'

/** A table said to be sorted by a column that is not in its order. Equal after rounding is in order. */
export const notSorted: AuditRule = {
  id: 'not-sorted',
  kind: 'arithmetic',
  severity: 'error',
  example: {
    faulty: '## Sorted by reward\n\n| run | reward |\n|---|---|\n| a | 2.20 |\n| b | 1.90 |\n| c | 2.05 |',
    sound: '## Sorted by reward\n\n| run | reward |\n|---|---|\n| a | 2.20 |\n| b | 2.05 |\n| c | 1.90 |',
  },
  *check({ tables, statements }: AuditDocument) {
    const announced = announcedFor(tables, statements)
    const seen = new Set<unknown>()
    for (const table of tables) {
      // A title speaks of the first table under it.
      const title = seen.has(table.section) ? '' : (table.section?.title ?? '')
      seen.add(table.section)
      for (const words of [table.caption?.text ?? '', title, announced.get(table) ?? '']) {
        const order = orderIn(words)
        if (order === null) continue
        const [column, ...others] = columnsNamed(table, order.by)
        if (column === undefined || others.length > 0) continue
        yield* inColumn(table, column, order.direction)
        break
      }
    }
  },
}

/** "The table is sorted by …", further above: it speaks of the next table. */
const ANNOUNCED = /(?<![a-z])tables? (?:below )?(?:is|are) (?:sorted|ranked|ordered)|表[中格]?.{0,8}(?:排序|排列)/i

function announcedFor(tables: readonly Table[], statements: readonly Statement[]): ReadonlyMap<Table, string> {
  const said = new Map<Table, string>()
  let next = 0
  for (const { kind, text, offsetOf } of statements) {
    if (kind !== 'sentence' || !ANNOUNCED.test(text.slice(0, 400))) continue
    const at = offsetOf(0)
    while (next < tables.length && tables[next].offset < at) next += 1
    if (next < tables.length) said.set(tables[next], text)
  }
  return said
}

const SORTED =
  /(?:按照?|依)\s?([^,;。()]{1,20}?)\s?(?:从[高大]到[低小]|从[低小]到[高大]|由[高大]到[低小]|由[低小]到[高大]|升序|降序)|(?:按照?|依)\s?([^,;。]{1,40}?)\s?(?:的)?(?:升序|降序|从[高大]到[低小]|从[低小]到[高大]|由[高大]到[低小]|由[低小]到[高大])?(?:进行)?(?:排序|排列|排名)|(?<![a-z])(?:sorted|ranked|ordered) (?:\w+ )?by ([^,;.]{1,40})/i
const ASCENDING = /升序|[从由][低小]到[高大]|ascending|lowest first|low(?:est)? to high/i
const DESCENDING = /降序|[从由][高大]到[低小]|descending|highest first|high(?:est)? to low/i

type Direction = 1 | -1 | null

function orderIn(words: string): { readonly by: string; readonly direction: Direction } | null {
  const found = SORTED.exec(words.slice(0, 400))
  if (found === null) return null
  const direction = ASCENDING.test(words) ? 1 : DESCENDING.test(words) ? -1 : null
  return { by: found[1] ?? found[2] ?? found[3] ?? '', direction }
}

interface Entry {
  readonly cell: Cell
  readonly quantity: Quantity
}

function* inColumn(table: Table, column: number, direction: Direction): Generator<Fault> {
  const entries = cellsIn(table, column).flatMap((cell): Entry[] => {
    const quantity = cell.pending ? null : mainQuantity(cell)
    return quantity === null || quantity.ends !== null ? [] : [{ cell, quantity }]
  })
  if (entries.length < 3) return
  const [up, down] = [breaks(entries, 1), breaks(entries, -1)]
  const chosen = direction === 1 ? up : direction === -1 ? down : up.length <= down.length ? up : down
  const [first] = chosen
  if (first === undefined) return
  const figures = {
    before: asPrinted(first.before),
    found: asPrinted(first.entry.quantity),
    column: table.header[column].text,
  }
  yield {
    offset: first.entry.cell.offset,
    message: message('audit.not-sorted', { ...figures, count: chosen.length }),
    found: figures.found,
    expected: chosen === up ? `≥ ${figures.before}` : `≤ ${figures.before}`,
  }
}

function breaks(entries: readonly Entry[], direction: 1 | -1) {
  return entries.flatMap((entry, i) => {
    const before = entries[i - 1]?.quantity
    if (before === undefined) return []
    const [a, b] = [meant(before), meant(entry.quantity)]
    const isBroken = direction === 1 ? b.high < a.low : b.low > a.high
    return isBroken ? [{ entry, before }] : []
  })
}
