import { canMeet } from '../../stats/rounding.js'
import { message } from '../../text/say.js'
import type { AuditDocument } from '../document.js'
import { shown } from '../figures.js'
import type { AuditRule } from '../rule.js'
import { sameCurves, sharedPoints } from '../same-curves.js'

/** The same run at the same step with another measured value in another report. */
export const crossValue: AuditRule = {
  id: 'cross-value',
  kind: 'cross-report',
  severity: 'error',
  example: {
    faulty:
      '| step | A | B |\n|---|---|---|\n| 5 | 1.81 | 1.70 |\n| 10 | 2.14 | 1.99 |\n| 15 | 1.84 | 1.77 |\n| 20 | 1.83 | 1.92 |\n| 25 | 1.75 | 1.79 |',
    sound:
      '| step | A | B |\n|---|---|---|\n| 5 | 1.81 | 1.70 |\n| 10 | 2.14 | 1.99 |\n| 15 | 1.84 | 1.77 |\n| 20 | 1.83 | 1.92 |\n| 25 | 1.75 | 1.97 |',
    beside:
      '| step | A | B |\n|---|---|---|\n| 5 | 1.81 | 1.70 |\n| 10 | 2.14 | 1.99 |\n| 15 | 1.84 | 1.77 |\n| 20 | 1.83 | 1.92 |\n| 25 | 1.75 | 1.97 |',
  },
  *check(document: AuditDocument, others: readonly AuditDocument[]) {
    for (const { here, there, other } of sameCurves(document, others)) {
      for (const [mine, theirs] of sharedPoints(here, there)) {
        if (canMeet(mine.quantity.range, theirs.quantity.range)) continue
        yield {
          offset: mine.offset,
          message: message('audit.cross-value', {
            subject: here.subject,
            step: mine.step,
            here: shown(mine.quantity),
            there: shown(theirs.quantity),
            file: other.file,
            line: other.placeOf(theirs.offset).line,
          }),
          found: shown(mine.quantity),
          expected: shown(theirs.quantity),
        }
      }
    }
  },
}
