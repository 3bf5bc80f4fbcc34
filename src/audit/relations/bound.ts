import type { Line, Point } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { sizeOf } from '../arithmetic.js'
import type { Assertion, Outcome, Relation } from '../assertion.js'
import { byTable, type Frame } from '../binding.js'
import { cited, topOf } from '../evidence.js'
import { refute } from '../fault.js'
import { has } from '../lexicon.js'
import { type Clause, namesCorner } from '../mentions.js'
import { assertionIn, figureOf } from '../read.js'
import { type Asked, checkedBy, held, missed, type Reading } from '../reading.js'

/**
 * "All sets fail on more than 60 %", "never exceeds 3", "ranges from 1.1 to 9.4", "epochs 2-7: positive": a bound, a range
 * or a sign for every row. It holds when one line of a table near by obeys it, the rows that the clause names taken alone;
 * it is refuted where the line, the kind of its rows or its unit is named, and none obeys.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.bound-exceeded': { en: '“{quote}”: not so for {owner} with {expected} (“{line}”, line {at}); write a bound that all rows obey', zh: '“{quote}”：{owner} 是 {expected}（“{line}”，第 {at} 行），不在其内；应写一个全部成立的界限' },
})

const KEPT =
  /之间|保持|维持|稳定在|控制在|范围|介于|以[内上下]|之内|从[未不]|(?<![a-z])(?:stay|remain|ke[ep]pt?s?|never|within|between|rang|var(?:ies|y)|lies?|runs? from|spans?)/i
/** "Differences below 0.1 do not matter", "the first four": no claim about what was measured, or about which rows. */
const OTHER =
  /matters?|negligible|ignored?|忽略|视为|算作|的那[几些]|[前后]\s?[两二三四五六七八九十\d]+\s?[kKM万千]?\s?[个项组轮种步]|(?:first|last|other) (?:two|three|four|five|six|\d)/i

/** What the words allow: the least and the greatest value, what rounding adds to them, and the rule that this breaks. */
interface Limits {
  readonly rule: 'all-contradicted' | 'sign-contradicted' | 'range-contradicted' | 'bound-exceeded' | 'spread-exceeded'
  readonly low: number
  readonly high: number
  readonly half: number
}

function* inClause(clause: Clause): Generator<Assertion> {
  const { statement } = clause
  if (OTHER.test(statement.text)) return
  if (signIn(clause) !== null) yield assertionIn(statement, 'bound', clause, {})
  for (const quantity of statement.quantities)
    if (limitsOf(clause, quantity) !== null)
      yield assertionIn(statement, 'bound', clause, { figures: [figureOf(statement, quantity, 'bound')] })
}

/** "Epochs 2-7: positive". */
function signIn({ statement, from, to, text }: Clause): Limits | null {
  const range = statement.steps.find(one => one.from >= from && one.to <= to && one.first !== one.last)
  const isUp = has(text, 'positive')
  if (range === undefined || isUp === has(text, 'negative')) return null
  const [low, high] = isUp ? [0, Number.POSITIVE_INFINITY] : [Number.NEGATIVE_INFINITY, 0]
  return { rule: 'sign-contradicted', low, high, half: 0 }
}

const UP_TO = /^\s?%?\s?(?:to|and|到|至|和|~)\s?$/i
const RANGES = /(?:(?:rang(?:es?|ing)|lies?|var(?:ies|y)|runs?|spans?)(?: from| between)?|[在于])\s?$/i
const SAME = /恒定|constant|[都均][是为]|(?:all|every|所有)[^,。]{0,24}=/i
const DENIED = /(?:(?<![a-z])(?:never|not?|none)|从[未不]|未曾|没有)\s?[a-z\u4e00-\u9fff\s]{0,32}$/i

