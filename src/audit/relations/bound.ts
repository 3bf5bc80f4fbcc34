import type { Line, Point } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import type { Assertion, Outcome, Relation } from '../assertion.js'
import { type Asked, checkedBy, type Frame, held, missed, type Reading } from '../binding.js'
import { cited, type Evidence } from '../evidence.js'
import { refute } from '../fault.js'
import { has } from '../lexicon.js'
import { type Clause, namesCorner } from '../mentions.js'
import { assertionIn, figureOf } from '../read.js'

/**
 * "All sets fail on more than 60 %", "differences within ±0.5", "never exceeds 3", "ranges from 1.1 to 9.4", "epochs 2-7:
 * positive": a bound, a range or a sign for every row. It holds when one line of a table near by obeys it, the rows that
 * the clause names taken alone; it is refuted where the line, the kind of its rows or its unit is named, and none obeys.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.bound-exceeded': { en: '“{quote}”: not so for {owner} with {expected} (“{line}”, line {at}); write a bound that all rows obey', zh: '“{quote}”：{owner} 是 {expected}（“{line}”，第 {at} 行），不在其内；应写一个全部成立的界限' },
  'audit.spread-exceeded': { en: '“{quote}”: “{line}” runs from {least} to {most}, {expected} % apart; write {expected} %', zh: '“{quote}”：“{line}”从 {least} 到 {most}，相差 {expected} %；应写 {expected} %' },
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
  if (sign !== null && range !== undefined && range.first < range.last && from + sign.index - range.to < 16)
    yield assertionIn(statement, 'bound', clause, {
      manner: /正|positive/i.test(sign[0]) ? '0 Infinity' : '-Infinity 0',
    })
  const isGap = GAP.test(text)
  const isBound = has(text, 'all') || KEPT.test(text) || (isGap && has(statement.text.slice(0, to), 'all'))
  for (const [i, quantity] of statement.quantities.entries()) {
    if (quantity.from < from || quantity.to > to) continue
    const isRange = isGap && finestOf(quantity.ends ?? []) > 0
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
const WITHIN_BEHIND = /^\s?(?:以内|之内)/
const SAME = /恒定|constant|(?:都|均)[是为]|(?:all|every|所有)[^,，。]{0,24}=/i

/** The least and the greatest value that the words allow, with what rounding adds to them; a spread has no least one. */
function limitsOf(
  { statement: { text } }: Clause,
  quantity: Quantity,
  next: Quantity | undefined,
): readonly number[] | null {
  const { value, from, to, ends, hedge, unit } = quantity
  const [before, behind] = [text.slice(Math.max(0, from - 24), from), text.slice(to, to + 6)]
  if (hedge !== null || unit === 'step' || unit === 'epoch' || unit === 'sample' || CONDITION.test(before)) return null
  if (COUNTED.test(text.slice(to, to + 48))) return null
  const half = 0.5 * 10 ** -Math.max(quantity.decimals ?? 0, next?.decimals ?? 0, finestOf(ends ?? []))
  const rounded = (a: number, b: number): readonly number[] => [Math.min(a, b) - half, Math.max(a, b) + half, half]
  const isWithin = WITHIN_BEHIND.test(behind) || /within\s?$/i.test(before)
  if (isWithin || (quantity.plusMinus && /以内|within/.test(text))) {
    if (ends !== null) return rounded(...ends)
    const size = Math.abs(value)
    return quantity.signed && value < 0 ? [value, Number.POSITIVE_INFINITY] : [-size, size]
  }
  // "Never exceeds 3" is a bound from above.
  const isDenied = /(?:never|not|从[未不]|未曾|没有)\s?[\p{L}\s]{0,10}$/iu.test(before)
  const bound = isDenied && quantity.bound === 'above' ? 'below' : quantity.bound
  if (unit === '%' && bound === 'below' && /差异|相差|spread|apart|differ/i.test(text)) return [Number.NaN, value]
  if (SAME.test(text) && /(?:=|为|都是|均为|恒为|are|is)\s?$/.test(before)) return [value, value]
  const isRange = KEPT.test(before) || /在\s?$/.test(before) || /^\s?(?:之间|range)/.test(behind) || GAP.test(before)
  if (ends !== null) return isRange ? rounded(...ends) : null
  if (next !== undefined && UP_TO.test(text.slice(to, next.from)) && /(?:from|between|[从在])\s?$/i.test(before))
    // "Rises from a to b" is a change.
    return KEPT.test(text) && !has(before, 'up', 'down', 'better', 'worse') ? rounded(value, next.value) : null
  if (bound === 'above' || /^\s?(?:以上|\+)/.test(behind)) return [value, Number.POSITIVE_INFINITY]
  return bound === 'below' || /^\s?以下/.test(behind) ? [Number.NEGATIVE_INFINITY, value] : null
}

