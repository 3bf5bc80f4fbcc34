import { message } from '../../text/say.js'
import type { AuditRule } from '../rule.js'
import { cellsIn, mainQuantity, viewOf } from '../table-view.js'
import { valueCells } from '../value-cells.js'

/** "vs 0.15" in a row while the row of 0.15 is still open: the figure was measured by something else. */
export const comparedWithPending: AuditRule = {
  id: 'compared-with-pending',
  kind: 'contradiction',
  severity: 'error',
  example: {
    faulty: '| beta | accuracy | vs 0.15 |\n|---|---|---|\n| 0.12 | 55.8 | -0.3 |\n| 0.15 | ? | ? |',
    sound: '| beta | accuracy | vs 0.15 |\n|---|---|---|\n| 0.12 | 55.8 | -0.3 |\n| 0.15 | 56.1 | |',
  },
  *check({ tables }) {
    for (const table of tables) {
      const view = viewOf(table)
      for (const [column, header] of table.header.entries()) {
        const baseline = AGAINST.exec(header.text)?.[1].trim()
        const row = baseline === undefined ? undefined : table.rows.find(([label]) => label.text === baseline)
        if (baseline === undefined || row === undefined) continue
        const cells = valueCells(view, row).filter(cell => cell.column !== column)
        if (cells.length === 0 || !cells.every(({ pending }) => pending)) continue
        for (const cell of cellsIn(table, column)) {
          if (cell.pending || mainQuantity(cell) === null) continue
          yield {
            offset: cell.offset,
            message: message('audit.compared-with-pending', { found: cell.text, baseline }),
            found: cell.text,
            expected: cells[0].text,
          }
        }
      }
    }
  },
}

const AGAINST = /^(?:vs\.?|versus|相对于?|对比|较|Δ\s?vs\.?|against|over)\s*(.{1,40})$/i
