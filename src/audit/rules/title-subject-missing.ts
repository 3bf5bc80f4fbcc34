import { message } from '../../text/say.js'
import { mentionsOf } from '../mentions.js'
import type { AuditRule } from '../rule.js'
import { viewOf } from '../table-view.js'
import { valueCells } from '../value-cells.js'

/** The title announces a comparison of things of which one has no values. */
export const titleSubjectMissing: AuditRule = {
  id: 'title-subject-missing',
  kind: 'contradiction',
  severity: 'note',
  example: {
    faulty: '# 0.1 vs 0.2\n| beta | KL |\n|---|---|\n| 0.1 | 0.08 |\n| 0.2 | ? |',
    sound: '# 0.1 vs 0.2\n| beta | KL |\n|---|---|\n| 0.1 | 0.08 |\n| 0.2 | 0.07 |',
  },
  *check(document) {
    const title = document.statements.find(({ kind }) => kind === 'heading')
    if (title === undefined || !/(?<![a-z])vs\.?(?![a-z])|对比|比较|compar/i.test(title.text)) return
    const rows = document.tables.flatMap(table => {
      const view = viewOf(table)
      const cells = table.rows.map(row => ({ label: row[0].text, cells: valueCells(view, row) }))
      return cells.filter(row => row.cells.length > 0).map(row => ({ ...row, table }))
    })
    const names = [...new Set(rows.map(({ label }) => label))]
    const subjects = mentionsOf(title.text, names)
    if (new Set(subjects.map(({ name }) => name)).size < 2) return
    for (const { name, from } of subjects) {
      const own = rows.filter(({ label }) => label === name)
      const open = own.filter(({ cells }) => cells.every(({ pending }) => pending))
      if (open.length === 0 || open.length * 2 < own.length) continue
      const lines = open.map(({ cells }) => document.placeOf(cells[0].offset).line)
      yield {
        offset: title.offsetOf(from),
        message: message('audit.title-subject-missing', {
          name,
          lines: lines.join(', '),
          count: open.length,
          of: own.length,
        }),
        found: name,
        expected: lines.join(', '),
      }
    }
  },
}
