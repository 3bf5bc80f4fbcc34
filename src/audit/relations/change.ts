import type { Statement } from '../../logs/document/document.js'
import type { Quantity } from '../../logs/document/quantity.js'
import { divide, type NumberRange, subtract } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, isWithin, meets, middle, percentOf, printedOf, scale, sizeOf, statedRange } from '../arithmetic.js'
import {
  type Assertion,
  type CheckOutcome,
  confirmed,
  type Relation,
  refute,
  type StatedFigure,
  UNCHECKED,
} from '../assertion.js'
import { assertionOver, figureAs, figureOf } from '../extract.js'
import { type LevelPair, levelPairsIn } from './level-pairs.js'

/** By how much two levels of one sentence differ: "a → b (+12 %)", "a → b (+0.08)", "a vs b = 5.9x", "doubled: a → b". */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.percent-change': { en: '“{quote}”: {from} to {to} is {expected}, not {found}', zh: '“{quote}”：{from} 到 {to} 是 {expected}，不是 {found}' },
  'audit.percent-of-percent': { en: '“{quote}”: {from} to {to} is {expected} ({points} point{points||s}), not {found}', zh: '“{quote}”：{from} 到 {to} 是 {expected}（{points} 个百分点），不是 {found}' },
  'audit.percent-base': { en: '“{quote}”: {found} is the change in percent of {to}; in percent of {from} it is {expected}', zh: '“{quote}”：{found} 是以 {to} 为基数；以 {from} 为基数是 {expected}' },
  'audit.stated-difference': { en: '“{quote}”: the difference between {from} and {to} is {expected}, not {found}', zh: '“{quote}”：{from} 与 {to} 相差 {expected}，不是 {found}' },
  'audit.wrong-multiple': { en: '“{quote}”: the ratio of {to} to {from} is {expected}, not {found}', zh: '“{quote}”：{to} 与 {from} 之比是 {expected}，不是 {found}' },
})

function* inStatement(statement: Statement): Generator<Assertion> {
  for (const { from, to, joint, amounts, factor } of levelPairsIn(statement)) {
    const ends = [figureOf(statement, from, 'from'), figureOf(statement, to, 'to')]
    for (const amount of amounts) {
      const figures = [...ends, figureOf(statement, amount, 'result')]
      yield assertionOver(statement, 'change', figures, { manner: mannerOf(statement, joint, amount) })
    }
    if (factor !== null) {
      const manner = `factor ${factor.value} ${factor.text}`
      yield assertionOver(statement, 'change', ends, { manner, words: [factor.from, factor.to] })
    }
  }
}

/** Whether its words say that an amount is relative, absolute, or of a speed. */
function mannerOf({ text }: Statement, joint: LevelPair['joint'], { from, to }: Quantity): string {
  const around = text.slice(Math.max(0, from - 12), to + 12)
  if (/faster|slower|speed|quicker|快|加速|提速/i.test(around)) return `${joint} speed`
  const way = /相对|relative|rel\./i.test(around) ? 'relative' : /绝对|absolute|abs\./i.test(around) ? 'absolute' : ''
  return `${joint} ${way}`.trim()
}

