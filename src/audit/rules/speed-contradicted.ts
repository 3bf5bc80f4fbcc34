import { message } from '../../text/say.js'
import type { AuditDocument } from '../document.js'
import { shown } from '../figures.js'
import { oncePerPart } from '../parts.js'
import type { AuditRule } from '../rule.js'
import { claimedFor, earlierBest, soonerClaims } from '../sooner.js'

/** "Reaches its best sooner", while the other run had passed that level before: the bests are different levels. */
export const speedContradicted: AuditRule = {
  id: 'speed-contradicted',
  kind: 'contradiction',
  severity: 'error',
  example: {
    faulty:
      '| step | A reward | B reward |\n|---|---|---|\n| 5 | 1.8 | 1.7 |\n| 10 | 2.2 | 1.9 |\n| 15 | 2.1 | 2.0 |\n| 20 | 2.3 | 1.9 |\n\nB reaches its best faster.',
    sound:
      '| step | A reward | B reward |\n|---|---|---|\n| 5 | 1.8 | 1.7 |\n| 10 | 1.9 | 1.9 |\n| 15 | 1.9 | 2.2 |\n| 20 | 2.1 | 2.1 |\n\nB reaches its best faster.',
  },
  *check(document: AuditDocument) {
    const found = earlierBest(document)
    if (found === null) return
    const { pair, earlier, later } = found
    const sign = pair.goal === 'up' ? 1 : -1
    const passed = later.curve.measured.find(
      ({ step, quantity }) =>
        step < earlier.best.step && sign * (quantity.value - earlier.best.quantity.value) > halfUnit(quantity.decimals),
    )
    if (passed === undefined) return
    const first = oncePerPart(document)
    for (const said of soonerClaims(document)) {
      const { statement, claim } = said
      if (claimedFor(said, pair) !== earlier.curve.subject || !first(statement.section)) continue
      yield {
        offset: statement.offsetOf(claim.from),
        message: message('audit.speed-contradicted', {
          other: later.curve.subject,
          value: shown(passed.quantity),
          step: passed.step,
          subject: earlier.curve.subject,
          best: shown(earlier.best.quantity),
          bestStep: earlier.best.step,
        }),
        found: statement.text.slice(claim.from, claim.to),
        expected: `${later.curve.subject}: ${shown(passed.quantity)} @ ${passed.step}`,
      }
    }
  },
}

/** Two printed figures differ for sure by one unit of the last place. */
function halfUnit(decimals: number | null): number {
  return 0.5 * 10 ** -(decimals ?? 0)
}
