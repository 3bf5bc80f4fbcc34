import type { Line, Point } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import type { Assertion, Outcome, Relation } from '../assertion.js'
import { byTable, type Frame, framesOf } from '../binding.js'
import { cited, topOf } from '../evidence.js'
import { refute } from '../fault.js'
import { has } from '../lexicon.js'
import { type Clause, namesCorner } from '../mentions.js'
import { assertionIn, figureOf } from '../read.js'
import { type Asked, checkedBy, held, missed, type Reading } from '../reading.js'
import { type Bounded, GAP, ONE_SIDED, ofSign, pairsFor, together } from './apart.js'

/**
 * "All sets fail on more than 60 %", "differences within ±0.5", "never exceeds 3", "ranges from 1.1 to 9.4", "epochs 2-7:
 * positive": a bound, a range or a sign for every row. It holds when one line of a table near by obeys it, the rows that
 * the clause names taken alone; it is refuted where the line, the kind of its rows or its unit is named, and none obeys.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.bound-exceeded': { en: '“{quote}”: not so for {owner} with {expected} (“{line}”, line {at}); write a bound that all rows obey', zh: '“{quote}”：{owner} 是 {expected}（“{line}”，第 {at} 行），不在其内；应写一个全部成立的界限' },
})

const SIGNED = /正值|为正|负值|为负|(?<![a-z])(?:positive|negative)(?![a-z])/i
const KEPT =
  /之间|保持|维持|稳定在|控制在|范围|介于|以内|之内|以上|以下|从[未不]|(?<![a-z])(?:stays?|stayed|remains?|remained|kept|keeps|maintain(?:s|ed)?|never|within|between|rang(?:es?|ing)|var(?:ies|y)|lies?|runs?(?= from)|spans?)(?![a-z])/i
/** What is aimed at, and "differences below 0.1 do not matter": no claim about what was measured. */
const AIM =
  /(?<![a-z])(?:target|threshold|matters?|ignored?|negligible|counts? as|counted as)(?![a-z])|目标|阈值|忽略|视为|算作|不计|无关紧要|不重要/i

/** What the words allow: the least and the greatest value, what rounding adds to them, and the rule that this breaks. */
interface Limits {
  readonly rule: 'all-contradicted' | 'sign-contradicted' | 'range-contradicted' | 'bound-exceeded' | 'spread-exceeded'
  readonly low: number
  readonly high: number
  readonly half: number
}

function* inClause(clause: Clause): Generator<Assertion> {
  if (AIM.test(clause.text)) return
  if (signIn(clause) !== null) yield assertionIn(clause.statement, 'bound', clause, {})
  for (const quantity of clause.statement.quantities)
    if (limitsOf(clause, quantity) !== null)
      yield assertionIn(clause.statement, 'bound', clause, { figures: [figureOf(clause.statement, quantity, 'bound')] })
}

/** "Epochs 2-7: positive". */
function signIn({ statement, from, to, text }: Clause): Limits | null {
  const range = statement.steps.find(one => one.from >= from && one.to <= to)
  const sign = SIGNED.exec(text)
  if (sign === null || range === undefined || range.first === range.last) return null
  if (from + sign.index - range.to >= 16) return null
  const [low, high] = /正|positive/i.test(sign[0]) ? [0, Number.POSITIVE_INFINITY] : [Number.NEGATIVE_INFINITY, 0]
  return { rule: 'sign-contradicted', low, high, half: 0 }
}

const finestOf = (ends: readonly number[]): number =>
  Math.max(0, ...ends.map(end => (String(end).split('.')[1] ?? '').length))

const UP_TO = /^\s?%?\s?(?:to|and|到|至|和|~)\s?$/i
const SAME = /恒定|constant|(?:都|均)[是为]|(?:all|every|所有)[^,，。]{0,24}=/i
const LEAST = /(?:至少|不[少低]于)[有达为]?\s?$/

