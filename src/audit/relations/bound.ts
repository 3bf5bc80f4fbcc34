import type { Statement } from '../../document/document.js'
import { type Line, linesOfMatrix, type Matrix, type Point } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { type Assertion, confirmed, type Figure, type Outcome, type Relation, refuted, UNCHECKED } from '../assertion.js'
import { axesNamed, type Evidence, isIn, mentionAt, namesOf } from '../evidence.js'
import { has } from '../lexicon.js'
import { assertionIn, figureAs, figureOf } from '../read.js'
import { clauseAround } from '../stance.js'

/**
 * "All data sets fail on more than 70 %", "differences within ±0.6", "stays above 2.0", "both are 0.0062": a bound or a
 * value for every row. It holds when one line of a table near by obeys it, the rows that the sentence names taken alone;
 * it is refuted only where the sentence names the line or the kind of its rows, and no line obeys.
 */
const say = sentences({
  'audit.bound-exceeded': {
    en: '“{quote}”: not so for {owner} with {expected} (“{line}”); write a bound that all rows obey',
    zh: '“{quote}”：{owner} 是 {expected}（“{line}”），不在其内；应写一个全部成立的界限',
  },
})

const WITHIN_BEHIND = /^\s?(?:以内|之内|以下|以上|之间|水平|\+)/
const KEPT = /保持在|维持在|稳定在|控制在|(?<![a-z])(?:stays?|stayed|remains?|remained|kept|maintains?|maintained)(?![a-z])|within|范围|以内/i

function* read({ document }: Evidence): Generator<Assertion> {
  for (const statement of document.statements) {
    const { text, quantities, kind } = statement
    if (kind === 'code' || kind === 'heading' || quantities.length === 0 || text.length > 300) continue
    if (!has(text, 'all') && !KEPT.test(text)) continue
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

/** The least and the greatest value that the words allow. */
function limitsOf({ text }: Statement, quantity: Quantity): readonly [number, number] | null {
  const { value, bound, from, to, ends, plusMinus, hedge } = quantity
  if (hedge !== null || quantity.unit === 'step' || quantity.unit === 'epoch' || quantity.unit === 'sample') return null
  const behind = text.slice(to, to + 6)
  const before = text.slice(Math.max(0, from - 14), from)
  const isWithin = /以内|之内/.test(behind) || /within\s?$/i.test(before) || (plusMinus && /以内|within/.test(text))
  if (isWithin) return ends === null ? [-Math.abs(value), Math.abs(value)] : [Math.min(...ends), Math.max(...ends)]
  if (ends !== null) return KEPT.test(before) ? [Math.min(...ends), Math.max(...ends)] : null
  if (bound === 'above' || (WITHIN_BEHIND.test(behind) && /^\s?(?:以上|\+)/.test(behind))) return [value, Number.POSITIVE_INFINITY]
  if (bound === 'below' || /^\s?以下/.test(behind)) return [Number.NEGATIVE_INFINITY, value]
  return null
}

function check(assertion: Assertion, evidence: Evidence): Outcome {
  const figure = figureAs(assertion, 'bound')
  const [low = Number.NaN, high = Number.NaN] = assertion.manner.split(' ').map(Number)
  if (figure === null || assertion.stance !== 'said' || Number.isNaN(low) || Number.isNaN(high)) return UNCHECKED
  const text = assertion.quantity ?? ''
  const clause = clauseOf(assertion, figure)
  if (EXCEPT.test(text)) return UNCHECKED
  const tables = evidence.near(assertion.offset).filter(({ table }) => isNear(assertion, table.section, table.offset))
  let failed: { line: Line; point: Point; share: number } | null = null
  for (const matrix of tables.slice(0, 3)) {
    const isNamed = kindNamed(text, matrix)
    for (const line of linesOfMatrix(matrix)) {
      const points = pointsMeant(clause, line, assertion.scope.steps)
      if (points.length < 2 || points[0]?.quantity.unit !== figure.quantity.unit) continue
      const outside = points.filter(({ quantity }) => !allows(quantity, low, high))
      if (outside.length === 0) return confirmed(line.of.name)
      const isLine = mentionAt(text, namesOf(matrix, line.of, !line.isColumn)) >= 0
      const share = 1 - outside.length / points.length
      const [point] = outside
      if ((isLine || isNamed) && point !== undefined && share >= LEAST_SHARE && share > (failed?.share ?? 0)) failed = { line, point, share }
    }
  }
  if (failed === null) return UNCHECKED
  return refuted({
    rule: 'bound-exceeded',
    kind: 'contradiction',
    severity: 'warning',
    offset: figure.offset,
    message: say('audit.bound-exceeded', {
      quote: assertion.quote,
      owner: namesOf(failed.line.matrix, failed.point.at, failed.line.isColumn)[0] ?? failed.point.at.name,
      expected: failed.point.cell.text,
      line: failed.line.of.name,
    }),
    found: figure.text,
    expected: failed.point.cell.text,
    also: [failed.point.cell.offset],
  })
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

function isNear({ scope, offset }: Assertion, section: Assertion['scope']['section'], at: number): boolean {
  return (section === scope.section || isIn(scope.section, section) || isIn(section, scope.section)) && Math.abs(at - offset) < 3_000
}

/** "All data sets" in a table whose first column is headed "data set". */
function kindNamed(text: string, { table }: Matrix): boolean {
  const corner = (table.header[0]?.text ?? '').replace(/[(（].*$/, '').trim()
  if (corner.length < 2 || !has(text, 'all')) return false
  return mentionAt(text, [corner, `${corner}s`]) >= 0
}

/** The rows that the sentence names, or all. */
function pointsMeant(text: string, { matrix, points, isColumn }: Line, steps: Assertion['scope']['steps']): readonly Point[] {
  const named = axesNamed(text, matrix, points.map(({ at }) => at), isColumn)
  if (named.length > 0) return points.filter(({ at }) => named.includes(at))
  if (steps === null || steps[0] === steps[1]) return points
  return points.filter(({ at }) => at.step === null || (at.step >= steps[0] && at.step <= steps[1]))
}

export const bound: Relation = {
  name: 'bound',
  rules: [
    {
      id: 'bound-exceeded',
      kind: 'contradiction',
      severity: 'warning',
      example: {
        faulty: '| Task | Pass |\n|---|---|\n| a | 71.0% |\n| b | 64.0% |\n| c | 69.5% |\n\nAll tasks pass above 65%: Pass is high.',
        sound: '| Task | Pass |\n|---|---|\n| a | 71.0% |\n| b | 64.0% |\n| c | 69.5% |\n\nAll tasks pass above 60%: Pass is high.',
      },
    },
  ],
  read,
  check,
}
