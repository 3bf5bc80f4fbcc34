import { message } from '../../text/say.js'
import type { AuditDocument, Statement } from '../document.js'
import { levelReading } from '../level.js'
import { isAboutOutcome } from '../outcome.js'
import { hasTest, oncePerPart, vouchedFor } from '../parts.js'
import type { AuditRule } from '../rule.js'

/** "Shows that X helps", from one run each. A note, because reports must be allowed to explain; once in each part. */
export const causeUntested: AuditRule = {
  id: 'cause-untested',
  kind: 'untested',
  severity: 'note',
  example: {
    faulty:
      '| step | reward |\n|---|---|\n| 5 | 1.8 |\n| 10 | 2.0 |\n\n- Reward rises, which shows that regularisation helps learning.',
    sound: '| step | reward |\n|---|---|\n| 5 | 1.8 |\n| 10 | 2.0 |\n\n- Reward rises.',
  },
  *check(document: AuditDocument) {
    if (hasTest(document) || document.tables.length === 0) return
    const first = oncePerPart(document)
    for (const [index, statement] of document.statements.entries()) {
      const { kind, text, offsetOf } = statement
      if (kind === 'heading' || kind === 'code' || kind === 'cell') continue
      const said = CAUSES.exec(text)
      if (
        said === null ||
        !vouchedFor(statement) ||
        !isAboutOutcome(statement) ||
        isAnsweredElsewhere(statement) ||
        levelReading(document, index) !== null
      )
        continue
      if (statement.claims.some(({ kind, hedged }) => kind === 'cause' && hedged) || !first(statement.section)) continue
      const words = said[0]
      yield {
        offset: offsetOf(said.index),
        message: message('audit.cause-untested', { words }),
        found: words,
        expected: '-',
      }
    }
  },
}

const CAUSES =
  /(?:说明|表明|证明)[^。;；]{0,24}(?:有助于|更有效|提升|改善|促进|限制)|有助于|(?<![a-z])(?:shows?|proves?|demonstrates?|indicates?) that [^,.]{0,60}(?:helps?|improves?|causes?|hurts?|limits?|works)(?![a-z])|(?<![a-z])(?:leads? to|caused? by|thanks to)(?![a-z])/i

const ELSEWHERE = new Set([
  'sooner',
  'stabler',
  'same',
  'identical',
  'significant',
  'overfitting',
  'collapse',
  'converged',
])

function isAnsweredElsewhere({ claims }: Statement): boolean {
  return claims.some(({ kind }) => ELSEWHERE.has(kind))
}
