import type { Statement } from '../../document/document.js'
import { type Line, type Matrix, type Point, shortLines } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import {
  type Assertion,
  confirmed,
  type Figure,
  type Outcome,
  type Relation,
  refuted,
  UNCHECKED,
} from '../assertion.js'
import { rowsWhere } from '../conditions.js'
import { axesNamed, type Evidence, isIn, mentionAt, namesOf } from '../evidence.js'
import { fault } from '../fault.js'
import { has } from '../lexicon.js'
import { assertionIn, figureAs, figureOf } from '../read.js'
import { clauseAround } from '../stance.js'

/**
 * "All sets fail on more than 60 %", "differences within ±0.5", "stays above 3", "both are 0.02": a bound or a
 * value for every row. It holds when one line of a table near by obeys it, the rows that the sentence names taken alone;
 * it is refuted only where the sentence names the line or the kind of its rows, and no line obeys.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.bound-exceeded': { en: '“{quote}”: not so for {owner} with {expected} (“{line}”); write a bound that all rows obey', zh: '“{quote}”：{owner} 是 {expected}（“{line}”），不在其内；应写一个全部成立的界限' },
  'audit.spread-exceeded': { en: '“{quote}”: “{line}” runs from {low} to {high}, {expected} % apart; write {expected} %', zh: '“{quote}”：“{line}”从 {low} 到 {high}，相差 {expected} %；应写 {expected} %' },
})

const WITHIN_BEHIND = /^\s?(?:以内|之内|以下|以上|之间|水平|\+)/
const SIGNED = /正值|为正|负值|为负|(?<![a-z])(?:positive|negative)(?![a-z])/i
const KEPT =
  /之间|保持在|维持在|稳定在|控制在|(?<![a-z])(?:stays?|stayed|remains?|remained|kept|maintains?|maintained)(?![a-z])|within|范围|以内/i

function* read({ document }: Evidence): Generator<Assertion> {
  for (const statement of document.statements) {
    const { text, quantities, kind } = statement
    if (kind === 'code' || kind === 'heading' || text.length > 300) continue
    yield* signs(statement)
    yield* extremes(statement)
    if (quantities.length === 0 || (!has(text, 'all') && !KEPT.test(text))) continue
    for (const quantity of quantities) {
      const limits = limitsOf(statement, quantity)
      if (limits === null) continue
      yield assertionIn(statement, 'bound', {
        from: Math.max(0, quantity.from - 24),
        to: quantity.to,
        figures: [figureOf(statement, quantity, 'bound')],
        quantity: text,
        manner: `${limits[0]} ${limits[1]}`,
      })
      break
    }
  }
}

/** "Epochs 2-7: positive". */
function* signs(statement: Statement): Generator<Assertion> {
  const { text, steps } = statement
  const word = SIGNED.exec(text)
  const [range] = steps
  if (
    word === null ||
    range === undefined ||
    steps.length !== 1 ||
    range.first >= range.last ||
    word.index < range.to ||
    word.index - range.to > 12
  )
    return
  const isPositive = /正|positive/i.test(word[0])
  const [quantity = null] = statement.quantities
  yield assertionIn(statement, 'bound', {
    from: range.from,
    to: word.index + word[0].length,
    figures: quantity === null ? [] : [figureOf(statement, quantity, 'bound')],
    quantity: text,
    manner: isPositive ? '0 Infinity' : '-Infinity 0',
  })
}

const RANGES = /(?<![a-z])(?:ranges?|ranging|runs?|varies|vary) from\s?$|范围(?:为|是|从)?\s?$|介于\s?$/i

/** "KL ranges from 1.14 to 9.37": both ends are claimed. */
function* extremes(statement: Statement): Generator<Assertion> {
  const { text, quantities } = statement
  for (const [i, low] of quantities.entries()) {
    if (!RANGES.test(text.slice(Math.max(0, low.from - 16), low.from))) continue
    const high = low.ends === null ? quantities[i + 1] : low
    if (
      high === undefined ||
      (high !== low && !/^[^\d,，;；。]{0,8}(?:to|到|至)[^\d,，;；。]{0,4}$/i.test(text.slice(low.to, high.from)))
    )
      continue
    const ends = low.ends ?? [low.value, high.value]
    yield assertionIn(statement, 'bound', {
      from: low.from,
      to: high.to,
      figures: [figureOf(statement, low, 'bound')],
      quantity: text,
      manner: `extremes ${Math.min(...ends)} ${Math.max(...ends)}`,
    })
    return
  }
}

