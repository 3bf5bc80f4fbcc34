import { message } from '../../text/say.js'
import type { AuditDocument, Table } from '../document.js'
import { shown } from '../figures.js'
import { coefficientIn, termOf } from '../losses.js'
import { isAdvice, positive } from '../parts.js'
import type { AuditRule } from '../rule.js'
import { mainQuantity, viewOf } from '../table-view.js'

/** "Accuracy is identical" for two settings, while another report prints different accuracies for them. */
export const crossIdentical: AuditRule = {
  id: 'cross-identical',
  kind: 'cross-report',
  severity: 'warning',
  example: {
    faulty: '| | KL_BETA=0.1 | KL_BETA=0.2 |\n|---|---|---|\n| KL | 0.0600 | 0.0590 |\n\nThe accuracies are identical.',
    sound: '| | KL_BETA=0.1 | KL_BETA=0.2 |\n|---|---|---|\n| KL | 0.0600 | 0.0590 |\n\nThe accuracies are different.',
    beside: '| KL_BETA | 1-shot | 2-shot |\n|---|---|---|\n| 0.1 | 57.5% | 56.0% |\n| 0.2 | 58.5% | 56.5% |',
  },
  *check(document: AuditDocument, others: readonly AuditDocument[]) {
    const settings = settingsOf(document)
    if (settings.length !== 2) return
    const said = document.statements.find(
      statement =>
        statement.kind !== 'cell' &&
        SCORES.test(statement.text) &&
        !isAdvice(statement) &&
        positive(statement, 'identical').length > 0,
    )
    if (said === undefined) return
    for (const other of others) {
      const found = other.tables.flatMap(table => scoresOf(table, settings) ?? [])[0]
      if (found === undefined) continue
      const claim = positive(said, 'identical')[0]
      yield {
        offset: said.offsetOf(claim.from),
        message: message('audit.cross-identical', {
          words: said.text.slice(claim.from, claim.to),
          first: settings[0],
          second: settings[1],
          firstScores: found.scores[0],
          secondScores: found.scores[1],
          file: other.file,
          line: other.placeOf(found.offset).line,
        }),
        found: said.text.slice(claim.from, claim.to),
        expected: `${found.scores[0]} / ${found.scores[1]}`,
      }
    }
  },
}

const SCORES = /准确率|正确率|得分|accurac|scores?(?![a-z])/i

/** The coefficients that head this report's columns. */
function settingsOf({ tables }: AuditDocument): readonly number[] {
  return [...new Set(tables.flatMap(({ header }) => header.flatMap(({ text }) => coefficientIn(text) ?? [])))]
}

/** Rows of percentages for both settings, if they differ. */
function scoresOf(table: Table, settings: readonly number[]) {
  if (termOf(table.header[0].text) !== 'coefficient') return null
  const columns = viewOf(table).roles.flatMap((role, column) => (role === 'value' ? [column] : []))
  const rows = settings.map(setting => table.rows.find(([label]) => mainQuantity(label)?.value === setting))
  const scores = rows.map(row =>
    columns.flatMap(column => (row === undefined ? [] : (mainQuantity(row[column]) ?? []))),
  )
  const areShares = scores.every(list => list.length === columns.length && list.every(({ unit }) => unit === '%'))
  if (columns.length === 0 || !areShares) return null
  const printed = scores.map(list => list.map(shown).join(', '))
  const [, second] = rows
  return printed[0] === printed[1] || second === undefined ? null : { scores: printed, offset: second[0].offset }
}
