import type { Statement } from '../../document/document.js'
import type { Quantity } from '../../document/quantity.js'
import { divide, exactly, type Range } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import {
  asPrinted,
  changeReadings,
  isMisprint,
  isSlip,
  meets,
  middle,
  percentOf,
  printedOf,
  sizeOf,
  statedRange,
} from '../arithmetic.js'
import { type Assertion, confirmed, type Figure, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import { framesOf } from '../binding.js'
import type { Entry } from '../entries.js'
import { type Evidence, pointName } from '../evidence.js'
import { refute } from '../fault.js'
import { has } from '../lexicon.js'
import { clauseOf } from '../mentions.js'
import { areHeads } from '../pairs.js'
import { assertionIn, assertionOver, figureAs, figureOf } from '../read.js'
import { isAmount } from './amounts.js'
import { NEW, OLD } from './direction.js'
import { levelsIn } from './levels.js'

/**
 * By how much two figures of one sentence differ: "a → b (+12 %)", "from a to b, doubled", "a vs b = 5.9x". No table is
 * needed, so this is where the audit is surest; only how many steps a change took is seen in the table that holds both.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.percent-change': { en: '“{quote}”: from {from} to {to} is {expected}, not {found}; write {expected}', zh: '“{quote}”：{from} 到 {to} 是 {expected}，不是 {found}；应写 {expected}' },
  'audit.stated-difference': { en: '“{quote}”: {to} and {from} are {expected} apart, not {found}; write {expected}', zh: '“{quote}”：{to} 与 {from} 相差 {expected}，不是 {found}；应写 {expected}' },
  'audit.wrong-multiple': { en: '“{quote}”: {to} against {from} is {expected} times, not {found}; write {expected}', zh: '“{quote}”：{to} 与 {from} 是 {expected} 倍，不是 {found}；应写 {expected}' },
  'audit.step-span': { en: '“{quote}”: {from} stands at {first} and {to} at {last} (“{line}”): {expected} steps, not {found}; write {expected}', zh: '“{quote}”：{from} 在 {first}，{to} 在 {last}（“{line}”），相隔 {expected} 步，不是 {found}；应写 {expected}' },
  'audit.step-value': { en: '“{quote}”: {found} stands at {first}, and {claimed} has {expected} (“{line}”); write {expected}', zh: '“{quote}”：{found} 在 {first}，而 {claimed} 是 {expected}（“{line}”）；应写 {expected}' },
})

const PART = /[前后末首第]|last|first|final/i

function* inStatement(statement: Statement): Generator<Assertion> {
  const { text, quantities, steps } = statement
  for (const { a, b, joint, amounts } of levelsIn(statement)) {
    const ends = [figureOf(statement, a, 'from'), figureOf(statement, b, 'to')]
    const claim = (others: readonly Figure[], manner: string): Assertion =>
      assertionOver(statement, 'change', { figures: [...ends, ...others], manner })
    for (const { quantity, by } of amounts) yield claim([figureOf(statement, quantity, 'result')], `${joint} ${by}`)
    if (joint !== 'change') continue
    const count = quantities.find(({ unit, from }) => unit === 'step' && from >= b.to && from - b.to < 8)
    // "…, the last 40 steps" is another stretch.
    const isTimed =
      count !== undefined && count.bound === null && count.hedge === null && !PART.test(text.slice(b.to, count.from))
    if (isTimed || steps.some(one => one.first < one.last))
      yield claim(isTimed ? [figureOf(statement, count, 'span')] : [], 'steps')
  }
}

/** "Before: 240 calls/min", and right below it "After: 312 calls/min (+30 %)". */
function* inEntries(entries: readonly Entry[]): Generator<Assertion> {
  for (const [i, { key, value, statement, section, leads }] of entries.entries()) {
    const old = entries[i - 1]
    if (statement === null || old?.statement == null || old.section !== section || old.leads[0] !== leads[0]) continue
    const [isOld, isNew] = [OLD, NEW].map(age => (name: string) => age.test(`${name} `))
    if (!isOld(old.key) || isNew(old.key) || !isNew(key) || isOld(key)) continue
    const behind = ({ text, quantities }: Statement, own: string): readonly Quantity[] =>
      quantities.filter(({ from }) => from >= text.length - own.length)
    const [[a], [b, amount]] = [behind(old.statement, old.value), behind(statement, value)]
    if (a === undefined || amount === undefined || a.unit !== b.unit || a.signed || b.signed) continue
    const isOwn =
      /^[^\d,;]{0,20}[(,]\s?$/.test(statement.text.slice(b.to, amount.from)) && isAmount(statement.text, amount)
    // "(+20 % memory)" is about something else.
    if (!isOwn || !/^\s?(?:relative|\p{L}+er|less|more|worse)?\s?(?:$|[),.;。])/u.test(statement.text.slice(amount.to)))
      continue
    const figures = [
      figureOf(old.statement, a, 'from'),
      figureOf(statement, b, 'to'),
      figureOf(statement, amount, 'result'),
    ]
    yield assertionIn(statement, 'change', { from: 0, to: amount.to }, { figures, manner: 'change near' })
  }
}

type Two = readonly [Range, Range]

function check(assertion: Assertion, evidence: Evidence): Outcome {
  const [from, to, result] = (['from', 'to', 'result'] as const).map(role => figureAs(assertion, role))
  if (from == null || to == null) return UNCHECKED
  if (assertion.manner === 'steps') return checkSteps(assertion, from, to, evidence)
  if (result == null) return UNCHECKED
  const [joint, by = 'near'] = assertion.manner.split(' ')
  const { unit, signed, value, decimals } = result.quantity
  // What is counted is not rounded, so neither is its difference.
  const isCounted = [from, to, result].every(one => one.quantity.decimals === 0 && one.quantity.unit !== '%')
  const [a, b] = [from, to].map(({ quantity }) =>
    isCounted && unit !== 'times' ? exactly(quantity.value) : printedOf(quantity),
  )
  if (a === undefined || b === undefined) return UNCHECKED
  const all = readingsOf(assertion, result, a, b)
  const stated = by === 'word' ? result.quantity.range : sizeOf(widened(result.quantity))
  const fits = all.filter(reading => meets(stated, reading))
  const base = fits.length > 0 && unit === '%' ? rightBase(assertion, result.quantity.to, [a, b], fits) : null
  const params = { quote: assertion.quote, from: from.text, to: to.text, found: result.text }
  if (base !== null && !areHeads([from, to], evidence)) {
    const expected = asPrinted(signed ? middle(base) : Math.abs(middle(base)), result.quantity)
    return refute('percent-base', result.offset, say('audit.percent-change', { ...params, expected }), { isFix: true })
  }
  if (fits.length > 0) return confirmed(`${from.text} → ${to.text}`)
  const isLike = (reading: Range): boolean =>
    unit === 'times' ? value >= 1 && reading.high >= 1 : unit === 'points' && isSlip(value, middle(reading))
  const best = all.find(isLike) ?? all[0]
  if (best === undefined || !isMisprint(value, middle(best)) || areHeads([from, to], evidence)) return UNCHECKED
  // Of a pair that nothing joins, only a slip is held against its author, and only where rounding leaves no doubt.
  const isNarrow = best.high - best.low < 0.25 * Math.abs(middle(best))
  if (by === 'far' && (!(isNarrow && isSlip(value, middle(best))) || isRow(assertion, [from, to], evidence)))
    return UNCHECKED
  const sign = signed && middle(b) < middle(a) && joint === 'change' ? -1 : 1
  const finest = Math.max(decimals, unit === 'times' ? 1 : 0)
  const expected = asPrinted(sign * middle(best), { ...result.quantity, decimals: finest })
  const rule = unit === 'times' ? 'wrong-multiple' : unit === '%' ? 'percent-change' : 'stated-difference'
  const more = by === 'near' ? { isFix: true } : ({ severity: 'warning' } as const)
  return refute(rule, result.offset, say(`audit.${rule}`, { ...params, expected }), more)
}

/** All that the amount may mean. 是它的三倍 and "three times the" are the ratio; 快了三倍 may be one more. */
function readingsOf({ manner, scope, figures }: Assertion, { quantity }: Figure, a: Range, b: Range): readonly Range[] {
  const text = scope.statement?.text ?? ''
  const [ahead, behind] = [text.slice(0, quantity.from), text.slice(quantity.to)]
  const isRatio = quantity.unit === 'times' && (/[的=]\s?$/.test(ahead) || /^ (?:the|that|as)(?![a-z])/i.test(behind))
  if (isRatio || manner.endsWith('word')) return [divide(b, a), divide(a, b)].filter(ratio => ratio !== null)
  // "85 % of the baseline" is a share, not a change.
  const isShare = !quantity.signed && /^\s?(?:of(?![a-z])|的(?!提|下|增|减|改|变))/i.test(behind)
  const percents = figures.some(({ role, quantity: { unit } }) => role !== 'result' && unit === '%')
  const all = changeReadings(a, b, quantity, { percents, isShare })
  // The last one is the difference.
  const isRelative = quantity.unit === '%' && (RELATIVE_AHEAD.test(ahead.slice(-12)) || /^ relative/i.test(behind))
  return isRelative ? all.slice(0, -1) : all
}

const RELATIVE_AHEAD = /相对[\u4e00-\u9fff]{0,4}\s?[+-]?$|relative(?: [a-z\u4e00-\u9fff]+)?(?: of)?\s?[+-]?$/i

/** "64k has 2.7x what 16k has": figures that name rows are no levels. */
function isRow(assertion: Assertion, levels: readonly Figure[], evidence: Evidence): boolean {
  const clause = clauseOf(assertion)
  const frames = clause === null ? [] : framesOf({ ...clause, from: 0, to: clause.statement.text.length }, evidence)
  const names = frames.flatMap(({ subjects, bases }) => [...subjects, ...bases].map(({ mention }) => mention))
  return levels.some(({ quantity }) => names.some(one => one.from <= quantity.from && one.to >= quantity.to))
}

/** Nobody says 19.92 times; multiples are rounded by up to a twentieth. */
function widened(result: Quantity): Range {
  const { low, high } = statedRange(result)
  const slack = result.unit === 'times' ? 0.06 * Math.abs(result.value) : 0
  return { low: Math.min(low, result.value - slack), high: Math.max(high, result.value + slack) }
}

/**
 * What the percentage is of, where only the wrong base gives it: a change is a share of what it started from, and "lower"
 * a share of the larger one. Null where the right base gives it too, or the words leave the base open.
 */
function rightBase(
  { scope: { statement }, quote, manner }: Assertion,
  end: number,
  [a, b]: Two,
  fits: readonly Range[],
): Range | null {
  const around = `${quote} ${statement?.text.slice(end, end + 16) ?? ''}`
  const [isUp, isDown] = [has(around, 'up', 'larger'), has(around, 'down', 'smaller')]
  const isChange = manner.startsWith('change')
  const [base, other] = isChange || middle(a) < middle(b) === isUp ? [a, b] : [b, a]
  const [right, wrong] = [percentOf(base, other), percentOf(other, base)]
  if (right === null || wrong === null || middle(base) <= 0 || (!isChange && isUp === isDown)) return null
  return fits.every(({ low }) => low === sizeOf(wrong).low) ? right : null
}

/** Where both figures stand in one line: so many steps apart, and the first at the step that the sentence names. */
function checkSteps({ quote, figures, scope }: Assertion, a: Figure, b: Figure, evidence: Evidence): Outcome {
  const lines = evidence.holding(a.quantity).flatMap(({ line, point: from }) => {
    const start = from.at.step
    const to = line.points.find(
      ({ at, quantity }) => quantity.value === b.quantity.value && (at.step ?? 0) > (start ?? 0),
    )
    return start === null || to === undefined ? [] : [{ line, from, to, start, gap: (to.at.step ?? 0) - start }]
  })
  const [one] = lines
  if (one === undefined) return UNCHECKED
  const { line, from, to, gap } = one
  const params = { quote, line: line.of.name, first: pointName(line, from), last: pointName(line, to) }
  const count = figures.find(({ role }) => role === 'span')
  if (count !== undefined && !lines.some(other => Math.abs(other.gap - count.quantity.value) <= 1)) {
    const figure = { from: a.text, to: b.text, found: count.quantity.value, expected: gap }
    const also = [from.cell.offset, to.cell.offset]
    return refute('step-span', count.offset, say('audit.step-span', { ...params, ...figure }), { also })
  }
  const [range, more] = scope.statement?.steps ?? []
  const start = line.points.find(({ at }) => at.step === range?.first)
  const isMet = lines.some(other => other.start === range?.first) || start?.quantity.value === a.quantity.value
  if (range === undefined || more !== undefined || start === undefined || isMet) return confirmed(line.of.name)
  const claimed = { found: a.text, claimed: pointName(line, start), expected: start.cell.text }
  const also = [start.cell.offset]
  return refute('named-value', a.offset, say('audit.step-value', { ...params, ...claimed }), { also })
}

export const change: Relation = { names: ['change'], inStatement, inEntries, check }
