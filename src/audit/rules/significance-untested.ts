import { message } from '../../text/say.js'
import { statementsClaiming } from '../claimed.js'
import type { Claim } from '../claims.js'
import type { AuditDocument, Statement } from '../document.js'
import { isAboutOutcome, meanDifference, namesOtherMetric } from '../outcome.js'
import { hasInterval, hasTest, oncePerPart, positive, vouchedFor } from '../parts.js'
import type { AuditRule } from '../rule.js'

/** "Significant", or "not significant", in a report that tests nothing. What is said of stability is `stability-untested`. */
export const significanceUntested: AuditRule = {
  id: 'significance-untested',
  kind: 'untested',
  severity: 'warning',
  example: {
    faulty: 'The KL term significantly improves the reward (2.20 vs 2.12).',
    sound: 'The KL term significantly improves the reward (2.20 vs 2.12, p = 0.01, paired t-test).',
  },
  *check(document: AuditDocument) {
    // Seeds may stand behind "significantly better"; "statistically significant" names a test.
    const isSeeded = hasTest(document)
    if (hasInterval(document)) return
    const first = oncePerPart(document)
    const whole = meanDifference(document)
    for (const statement of statementsClaiming(document, 'significant')) {
      const claim = statement.claims.find(found => isTestWord(statement, found))
      if (claim === undefined || statement.kind === 'code' || !vouchedFor(statement)) continue
      if (positive(statement, 'stabler').length > 0) continue
      const isStatistical = STATISTICAL.test(statement.text)
      if (isSeeded ? !isStatistical : !isStatistical && !isAboutOutcome(statement)) continue
      if (!first(statement.section)) continue
      const words = statement.text.slice(claim.from, claim.to)
      const isOfCurves = whole !== null && !namesOtherMetric(statement, document)
      yield {
        offset: statement.offsetOf(claim.from),
        message: isOfCurves
          ? message('audit.significance-untested.mean', { words, ...whole.params })
          : message('audit.significance-untested', { words }),
        found: words,
        expected: isOfCurves ? `${whole.params.low} … ${whole.params.high}` : '-',
      }
    }
  },
}

const STATISTICAL = /统计(?:上|学上)?显著|(?<![a-z])statistically significant/i

/** 明显, "dramatic" are loose talk; 显著 and "significant" are words for a test. */
function isTestWord({ text }: Statement, { kind, from, to }: Claim): boolean {
  if (kind !== 'significant' || !/^(?:显著|significant)/i.test(text.slice(from, to))) return false
  return !/^\s?(?:digits?|figures?|位)/i.test(text.slice(to))
}