/** The least and the greatest value that the words allow. */
function limitsOf({ text }: Statement, quantity: Quantity): readonly [number, number] | null {
  const { value, bound, from, to, ends, plusMinus, hedge, unit } = quantity
  if (hedge !== null || quantity.unit === 'step' || quantity.unit === 'epoch' || quantity.unit === 'sample') return null
  const behind = text.slice(to, to + 6)
  const before = text.slice(Math.max(0, from - 14), from)
  if (/(?:shots?|shot_num|beam|top[-_ ]?k|seed|step|epoch)\s?(?:≥|>=?|≤|<=?)\s?$/i.test(before)) return null
  const isWithin = /以内|之内/.test(behind) || /within\s?$/i.test(before) || (plusMinus && /以内|within/.test(text))
  if (isWithin && quantity.signed && value < 0 && ends === null) return [value, Number.POSITIVE_INFINITY]
  if (isWithin) return ends === null ? [-Math.abs(value), Math.abs(value)] : [Math.min(...ends), Math.max(...ends)]
  const isSpread = unit === '%' && /差异|相差|spread|apart|differ/i.test(text)
  if (isSpread && bound === 'below') return [Number.NaN, value]
  if (
    /(?:=|为|都是|均为|恒为|are|is)\s?$/.test(before) &&
    /恒定|constant|(?:都|均)[是为]|(?:all|every|所有)[^,，。]{0,24}=/i.test(text)
  )
    return [value, value]
  if (ends !== null)
    return KEPT.test(before) || /^\s?(?:之间|range)/.test(behind) || /在\s?$/.test(before)
      ? [quantity.range.low, quantity.range.high]
      : null
  if (bound === 'above' || (WITHIN_BEHIND.test(behind) && /^\s?(?:以上|\+)/.test(behind)))
    return [value, Number.POSITIVE_INFINITY]
  if (bound === 'below' || /^\s?以下/.test(behind)) return [Number.NEGATIVE_INFINITY, value]
  return null
}

