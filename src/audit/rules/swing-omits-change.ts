import type { Quantity } from '../../document/quantity.js'
import { canMeet, type Range } from '../../stats/rounding.js'
import { message } from '../../text/say.js'
import { statementsClaiming } from '../claimed.js'
import { vouchedClaim } from '../parts.js'
import { type Change, changesOf, distinctCurves, isExact, percent, printed, printedCurves } from '../printed-curves.js'
import type { AuditRule } from '../rule.js'

/**
 * "Largest swing ±14.1 %" of a curve that has a larger one. The figure itself says which curve is meant: one where such
 * a change occurs. When it occurs in several, all of them must hold a larger change.
 */
export const swingOmitsChange: AuditRule = {
  id: 'swing-omits-change',
  kind: 'contradiction',
  severity: 'error',
  example: {
    faulty: '| step | run |\n|---|---|\n| 5 | 1.00 |\n| 10 | 1.20 |\n| 15 | 1.32 |\n\nThe largest swing is ±10.0%.',
    sound: '| step | run |\n|---|---|\n| 5 | 1.00 |\n| 10 | 1.20 |\n| 15 | 1.32 |\n\nThe largest swing is ±20.0%.',
  },
  *check(document) {
    const curves = distinctCurves(printedCurves(document)).map(curve =>
      changesOf(curve.points).filter(({ from, to }) => isExact(from) && isExact(to)),
    )
    for (const statement of statementsClaiming(document, 'swing')) {
      const claim = vouchedClaim(statement, 'swing')
      if (claim === undefined) continue
      const quantity = statement.quantities.find(({ from, unit }) => from >= claim.to && unit === '%')
      if (quantity === undefined || quantity.ends !== null || quantity.from - claim.to > 12) continue
      const direction = directionOf(quantity, statement.text.slice(claim.from, claim.to))
      const meant = curves
        .map(changes => changes.filter(({ relative }) => direction === 0 || Math.sign(relative) === direction))
        .filter(changes => changes.some(change => canMeet(sizeOf(change), percentRange(quantity))))
      const larger = meant.map(changes =>
        largest(changes.filter(change => sizeOf(change).low > percentRange(quantity).high)),
      )
      const [first] = larger
      if (first === undefined || first === null || larger.includes(null)) continue
      const sign = quantity.plusMinus ? '±' : ''
      const found = `${sign}${printed(quantity).replace('-', '−')}`
      yield {
        offset: statement.offsetOf(quantity.from),
        message: message('audit.swing-omits-change', {
          change: percent(first.relative),
          fromStep: first.from.step,
          toStep: first.to.step,
          from: printed(first.from.quantity),
          to: printed(first.to.quantity),
          found,
        }),
        found: `${found} %`,
        expected: `${percent(first.relative)} %`,
      }
    }
  },
}

function directionOf({ signed, plusMinus, value }: Quantity, words: string): number {
  if (/跌|降|drop|fall|declin/i.test(words)) return -1
  if (/涨|升|gain|rise/i.test(words)) return 1
  return signed && !plusMinus ? Math.sign(value) : 0
}

function sizeOf({ range }: Change): Range {
  const [low, high] = [Math.abs(range.low), Math.abs(range.high)]
  return { low: Math.min(low, high), high: Math.max(low, high) }
}

function percentRange({ range }: Quantity): Range {
  const [low, high] = [Math.abs(range.low) / 100, Math.abs(range.high) / 100]
  return { low: Math.min(low, high), high: Math.max(low, high) }
}

function largest(changes: readonly Change[]): Change | null {
  return changes.reduce<Change | null>(
    (best, change) => (best === null || Math.abs(change.relative) > Math.abs(best.relative) ? change : best),
    null,
  )
}
