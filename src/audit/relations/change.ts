import type { Statement } from '../../document/document.js'
import type { Quantity } from '../../document/quantity.js'
import { divide, type Range } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, changeReadings, isMisprint, meets, middle, printedOf, sizeOf, statedRange } from '../arithmetic.js'
import { type Assertion, confirmed, type Figure, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import { type Evidence, pointName } from '../evidence.js'
import { refute } from '../fault.js'
import { has } from '../lexicon.js'
import { areHeads } from '../pairs.js'
import { assertionOver, figureAs, figureOf } from '../read.js'
import { levelsIn } from './levels.js'

/**
 * By how much two figures of one sentence differ: "a → b (+12 %)", "a vs b = 5.9x". No table is needed, so this is where
 * the audit is surest; only how many steps a change took is seen in the table that holds both.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.percent-change': { en: '“{quote}”: from {from} to {to} is {expected}, not {found}; write {expected}', zh: '“{quote}”：{from} 到 {to} 是 {expected}，不是 {found}；应写 {expected}' },
  'audit.stated-difference': { en: '“{quote}”: {to} and {from} are {expected} apart, not {found}; write {expected}', zh: '“{quote}”：{to} 与 {from} 相差 {expected}，不是 {found}；应写 {expected}' },
  'audit.wrong-multiple': { en: '“{quote}”: {to} against {from} is {expected} times, not {found}; write {expected}', zh: '“{quote}”：{to} 与 {from} 是 {expected} 倍，不是 {found}；应写 {expected}' },
  'audit.step-span': { en: '“{quote}”: {from} stands at {first} and {to} at {last} (“{line}”): {expected} steps, not {found}; write {expected}', zh: '“{quote}”：{from} 在 {first}，{to} 在 {last}（“{line}”），相隔 {expected} 步，不是 {found}；应写 {expected}' },
})

function* inStatement(statement: Statement): Generator<Assertion> {
  const { text, quantities } = statement
  for (const { a, b, joint, amounts } of levelsIn(statement)) {
    const ends = [figureOf(statement, a, 'from'), figureOf(statement, b, 'to')]
    for (const amount of amounts) {
      const figures = [...ends, figureOf(statement, amount, 'result')]
      yield assertionOver(statement, 'change', { figures, manner: joint })
    }
    const count = quantities.find(({ unit, from }) => unit === 'step' && from >= b.to && from - b.to < 8)
    // "…, the last 40 steps" is another stretch.
    const isOther = count === undefined || /[前后末首第]|last|first|final/i.test(text.slice(b.to, count.from))
    if (joint === 'change' && !isOther && count.bound === null && count.hedge === null)
      yield assertionOver(statement, 'change', { figures: [...ends, figureOf(statement, count, 'span')] })
  }
}

function check(assertion: Assertion, evidence: Evidence): Outcome {
  const [from, to, result, count] = (['from', 'to', 'result', 'span'] as const).map(role => figureAs(assertion, role))
  if (from == null || to == null) return UNCHECKED
  if (count != null) return checkSteps(assertion.quote, from, to, count, evidence)
  if (result == null) return UNCHECKED
  const { unit, signed, value, decimals } = result.quantity
  const [a, b] = [printedOf(from.quantity), printedOf(to.quantity)]
  const readings = readingsOf(assertion, result.quantity, a, b)
  const stated = sizeOf(statedRange(result.quantity))
  // Nobody says 19.92 times.
  const isNear = (reading: Range): boolean => unit === 'times' && Math.abs(middle(reading) / value - 1) < 0.06
  const fits = readings.filter(reading => meets(stated, reading) || isNear(reading))
  const base = unit === '%' && fits.length > 0 ? rightBase(assertion, [a, b], readings, fits) : null
  if (fits.length > 0 && base === null) return confirmed(`${from.text} → ${to.text}`)
  const isMeant = (reading: Range, i: number): boolean =>
    isMisprint(value, middle(reading)) && (unit === 'times' ? value < 1 === reading.high < 1 : unit !== '%' || i === 0)
  const best = base ?? readings.find(isMeant)
  if (best === undefined || areHeads([from, to], evidence)) return UNCHECKED
  const sign = signed && middle(b) < middle(a) && assertion.manner === 'change' ? -1 : 1
  const finest = Math.max(decimals, unit === 'times' ? 1 : 0)
  const expected = asPrinted(sign * Math.abs(middle(best)), { ...result.quantity, decimals: finest })
  const rule = unit === 'times' ? 'wrong-multiple' : unit === '%' ? 'percent-change' : 'stated-difference'
  const params = { quote: assertion.quote, from: from.text, to: to.text, found: result.text, expected }
  const known = base === null ? rule : 'percent-base'
  return refute(known, result.offset, say(`audit.${rule}`, params), { isFix: true })
}

/** All that the amount may mean. 是它的三倍 and "three times the" are the ratio; 快了三倍 may be one more. */
function readingsOf({ scope, figures }: Assertion, amount: Quantity, a: Range, b: Range): readonly Range[] {
  const text = scope.statement?.text ?? ''
  const [ahead, behind] = [text.slice(0, amount.from), text.slice(amount.to)]
  const isRatio = amount.unit === 'times' && (/[的=]\s?$/.test(ahead) || /^ (?:the|that|as)(?![a-z])/i.test(behind))
  if (isRatio) return [divide(b, a), divide(a, b)].filter(ratio => ratio !== null)
  // "85 % of the baseline" is a share, not a change.
  const isShare = !amount.signed && /^\s?(?:of(?![a-z])|的(?!提|下|增|减|改|变))/i.test(behind)
  const percents = figures.some(({ role, quantity: { unit } }) => role !== 'result' && unit === '%')
  const readings = changeReadings(a, b, amount, { percents, isShare })
  const isRelative = /(?:相对|relative)[^\d,;。]{0,16}$/i.test(ahead) || /^ relative/i.test(behind)
  // The last one is the difference.
  return isRelative && amount.unit === '%' ? readings.slice(0, -1) : readings
}

/**
 * What the percentage is of, where only the wrong base gives it: a change is a share of what it started from, and "lower"
 * a share of the larger one.
 */
function rightBase(
  { scope, manner }: Assertion,
  [a, b]: readonly [Range, Range],
  readings: readonly Range[],
  fits: readonly Range[],
): Range | null {
  const around = scope.statement?.text.slice(scope.stretch?.from, (scope.stretch?.to ?? 0) + 16) ?? ''
  const [isUp, isDown] = [has(around, 'up', 'larger'), has(around, 'down', 'smaller')]
  if (middle(a) <= 0 || middle(b) <= 0 || (manner !== 'change' && isUp === isDown)) return null
  const isFirst = manner === 'change' || middle(a) < middle(b) === isUp
  const [right = null, wrong] = isFirst ? readings : [readings[1], readings[0]]
  return fits.every(one => one === wrong) ? right : null
}

/** Where a line of a table holds both figures: so many steps apart. */
function checkSteps(quote: string, a: Figure, b: Figure, count: Figure, evidence: Evidence): Outcome {
  const gaps = evidence.holding(a.quantity).flatMap(({ line, point: from }) => {
    const start = from.at.step ?? Number.NaN
    const to = line.points.find(({ at, quantity }) => quantity.value === b.quantity.value && (at.step ?? 0) > start)
    return to === undefined ? [] : [{ line, from, to, steps: (to.at.step ?? 0) - start }]
  })
  const [gap] = gaps
  if (gap === undefined) return UNCHECKED
  const { line, from, to, steps } = gap
  if (gaps.some(one => Math.abs(one.steps - count.quantity.value) <= 1)) return confirmed(line.of.name)
  const places = { line: line.of.name, first: pointName(line, from), last: pointName(line, to) }
  const params = { quote, from: a.text, to: b.text, found: count.quantity.value, expected: steps, ...places }
  return refute('step-span', count.offset, say('audit.step-span', params), { also: [from.cell.offset, to.cell.offset] })
}

export const change: Relation = { names: ['change'], inStatement, check }