function check(assertion: Assertion, evidence: Evidence): Outcome {
  const figure = figureAs(assertion, 'bound')
  const [low = Number.NaN, high = Number.NaN] = assertion.manner.split(' ').map(Number)
  if (assertion.stance !== 'said') return UNCHECKED
  if (assertion.manner.startsWith('extremes ')) return checkExtremes(assertion, evidence)
  if (Number.isNaN(high)) return UNCHECKED
  const text = [
    assertion.quantity ?? '',
    ...(assertion.scope.statement?.leads ?? []),
    assertion.scope.section?.title ?? '',
  ].join(' ')
  if (Number.isNaN(low)) return checkSpread(assertion, evidence, text, high)
  const clause = figure === null ? '' : clauseOf(assertion, figure)
  if (EXCEPT.test(text)) return UNCHECKED
  const { steps } = assertion.scope
  const isStretch = steps !== null && steps[0] < steps[1]
  const tables = evidence
    .near(assertion.offset)
    .filter(
      ({ table }) =>
        isStretch ||
        low === high ||
        isNear(assertion, table.section, table.offset) ||
        isBeside(assertion, table.section),
    )
  const isGap = /差异|幅度|差距|相差|(?<![a-z])(?:differences?|gaps?|gains?)(?![a-z])/i.test(clause)
  const kinds = tables.filter(matrix => kindNamed(assertion.quantity ?? '', matrix))
  const isSpoken = ({ matrix, of, isColumn }: Line): boolean =>
    (!isGap || of.role === 'difference') && mentionAt(assertion.quantity ?? '', namesOf(matrix, of, !isColumn)) >= 0
  const hasSpoken = (matrix: Matrix): boolean => shortLines(matrix).some(line => line.isColumn && isSpoken(line))
  const here = tables.filter(({ table }) => isNear(assertion, table.section, table.offset))
  const isAnySpoken =
    !isStretch && (here.some(hasSpoken) || (!here.some(matrix => kinds.includes(matrix)) && tables.some(hasSpoken)))
  let failed: { line: Line; point: Point; share: number } | null = null
  const nearest = [...here, ...tables.filter(matrix => !here.includes(matrix))]
  for (const matrix of (low === high && kinds.length > 0 ? kinds : nearest).slice(
    0,
    isStretch || low === high ? 6 : 3,
  )) {
    const isNamed = !isStretch && low !== high && kindNamed(assertion.quantity ?? '', matrix)
    for (const line of shortLines(matrix)) {
      if (isAnySpoken && !isSpoken(line)) continue
      if (isGap && matrix.columns.some(({ role }) => role === 'difference') && line.of.role !== 'difference') continue
      const points = pointsMeant(clause, line, assertion.scope.steps, assertion.quantity ?? '')
      if (points.length < (isStretch ? 1 : 2) || (figure !== null && points[0]?.quantity.unit !== figure.quantity.unit))
        continue
      if (isStretch && (line.of.role !== 'value' || !points.every(({ at }) => at.step !== null))) continue
      const outside = points.filter(({ quantity }) => !allows(quantity, low, high))
      const isLine = mentionAt(text, namesOf(matrix, line.of, !line.isColumn)) >= 0
      const isHere = isNear(assertion, matrix.table.section, matrix.table.offset)
      if (outside.length === 0 && (isLine || (isHere && !isStretch))) return confirmed(line.of.name)
      const share = 1 - outside.length / points.length
      const [point] = outside
      if (
        (isLine || (isHere && (isNamed || (isGap && rowsWhere(matrix, [assertion.quantity ?? '']) !== null)))) &&
        point !== undefined &&
        (isStretch || low === high || share >= LEAST_SHARE) &&
        share >= (failed?.share ?? 0)
      )
        failed = { line, point, share }
    }
  }
  if (failed === null) return UNCHECKED
  return refuted(
    fault(
      low === high
        ? 'all-contradicted'
        : isStretch
          ? low === 0 || high === 0
            ? 'sign-contradicted'
            : 'range-contradicted'
          : 'bound-exceeded',
      figure?.offset ?? assertion.offset,
      say('audit.bound-exceeded', {
        quote: assertion.quote,
        owner: namesOf(failed.line.matrix, failed.point.at, failed.line.isColumn)[0] ?? failed.point.at.name,
        expected: failed.point.cell.text,
        line: failed.line.of.name,
      }),
      {
        severity: isStretch || low === high ? 'error' : 'warning',
        found: figure?.text ?? assertion.quote,
        also: [failed.point.cell.offset],
      },
    ),
  )
}

/** The least and the greatest of a named line against both ends that the sentence gives. */
function checkExtremes(assertion: Assertion, evidence: Evidence): Outcome {
  const [, low = Number.NaN, high = Number.NaN] = assertion.manner.split(' ').map(Number)
  const figure = figureAs(assertion, 'bound')
  if (figure === null) return UNCHECKED
  let miss: { line: Line; point: Point } | null = null
  for (const matrix of evidence.near(assertion.offset).slice(0, 4)) {
    for (const line of shortLines(matrix)) {
      if (line.points.length < 3 || line.of.role !== 'value') continue
      const sorted = [...line.points].sort((a, b) => a.quantity.value - b.quantity.value)
      const [least, most] = [sorted[0], sorted.at(-1)]
      if (least === undefined || most === undefined) continue
      const isLow = least.quantity.range.low <= low && least.quantity.range.high >= low
      const isHigh = most.quantity.range.low <= high && most.quantity.range.high >= high
      if (isLow && isHigh) return confirmed(line.of.name)
      if ((isLow || isHigh) && mentionAt(assertion.quantity ?? '', namesOf(matrix, line.of, !line.isColumn)) >= 0)
        miss ??= { line, point: isLow ? most : least }
    }
  }
  if (miss === null) return UNCHECKED
  return refuted(
    fault(
      'range-contradicted',
      figure.offset,
      say('audit.bound-exceeded', {
        quote: assertion.quote,
        owner: namesOf(miss.line.matrix, miss.point.at, miss.line.isColumn)[0] ?? miss.point.at.name,
        expected: miss.point.cell.text,
        line: miss.line.of.name,
      }),
      { found: assertion.quote, also: [miss.point.cell.offset] },
    ),
  )
}

