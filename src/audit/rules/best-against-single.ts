import { COUNT, countOf } from '../../document/numerals.js'
import { message } from '../../text/say.js'
import type { AuditDocument } from '../document.js'
import { vouchedFor } from '../parts.js'
import type { AuditRule } from '../rule.js'

/** The best of several evaluations against one single evaluation, called a difference. */
export const bestAgainstSingle: AuditRule = {
  id: 'best-against-single',
  kind: 'selection',
  severity: 'warning',
  example: {
    faulty: 'The best of 10 checkpoints (73.3%) is 3.0 points better than the single evaluation of v2 (70.3%).',
    sound: 'At step 400, v3 (72.7%) is 2.4 points better than the single evaluation of v2 (70.3%).',
  },
  *check(document: AuditDocument) {
    for (const statement of document.statements) {
      const { kind, text, claims, offsetOf } = statement
      if (kind === 'cell' || kind === 'code' || kind === 'heading' || !SINGLE.test(text)) continue
      const best = BEST_OF.exec(text)
      const isCompared = claims.some(({ kind, negated }) => COMPARED.has(kind) && !negated)
      if (best === null || !isCompared || !vouchedFor(statement) || KNOWS.test(text)) continue
      const k = countOf(best[1] ?? best[2] ?? '')
      if (k === null || k < 3) continue
      yield {
        offset: offsetOf(best.index),
        message: message('audit.best-against-one', { words: best[0], k }),
        found: best[0],
        expected: '-',
      }
    }
  },
}

const BEST_OF = new RegExp(
  String.raw`(?<![a-z])(?:best|highest|maximum|max|peak)(?: \w+){0,2} (?:of|over|among|across) (?:the |all |its )?(${COUNT}) (?:checkpoints?|evaluations?|evals?|runs?|seeds?)(?![a-z])|(${COUNT})\s?[个次]\s?[^,;。\d]{0,14}?[中里]?的?最[高大好优](?:值|分)?`,
  'i',
)
const SINGLE = /单次|一次评[测估]|只评[测估]|(?<![a-z])(?:single|one-off|one evaluation|evaluated once)(?![a-z])/i
const COMPARED = new Set(['difference', 'better', 'worse', 'significant'])
/** The author says it himself. */
const KNOWS = /偏高|不公平|不可比|不能直接|(?<![a-z])(?:biased|unfair|not comparable|selection|optimistic)(?![a-z])/i
