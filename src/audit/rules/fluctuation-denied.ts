import { message } from '../../text/say.js'
import { statementsClaiming } from '../claimed.js'
import { changesOf, isExact, percent, printedCurves } from '../printed-curves.js'
import type { AuditRule } from '../rule.js'

/** Up and down by a tenth each: nobody calls that calm. */
const STRONG = 0.1

/** "No strong fluctuation", while every curve that the report prints goes up and down by more than a tenth. */
export const fluctuationDenied: AuditRule = {
  id: 'fluctuation-denied',
  kind: 'contradiction',
  severity: 'warning',
  example: {
    faulty:
      '| step | run |\n|---|---|\n| 5 | 1.00 |\n| 10 | 1.30 |\n| 15 | 1.10 |\n| 20 | 1.20 |\n| 25 | 1.40 |\n\nTraining went without strong fluctuations.',
    sound:
      '| step | run |\n|---|---|\n| 5 | 1.00 |\n| 10 | 1.03 |\n| 15 | 1.01 |\n| 20 | 1.02 |\n| 25 | 1.04 |\n\nTraining went without strong fluctuations.',
  },
  *check(document) {
    const curves = printedCurves(document)
      .map(({ points }) => points.filter(isExact))
      .filter(points => points.length >= 5)
      .map(points => changesOf(points).toSorted((a, b) => a.relative - b.relative))
    // Whichever curve the sentence means, it went up and down.
    if (curves.length === 0 || !curves.every(all => all.length >= 4 && goesBothWays(all))) return
    const [changes] = curves
    const [fall, rise] = [changes[0], changes[changes.length - 1]]
    for (const statement of statementsClaiming(document, 'fluctuates')) {
      const claim = statement.claims.find(({ kind, negated, hedged }) => kind === 'fluctuates' && negated && !hedged)
      if (claim === undefined) continue
      const found = statement.text.slice(claim.from, claim.to)
      const params = {
        fall: percent(fall.relative),
        fallFrom: fall.from.step,
        fallTo: fall.to.step,
        rise: percent(rise.relative),
        riseFrom: rise.from.step,
        riseTo: rise.to.step,
      }
      yield {
        offset: statement.offsetOf(claim.from),
        message: message('audit.fluctuation-denied', params),
        found,
        expected: `${params.fall} %, ${params.rise} %`,
      }
    }
  },
}

function goesBothWays(sorted: ReturnType<typeof changesOf>): boolean {
  return sorted[0].range.high <= -STRONG && sorted[sorted.length - 1].range.low >= STRONG
}