/** "All values differ by less than 4 %": the spread of a named line against its least value. */
function checkSpread(assertion: Assertion, evidence: Evidence, text: string, most: number): Outcome {
  const figure = figureAs(assertion, 'bound')
  const nearest = evidence
    .near(assertion.offset)
    .filter(({ table }) => isNear(assertion, table.section, table.offset))[0]
  if (figure === null || nearest === undefined) return UNCHECKED
  for (const line of shortLines(nearest)) {
    if (line.of.role !== 'value' || mentionAt(text, namesOf(nearest, line.of, !line.isColumn)) < 0) continue
    const sorted = [...line.points].sort((a, b) => a.quantity.value - b.quantity.value)
    const [low, high] = [sorted[0], sorted.at(-1)]
    if (low === undefined || high === undefined || low.quantity.value <= 0 || low.quantity.unit === '%') continue
    const spread = 100 * (high.quantity.range.low / low.quantity.range.high - 1)
    const lenient = 100 * (1 - low.quantity.range.high / high.quantity.range.low)
    if (Math.min(spread, lenient) <= most * 1.02) return confirmed(line.of.name)
    return refuted(
      fault(
        'spread-exceeded',
        figure.offset,
        say('audit.spread-exceeded', {
          quote: assertion.quote,
          line: line.of.name,
          low: low.cell.text,
          high: high.cell.text,
          expected: spread.toFixed(1),
        }),
        { found: figure.text, expected: `${spread.toFixed(1)} %`, also: [low.cell.offset, high.cell.offset] },
      ),
    )
  }
  return UNCHECKED
}

const EXCEPT = /除[^,，。]{1,24}[外了]|(?<![a-z])(?:except|apart from|other than|besides)(?![a-z])/i

/** The clause that holds the bound: names elsewhere in the sentence are about something else. */
function clauseOf({ scope, quantity }: Assertion, { quantity: { from, to } }: Figure): string {
  return scope.statement === null ? (quantity ?? '') : clauseAround(scope.statement.text, from, to)
}

/** A line of which hardly a value obeys is not what the sentence is about. */
const LEAST_SHARE = 0.25

function allows({ range }: Quantity, low: number, high: number): boolean {
  return range.high >= low && range.low <= high
}

/** In a neighbouring section: near enough for a line that is named, and for nothing else. */
function isBeside({ scope }: Assertion, section: Assertion['scope']['section']): boolean {
  return section?.parent === scope.section?.parent
}

function isNear({ scope, offset }: Assertion, section: Assertion['scope']['section'], at: number): boolean {
  return (
    (section === scope.section || isIn(scope.section, section) || isIn(section, scope.section)) &&
    Math.abs(at - offset) < 3_000
  )
}

/** "All data sets" in a table whose first column is headed "data set". */
function kindNamed(text: string, { table }: Matrix): boolean {
  const corner = (table.header[0]?.text ?? '').replace(/[(（].*$/, '').trim()
  if (corner.length < 2 || !has(text, 'all')) return false
  return mentionAt(text, [corner, `${corner}s`]) >= 0
}

/** The rows that the sentence names, or all. */
function pointsMeant(
  text: string,
  { matrix, points, isColumn }: Line,
  steps: Assertion['scope']['steps'],
  whole: string,
): readonly Point[] {
  const rows = isColumn ? rowsWhere(matrix, [whole]) : null
  if (rows !== null && rows.length > 0) return points.filter(({ at }) => rows.includes(at))
  const named = axesNamed(
    text,
    matrix,
    points.map(({ at }) => at),
    isColumn,
  )
  if (named.length > 0) return points.filter(({ at }) => named.includes(at))
  if (steps === null || steps[0] === steps[1]) return points
  return points.filter(({ at }) => at.step === null || (at.step >= steps[0] && at.step <= steps[1]))
}

export const bound: Relation = { name: 'bound', read, check }
