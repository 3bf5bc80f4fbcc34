import { type Line, type Matrix, type Point, shortLines } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { type Assertion, confirmed, type Outcome, type Relation, refuted, UNCHECKED } from '../assertion.js'
import { rowsWhere } from '../conditions.js'
import { type Evidence, isAround, namesOf } from '../evidence.js'
import { fault } from '../fault.js'
import { has } from '../lexicon.js'
import { type Clause, clauseOf, clausesOf, focusOf, wordsOf } from '../mentions.js'
import { assertionIn, figureAs, figureOf } from '../read.js'

/**
 * "All sets fail on more than 60 %", "differences within ±0.5", "stays above 3", "ranges from 1.1 to 9.4", "epochs 2-7:
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
  /之间|保持|维持|稳定在|控制在|范围|介于|以内|之内|以上|以下|(?<![a-z])(?:stays?|stayed|remains?|remained|kept|keeps|maintain(?:s|ed)?|within|between|rang(?:es?|ing)|var(?:ies|y))(?![a-z])/i
const GAP = /差异|幅度|差距|相差|量级|增量|(?<![a-z])(?:differences?|gaps?|gains?|drops?)(?![a-z])/i
const EXCEPT =
  /除[^,，。]{1,24}[外了]|(?<![a-z])(?:except|apart from|other than|besides|target|threshold)(?![a-z])|目标|阈值/i
const CONDITION = /(?:shots?|shot_num|beam|top[-_ ]?k|seed|step|epoch|gap)\s?(?:≥|>=?|≤|<=?)\s?$/i

function* read({ document }: Evidence): Generator<Assertion> {
  for (const statement of document.statements) {
    if (statement.kind === 'code' || statement.kind === 'heading' || statement.text.length > 400) continue
    for (const clause of clausesOf(statement)) yield* boundsIn(clause)
  }
}

function* boundsIn(clause: Clause): Generator<Assertion> {
  const { statement, from, to, text } = clause
  const [range] = statement.steps.filter(one => one.from >= from && one.to <= to)
  const sign = SIGNED.exec(text)
  if (sign !== null && range !== undefined && range.first < range.last && from + sign.index - range.to < 12)
    yield assertionIn(statement, 'bound', {
      from,
      to,
      manner: /正|positive/i.test(sign[0]) ? '0 Infinity' : '-Infinity 0',
    })
  const isBound = has(text, 'all') || KEPT.test(text)
  for (const [i, quantity] of statement.quantities.entries()) {
    if (
      quantity.from < from ||
      quantity.to > to ||
      (!isBound && (quantity.ends === null || finestOf(quantity.ends) === 0 || !GAP.test(text)))
    )
      continue
    const limits = limitsOf(clause, quantity, statement.quantities[i + 1])
    if (limits === null) continue
    yield assertionIn(statement, 'bound', {
      from,
      to,
      figures: [figureOf(statement, quantity, 'bound')],
      manner: limits.join(' '),
    })
    return
  }
}

const finestOf = (ends: readonly number[]): number =>
  Math.max(0, ...ends.map(end => (String(end).split('.')[1] ?? '').length))

const UP_TO = /^\s?%?\s?(?:to|and|到|至|和|~)\s?$/i

/** The least and the greatest value that the words allow; a spread has no least one. */
function limitsOf(
  { statement: { text } }: Clause,
  quantity: Quantity,
  next: Quantity | undefined,
): readonly [number, number] | null {
  const { value, bound, from, to, ends, plusMinus, hedge, unit } = quantity
  const finest = Math.max(quantity.decimals ?? 0, next?.decimals ?? 0, finestOf(ends ?? []))
  const half = 0.5 * 10 ** -finest
  const rounded = (list: readonly number[]): readonly [number, number] => [
    Math.min(...list) - half,
    Math.max(...list) + half,
  ]
  const [before, behind] = [text.slice(Math.max(0, from - 24), from), text.slice(to, to + 6)]
  if (hedge !== null || unit === 'step' || unit === 'epoch' || unit === 'sample' || CONDITION.test(before)) return null
  const isWithin =
    /^\s?(?:以内|之内)/.test(behind) || /within\s?$/i.test(before) || (plusMinus && /以内|within/.test(text))
  if (isWithin && quantity.signed && value < 0 && ends === null) return [value, Number.POSITIVE_INFINITY]
  if (isWithin) return ends === null ? [-Math.abs(value), Math.abs(value)] : rounded(ends)
  if (unit === '%' && bound === 'below' && /差异|相差|spread|apart|differ/i.test(text)) return [Number.NaN, value]
  const isSame = /恒定|constant|(?:都|均)[是为]|(?:all|every|所有)[^,，。]{0,24}=/i.test(text)
  if (isSame && /(?:=|为|都是|均为|恒为|are|is)\s?$/.test(before)) return [value, value]
  const isRange = KEPT.test(before) || /在\s?$/.test(before) || /^\s?(?:之间|range)/.test(behind) || GAP.test(before)
  if (ends !== null) return isRange ? rounded(ends) : null
  if (next !== undefined && UP_TO.test(text.slice(to, next.from)) && /from\s?$|between\s?$|从\s?$|在\s?$/i.test(before))
    return KEPT.test(text) ? rounded([value, next.value]) : null
  if (bound === 'above' || /^\s?(?:以上|\+)/.test(behind)) return [value, Number.POSITIVE_INFINITY]
  return bound === 'below' || /^\s?以下/.test(behind) ? [Number.NEGATIVE_INFINITY, value] : null
}

