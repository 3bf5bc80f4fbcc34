import { message } from '../../text/say.js'
import { comparisonSets } from '../comparison-sets.js'
import type { Table } from '../document.js'
import { superlativesIn } from '../extremes.js'
import { remarks } from '../remarks.js'
import type { AuditRule } from '../rule.js'

/** "Highest" of five while one of the five is still open. Said once a table. */
export const extremumOverPending: AuditRule = {
  id: 'extremum-over-pending',
  kind: 'contradiction',
  severity: 'note',
  example: {
    faulty: '| beta | KL | remark |\n|---|---|---|\n| 0.1 | 0.08 | KL highest |\n| 0.2 | 0.07 | |\n| 0.3 | ? | |',
    sound: '| beta | KL | remark |\n|---|---|---|\n| 0.1 | 0.08 | KL highest |\n| 0.2 | 0.07 | |\n| 0.3 | 0.06 | |',
  },
  *check(document) {
    const sets = comparisonSets(document)
    const said = new Set<Table>()
    const claimed = [
      ...remarks(document, sets).map(({ statement, set }) => ({ offset: statement.offsetOf(0), set })),
      ...superlativesIn(document).flatMap(({ statement, claim, readings }) =>
        readings.length === 1 ? [{ offset: statement.offsetOf(claim.from), set: readings[0].set }] : [],
      ),
    ]
    for (const { offset, set } of claimed) {
      const open = set.items.find(({ cell }) => cell.pending && cell.text !== '-')
      if (open === undefined || said.has(set.table)) continue
      said.add(set.table)
      yield {
        offset,
        message: message('audit.extremum-over-pending', { column: set.metric, name: open.name }),
        found: open.cell.text,
        expected: open.name,
      }
    }
  },
}