function limitsOf(clause: Clause, quantity: Quantity): Limits | null {
  const { text, quantities } = clause.statement
  const { value, from, to, ends, hedge, unit } = quantity
  if (from < clause.from || to > clause.to || hedge !== null) return null
  const [before, behind] = [text.slice(Math.max(clause.from, from - 40), from), text.slice(to, to + 6)]
  // "Never exceeds 3", "no set moved by more than 3": a bound from above.
  const isDenied = quantity.bound !== null && DENIED.test(before)
  if (!isDenied && !has(text.slice(0, clause.to), 'all') && !KEPT.test(clause.text)) return null
  const next = quantities.find(one => one.from >= to)
  const half = 0.5 * 10 ** -Math.max(quantity.decimals, next?.decimals ?? 0, finestOf(ends ?? []))
  const bounded = (low: number, high: number): Limits => ({ rule: 'bound-exceeded', low, high, half: 0 })
  const ranged = (a: number, b: number): Limits => {
    return { rule: 'range-contradicted', low: Math.min(a, b) - half, high: Math.max(a, b) + half, half }
  }
  if (ends !== null) return KEPT.test(before) || /在\s?$/.test(before) ? ranged(...ends) : null
  if (/^\s?(?:以内|之内)/.test(behind) || /within\s?$/i.test(before))
    return bounded(-Math.abs(value), value < 0 ? Number.POSITIVE_INFINITY : value)
  const isAbove = quantity.bound === 'above' || /^\s?(?:以上|\+)/.test(behind) || LEAST.test(before)
  const isBelow = quantity.bound === 'below' || /^\s?以下/.test(behind)
  if (unit === '%' && isBelow && /差异|相差|spread|apart|differ/i.test(text))
    return { rule: 'spread-exceeded', low: 0, high: value * 1.02, half: 0 }
  if (SAME.test(text) && /(?:=|为|都是|均为|恒为|are|is)\s?$/.test(before))
    return { rule: 'all-contradicted', low: value, high: value, half: 0 }
  const isOpened =
    /(?:from|between|[从在]|介于)\s?$/i.test(before) || (GAP.test(clause.text) && /[:：]\s?$/.test(before))
  if (next !== undefined && UP_TO.test(text.slice(to, next.from)) && isOpened)
    // "Rises from a to b" is a change.
    return RANGES.test(before) || !has(before, 'up', 'down', 'better', 'worse') ? ranged(value, next.value) : null
  if (!isAbove && !isBelow) return null
  return isAbove !== isDenied ? bounded(value, Number.POSITIVE_INFINITY) : bounded(Number.NEGATIVE_INFINITY, value)
}

const RANGES =
  /(?:rang(?:es?|ing|ed)|lies?|var(?:ies|y)|runs?|spans?) (?:from|between)\s?$|(?:gains|drops|losses) (?:of )?between\s?$|介于\s?$/i

const DENIED = /(?:(?<![a-z])(?:never|not?|none)|从[未不]|未曾|没有)\s?[a-z\u4e00-\u9fff\s]{0,32}$/i

const SOME =
  /的那[几些]|[升降涨跌好差]的[^,，。]{1,6}(?:[涨增降跌]幅|差)|[前后]\s?[两二三四五六七八九十\d]+\s?[kKM万千]?\s?[个项组轮种步]|(?<![a-z])(?:(?:first|last|other) (?:two|three|four|five|six|\d)|(?:two|three|four|five|six|\d) (?:big|large|small|main|hard|easy|other)(?:e?r|e?st)?)(?![a-z])/i

