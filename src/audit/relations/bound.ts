import type { Point } from '../../logs/document/matrix.js'
import type { Quantity } from '../../logs/document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { type Assertion, type CheckOutcome, type Relation, refute, UNCHECKED } from '../assertion.js'
import type { BindingFrame } from '../binding.js'
import { cited, topOf } from '../evidence.js'
import { assertionIn, figureOf } from '../extract.js'
import { type ClauseCheck, checkedBy, held, type Interpretation, missed } from '../interpretation.js'
import { has } from '../lexicon.js'
import { namesCorner, type ReportClause } from '../mentions.js'
import type { RuleId } from '../rules.js'

/**
 * "All sets fail on more than 60 %", "never exceeds 3", "ranges from 1.1 to 9.4", "epochs 2-7: positive": a bound, a range
 * or a sign for every row. It holds when one line of a table near by obeys it, the rows that the clause names taken alone;
 * it is refuted where the line or the kind of its rows is named, and none obeys.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.bound-exceeded': { en: '“{quote}”: not so for {owner} with {expected} (“{line}”, line {at}); write a bound that all rows obey', zh: '“{quote}”：{owner} 是 {expected}（“{line}”，第 {at} 行），不在其内；应写一个全部成立的界限' },
})

const KEPT =
  /之间|保持|维持|稳定在|控制在|范围|介于|以[内上下]|之内|从[未不]|(?<![a-z])(?:stay|remain|keep|kept|never|within|between|rang|var(?:ies|y)|lies?|runs? from|spans?)/i
/** "Differences below 0.1 do not matter", "the first four", "once …,", "losses": not measured, of some rows, or without a sign. */
const OTHER =
  /matters?|negligible|ignored?|忽略|视为|算作|的那[几些]|[前后]\s?[两二三四五六七八九十\d]+\s?[kKM万千]?\s?[个项组轮种步]|(?:first|last|other) (?:two|three|four|five|six|\d)|losses|regressions|(?:^|[:.] )(?:with|when|once|after) [^,]{3,40},/i

/** The rule that is broken beyond what the words allow: the least and the greatest, or how far apart in percent. */
type Limits = readonly [rule: RuleId, low: number, high: number]

function* inClause(clause: ReportClause): Generator<Assertion> {
  const { statement } = clause
  if (OTHER.test(statement.text)) return
  if (signIn(clause) !== null) yield assertionIn(statement, 'bound', clause, {})
  for (const quantity of statement.quantities)
    if (limitsOf(clause, quantity) !== null)
      yield assertionIn(statement, 'bound', clause, { figures: [figureOf(statement, quantity, 'bound')] })
}

/** "Epochs 2-7: positive". */
function signIn({ statement, from, to }: ReportClause): Limits | null {
  const range = statement.steps.find(one => one.from >= from && one.to <= to && one.first !== one.last)
  const behind = range === undefined ? '' : statement.text.slice(range.to, Math.min(to, range.to + 20))
  const [isUp, isDown] = [has(behind, 'positive'), has(behind, 'negative')]
  return isUp === isDown ? null : ['sign-contradicted', isUp ? 0 : -Infinity, isUp ? Infinity : 0]
}

const UP_TO = /^\s?%?\s?(?:to|and|到|至|和|~)\s?$/i
const RANGES = /(?:(?:rang(?:es?|ing)|lies?|var(?:ies|y)|runs?|spans?)(?: from| between)?|[在于])\s?$/i
const SAME = /恒定|constant|[都均][是为]|(?:all|every|所有)[^,。]{0,24}=/i
const GAINS = /gain|improvement|提升|[涨增]幅/i
const DENIED = /(?:(?<![a-z])(?:never|not?|none)|从[未不]|未曾|没有)\s?[a-z\u4e00-\u9fff\s]{0,32}$/i

function limitsOf(clause: ReportClause, quantity: Quantity): Limits | null {
  const { text, quantities } = clause.statement
  const { value, from, to, ends, unit, bound } = quantity
  // What the sentence lists itself is what it bounds.
  const listed = quantities.filter(one => one.unit === unit && one.to <= from)
  if (from < clause.from || to > clause.to || quantity.hedge !== null || listed.length > 2) return null
  const [before, behind] = [text.slice(Math.max(clause.from, from - 40), from), text.slice(to, to + 6)]
  const isDenied = bound !== null && DENIED.test(before)
  if (!isDenied && !has(text.slice(0, clause.to), 'all') && !KEPT.test(clause.text)) return null
  const next = quantities.find(one => one.from >= to && UP_TO.test(text.slice(to, one.from)))
  // "Rises between a and b" is a change.
  const isRange = RANGES.test(before) || (/between\s?$/i.test(before) && !has(before, 'up', 'down', 'better', 'worse'))
  const [a, b] = ends ?? [value, next?.value]
  if (isRange && b !== undefined) return ['range-contradicted', Math.min(a, b), Math.max(a, b)]
  if (ends !== null) return null
  if (/^\s?[以之]内/.test(behind) || /within\s?$/i.test(before))
    return ['bound-exceeded', -Math.abs(value), value < 0 ? Infinity : value]
  if (SAME.test(clause.text) && /(?:=|[是为]|are|is)\s?$/.test(before)) return ['all-contradicted', value, value]
  const isAbove = bound === 'above' || /^\s?(?:以上|\+)/.test(behind)
  if (!isAbove && bound !== 'below' && !/^\s?以下/.test(behind)) return null
  if (!isAbove && unit === '%' && /差异|相差|spread|apart|differ/i.test(text)) return ['spread-exceeded', 0, value]
  // "Never exceeds 3", "no set moved by more than 3": a bound from above.
  return isAbove === isDenied ? ['bound-exceeded', -Infinity, value] : ['bound-exceeded', value, Infinity]
}