interface Candidate {
  readonly line: Line
  readonly points: readonly Point[]
  readonly isNamed: boolean
}

function check(assertion: Assertion, evidence: Evidence): Outcome {
  const [low = Number.NaN, high = Number.NaN] = assertion.manner.split(' ').map(Number)
  const clause = clauseOf(assertion)
  if (clause === null || assertion.stance !== 'said' || Number.isNaN(high) || EXCEPT.test(clause.text)) return UNCHECKED
  const figure = figureAs(assertion, 'bound')
  const unit = figure?.quantity.unit ?? null
  const near = evidence.near(assertion.offset).filter(({ table }) => isAround(table.section, assertion.scope.section))
  const all = near
    .slice(0, NEAREST)
    .flatMap(matrix => linesFor(assertion, clause, matrix, figure === null || Number.isNaN(low) ? null : unit))
  const inside = all.filter(({ line, isNamed }) => isNamed && line.matrix.table.section === assertion.scope.section)
  const candidates = inside.length > 0 ? inside : all
  if (Number.isNaN(low)) return checkSpread(assertion, candidates, high)
  const allows = ({ quantity: { range } }: Point): boolean => range.high >= low && range.low <= high
  const judged = candidates.map(one => ({
    ...one,
    outside: one.points.filter(point => !allows(point)),
    missed: endMissed(one.points, low, high),
  }))
  const isCopied = judged.some(({ isNamed, missed }) => isNamed && missed !== null)
  const right = judged.find(
    ({ outside, missed, points }) =>
      outside.length === 0 && missed === null && (!isCopied || endsMet(points, low, high)),
  )
  if (right !== undefined) return confirmed(right.line.of.name)
  const isSome = (one: (typeof judged)[number]): boolean =>
    one.outside.length <= one.points.length * (low === high ? 1 : 0.75) || low === 0 || high === 0
  const [failed] = judged
    .filter(one => one.isNamed && isSome(one) && (one.outside.length > 0 || one.missed !== null))
    .sort((a, b) => a.outside.length - b.outside.length)
  const point = failed?.outside[0] ?? failed?.missed ?? undefined
  if (failed === undefined || point === undefined) return UNCHECKED
  const isSigned = figure === null
  const rule =
    low === high
      ? 'all-contradicted'
      : isSigned
        ? 'sign-contradicted'
        : failed.outside.length === 0 || Number.isFinite(low + high)
          ? 'range-contradicted'
          : 'bound-exceeded'
  return refuted(
    fault(
      rule,
      figure?.offset ?? assertion.offset,
      say('audit.bound-exceeded', {
        quote: assertion.quote,
        owner: namesOf(failed.line.matrix, point.at, failed.line.isColumn)[0] ?? point.at.name,
        expected: point.cell.text,
        line: failed.line.of.name,
        at: evidence.document.placeOf(point.cell.offset).line,
      }),
      {
        severity: isSigned || low === high ? 'error' : 'warning',
        found: figure?.text ?? assertion.quote,
        also: [point.cell.offset],
      },
    ),
  )
}

const NEAREST = 5

/** Both ends are the extremes of the line. */
function endsMet(points: readonly Point[], low: number, high: number): boolean {
  const values = points.map(({ quantity }) => quantity.value)
  const near = (a: number, b: number): boolean => Math.abs(a - b) <= 0.06 * (high - low)
  return near(Math.min(...values), low) && near(Math.max(...values), high)
}

/** One end of the range is the very extreme of the line, and the other is not: it was miscopied. */
function endMissed(points: readonly Point[], low: number, high: number): Point | null {
  if (!Number.isFinite(low) || !Number.isFinite(high) || low === high || points.length < 2) return null
  const sorted = [...points].sort((a, b) => a.quantity.value - b.quantity.value)
  const [least, most] = [sorted[0], sorted.at(-1)]
  if (least === undefined || most === undefined) return null
  const hits = (value: number, end: number): boolean => Math.abs(value - end) <= 0.06 * (high - low)
  const [isLow, isHigh] = [hits(least.quantity.value, low), hits(most.quantity.value, high)]
  return isLow === isHigh || Math.abs(low) < 0.06 * high ? null : isLow ? most : least
}

