import type { Quantity } from '../../document/quantity.js'
import { message } from '../../text/say.js'
import { curvePair } from '../curves.js'
import type { AuditRule } from '../rule.js'
import { sideOf } from '../sides.js'

const SMOOTHER = /更平滑|更平稳|(?<![a-z])(?:smoother|steadier)(?![a-z])/i

/** "Smoother" of the curve that travels farther and turns no less often. */
export const smootherTurnsMore: AuditRule = {
  id: 'smoother-turns-more',
  kind: 'contradiction',
  severity: 'warning',
  example: {
    faulty:
      '| step | A1 | B2 |\n|---|---|---|\n| 5 | 1.0 | 1.0 |\n| 10 | 1.1 | 1.4 |\n| 15 | 1.2 | 1.1 |\n| 20 | 1.3 | 1.5 |\n| 25 | 1.4 | 1.2 |\n\nThe curve of B2 is smoother.',
    sound:
      '| step | A1 | B2 |\n|---|---|---|\n| 5 | 1.0 | 1.0 |\n| 10 | 1.1 | 1.4 |\n| 15 | 1.2 | 1.1 |\n| 20 | 1.3 | 1.5 |\n| 25 | 1.4 | 1.2 |\n\nThe curve of A1 is smoother.',
  },
  *check(document) {
    const pair = curvePair(document)
    if (pair === null || pair.shared.length < 5) return
    const names = [pair.first.subject, pair.second.subject] as const
    const ways = [pair.shared.map(({ first }) => first), pair.shared.map(({ second }) => second)].map(wayOf)
    for (const statement of document.statements) {
      const word = SMOOTHER.exec(statement.text)
      const claim = word && statement.claims.find(({ from }) => from === word.index)
      if (word === null || claim?.negated || claim?.hedged) continue
      const side = sideOf(statement, names)
      if (side === null) continue
      const [own, other] = [ways[side], ways[1 - side]]
      if (own.low <= other.high || own.wiggle <= other.wiggle || own.turns < other.turns) continue
      yield {
        offset: statement.offsetOf(word.index),
        message: message('audit.smoother-turns-more', {
          own: own.length,
          other: other.length,
          turns: own.turns,
          otherTurns: other.turns,
        }),
        found: word[0],
        expected: `${own.length} > ${other.length}`,
      }
    }
  },
}

/** How far the curve travels in all, and how often it turns; `low` and `high` bound the way by the printed digits. */
function wayOf(values: readonly Quantity[]): {
  readonly low: number
  readonly high: number
  readonly length: string
  /** What of the way leads nowhere: a steep curve is not a rough one. */
  readonly wiggle: number
  readonly turns: number
} {
  const moves = values.slice(1).map(({ value }, i) => value - values[i].value)
  const length = moves.reduce((sum, move) => sum + Math.abs(move), 0)
  const slack = moves.reduce((sum, _, i) => sum + (values[i].range.high - values[i].range.low), 0)
  const turns = moves.slice(1).filter((move, i) => move * moves[i] < 0).length
  return {
    low: length - slack,
    high: length + slack,
    length: length.toFixed(Math.min(6, values[0]?.decimals ?? 3)),
    wiggle: length - Math.abs((values[values.length - 1]?.value ?? 0) - (values[0]?.value ?? 0)),
    turns,
  }
}
