import type { Quantity } from '../../document/quantity.js'
import { message } from '../../text/say.js'
import { asPrinted, middle, percentOf, shown } from '../change.js'
import { differenceColumns, fitOf } from '../difference-readings.js'
import type { AuditDocument } from '../document.js'
import { inOrder, isCalledChange, pairsIn } from '../pairs.js'
import type { AuditRule, Fault } from '../rule.js'
import { viewOf } from '../table-view.js'

/**
 * The difference of two percentages printed as per cent: 55 % against 50 % is 5 percentage points, or 10 per cent. Said
 * once for a column, and only where the number cannot be meant as per cent.
 */
export const percentForPoints: AuditRule = {
  id: 'percent-for-points',
  kind: 'arithmetic',
  severity: 'note',
  example: {
    faulty: 'Accuracy rose from 50.0% to 55.0% (+5.0%).',
    sound: 'Accuracy rose from 50.0% to 55.0% (+5.0 points).',
  },
  *check({ tables, statements }: AuditDocument) {
    for (const table of tables) {
      for (const { rows, isTrusted } of differenceColumns(viewOf(table))) {
        if (!isTrusted) continue
        const row = rows.find(
          ({ fit, start, printed }) => fit === 'points' && start.unit === '%' && printed.value !== 0,
        )
        if (row !== undefined) yield faultAt(row.printed, row.start, row.end, row.cell.offset)
      }
    }
    for (const statement of statements) {
      if (statement.kind === 'code' || statement.kind === 'cell') continue
      for (const pair of pairsIn(statement)) {
        const [start, end] = inOrder(pair)
        for (const printed of pair.said) {
          const isChange = printed.signed || isCalledChange(statement.text, printed)
          if (!isChange || printed.unit !== '%' || printed.ends !== null || start.unit !== '%') continue
          const fits = [fitOf(printed, start, end), fitOf(printed, end, start)]
          if (fits.includes('points') && !fits.includes('percent')) {
            yield faultAt(printed, start, end, statement.offsetOf(printed.from))
          }
        }
      }
    }
  },
}

function faultAt(printed: Quantity, start: Quantity, end: Quantity, offset: number): Fault {
  const relative = percentOf(start, end)
  const found = asPrinted(printed)
  const figures = {
    start: asPrinted(start),
    end: asPrinted(end),
    found,
    relative: relative === null ? '?' : shown(middle(relative), Math.max(1, printed.decimals ?? 1), { sign: true }),
  }
  return { offset, message: message('audit.percent-for-points', figures), found: `${found}%`, expected: `${found} pp` }
}