function limitsOf(clause: Clause, quantity: Quantity): Limits | null {
  const { text, quantities } = clause.statement
  const { value, from, to, ends, hedge, unit, bound } = quantity
  if (from < clause.from || to > clause.to || hedge !== null) return null
  const [before, behind] = [text.slice(Math.max(clause.from, from - 40), from), text.slice(to, to + 6)]
  // "Never exceeds 3", "no set moved by more than 3": a bound from above.
  const isDenied = bound !== null && DENIED.test(before)
  if (!isDenied && !has(text.slice(0, clause.to), 'all') && !KEPT.test(clause.text)) return null
  const next = quantities.find(one => one.from >= to)
  // "Rises between a and b" is a change.
  const isOpened = RANGES.test(before) || (/between\s?$/i.test(before) && !has(before, 'up', 'down', 'better', 'worse'))
  if (isOpened && (ends !== null || (next !== undefined && UP_TO.test(text.slice(to, next.from))))) {
    const [a, b] = ends ?? [value, next?.value ?? value]
    const half = 0.5 * 10 ** -Math.max(quantity.decimals, ends === null ? (next?.decimals ?? 0) : 0)
    return { rule: 'range-contradicted', low: Math.min(a, b) - half, high: Math.max(a, b) + half, half }
  }
  if (ends !== null) return null
  const limits = (rule: Limits['rule'], low: number, high: number): Limits => ({ rule, low, high, half: 0 })
  if (/^\s?[以之]内/.test(behind) || /within\s?$/i.test(before))
    return limits('bound-exceeded', -Math.abs(value), value < 0 ? Number.POSITIVE_INFINITY : value)
  const isAbove = bound === 'above' || /^\s?(?:以上|\+)/.test(behind)
  const isBelow = bound === 'below' || /^\s?以下/.test(behind)
  if (unit === '%' && isBelow && /差异|相差|spread|apart|differ/i.test(text))
    return limits('spread-exceeded', 0, value * 1.02)
  if (SAME.test(text) && /(?:=|[是为]|are|is)\s?$/.test(before)) return limits('all-contradicted', value, value)
  if (!isAbove && !isBelow) return null
  return isAbove !== isDenied
    ? limits('bound-exceeded', value, Number.POSITIVE_INFINITY)
    : limits('bound-exceeded', Number.NEGATIVE_INFINITY, value)
}

function* readings({ assertion, clause, frames, evidence }: Asked): Generator<Reading> {
  const { figures, scope, quote, offset } = assertion
  const [figure] = figures
  const limits = figure === undefined ? signIn(clause) : limitsOf(clause, figure.quantity)
  if (limits === null) return
  const { rule, low, high } = limits
  const isSpread = rule === 'spread-exceeded'
  const all = linesFor(clause, frames, isSpread ? null : (figure?.quantity.unit ?? null))
  const inside = all.filter(({ line, isMeant }) => isMeant && line.matrix.table.section === scope.section)
  for (const { line, points: meant, isMeant } of inside.length > 0 ? inside : all) {
    const points = isSpread ? spreadsOf(meant) : line.of.role === 'difference' ? ofSign(meant, clause.text) : meant
    const outside = points.filter(({ quantity: { range } }) => range.high < low || range.low > high)
    const missing = missedEnds(points, limits)
    const point = outside[0] ?? (missing.length === 1 ? missing[0] : undefined)
    if (point === undefined && missing.length === 0) yield held(line.of.name)
    if (point === undefined) continue
    // Where no row at all obeys, something else is spoken of.
    const isSaid = isMeant && missing.length < 2 && (figure === undefined || outside.length < 0.8 * points.length)
    const message = say('audit.bound-exceeded', { quote, ...cited(line, point, evidence) })
    const more = { found: figure?.text ?? quote, also: [point.cell.offset] }
    const tell = (): Outcome => refute(rule, figure?.offset ?? offset, message, more)
    yield missed(isSaid ? 1 / (1 + outside.length) : 0, tell, line)
  }
}