function* readings({ assertion, clause, frames, evidence }: Asked): Generator<Reading> {
  const { figures, scope, quote, offset } = assertion
  const [figure] = figures
  const limits = figure === undefined ? signIn(clause) : limitsOf(clause, figure.quantity)
  // "The first four": which rows these are stands nowhere.
  if (limits === null || SOME.test(clause.statement.text)) return
  const { rule, low, high } = limits
  const isSpread = rule === 'spread-exceeded'
  const unit = isSpread ? null : (figure?.quantity.unit ?? null)
  const own = isSpread || figure === undefined ? [] : pairsFor(clause, frames, figure.quantity)
  // 甲在各档都高于乙，差距…: who differs stands in an earlier clause.
  const whole = { ...clause, from: 0, text: clause.statement.text.slice(0, clause.to) }
  const isOpen = own.length === 0 && clause.from > 0 && GAP.test(clause.text) && !ONE_SIDED.test(clause.text)
  const apart = together(
    isOpen && figure !== undefined ? pairsFor(whole, framesOf(whole, evidence), figure.quantity) : own,
    clause,
  )
  const isRest = ({ line: { matrix } }: Frame): boolean => apart.every(({ line }) => line.matrix !== matrix)
  const all = [...apart, ...linesFor(clause, frames.filter(isRest), unit)]
  const inside = all.filter(({ line, isMeant }) => isMeant && line.matrix.table.section === scope.section)
  const judged = (inside.length > 0 ? inside : all).map(({ line, points: taken, isMeant }) => {
    // What a reference is measured against itself is nothing.
    const own = rule === 'range-contradicted' ? taken.filter(({ cell }) => cell.text !== '0') : taken
    const points = isSpread ? spreadsOf(own) : line.of.role === 'difference' ? ofSign(own, clause.text, low > 0) : own
    return { line, points, isMeant, ends: endsOf(points, limits) }
  })
  const isCopied = judged.some(({ ends }) => ends.miscopied !== null)
  for (const { line, points, isMeant, ends } of judged) {
    const outside = points.filter(({ quantity: { range } }) => range.high < low || range.low > high)
    const point = outside[0] ?? ends.miscopied
    if (point === null && (ends.areMet || !(isCopied || ends.isForeign))) yield held(line.of.name)
    if (point === null) continue
    // Where no row at all obeys, something else is spoken of.
    const isSaid = isMeant && !ends.isForeign && (figure === undefined || outside.length < 0.8 * points.length)
    const message = say('audit.bound-exceeded', { quote, ...cited(line, point, evidence) })
    const more = { found: figure?.text ?? quote, also: [point.cell.offset] }
    const tell = (): Outcome => refute(rule, figure?.offset ?? offset, message, more)
    yield missed(isSaid ? 1 + 1 / (1 + outside.length) : 0, tell, line)
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

/** Where the ends of a range are as fine as the values, they are the extremes of the line. */
function endsOf(points: readonly Point[], { rule, low, high, half }: Limits) {
  const [least, most] = [topOf(points, 'min'), topOf(points, 'max')]
  const slack = half + 0.06 * (high - low - 2 * half)
  const hits = (point: Point | null, end: number): boolean =>
    point !== null && Math.abs(point.quantity.value - end) <= slack
  const [isLow, isHigh] = [hits(least, low + half), hits(most, high - half)]
  // Ends that are coarser than the values are bounds; nobody says that they are reached.
  const decimals = Math.min(...points.map(({ quantity }) => quantity.decimals ?? 0))
  const isTold = rule === 'range-contradicted' && 2 * half <= 1.001 * 10 ** -decimals && points.length > 1
  return {
    areMet: isTold && isLow && isHigh,
    /** Neither is one of them: they are those of something else. */
    isForeign: isTold && !isLow && !isHigh,
    /** The extreme that one end misses, where the other is met. */
    miscopied: isTold && isLow !== isHigh ? (isLow ? most : least) : null,
  }
}

/** The lines that a clause may speak of: named, of the kind of rows it names, or the only one of its unit. */
function linesFor({ text }: Clause, frames: readonly Frame[], unit: Quantity['unit']): readonly Bounded[] {
  return [...byTable(frames)].flatMap(([matrix, all]) => {
    const isGap = GAP.test(text) && matrix.columns.some(({ role }) => role === 'difference')
    const ofUnit = all.filter(({ line, isHere }) => isHere && isOfUnit(line, unit))
    const own = isGap ? ofUnit.filter(({ line }) => line.of.role === 'difference') : ofUnit
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
