import { groupBy } from '../../model/group-by.js'
import { message } from '../../text/say.js'
import type { AuditDocument, Cell } from '../document.js'
import { shown, significantDigits } from '../figures.js'
import type { AuditRule, Fault } from '../rule.js'
import { cellsIn, mainQuantity, type TableView, viewOf } from '../table-view.js'

/**
 * Two rows that share several finely printed values although they differ in others, in columns where every other row
 * has its own: one was copied into the other. Whole rows that agree are `identical-rows`.
 */
export const copiedCells: AuditRule = {
  id: 'copied-cells',
  kind: 'copied',
  severity: 'warning',
  example: {
    faulty:
      '| beta | KL | loss | PPO |\n|---|---|---|---|\n| 0.1 | 0.0712 | 0.02235 | 0.01164 |\n| 0.2 | 0.0731 | 0.02107 | 0.01052 |\n| 0.3 | 0.0695 | 0.02235 | 0.01164 |',
    sound:
      '| beta | KL | loss | PPO |\n|---|---|---|---|\n| 0.1 | 0.0712 | 0.02235 | 0.01164 |\n| 0.2 | 0.0731 | 0.02107 | 0.01052 |\n| 0.3 | 0.0695 | 0.02235 | 0.01179 |',
  },
  *check(document: AuditDocument) {
    for (const table of document.tables) yield* inTable(viewOf(table))
  },
}

const FEWEST_CELLS = 2
/** Over all shared cells: a chance of about one in a hundred million for each pair of rows. */
const FEWEST_DIGITS = 8

function* inTable(view: TableView): Generator<Fault> {
  const { rows } = view.table
  const values = view.roles.flatMap((role, column) => (role === 'value' ? [column] : []))
  const columns = view.roles.flatMap((role, column) => (role === 'value' ? (columnOf(view, column) ?? []) : []))
  const pairs = groupBy(
    columns.flatMap(({ column, twins }) => (twins === null ? [] : [{ column, twins }])),
    ({ twins }) => twins.join(),
  )
  for (const shared of pairs.values()) {
    const [earlier, later] = shared[0].twins.map(index => rows[index])
    const cells = shared.map(({ column }) => later[column])
    const digits = cells.reduce((sum, cell) => sum + digitsOf(cell), 0)
    const differs = values.some(column => isDifferent(earlier[column], later[column]))
    if (cells.length < FEWEST_CELLS || digits < FEWEST_DIGITS || !differs) continue
    yield faultAt(view, cells, later[0], earlier[0])
  }
}

interface Column {
  readonly column: number
  /** The only two rows with the same finely printed value. */
  readonly twins: readonly [number, number] | null
}

/** A column in which more than two rows agree shows something that does not depend on the row: null. */
function columnOf({ table }: TableView, column: number): Column | null {
  const seen = new Map<number, number>()
  let twins: readonly [number, number] | null = null
  let filled = 0
  for (const [index, cell] of cellsIn(table, column).entries()) {
    const quantity = mainQuantity(cell)
    if (quantity === null) continue
    filled += 1
    const before = seen.get(quantity.value)
    if (before === undefined) seen.set(quantity.value, index)
    else if (twins !== null) return null
    else twins = [before, index]
  }
  return filled < 3 ? null : { column, twins }
}

function digitsOf(cell: Cell): number {
  const quantity = mainQuantity(cell)
  return quantity === null || quantity.ends !== null ? 0 : significantDigits(quantity)
}

function isDifferent(a: Cell, b: Cell): boolean {
  const [first, second] = [mainQuantity(a), mainQuantity(b)]
  return first !== null && second !== null && first.value !== second.value
}

function faultAt({ table }: TableView, shared: readonly Cell[], label: Cell, earlier: Cell): Fault {
  const values = shared.flatMap(cell => {
    const quantity = mainQuantity(cell)
    return quantity === null ? [] : [`${table.header[cell.column].text} ${shown(quantity)}`]
  })
  return {
    offset: shared[0].offset,
    message: message('audit.copied-cells', { label: label.text, earlier: earlier.text, values: values.join(', ') }),
    found: values.join(', '),
    expected: '-',
  }
}