/** "All values differ by less than 4 %": how far each is above the least, in percent of the one or the other. */
function spreadsOf(points: readonly Point[]): readonly Point[] {
  const least = Math.min(...points.map(({ quantity }) => quantity.range.high))
  return points.map(({ at, cell, quantity }) => {
    const { low } = quantity.range
    const value = least <= 0 ? 0 : Math.max(0, 100 * (1 - least / low))
    const text = `${cell.text} (+${(100 * (low / least - 1)).toFixed(1)} %)`
    return { at, cell: { ...cell, text }, quantity: { ...quantity, value, range: { low: value, high: value } } }
  })
}

const GAINS = /gain|improvement|提升|[涨增]幅/i
const LOSSES = /losses|(?<![a-z])lo(?:se|st)|drops?|下降|[降跌]幅/i

/** "Every gain", 降幅: those of one sign, without it. */
function ofSign(points: readonly Point[], text: string): readonly Point[] {
  const sign = LOSSES.test(text) ? -1 : GAINS.test(text) ? 1 : 0
  if (sign === 0) return points
  const own = points.filter(({ quantity }) => Math.sign(quantity.value) === sign)
  return own.map(({ at, cell, quantity }) => {
    return { at, cell, quantity: { ...quantity, value: Math.abs(quantity.value), range: sizeOf(quantity.range) } }
  })
}

/** The extremes of a line that a range as fine as its values should end with, and does not. */
function missedEnds(points: readonly Point[], { rule, low, high, half }: Limits): readonly Point[] {
  const decimals = Math.min(...points.map(({ quantity }) => quantity.decimals))
  // Ends that are coarser than the values are bounds; nobody says that they are reached.
  if (rule !== 'range-contradicted' || 2 * half > 1.001 * 10 ** -decimals || points.length < 2) return []
  const slack = half + 0.06 * (high - low - 2 * half)
  const ends = [
    { point: topOf(points, 'min'), end: low + half },
    { point: topOf(points, 'max'), end: high - half },
  ]
  return ends.flatMap(({ point, end }) =>
    point === null || Math.abs(point.quantity.value - end) <= slack ? [] : [point],
  )
}

const GAP =
  /差[异距]|相差|[涨增降跌]?幅|的提升|变[化动]|(?<![a-z])(?:differences?|improvements?|gaps?|gains?|drops?|losses|margins?|leads?|lo(?:ses?|st))(?![a-z])/i

interface Bounded extends Pick<Frame, 'line' | 'points'> {
  /** The line, the kind of its rows, or its unit is named. */
  readonly isMeant: boolean
}

/** The lines that a clause may speak of: named, of the kind of rows it names, or the only one of its unit. */
function linesFor({ text }: Clause, frames: readonly Frame[], unit: Quantity['unit']): readonly Bounded[] {
  return [...byTable(frames)].flatMap(([matrix, all]) => {
    const isGap = GAP.test(text) && matrix.columns.some(({ role }) => role === 'difference')
    const own = all.filter(
      ({ line, isHere }) => isHere && isOfUnit(line, unit) && (!isGap || line.of.role === 'difference'),
    )
    const named = own.filter(({ isNamed }) => isNamed)
    const isMeant = named.length > 0 || isGap || namesCorner(text, matrix)
    return (named.length > 0 ? named : own).flatMap(({ line, points, subjects, earlier, isConfined }) => {
      // "Up to step 240" names that step, and means those before it too.
      const taken = isConfined && points.length > 1 ? [] : subjects.length > 0 ? subjects : earlier
      const meant = taken.length === 0 ? points : points.filter(point => taken.some(one => one.point === point))
      return meant.length === 0 ? [] : [{ line, points: meant, isMeant }]
    })
  })
}

/** A unit may stand in the header instead of the cells, what is counted (31 条, 40 分) has none there, and 3 points are 3 %. */
function isOfUnit({ points: [point] }: Line, unit: Quantity['unit']): boolean {
  const own = point?.quantity.unit ?? null
  return own === unit || own === null || (own === '%' && unit === 'points')
}

export const bound: Relation = { names: ['bound'], inClause, check: checkedBy(readings, ['said']) }