function* readings({ assertion, clause, frames, evidence }: ClauseCheck): Generator<Interpretation> {
  const { figures, scope, quote } = assertion
  const [figure] = figures
  const { text: found, offset } = figure ?? { text: quote, offset: assertion.offset }
  const limits = figure === undefined ? signIn(clause) : limitsOf(clause, figure.quantity)
  if (limits === null) return
  const [rule, low, top] = limits
  const isSpread = rule === 'spread-exceeded'
  const half = rule === 'range-contradicted' ? 0.5 * 10 ** -(figure?.quantity.decimals ?? 0) : 0
  const all = linesFor(clause, frames, isSpread ? null : (figure?.quantity.unit ?? null))
  const inside = all.filter(({ line, isMeant }) => isMeant && line.matrix.table.section === scope.section)
  for (const { line, points: meant, isMeant } of inside.length > 0 ? inside : all) {
    // "Every gain": of the others nothing is said.
    const isGain = line.of.role === 'difference' && GAINS.test(clause.text)
    const points = isGain ? meant.filter(({ quantity }) => quantity.value > 0) : meant
    const least = Math.min(...points.map(({ quantity }) => quantity.range.high))
    const high = isSpread ? least / (1 - 1.02 * (top / 100)) : top
    const outside = points.filter(({ quantity: { range } }) => range.high < low - half || range.low > high + half)
    const ends = missedEnds(points, low, high, half)
    if (outside.length + ends.length === 0) yield held(line.of.name)
    const [point = ends[0]] = outside
    // Where no row at all obeys, or neither end is that of a row, something else is spoken of.
    const isSaid = isMeant && ends.length < 2 && (figure === undefined || outside.length < 0.8 * points.length)
    const tell = (): CheckOutcome => {
      if (point === undefined) return UNCHECKED
      const message = say('audit.bound-exceeded', { quote, ...cited(line, point, evidence) })
      return refute(rule, offset, message, { found, also: [point.cell.offset] })
    }
    yield missed(isSaid ? 1 / (1 + outside.length) : 0, tell, line)
  }
}

/** The extremes of a line that a range as fine as its values should end with, and does not. */
function missedEnds(points: readonly Point[], low: number, high: number, half: number): readonly Point[] {
  const isFine = half > 0 && points.every(({ quantity }) => 2 * half <= 1.001 * 10 ** -quantity.decimals)
  const [least, most] = [topOf(points, 'min'), topOf(points, 'max')]
  if (!isFine || least === null || most === null || least === most) return []
  const slack = half + 0.06 * (high - low)
  const isOff = (end: number, { quantity }: Point): boolean => Math.abs(quantity.value - end) > slack
  return [...(isOff(low, least) ? [least] : []), ...(isOff(high, most) ? [most] : [])]
}

const GAP =
  /差[异距]|相差|幅|的提升|变[化动]|(?<![a-z])(?:differences?|improvements?|gaps?|gains?|drops?|margins?|leads?|lo(?:ses?|st))(?![a-z])/i

/** The lines that a clause may speak of, and whether it surely does: differences, those named, or those of its rows. */
function linesFor({ text }: ReportClause, frames: readonly BindingFrame[], unit: Quantity['unit']) {
  const ofUnit = frames.filter(({ line: { points }, isHere }) => {
    // A unit may stand in the header instead of the cells, and 3 points are 3 %.
    const printed = points[0]?.quantity.unit ?? unit
    return isHere && (printed === unit || (printed === '%' && unit === 'points'))
  })
  const gaps = GAP.test(text) ? ofUnit.filter(({ line }) => line.of.role === 'difference') : []
  const own = gaps.length > 0 ? gaps : ofUnit
  const named = own.filter(({ isNamed }) => isNamed)
  return (named.length > 0 ? named : own).flatMap(({ line, points, subjects, earlier, isNamed, isConfined }) => {
    // "Up to step 240" names that step, and means those before it too.
    const taken = isConfined && points.length > 1 ? [] : subjects.length > 0 ? subjects : earlier
    const meant = taken.length === 0 ? points : points.filter(point => taken.some(one => one.point === point))
    const isMeant = isNamed || gaps.length > 0 || namesCorner(text, line.matrix)
    return meant.length === 0 ? [] : [{ line, points: meant, isMeant }]
  })
}

export const bound: Relation = { names: ['bound'], inClause, check: checkedBy(readings, ['said']) }