function* readings({ assertion, clause, frames, evidence }: Asked): Generator<Reading> {
  const [low = Number.NaN, high = Number.NaN, half = 0] = assertion.manner.split(' ').map(Number)
  if (AIM.test(clause.text)) return
  const isSpread = Number.isNaN(low)
  const all = linesFor(clause, frames, isSpread ? null : (assertion.figures[0]?.quantity.unit ?? null))
  const inside = all.filter(({ line, isMeant }) => isMeant && line.matrix.table.section === assertion.scope.section)
  const judged = (inside.length > 0 ? inside : all).map(one => ({ ...one, ends: endsOf(one.points, low, high, half) }))
  const isCopied = judged.some(({ isMeant, ends }) => isMeant && ends.miscopied !== null)
  const isSign = low !== high && (low === 0 || high === 0)
  for (const { line, points, isMeant, ends } of judged) {
    if (isSpread && isMeant && line.of.role === 'value') yield* spreadOf(assertion, line, ends, high)
    if (isSpread) continue
    const outside = points.filter(({ quantity: { range } }) => range.high < low || range.low > high)
    const point = outside[0] ?? ends.miscopied
    // Where no row at all obeys, something else is spoken of.
    const isSaid = isMeant && (isSign || outside.length < 0.8 * points.length)
    if (point !== null)
      yield missed(isSaid ? 1 + 1 / (1 + outside.length) : 0, () => tell(assertion, line, point, evidence))
    else if (!isCopied || ends.areMet) yield held(line.of.name)
  }
}

function tell(
  { manner, figures: [figure], quote, offset }: Assertion,
  line: Line,
  point: Point,
  evidence: Evidence,
): Outcome {
  const [low = 0, high = 0] = manner.split(' ').map(Number)
  const sort =
    figure === undefined ? 'sign-contradicted' : Number.isFinite(low + high) ? 'range-contradicted' : 'bound-exceeded'
  const message = say('audit.bound-exceeded', { quote, ...cited(line, point, evidence) })
  return refute(low === high ? 'all-contradicted' : sort, figure?.offset ?? offset, message, {
    severity: figure === undefined || low === high ? 'error' : 'warning',
    found: figure?.text ?? quote,
    also: [point.cell.offset],
  })
}

interface Ends {
  readonly least: Point | undefined
  readonly most: Point | undefined
  /** Both ends of a range are the extremes of the line. */
  readonly areMet: boolean
  /** The extreme that one end misses, where the other is met. */
  readonly miscopied: Point | null
}

function endsOf(points: readonly Point[], low: number, high: number, half: number): Ends {
  const sorted = [...points].sort((a, b) => a.quantity.value - b.quantity.value)
  const [least, most] = [sorted[0], sorted.at(-1)]
  const slack = half + 0.06 * (high - low - 2 * half)
  const hits = (point: Point | undefined, end: number): boolean =>
    point !== undefined && Math.abs(point.quantity.value - end) <= slack
  const [isLow, isHigh] = [hits(least, low + half), hits(most, high - half)]
  // Ends that are coarser than the values are bounds; nobody says that they are reached.
  const decimals = Math.min(...points.map(({ quantity }) => quantity.decimals ?? 0))
  const isFine = 2 * half <= 1.001 * 10 ** -decimals && Math.abs(low) >= 0.06 * high
  const isTold = isFine && Number.isFinite(low + high) && low !== high && points.length > 1
  const miscopied = (isLow ? most : least) ?? null
  return { least, most, areMet: isLow && isHigh, miscopied: isTold && isLow !== isHigh ? miscopied : null }
}

/** "All values differ by less than 4 %": the spread of a named line against its least value. */
function* spreadOf(
  { quote, figures: [figure] }: Assertion,
  line: Line,
  { least, most }: Ends,
  limit: number,
): Generator<Reading> {
  if (figure === undefined || least === undefined || most === undefined || least.quantity.value <= 0) return
  const [low, high] = [least.quantity.range.high, most.quantity.range.low]
  if (100 * (1 - low / high) <= limit * 1.02) yield held(line.of.name)
  const params = { quote, line: line.of.name, least: least.cell.text, most: most.cell.text }
  const message = say('audit.spread-exceeded', { ...params, expected: (100 * (high / low - 1)).toFixed(1) })
  const also = [least.cell.offset, most.cell.offset]
  yield missed(1, () => refute('spread-exceeded', figure.offset, message, { found: figure.text, also }))
}

interface Bounded extends Pick<Frame, 'line' | 'points'> {
  /** The line, the kind of its rows, or its unit is named. */
  readonly isMeant: boolean
}

/** The lines that a clause may speak of: named, of the kind of rows it names, or the only one of its unit. */
function linesFor({ text, statement }: Clause, frames: readonly Frame[], unit: Quantity['unit']): readonly Bounded[] {
  return [...new Set(frames.map(({ line }) => line.matrix))].flatMap(matrix => {
    const isGap = GAP.test(text) && matrix.columns.some(({ role }) => role === 'difference')
    const own = frames.filter(
      ({ line, isHere }) =>
        line.matrix === matrix && isHere && (!isGap || line.of.role === 'difference') && isOfUnit(line, unit),
    )
    const isKind = has(text, 'all') && namesCorner(text, matrix)
    const named = own.filter(({ isNamed }) => isNamed)
    const columns = own.filter(({ line }) => line.isColumn)
    const isInside = unit !== null && matrix.table.section === statement.section && has(text, 'all')
    const isMeant = named.length > 0 || isKind || isGap || (columns.length === 1 && isInside)
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

export const bound: Relation = { names: ['bound'], inClause, check: checkedBy(readings, ['said']) }