function check(assertion: Assertion): CheckOutcome {
  const [from, to, result] = (['from', 'to', 'result'] as const).map(role => figureAs(assertion, role))
  if (from == null || to == null) return UNCHECKED
  const [a, b] = [printedOf(from.quantity), printedOf(to.quantity)]
  const { quote, manner } = assertion
  if (manner.startsWith('factor')) return checkFactor(assertion, a, b, { quote, from: from.text, to: to.text })
  if (result == null) return UNCHECKED
  const { quantity, text: found, offset } = result
  const percents = to.quantity.unit === '%'
  const isPoints =
    from.quantity.decimals + to.quantity.decimals > 1 && Math.max(Math.abs(b.high), Math.abs(a.high)) <= 1.5
  const isVersus = manner.startsWith('versus')
  const relative = a.low > 0 && b.low > 0 ? percentOf(a, b) : null
  const ofOther = a.low > 0 && b.low > 0 ? percentOf(b, a) : null
  const difference = subtract(b, a)
  const readings = readingsOf(quantity, { a, b, relative, difference, percents, isPoints, manner })
  const stated = sizeOf(statedRange(quantity))
  const isMet = (reading: NumberRange): boolean =>
    meets(stated, sizeOf(reading)) ||
    (quantity.unit === 'times' && Math.abs(middle(sizeOf(reading)) / quantity.value - 1) < 0.06)
  const other = ofOther === null || quantity.unit !== '%' ? Number.NaN : Math.abs(middle(ofOther))
  const isOfOther =
    !manner.endsWith('absolute') && Math.abs(other - Math.abs(quantity.value)) <= 10 ** -quantity.decimals
  // "10 s → 5 s (100 % faster)": a speed is the inverse of a time.
  const mayBeOther = isVersus || manner.endsWith('speed')
  if (readings.some(isMet) || (mayBeOther && isOfOther)) return confirmed(`${from.text} → ${to.text}`)
  const [best] = readings
  if (best === undefined || !isMeant(quantity, middle(best), from, to)) return UNCHECKED
  const isFall = middle(difference) < 0 && quantity.value < 0
  const finest = Math.max(quantity.decimals, quantity.unit === 'times' ? 1 : 0)
  const size = Math.abs(middle(best))
  const expected = asPrinted(isFall ? -size : size, { ...quantity, decimals: finest })
  const params = { quote, from: from.text, to: to.text, found, expected }
  if (quantity.unit === 'times') return refute('wrong-multiple', offset, say('audit.wrong-multiple', params))
  if (quantity.unit !== '%') return refute('stated-difference', offset, say('audit.stated-difference', params))
  if (isOfOther) return refute('percent-base', offset, say('audit.percent-base', params))
  const points = middle(difference).toFixed(Math.max(0, Math.min(6, to.quantity.decimals)))
  const message =
    percents && manner === 'change'
      ? say('audit.percent-of-percent', { ...params, points })
      : say('audit.percent-change', params)
  return refute('percent-change', offset, message)
}

interface Readable {
  readonly a: NumberRange
  readonly b: NumberRange
  readonly relative: NumberRange | null
  readonly difference: NumberRange
  readonly percents: boolean
  readonly isPoints: boolean
  readonly manner: string
}

/** All that an amount can be by its unit, the usual one first. */
function readingsOf(
  { unit }: Quantity,
  { a, b, relative, difference, percents, isPoints, manner }: Readable,
): readonly NumberRange[] {
  const inPoints = percents ? [difference] : isPoints ? [scale(difference, 100)] : []
  if (unit === '%') {
    if (manner.endsWith('relative')) return relative === null ? [] : [relative]
    if (manner.endsWith('absolute')) return inPoints
    return relative === null ? [] : [relative, ...inPoints]
  }
  if (unit === 'times') {
    const ratios = [divide(b, a), divide(a, b)].filter(ratio => ratio !== null)
    const larger = ratios.toSorted((one, other) => middle(other) - middle(one))
    return [...larger, ...larger.map(({ low, high }) => ({ low: low - 1, high: high - 1 }))]
  }
  return unit === 'points' && !percents ? [difference, scale(difference, 100)] : [difference]
}

/**
 * Whether the amount is so near what it should be that it is meant to be it. "Batch 32 → 64 (+30 %)" gives the score's
 * change beside that of a setting: of whole numbers and powers of ten an amount must come very near.
 */
function isMeant(amount: Quantity, expected: number, from: StatedFigure, to: StatedFigure): boolean {
  // What is printed with a comma is counted, not set.
  const isSetting = ({ text, quantity: { unit, decimals, value } }: StatedFigure): boolean =>
    unit === null && !text.includes(',') && (decimals <= 0 || Math.abs(value) < 1e-3)
  const areSettings = isSetting(from) && isSetting(to)
  const finest = Math.max(from.quantity.decimals, to.quantity.decimals) + (areSettings ? 0 : 1)
  const isDifference = amount.unit !== '%' && amount.unit !== 'times'
  if (amount.value === 0 || (isDifference && amount.decimals > finest)) return false
  return isWithin(areSettings ? 1.5 : 4, amount.value / expected)
}

/** How far from twice people still say "doubled". */
const SLACK = 1.3

function checkFactor(
  { manner, offset }: Assertion,
  a: NumberRange,
  b: NumberRange,
  said: { readonly quote: string; readonly from: string; readonly to: string },
): CheckOutcome {
  const [, value = '', word = ''] = manner.split(' ')
  const ratio = divide(b, a)
  if (ratio === null || a.low <= 0) return UNCHECKED
  const factor = Number(value)
  if (meets(ratio, { low: factor / SLACK, high: factor * SLACK })) return confirmed(said.quote)
  const expected = middle(ratio).toFixed(2)
  return refute('wrong-multiple', offset, say('audit.wrong-multiple', { ...said, found: word, expected }))
}

export const change: Relation = { name: 'change', inStatement, check }
