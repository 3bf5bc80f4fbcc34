import { message } from '../../text/say.js'
import { statementsClaiming } from '../claimed.js'
import type { Claim } from '../claims.js'
import type { AuditDocument, Statement } from '../document.js'
import { isAboutOutcome, meanDifference, namesOtherMetric } from '../outcome.js'
import { hasTest, oncePerPart, positive, vouchedFor } from '../parts.js'
import type { AuditRule } from '../rule.js'

/** "About the same" without a margin and a test: a difference that was not shown is not shown to be absent. */
export const sameUntested: AuditRule = {
  id: 'same-untested',
  kind: 'untested',
  severity: 'warning',
  example: {
    faulty: 'The two runs reach about the same reward (2.12 vs 2.20).',
    sound: 'The two runs are equivalent within 0.1 (95% CI of the difference −0.03 to +0.05).',
  },
  *check(document: AuditDocument) {
    if (hasTest(document)) return
    const first = oncePerPart(document)
    const whole = meanDifference(document)
    for (const statement of statementsClaiming(document, 'same')) {
      const claim = positive(statement, 'same').find(found => isComparison(statement, found))
      if (claim === undefined || statement.kind === 'code') continue
      if (!vouchedFor(statement) || !isAboutOutcome(statement) || !first(statement.section)) continue
      const words = statement.text.slice(claim.from, claim.to)
      const isOfCurves = whole !== null && !namesOtherMetric(statement, document)
      yield {
        offset: statement.offsetOf(claim.from),
        message: isOfCurves
          ? message('audit.same-untested.mean', { words, ...whole.params })
          : message('audit.same-untested', { words }),
        found: words,
        expected: isOfCurves ? `${whole.params.low} … ${whole.params.high}` : '-',
      }
    }
  },
}

const OF_RESULTS = /^ (?:performance|results?|rewards?|scores?|accurac|quality|\()/i

/** "Similar performance: 2 of 10" names a class of cases. */
const LABEL = /^[^,.;:]{0,30}:\s?[*\d]/
/** A method like another is no result like another. */
const OF_METHOD = /(?<![a-z])(?:methods?|approach|algorithm|recipe|design|architecture|objective)(?: \w+){0,2} $/i

/** "Closer to the reference" and "near its best" compare no two results; nor does a name such as "similarity". */
function isComparison({ text }: Statement, { from, to }: Claim): boolean {
  const words = text.slice(from, to).toLowerCase()
  const behind = text.slice(to)
  if (words === 'matches' || LABEL.test(behind) || OF_METHOD.test(text.slice(0, from))) return false
  // What is comparable may be compared, and what is equivalent may be another way to write it.
  if (words === 'comparable') return OF_RESULTS.test(behind) || /^ (?:to|with) /.test(behind)
  if (words === 'equivalent') return OF_RESULTS.test(behind)
  if (words === '接近') return !/更\s?$/.test(text.slice(0, from)) && !/^\s?(?:最佳|最优|参考|于?\s?0)/.test(behind)
  return !/^(?:ity|\s(?:to (?:the )?(?:paper|prior|previous work)|setup|settings?|config))/i.test(behind)
}