/** The lines that a clause may speak of: named, of the kind of rows it names, or the only one of its unit. */
function linesFor(assertion: Assertion, clause: Clause, matrix: Matrix, unit: Quantity['unit']): readonly Candidate[] {
  const { rows, columns, inherited } = focusOf(clause, matrix)
  const isGap = GAP.test(clause.text) && matrix.columns.some(({ role }) => role === 'difference')
  const lines = shortLines(matrix).filter(
    ({ of, points }) => (isGap ? of.role === 'difference' : true) && points[0]?.quantity.unit === unit,
  )
  const isKind = namesCorner(clause.text, matrix)
  const isMeant = (line: Line): boolean =>
    [...rows, ...columns, ...(isKind ? [] : inherited)].some(
      one => one.isRow !== line.isColumn && one.axes.includes(line.of),
    )
  const meant = lines.filter(isMeant)
  const columnsOnly = lines.filter(({ isColumn }) => isColumn)
  const isHere = matrix.table.section === assertion.scope.section && has(clause.text, 'all')
  const isOnly = (isKind || isGap || (unit !== null && isHere)) && columnsOnly.length === 1
  const pool = meant.length > 0 ? meant : isKind || isGap || isOnly ? columnsOnly : lines
  return pool.flatMap(line => {
    const own = line.isColumn ? rows : columns
    const taken = isKind || own.length > 0 ? own : inherited.filter(one => one.isRow === line.isColumn)
    const points = pointsMeant(assertion, clause, line, taken)
    return points.length === 0 ? [] : [{ line, points, isNamed: meant.length > 0 || isKind || isGap || isOnly }]
  })
}

/** "All data sets" in a table whose first column is headed "data set". */
function namesCorner(text: string, { table }: Matrix): boolean {
  const corner = wordsOf((table.header[0]?.text ?? '').replace(/[(（].*$/, '')).map(word => word.text)
  const words = wordsOf(text).map(word => word.text)
  return (
    corner.length > 0 &&
    corner.join('').length > 1 &&
    has(text, 'all') &&
    words.some((_, i) => corner.every((word, j) => words[i + j] === word))
  )
}

const FROM_ON = /(?:after|since|from|自|从|>)\s?$/i
const ON = /^\s?(?:之后|以后|起|onwards?)/i

/** The rows that the clause names, those under its conditions or within its steps, or all. */
function pointsMeant(
  { scope }: Assertion,
  { statement, from, to }: Clause,
  { matrix, points, isColumn }: Line,
  across: readonly { readonly axes: readonly unknown[] }[],
): readonly Point[] {
  const [mark] = statement.steps.filter(one => one.from >= from && one.to <= to)
  if (
    mark !== undefined &&
    mark.first === mark.last &&
    (FROM_ON.test(statement.text.slice(0, mark.from)) || ON.test(statement.text.slice(mark.to)))
  )
    return points.filter(({ at: { step } }) => step !== null && step > mark.first)
  const where = isColumn ? rowsWhere(matrix, [statement.text]) : null
  if (where !== null && where.length > 0) return points.filter(({ at }) => where.includes(at))
  const steps = mark ?? (scope.steps === null ? undefined : { first: scope.steps[0], last: scope.steps[1] })
  if (steps !== undefined && steps.first < steps.last)
    return points.filter(({ at: { step } }) => step !== null && step >= steps.first && step <= steps.last)
  return across.length === 0 ? points : points.filter(({ at }) => across.some(({ axes }) => axes.includes(at)))
}

/** "All values differ by less than 4 %": the spread of a named line against its least value. */
function checkSpread(assertion: Assertion, candidates: readonly Candidate[], most: number): Outcome {
  const figure = figureAs(assertion, 'bound')
  const named = candidates.find(({ isNamed, line }) => isNamed && line.of.role === 'value')
  const sorted = [...(named?.points ?? [])].sort((a, b) => a.quantity.value - b.quantity.value)
  const [low, high] = [sorted[0], sorted.at(-1)]
  if (figure === null || named === undefined || low === undefined || high === undefined || low.quantity.value <= 0)
    return UNCHECKED
  const spread = 100 * (high.quantity.range.low / low.quantity.range.high - 1)
  const lenient = 100 * (1 - low.quantity.range.high / high.quantity.range.low)
  if (Math.min(spread, lenient) <= most * 1.02) return confirmed(named.line.of.name)
  const expected = spread.toFixed(1)
  const params = {
    quote: assertion.quote,
    line: named.line.of.name,
    low: low.cell.text,
    high: high.cell.text,
    expected,
  }
  return refuted(
    fault('spread-exceeded', figure.offset, say('audit.spread-exceeded', params), {
      found: figure.text,
      also: [low.cell.offset, high.cell.offset],
    }),
  )
}

export const bound: Relation = { name: 'bound', read, check }
