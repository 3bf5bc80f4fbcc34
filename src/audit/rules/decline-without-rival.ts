import { message } from '../../text/say.js'
import { type Curve, curvePair } from '../curves.js'
import type { Statement } from '../document.js'
import { percent } from '../printed-curves.js'
import type { AuditRule } from '../rule.js'
import { sideNamed } from '../sides.js'
import { titlesAbove } from '../table-view.js'

const DECLINE_MILDER =
  /(?:下降|下跌|回落|衰退|退化)(?:幅度|趋势)?(?:更|较)(?:温和|缓和|平缓|小)|(?<![a-z])(?:(?:milder|gentler|softer|smaller) (?:declines?|drops?|degradation|fall)|(?:declines?|drops?|degradation|falls?) (?:is |are |was |were )?(?:milder|gentler|softer|less severe|more gently))(?![a-z])/i

/**
 * "The decline is milder" of a run that declines, beside one that by the report's own table never does. Estimated points
 * count here: the report stands by them.
 */
export const declineWithoutRival: AuditRule = {
  id: 'decline-without-rival',
  kind: 'contradiction',
  severity: 'error',
  example: {
    faulty:
      '| step | old | new |\n|---|---|---|\n| 5 | 1.00 | 1.20 |\n| 10 | 1.10 | 1.10 |\n| 15 | 1.20 | 1.00 |\n| 20 | 1.30 | 1.10 |\n\nThe decline is milder with the new setting.',
    sound:
      '| step | old | new |\n|---|---|---|\n| 5 | 1.00 | 1.20 |\n| 10 | 1.50 | 1.10 |\n| 15 | 1.20 | 1.00 |\n| 20 | 1.30 | 1.10 |\n\nThe decline is milder with the new setting.',
  },
  *check(document) {
    const pair = curvePair(document)
    if (pair === null || pair.goal === 'down') return
    const [first, second] = [pair.first, pair.second].map(fallsOf)
    if ((first.count === 0) === (second.count === 0)) return
    const [steady, falling] = first.count === 0 ? [pair.first, pair.second] : [pair.second, pair.first]
    const { count, worst } = first.count === 0 ? second : first
    const steadySide = first.count === 0 ? 0 : 1
    for (const statement of document.statements) {
      const word = DECLINE_MILDER.exec(statement.text)
      if (word === null) continue
      const side = subjectOf(statement, word.index, [pair.first, pair.second])
      if (side === steadySide) continue
      yield {
        offset: statement.offsetOf(word.index),
        message: message('audit.decline-without-rival', {
          steady: steady.subject,
          falling: falling.subject,
          count,
          worst: percent(worst),
        }),
        found: word[0],
        expected: `${steady.subject}: 0, ${falling.subject}: ${count}`,
        ...(side === null ? { severity: 'warning' } : {}),
      }
    }
  },
}

function fallsOf({ points }: Curve): { readonly count: number; readonly worst: number } {
  const falls = points.slice(1).flatMap(({ quantity }, i) => {
    const before = points[i].quantity
    return quantity.range.high < before.range.low ? [quantity.value / before.value - 1] : []
  })
  return { count: falls.length, worst: falls.reduce((worst, fall) => Math.min(worst, fall), 0) }
}

/** Whose decline it is: named before the comparison, else known by a value that only one curve has, else by the headings. */
function subjectOf(
  { text, quantities, section, leads }: Statement,
  at: number,
  curves: readonly [Curve, Curve],
): 0 | 1 | null {
  const names = [curves[0].subject, curves[1].subject] as const
  const start = Math.max(...[',', ';', '。'].map(mark => text.lastIndexOf(mark, at))) + 1
  const rest = text.slice(at)
  const end = rest.search(COMPARED)
  const behind = end < 0 ? rest : rest.slice(0, end)
  for (const words of [text.slice(start, at) + behind, text.slice(0, at) + behind]) {
    const side = sideNamed(words, names)
    if (side !== null) return side
  }
  const sides = [0, 1].filter(side =>
    quantities.some(({ value }) => curves[side === 0 ? 0 : 1].points.some(({ quantity }) => quantity.value === value)),
  )
  if (sides.length === 1) return sides[0] === 0 ? 0 : 1
  for (const title of [...leads, ...titlesAbove(section).slice(0, 1)]) {
    const side = sideNamed(title, names)
    if (side !== null) return side
  }
  return null
}

const COMPARED = /(?<![a-z])(?:vs\.?|than|compared)(?![a-z])|比|相较/i
