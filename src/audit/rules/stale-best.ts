import { message } from '../../text/say.js'
import { isTrue, superlativesIn } from '../extremes.js'
import { printed } from '../printed-curves.js'
import type { AuditRule } from '../rule.js'

/** A best that the document's own table, and another sentence of it, have overtaken. */
export const staleBest: AuditRule = {
  id: 'stale-best',
  kind: 'stale',
  severity: 'error',
  example: {
    faulty:
      '## Reward\n| step | run |\n|---|---|\n| 10 | 1.992 |\n| 20 | 1.901 |\n| 30 | 2.123 |\n\nThe best is 2.123 at step 30.\n\nRegularisation may limit learning (best 1.992).',
    sound:
      '## Reward\n| step | run |\n|---|---|\n| 10 | 1.992 |\n| 20 | 1.901 |\n| 30 | 2.123 |\n\nThe best is 2.123 at step 30.\n\nRegularisation may limit learning (best 2.123).',
  },
  *check(document) {
    const superlatives = superlativesIn(document).filter(({ claim }) => claim.kind === 'best')
    for (const { statement, quantity, readings } of superlatives) {
      if (readings.some(isTrue)) continue
      const [{ set, beaten }] = readings
      const elsewhere = superlatives.find(other => other.readings.some(found => found.set === set && isTrue(found)))
      if (elsewhere === undefined || beaten === null || beaten.quantity === null) continue
      const { line } = document.placeOf(elsewhere.statement.offsetOf(elsewhere.claim.from))
      const best = printed(beaten.quantity)
      yield {
        offset: statement.offsetOf(quantity.from),
        message: message('audit.stale-best', {
          found: printed(quantity),
          best,
          where: beaten.name,
          column: set.metric,
          line,
        }),
        found: printed(quantity),
        expected: best,
      }
    }
  },
}
