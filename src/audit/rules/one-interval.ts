import { message } from '../../text/say.js'
import { curvePair } from '../curves.js'
import type { AuditDocument, Statement } from '../document.js'
import { oncePerPart } from '../parts.js'
import type { AuditRule } from '../rule.js'
import { claimedFor, earlierBest, soonerClaims } from '../sooner.js'

/** "Five steps sooner" where evaluations are five steps apart: the data cannot show less, and noise alone moves a best further. */
export const oneInterval: AuditRule = {
  id: 'one-interval',
  kind: 'resolution',
  severity: 'warning',
  example: {
    faulty:
      '| step | A reward | B reward |\n|---|---|---|\n| 5 | 1.8 | 1.7 |\n| 10 | 1.9 | 1.9 |\n| 15 | 1.9 | 2.2 |\n| 20 | 2.3 | 2.1 |\n\nB reaches its best 5 steps earlier.',
    sound:
      '| step | A reward | B reward |\n|---|---|---|\n| 5 | 1.8 | 2.2 |\n| 10 | 1.9 | 1.9 |\n| 15 | 1.9 | 2.1 |\n| 20 | 2.3 | 2.1 |\n\nB reaches its best 15 steps earlier.',
  },
  *check(document: AuditDocument) {
    const pair = curvePair(document)
    if (pair === null) return
    const bests = earlierBest(document)
    const first = oncePerPart(document)
    for (const said of soonerClaims(document)) {
      const { statement, claim } = said
      const ofBests = bests !== null && claimedFor(said, pair) === bests.earlier.curve.subject
      const gap = gapIn(statement) ?? (ofBests ? bests.later.best.step - bests.earlier.best.step : null)
      if (gap === null || gap > pair.interval || gap <= 0 || !first(statement.section)) continue
      const words = statement.text.slice(claim.from, claim.to)
      yield {
        offset: statement.offsetOf(claim.from),
        message: message('audit.one-interval', { words, gap, interval: pair.interval }),
        found: String(gap),
        expected: `> ${pair.interval}`,
      }
    }
  },
}

/** "5 steps sooner", "step 40 vs step 45". */
function gapIn({ quantities, steps }: Statement): number | null {
  const said = quantities.find(({ unit, ends }) => (unit === 'step' || unit === 'epoch') && ends === null)
  if (said !== undefined) return Math.abs(said.value)
  const [a, b, ...more] = steps
  return b === undefined || more.length > 0 ? null : Math.abs(a.first - b.first)
}
