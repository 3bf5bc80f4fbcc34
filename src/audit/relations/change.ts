import type { Statement } from '../../logs/document/document.js'
import type { Quantity } from '../../logs/document/quantity.js'
import { divide, type NumberRange } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import {
  asPrinted,
  changeReadings,
  isMisprint,
  isSlip,
  meets,
  middle,
  printedOf,
  sizeOf,
  statedRange,
} from '../arithmetic.js'
import { type Assertion, type CheckOutcome, confirmed, type Relation, refute, UNCHECKED } from '../assertion.js'
import type { ReportEvidence } from '../evidence.js'
import { assertionOver, figureAs, figureOf } from '../extract.js'
import { areHeads } from '../interpretation.js'
import { has } from '../lexicon.js'
import { isSpelt, levelsIn } from './levels.js'

/**
 * By how much two figures of one sentence differ: "a → b (+12 %)", "a vs b = 5.9x". No table is needed, so this is where
 * the audit is surest.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.percent-change': { en: '“{quote}”: from {from} to {to} is {expected}, not {found}; write {expected}', zh: '“{quote}”：{from} 到 {to} 是 {expected}，不是 {found}；应写 {expected}' },
  'audit.stated-difference': { en: '“{quote}”: {to} and {from} are {expected} apart, not {found}; write {expected}', zh: '“{quote}”：{to} 与 {from} 相差 {expected}，不是 {found}；应写 {expected}' },
  'audit.wrong-multiple': { en: '“{quote}”: {to} against {from} is {expected} times, not {found}; write {expected}', zh: '“{quote}”：{to} 与 {from} 是 {expected} 倍，不是 {found}；应写 {expected}' },
})

function* inStatement(statement: Statement): Generator<Assertion> {
  for (const { a, b, joint, amounts } of levelsIn(statement)) {
    const ends = [figureOf(statement, a, 'from'), figureOf(statement, b, 'to')]
    for (const amount of amounts) {
      const figures = [...ends, figureOf(statement, amount, 'result')]
      yield assertionOver(statement, 'change', { figures, manner: joint })
    }
  }
}

function check(assertion: Assertion, evidence: ReportEvidence): CheckOutcome {
  const [from, to, result] = (['from', 'to', 'result'] as const).map(role => figureAs(assertion, role))
  if (from == null || to == null || result == null) return UNCHECKED
  const { unit, signed, value, decimals } = result.quantity
  const [a, b] = [printedOf(from.quantity), printedOf(to.quantity)]
  const readings = readingsOf(assertion, result.quantity, a, b)
  const stated = sizeOf(statedRange(result.quantity))
  // Nobody says 19.92 times.
  const isNear = (reading: NumberRange): boolean => unit === 'times' && Math.abs(middle(reading) / value - 1) < 0.06
  const fits = readings.filter(reading => meets(stated, reading) || isNear(reading))
  const base = unit === '%' ? baseOf(assertion, middle(a), middle(b)) : null
  const isOfOther = base !== null && fits.length > 0 && fits.every(reading => reading === readings[1 - base])
  if (fits.length > 0 && !isOfOther) return confirmed(`${from.text} → ${to.text}`)
  const isMeant = (reading: NumberRange, i: number): boolean =>
    isMisprint(value, middle(reading)) && (unit === 'times' ? value < 1 === reading.high < 1 : unit !== '%' || i === 0)
  const best = isOfOther ? readings[base] : readings.find(isMeant)
  const isFar = assertion.manner === 'beside' && best !== undefined && !isSlip(value, middle(best))
  if (best === undefined || isFar || areHeads([from, to], evidence)) return UNCHECKED
  const sign = signed && middle(b) < middle(a) && assertion.manner === 'change' ? -1 : 1
  const finest = Math.max(decimals, unit === 'times' ? 1 : 0)
  const expected = asPrinted(sign * Math.abs(middle(best)), { ...result.quantity, decimals: finest })
  const rule = unit === 'times' ? 'wrong-multiple' : unit === '%' ? 'percent-change' : 'stated-difference'
  const params = { quote: assertion.quote, from: from.text, to: to.text, found: result.text, expected }
  const known = isOfOther ? 'percent-base' : rule
  const isSure = /\d/.test(result.text) && assertion.manner !== 'beside'
  const more = isSure ? { isFix: true } : ({ severity: 'warning' } as const)
  return refute(known, result.offset, say(`audit.${rule}`, params), more)
}

/** All that the amount may mean. 是它的三倍 and "three times the" are the ratio; 快了三倍 may be one more. */
function readingsOf(
  { scope, figures }: Assertion,
  amount: Quantity,
  a: NumberRange,
  b: NumberRange,
): readonly NumberRange[] {
  const text = scope.statement?.text ?? ''
  const [ahead, behind] = [text.slice(0, amount.from), text.slice(amount.to)]
  const isMultiple =
    isSpelt(text.slice(amount.from, amount.to)) || /[的=]\s?$/.test(ahead) || /^ (?:the|that|as)(?![a-z])/i.test(behind)
  const isRatio = amount.unit === 'times' && isMultiple
  if (isRatio) return [divide(b, a), divide(a, b)].filter(ratio => ratio !== null)
  // "85 % of the baseline" is a share, not a change.
  const isShare = !amount.signed && /^\s?(?:of(?![a-z])|的(?!提|下|增|减|改|变))/i.test(behind)
  const percents = figures.some(({ role, quantity: { unit } }) => role !== 'result' && unit === '%')
  const readings = changeReadings(a, b, amount, { percents, isShare })
  const isRelative = /(?:相对|relative)[^\d,;。]{0,16}$/i.test(ahead) || /^ relative/i.test(behind)
  // The last one is the difference.
  return isRelative && amount.unit === '%' ? readings.slice(0, -1) : readings
}

/** Which of two figures a percentage is of: a change is a share of the first, and "lower" of the larger one. */
function baseOf({ scope: { statement, stretch }, manner }: Assertion, a: number, b: number): 0 | 1 | null {
  if (a <= 0 || b <= 0) return null
  if (manner === 'change') return 0
  const around = statement?.text.slice(stretch?.from, (stretch?.to ?? 0) + 16) ?? ''
  const isUp = has(around, 'up', 'larger')
  if (isUp === has(around, 'down', 'smaller')) return null
  return a < b === isUp ? 0 : 1
}

export const change: Relation = { names: ['change'], inStatement, check }
