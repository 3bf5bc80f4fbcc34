import type { Quantity } from '../../document/quantity.js'
import { message } from '../../text/say.js'
import { asPrinted, canBe, middle, multipleOf, percentOf, percentOfEnd, pointsOf, shown } from '../change.js'
import type { AuditDocument, Statement } from '../document.js'
import { calledDirection, inOrder, isCalledChange, type NumberPair, pairsIn } from '../pairs.js'
import type { AuditRule, Fault } from '../rule.js'

/**
 * A percentage that a sentence gives for two numbers and that no sensible reading of them produces: neither number as
 * the base, nor one as a share of the other, nor a difference of percentages. From one value to the next the direction
 * counts as well.
 */
export const percentChange: AuditRule = {
  id: 'percent-change',
  kind: 'arithmetic',
  severity: 'error',
  example: {
    faulty: 'Reward fell from 2.202 to 2.123, a drop of 4.6 %.',
    sound: 'Reward fell from 2.202 to 2.123, a drop of 3.6 %.',
  },
  *check({ statements }: AuditDocument) {
    for (const statement of statements) {
      if (statement.kind === 'code') continue
      for (const pair of pairsIn(statement)) {
        for (const printed of pair.said) yield* wrongPercent(statement, pair, printed)
      }
    }
  },
}

function* wrongPercent(statement: Statement, pair: NumberPair, printed: Quantity): Generator<Fault> {
  const { first, link } = pair
  if (printed.unit !== '%' || printed.ends !== null) return
  if (first.unit === '%' && !printed.signed && !isCalledChange(statement.text, printed)) return
  const direction = link === 'arrow' && !printed.signed ? calledDirection(statement.text, printed) : null
  const directed = direction === null ? printed : { ...printed, value: direction * printed.value, signed: true }
  const stated =
    direction === -1 ? { ...directed, range: { low: -printed.range.high, high: -printed.range.low } } : directed
  if (readings(pair).some(reading => canBe(stated, reading, { signFree: link !== 'arrow' }))) return
  const [start, end] = inOrder(pair)
  const change = percentOf(start, end)
  if (change === null) return
  const expected = shown(middle(change), Math.max(1, printed.decimals ?? 1), { sign: true })
  yield {
    offset: statement.offsetOf(printed.from),
    message: message('audit.change-percent', {
      start: asPrinted(start),
      end: asPrinted(end),
      expected,
      found: asPrinted(stated),
    }),
    found: `${asPrinted(printed)}%`,
    expected: `${expected}%`,
  }
}

function readings({ first, second }: NumberPair) {
  const shares = [multipleOf(first, second), multipleOf(second, first)].map(share =>
    share === null ? null : hundredfold(share),
  )
  return [percentOf(first, second), percentOfEnd(first, second), pointsOf(first, second), ...shares]
}

function hundredfold({ low, high }: { readonly low: number; readonly high: number }) {
  return { low: 100 * low, high: 100 * high }
}
