import type { Line, Point } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { type Assertion, confirmed, type Figure, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import { type Frame, framesOf, kindest, type Reading } from '../binding.js'
import { type Evidence, pointName } from '../evidence.js'
import { refute } from '../fault.js'
import { has } from '../lexicon.js'
import { type Clause, clauseOf, namesCorner } from '../mentions.js'
import { assertionIn, figureAs, figureOf } from '../read.js'

/**
 * "All sets fail on more than 60 %", "differences within ±0.5", "never exceeds 3", "ranges from 1.1 to 9.4", "epochs 2-7:
 * positive": a bound, a range or a sign for every row. It holds when one line of a table near by obeys it, the rows that
 * the clause names taken alone; it is refuted where the line, the kind of its rows or its unit is named, and none obeys.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.bound-exceeded': { en: '“{quote}”: not so for {owner} with {expected} (“{line}”, line {at}); write a bound that all rows obey', zh: '“{quote}”：{owner} 是 {expected}（“{line}”，第 {at} 行），不在其内；应写一个全部成立的界限' },
  'audit.spread-exceeded': { en: '“{quote}”: “{line}” runs from {low} to {high}, {expected} % apart; write {expected} %', zh: '“{quote}”：“{line}”从 {low} 到 {high}，相差 {expected} %；应写 {expected} %' },
})

const SIGNED = /正值|为正|负值|为负|(?<![a-z])(?:positive|negative)(?![a-z])/i
const KEPT =
  /之间|保持|维持|稳定在|控制在|范围|介于|以内|之内|以上|以下|从[未不]|(?<![a-z])(?:stays?|stayed|remains?|remained|kept|keeps|maintain(?:s|ed)?|never|within|between|rang(?:es?|ing)|var(?:ies|y)|lies?)(?![a-z])/i
const GAP = /差异|幅度|差距|相差|量级|增量|(?<![a-z])(?:differences?|gaps?|gains?|drops?)(?![a-z])/i
const AIM = /(?<![a-z])(?:target|threshold)(?![a-z])|目标|阈值/i
const CONDITION = /(?:shots?|shot_num|beam|top[-_ ]?k|seed|step|epoch|gap)\s?(?:≥|>=?|≤|<=?)\s?$/i

function* inClause(clause: Clause): Generator<Assertion> {
  const { statement, from, to, text } = clause
  if (statement.text.length > 400) return
  const [range] = statement.steps.filter(one => one.from >= from && one.to <= to)
  const sign = SIGNED.exec(text)
  if (sign !== null && range !== undefined && range.first < range.last && from + sign.index - range.to < 16) {
    const manner = /正|positive/i.test(sign[0]) ? '0 Infinity' : '-Infinity 0'
    yield assertionIn(statement, 'bound', clause, { manner })
  }
  const isBound = has(text, 'all') || KEPT.test(text) || (GAP.test(text) && has(statement.text.slice(0, to), 'all'))
  for (const [i, quantity] of statement.quantities.entries()) {
    if (quantity.from < from || quantity.to > to) continue
    const isRange = quantity.ends !== null && finestOf(quantity.ends) > 0 && GAP.test(text)
    const limits = isBound || isRange ? limitsOf(clause, quantity, statement.quantities[i + 1]) : null
    if (limits === null) continue
    const figures = [figureOf(statement, quantity, 'bound')]
    yield assertionIn(statement, 'bound', clause, { figures, manner: limits.join(' ') })
    return
  }
}

const finestOf = (ends: readonly number[]): number =>
  Math.max(0, ...ends.map(end => (String(end).split('.')[1] ?? '').length))

/** "Over 200 shared steps" tells of how many, not of a bound. */
const COUNTED =
  /^\s(?:[a-z]+\s){1,2}(?:steps|epochs|iterations|evaluations|samples|prompts|questions|runs|seeds)(?![a-z])/i

const UP_TO = /^\s?%?\s?(?:to|and|到|至|和|~)\s?$/i

/** The least and the greatest value that the words allow, with what rounding adds to them; a spread has no least one. */
function limitsOf(
  { statement: { text } }: Clause,
  quantity: Quantity,
  next: Quantity | undefined,
): readonly number[] | null {
  const { value, from, to, ends, plusMinus, hedge, unit } = quantity
  const finest = Math.max(quantity.decimals ?? 0, next?.decimals ?? 0, finestOf(ends ?? []))
  const half = 0.5 * 10 ** -finest
  const rounded = (list: readonly number[]): readonly number[] => [
    Math.min(...list) - half,
    Math.max(...list) + half,
    half,
  ]
  const [before, behind] = [text.slice(Math.max(0, from - 24), from), text.slice(to, to + 6)]
  if (hedge !== null || unit === 'step' || unit === 'epoch' || unit === 'sample' || CONDITION.test(before)) return null
  if (COUNTED.test(text.slice(to, to + 48))) return null
  const isWithin =
    /^\s?(?:以内|之内)/.test(behind) || /within\s?$/i.test(before) || (plusMinus && /以内|within/.test(text))
  if (isWithin && quantity.signed && value < 0 && ends === null) return [value, Number.POSITIVE_INFINITY]
  if (isWithin) return ends === null ? [-Math.abs(value), Math.abs(value)] : rounded(ends)
  // "Never exceeds 3" is a bound from above.
  const isDenied = /(?:never|not|从[未不]|未曾|没有)\s?[\p{L}\s]{0,10}$/iu.test(before)
  const bound = isDenied && quantity.bound === 'above' ? 'below' : quantity.bound
  if (unit === '%' && bound === 'below' && /差异|相差|spread|apart|differ/i.test(text)) return [Number.NaN, value]
  const isSame = /恒定|constant|(?:都|均)[是为]|(?:all|every|所有)[^,，。]{0,24}=/i.test(text)
  if (isSame && /(?:=|为|都是|均为|恒为|are|is)\s?$/.test(before)) return [value, value]
  const isRange = KEPT.test(before) || /在\s?$/.test(before) || /^\s?(?:之间|range)/.test(behind) || GAP.test(before)
  if (ends !== null) return isRange ? rounded(ends) : null
  if (next !== undefined && UP_TO.test(text.slice(to, next.from)) && /from\s?$|between\s?$|从\s?$|在\s?$/i.test(before))
    // "Rises from a to b" is a change.
    return KEPT.test(text) && !has(before, 'up', 'down', 'better', 'worse') ? rounded([value, next.value]) : null
  if (bound === 'above' || /^\s?(?:以上|\+)/.test(behind)) return [value, Number.POSITIVE_INFINITY]
  return bound === 'below' || /^\s?以下/.test(behind) ? [Number.NEGATIVE_INFINITY, value] : null
}

function check(assertion: Assertion, evidence: Evidence): Outcome {
  const [low = Number.NaN, high = Number.NaN, half = 0] = assertion.manner.split(' ').map(Number)
  const clause = clauseOf(assertion)
  if (clause === null || assertion.stance !== 'said' || Number.isNaN(high) || AIM.test(clause.text)) return UNCHECKED
  const figure = figureAs(assertion, 'bound')
  const unit = figure === null || Number.isNaN(low) ? null : figure.quantity.unit
  const all = linesFor(clause, framesOf(clause, evidence), unit)
  const inside = all.filter(({ line, isMeant }) => isMeant && line.matrix.table.section === assertion.scope.section)
  const lines = inside.length > 0 ? inside : all
  if (Number.isNaN(low)) return figure === null ? UNCHECKED : checkSpread(assertion, figure, lines, high)
  const judged = lines.map(one => ({
    ...one,
    outside: one.points.filter(({ quantity: { range } }) => range.high < low || range.low > high),
    ends: endsOf(one.points, low, high, half),
  }))
  const isCopied = judged.some(({ isMeant, ends }) => isMeant && ends.missed !== null)
  return kindest(
    judged.map(({ line, points, isMeant, outside, ends }): Reading => {
      const point = outside[0] ?? ends.missed
      // Where no row at all obeys, something else is spoken of.
      const isSome = low === high || (low !== 0 && high !== 0) ? outside.length < 0.8 * points.length : true
      const weight = isMeant && isSome ? 1 + 1 / (1 + outside.length) : 0
      if (point === null) return { holds: !isCopied || ends.areMet, weight: 0, outcome: () => confirmed(line.of.name) }
      return { holds: false, weight, outcome: () => told(assertion, figure, { low, high }, line, point, evidence) }
    }),
  )
}

function told(
  assertion: Assertion,
  figure: Figure | null,
  { low, high }: { readonly low: number; readonly high: number },
  line: Line,
  point: Point,
  evidence: Evidence,
): Outcome {
  const isRange = Number.isFinite(low + high)
  const rule =
    low === high
      ? 'all-contradicted'
      : figure === null
        ? 'sign-contradicted'
        : isRange
          ? 'range-contradicted'
          : 'bound-exceeded'
  const at = evidence.document.placeOf(point.cell.offset).line
  const owner = { owner: pointName(line, point), expected: point.cell.text, line: line.of.name, at }
  const message = say('audit.bound-exceeded', { quote: assertion.quote, ...owner })
  return refute(rule, figure?.offset ?? assertion.offset, message, {
    severity: figure === null || low === high ? 'error' : 'warning',
    found: figure?.text ?? assertion.quote,
    also: [point.cell.offset],
  })
}

/** Whether both ends of a range are the extremes of the line; where only one is, the other was miscopied. */
function endsOf(
  points: readonly Point[],
  low: number,
  high: number,
  half: number,
): { readonly areMet: boolean; readonly missed: Point | null } {
  const sorted = [...points].sort((a, b) => a.quantity.value - b.quantity.value)
  const [least, most] = [sorted[0], sorted.at(-1)]
  if (least === undefined || most === undefined) return { areMet: false, missed: null }
  const slack = half + 0.06 * (high - low - 2 * half)
  const hits = ({ quantity }: Point, end: number): boolean => Math.abs(quantity.value - end) <= slack
  const [isLow, isHigh] = [hits(least, low + half), hits(most, high - half)]
  // Ends that are coarser than the values are bounds; nobody says that they are reached.
  const decimals = Math.min(...points.map(({ quantity }) => quantity.decimals ?? 0))
  const isFine = 2 * half <= 1.001 * 10 ** -decimals
  const isTold =
    isFine && Number.isFinite(low + high) && low !== high && points.length > 1 && Math.abs(low) >= 0.06 * high
  return { areMet: isLow && isHigh, missed: !isTold || isLow === isHigh ? null : isLow ? most : least }
}

interface Bounded {
  readonly line: Line
  readonly points: readonly Point[]
  /** The line, the kind of its rows, or its unit is named. */
  readonly isMeant: boolean
}

/** The lines that a clause may speak of: named, of the kind of rows it names, or the only one of its unit. */
function linesFor(clause: Clause, frames: readonly Frame[], unit: Quantity['unit']): readonly Bounded[] {
  const { text } = clause
  const matrices = [...new Set(frames.map(({ line }) => line.matrix))]
  return matrices.flatMap(matrix => {
    const isGap = GAP.test(text) && matrix.columns.some(({ role }) => role === 'difference')
    const own = frames.filter(({ line, isHere }) => {
      const isKind = !isGap || line.of.role === 'difference'
      return line.matrix === matrix && isHere && isKind && isOfUnit(line, unit)
    })
    const isKind = has(text, 'all') && namesCorner(text, matrix)
    const named = own.filter(({ isNamed }) => isNamed)
    const columns = own.filter(({ line }) => line.isColumn)
    const isInside = matrix.table.section === clause.statement.section && has(text, 'all')
    const isOnly = columns.length === 1 && (isKind || isGap || (unit !== null && isInside))
    const isMeant = named.length > 0 || isKind || isGap || isOnly
    return (named.length > 0 ? named : isMeant ? columns : own).flatMap(({ line, points, subjects, earlier }) => {
      const taken = isKind || subjects.length > 0 ? subjects : earlier
      const meant = taken.length === 0 ? points : points.filter(point => taken.some(one => one.point === point))
      return meant.length === 0 ? [] : [{ line, points: meant, isMeant }]
    })
  })
}

const IN_HEADER: { readonly [unit: string]: RegExp } = {
  '%': /%|百分|率/,
  s: /(?<![a-z])s(?:ec(?:onds?)?)?(?![a-z])|秒/i,
  min: /(?<![a-z])min(?:ute)?s?(?![a-z])|分钟/i,
  h: /(?<![a-z])h(?:ours?)?(?![a-z])|小时/i,
  token: /token|length|长度/i,
}

/** A unit may stand in the header instead of the cells. */
function isOfUnit({ points: [point], of }: Line, unit: Quantity['unit']): boolean {
  const own = point?.quantity.unit ?? null
  return own === unit || (own === null && unit !== null && (IN_HEADER[unit]?.test(of.name) ?? false))
}

/** "All values differ by less than 4 %": the spread of a named line against its least value. */
function checkSpread({ quote }: Assertion, { offset, text }: Figure, lines: readonly Bounded[], most: number): Outcome {
  const named = lines.find(({ isMeant, line }) => isMeant && line.of.role === 'value')
  const sorted = [...(named?.points ?? [])].sort((a, b) => a.quantity.value - b.quantity.value)
  const [low, high] = [sorted[0], sorted.at(-1)]
  if (named === undefined || low === undefined || high === undefined || low.quantity.value <= 0) return UNCHECKED
  const spread = 100 * (high.quantity.range.low / low.quantity.range.high - 1)
  const lenient = 100 * (1 - low.quantity.range.high / high.quantity.range.low)
  if (Math.min(spread, lenient) <= most * 1.02) return confirmed(named.line.of.name)
  const params = { quote, line: named.line.of.name, low: low.cell.text, high: high.cell.text }
  return refute('spread-exceeded', offset, say('audit.spread-exceeded', { ...params, expected: spread.toFixed(1) }), {
    found: text,
    also: [low.cell.offset, high.cell.offset],
  })
}

export const bound: Relation = { names: ['bound'], inClause, check }
