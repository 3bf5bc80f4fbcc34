import type { Quantity } from '../../document/quantity.js'
import { message } from '../../text/say.js'
import { asPrinted, differenceOf, middle, percentOf, shown } from '../change.js'
import { fitOf } from '../difference-readings.js'
import type { AuditDocument, Cell, Table } from '../document.js'
import type { AuditRule, Fault } from '../rule.js'
import { isDifferenceHeader, mainQuantity, viewOf } from '../table-view.js'

/**
 * A row of differences or changes under the rows that it is made of: the only two above it, or the ones that are called
 * first and last. Under other rows nobody can say what it subtracts.
 */
export const differenceRow: AuditRule = {
  id: 'difference-row',
  kind: 'arithmetic',
  severity: 'error',
  example: {
    faulty:
      '| | A | B |\n|---|---|---|\n| initial | 0.0794 | 0.0789 |\n| final | 0.0538 | 0.0536 |\n| change | -32.2% | -23.1% |',
    sound:
      '| | A | B |\n|---|---|---|\n| initial | 0.0794 | 0.0789 |\n| final | 0.0538 | 0.0536 |\n| change | -32.2% | -32.1% |',
  },
  *check({ tables }: AuditDocument) {
    for (const table of tables) {
      let found = 0
      for (const [row, cells] of table.rows.entries()) {
        if (!isDifferenceHeader(cells[0].text)) continue
        found += 1
        if (found > MOST_DIFFERENCES) break
        const sides = sidesOf(table, row)
        if (sides !== null) yield* inRow(table, row, sides)
      }
    }
  },
}

const FIRST = /^(?:初始值?|起始|开始|训练前|之前|改前|initial|first|start|before|baseline|基线)$/i
const LAST = /^(?:最终值?|结束|训练后|之后|改后|final|last|end|after)$/i

/** Each is looked up in all rows above it. */
const MOST_DIFFERENCES = 50

interface Sides {
  readonly start: readonly Cell[]
  readonly end: readonly Cell[]
  /** Only called rows say in which direction; two rows may be subtracted either way. */
  readonly isDirected: boolean
}

function sidesOf({ rows }: Table, row: number): Sides | null {
  const above = rows.slice(0, row).filter(([label]) => !isDifferenceHeader(label.text))
  const start = above.find(([label]) => FIRST.test(label.text.trim()))
  const end = above.find(([label]) => LAST.test(label.text.trim()))
  if (start !== undefined && end !== undefined) return { start, end, isDirected: true }
  return above.length === 2 ? { start: above[0], end: above[1], isDirected: false } : null
}

function* inRow(table: Table, row: number, { start, end, isDirected }: Sides): Generator<Fault> {
  const { roles } = viewOf(table)
  for (const [column, cell] of table.rows[row].entries()) {
    if (column === 0 || roles[column] === 'difference' || cell.pending) continue
    const printed = mainQuantity(cell)
    const [first, second] = [mainQuantity(start[column]), mainQuantity(end[column])]
    if (printed === null || first === null || second === null || first.unit !== second.unit) continue
    if ([printed, first, second].some(({ ends, plusMinus }) => ends !== null || plusMinus)) continue
    if (first.bound !== null || second.bound !== null) continue
    const isPercent = printed.unit === '%' || printed.unit === 'points'
    if (!isPercent && printed.unit !== null && printed.unit !== first.unit) continue
    const fit = fitOf(printed, first, second)
    if (fit === null || (fit === 'sign' && isDirected)) yield faultAt(cell, printed, first, second, fit === 'sign')
  }
}

function faultAt(cell: Cell, printed: Quantity, start: Quantity, end: Quantity, isSign: boolean): Fault {
  const change = percentOf(start, end)
  const isPercent = printed.unit === '%' && start.unit !== '%' && change !== null
  const digits = isPercent ? Math.max(1, printed.decimals ?? 1) : Math.max(start.decimals ?? 0, end.decimals ?? 0)
  const expected = shown(middle(isPercent ? change : differenceOf(end, start)), digits, { sign: true })
  const figures = { start: asPrinted(start), end: asPrinted(end), expected, found: asPrinted(printed) }
  return {
    offset: cell.offset,
    message: isPercent ? message('audit.change-percent', figures) : message('audit.difference-column', figures),
    found: `${figures.found}${isPercent ? '%' : ''}`,
    expected: `${expected}${isPercent ? '%' : ''}`,
    ...(isSign ? { severity: 'warning' } : {}),
  }
}
