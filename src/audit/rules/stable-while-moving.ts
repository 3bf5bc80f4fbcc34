import type { Quantity } from '../../document/quantity.js'
import { message } from '../../text/say.js'
import { chainAfter } from '../chain.js'
import { percent, printed } from '../printed-curves.js'
import type { AuditRule } from '../rule.js'

/** Of its first value: whoever calls that stable says nothing. Entropy that grew by 30 % in seed reports is the case in point. */
const STABLE_AT_MOST = 0.2
const STABLE =
  /保持稳定|维持稳定|基本稳定|保持平稳|(?<![a-z])(?:(?:stays?|remains?|kept|is|was|are|were|remained|stayed) (?:\w+ )?(?:stable|steady|unchanged|flat|constant))(?![a-z])/i
/** "Entropy stays stable (0.216 → 0.256 → 0.281)": the sentence's own numbers move too far for the word. */
export const stableWhileMoving: AuditRule = {
  id: 'stable-while-moving',
  kind: 'contradiction',
  severity: 'warning',
  example: {
    faulty: 'Entropy stays stable (0.216 → 0.281).',
    sound: 'Entropy stays stable (0.216 → 0.221).',
  },
  *check({ statements }) {
    for (const statement of statements) {
      const word = statement.quantities.length < 2 ? null : STABLE.exec(statement.text)
      const chain = word === null ? [] : chainAfter(statement, word.index + word[0].length)
      const [first, last] = [chain[0], chain[chain.length - 1]]
      if (word === null || chain.length < 2 || first.value === 0) continue
      const change = (last.value - first.value) / Math.abs(first.value)
      const [least, base] = [gapBetween(first, last), Math.abs(first.value)]
      if (least / base < STABLE_AT_MOST) continue
      yield {
        offset: statement.offsetOf(word.index),
        message: message('audit.stable-while-moving', {
          word: word[0],
          from: printed(first),
          to: printed(last),
          change: percent(change),
        }),
        found: word[0],
        expected: `${percent(change)} %`,
      }
    }
  },
}

function gapBetween({ range: a }: Quantity, { range: b }: Quantity): number {
  return Math.max(0, b.low - a.high, a.low - b.high)
}
