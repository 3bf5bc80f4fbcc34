import type { Quantity } from '../../document/quantity.js'
import { message } from '../../text/say.js'
import { asPrinted, differenceOf, middle, percentOf, shown } from '../change.js'
import { type DifferenceColumn, type DifferenceRow, differenceColumns, fitOf } from '../difference-readings.js'
import type { AuditDocument } from '../document.js'
import type { AuditRule, Fault } from '../rule.js'
import { type TableView, viewOf } from '../table-view.js'

/**
 * A column of differences or percentages that does not follow from the numbers beside or above it. Which is subtracted
 * from which is read off the rows, so a table that is consistently the other way round is not wrong.
 */
export const differenceColumn: AuditRule = {
  id: 'difference-column',
  kind: 'arithmetic',
  severity: 'error',
  example: {
    faulty:
      '| step | A | B | diff |\n|---|---|---|---|\n| 5 | 1.818 | 1.695 | -0.123 |\n| 10 | 2.140 | 1.992 | -0.184 |',
    sound:
      '| step | A | B | diff |\n|---|---|---|---|\n| 5 | 1.818 | 1.695 | -0.123 |\n| 10 | 2.140 | 1.992 | -0.148 |',
  },
  *check({ tables }: AuditDocument) {
    for (const table of tables) yield* inTable(viewOf(table))
  },
}

function* inTable(view: TableView): Generator<Fault> {
  for (const column of differenceColumns(view)) {
    const severity = trust(column, view.table.header[column.column].text)
    if (severity === null) continue
    // One metric over steps: a flipped sign is a fault. Rows of several metrics may call each improvement positive.
    const isOneMetric = view.roles.includes('position') && column.right >= 3
    const isStrict = STRICT.test(view.table.header[column.column].text)
    for (const row of column.rows) {
      if (row.fit === 'sign') {
        if (isStrict) yield { ...faultAt(row, row.printed), severity: isOneMetric ? 'error' : 'warning' }
      } else if (row.fit === null) yield { ...faultAt(row, row.printed), severity }
      else yield* inBrackets(row)
    }
  }
}

const STRICT = /差异|差值|差距|(?<![a-z])(?:diff(?:erence)?|delta)(?![a-z])|Δ/i
/** So few rows without one that fits are still a slip rather than another meaning of the column. */
const FEW_ROWS = 2

/** How sure it is that the column is what the reading takes it for; null when it is not. */
function trust({ right, rows, isNatural, isTrusted }: DifferenceColumn, header: string): Fault['severity'] | null {
  if (isTrusted) return 'error'
  return isNatural && right === 0 && rows.length <= FEW_ROWS && STRICT.test(header) ? 'warning' : null
}

/** "-0.079 (-3.6%)": the percentage behind the difference. */
function* inBrackets(row: DifferenceRow): Generator<Fault> {
  const [, second, ...more] = row.cell.quantities
  if (second === undefined || more.length > 0 || second.unit !== '%' || row.printed.unit === '%') return
  if (fitOf(second, row.start, row.end) === null) yield faultAt(row, second)
}

function faultAt({ cell, start, end }: DifferenceRow, printed: Quantity): Fault {
  const digits = Math.max(start.decimals ?? 0, end.decimals ?? 0)
  const change = percentOf(start, end)
  const isPercent = printed.unit === '%' && start.unit !== '%' && change !== null
  const value = isPercent ? middle(change) : middle(differenceOf(end, start))
  const expected = shown(value, isPercent ? Math.max(1, printed.decimals ?? 1) : digits, { sign: true })
  const figures = { start: asPrinted(start), end: asPrinted(end), expected, found: asPrinted(printed) }
  return {
    offset: cell.offset,
    message: isPercent ? message('audit.change-percent', figures) : message('audit.difference-column', figures),
    found: `${figures.found}${isPercent ? '%' : ''}`,
    expected: `${expected}${isPercent ? '%' : ''}`,
  }
}
