import { message } from '../../text/say.js'
import type { AuditDocument } from '../document.js'
import { levelReading } from '../level.js'
import { hasTest, oncePerPart, vouchedFor } from '../parts.js'
import type { AuditRule } from '../rule.js'

/** A low loss read as steady training, a negative one as unsteady: a level is no spread. */
export const levelAsStability: AuditRule = {
  id: 'level-as-stability',
  kind: 'untested',
  severity: 'warning',
  example: {
    faulty: '- Run B has the lowest train loss (0.014), so its training is more stable.',
    sound: '- Run B has the lowest train loss (0.014).',
  },
  *check(document: AuditDocument) {
    if (hasTest(document)) return
    const first = oncePerPart(document)
    for (const [index, statement] of document.statements.entries()) {
      if (statement.kind === 'heading' || statement.kind === 'code') continue
      const reading = levelReading(document, index)
      if (reading === null || !vouchedFor(statement) || !first(statement.section, reading.conclusion)) continue
      const words = statement.text.slice(reading.from, reading.to)
      yield {
        offset: statement.offsetOf(reading.from),
        message: message(`audit.level-as-stability.${reading.conclusion}`, { words }),
        found: words,
        expected: '-',
      }
    }
  },
}
