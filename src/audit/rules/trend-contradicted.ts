import { canMeet, printedRange } from '../../stats/rounding.js'
import { message } from '../../text/say.js'
import { statementsClaiming } from '../claimed.js'
import { comparisonSets, setsNamed, stretchOf } from '../comparison-sets.js'
import { within } from '../extremes.js'
import { vouchedClaim } from '../parts.js'
import { printed } from '../printed-curves.js'
import type { AuditRule } from '../rule.js'

/**
 * "Epochs 21-50 rise within 5.23-5.27" while epoch 50 stands at 5.23: what rises through a range ends at its top. And
 * "rises" over a stretch whose last row lies below its first.
 */
export const trendContradicted: AuditRule = {
  id: 'trend-contradicted',
  kind: 'contradiction',
  severity: 'error',
  example: {
    faulty:
      '| epoch | val loss |\n|---|---|\n| 1 | 5.15 |\n| 5 | 5.21 |\n| 10 | 5.12 |\n\nIn epochs 1-10 val loss is increasing.',
    sound:
      '| epoch | val loss |\n|---|---|\n| 1 | 5.15 |\n| 5 | 5.21 |\n| 10 | 5.22 |\n\nIn epochs 1-10 val loss is increasing.',
  },
  *check(document) {
    const sets = comparisonSets(document).filter(({ isCurve }) => isCurve)
    for (const statement of statementsClaiming(document, 'rising', 'falling')) {
      const claim = vouchedClaim(statement, 'rising', 'falling')
      const stretch = claim === undefined ? null : stretchOf(statement)
      if (claim === undefined || stretch === null || statement.kind === 'cell') continue
      if (vouchedClaim(statement, claim.kind === 'rising' ? 'falling' : 'rising') !== undefined) continue
      const named = setsNamed(statement, sets)
      if (named.length !== 1) continue
      const sign = claim.kind === 'rising' ? 1 : -1
      const ranges = statement.quantities.filter(({ ends }) => ends !== null)
      for (const { metric, items } of named) {
        const rows = items
          .flatMap(({ step, name, quantity }) => (step === null || quantity === null ? [] : [{ step, name, quantity }]))
          .filter(({ step }) => within(step, stretch))
          .toSorted((a, b) => a.step - b.step)
        const last = rows.find(({ step }) => step === stretch.last)
        if (last === undefined || rows.length < 2) continue
        // A range that does not hold the last row is of something else.
        const isOwn = ranges.length === 1 && canMeet(ranges[0].range, last.quantity.range)
        const ends = isOwn ? ranges[0].ends : null
        const goal = ends === null ? null : sign > 0 ? Math.max(...ends) : Math.min(...ends)
        const reach = goal === null ? null : printedRange(goal, ranges[0].decimals ?? 0)
        const first = rows[0].quantity
        const fallsShort =
          reach !== null && (sign > 0 ? last.quantity.range.high < reach.low : last.quantity.range.low > reach.high)
        const turnsBack =
          sign > 0 ? last.quantity.range.high < first.range.low : last.quantity.range.low > first.range.high
        if (!fallsShort && !turnsBack) continue
        const found = statement.text.slice(claim.from, claim.to)
        const end = { found, column: metric, where: last.name, last: printed(last.quantity) }
        yield {
          offset: statement.offsetOf(claim.from),
          message:
            fallsShort && goal !== null
              ? message('audit.trend-falls-short', { ...end, goal: String(goal) })
              : message('audit.trend-contradicted', { ...end, start: rows[0].name, first: printed(first) }),
          found,
          expected: end.last,
        }
      }
    }
  },
}
