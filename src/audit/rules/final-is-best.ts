import type { Quantity } from '../../document/quantity.js'
import { canMeet, divide, type Range, subtract } from '../../stats/rounding.js'
import { message } from '../../text/say.js'
import { size } from '../change.js'
import { statementsClaiming } from '../claimed.js'
import type { Claim } from '../claims.js'
import { goalOf } from '../direction.js'
import type { Statement } from '../document.js'
import { vouchedClaim } from '../parts.js'
import { distinctCurves, isExact, percent, printed, printedCurves } from '../printed-curves.js'
import type { AuditRule, Fault } from '../rule.js'
import { type PrintedPoint, type PrintedSeries, titlesAbove } from '../table-view.js'

/**
 * "Final" or "late" performance with the figure of the best evaluation, or with the gap between two bests. Silent when
 * the sentence names the step, when the best is the last evaluation, and when some late stretch gives the gap.
 */
export const finalIsBest: AuditRule = {
  id: 'final-is-best',
  kind: 'contradiction',
  severity: 'error',
  example: {
    faulty:
      '## Validation reward\n| step | run |\n|---|---|\n| 10 | 1.99 |\n| 20 | 2.12 |\n| 30 | 2.01 |\n\nThe final performance (2.12) is close to the target.',
    sound:
      '## Validation reward\n| step | run |\n|---|---|\n| 10 | 1.99 |\n| 20 | 2.12 |\n| 30 | 2.01 |\n\nThe final performance (2.01) is close to the target.',
  },
  *check(document) {
    const curves = distinctCurves(printedCurves(document)).filter(({ points }) => points.filter(isExact).length >= 2)
    for (const statement of statementsClaiming(document, 'final')) {
      const claim = finalClaim(statement)
      if (claim === null) continue
      const fault =
        bestAsFinal(statement, claim, curves) ?? (isLate(statement, claim) ? null : gapOfBests(statement, curves))
      if (fault !== null) yield fault
    }
  },
}

const PERFORMANCE = /性能|表现|效果|reward|score|acc|performance|result|准确率|奖励|得分/i

/** "最终达到", "finally reached" is not about the end but about having got there. */
const EVENTUALLY = /^(?:ly)?\s?(?:达到|在|突破|升至|reach|attain)/i

/** The sentence speaks of final performance; in a table the row's label does, and the figure stands beside it. */
function finalClaim(statement: Statement): Claim | null {
  const claim = vouchedClaim(statement, 'final')
  if (claim === undefined || statement.steps.length > 0) return null
  if (statement.cell !== null && statement.cell.column !== 0) return null
  const behind = statement.text.slice(claim.to, claim.to + 16)
  return PERFORMANCE.test(behind) && !EVENTUALLY.test(behind) ? claim : null
}

/** "Late" is a stretch: the best may lie in it, and a gap over it is for `late-percent` to judge. */
function isLate({ text }: Statement, { from, to }: Claim): boolean {
  return /后期|末期|late/i.test(text.slice(from, to))
}

function bestAsFinal(statement: Statement, claim: Claim, curves: readonly PrintedSeries[]): Fault | null {
  const value = statement.quantities.find(({ from, ends }) => from >= claim.to && ends === null)
  if (value === undefined || calledBest(statement, claim, value)) return null
  const late = isLate(statement, claim)
  const readings = curves.filter(({ points }) => points.some(point => isPrintedAs(point, value)))
  const wrong = readings.flatMap(curve => {
    const best = bestOf(curve)
    const last = curve.points[curve.points.length - 1]
    if (best === null || !isPrintedAs(best, value) || canMeet(last.quantity.range, value.range)) return []
    if (late && curve.points.indexOf(best) * 2 >= curve.points.length) return []
    return [{ best, last }]
  })
  if (wrong.length === 0 || wrong.length < readings.length) return null
  const [{ best, last }] = wrong
  return {
    offset: statement.offsetOf(value.from),
    message: message('audit.final-is-best', {
      best: printed(value),
      bestStep: best.step,
      last: printed(last.quantity),
      lastStep: last.step,
    }),
    found: printed(value),
    expected: printed(last.quantity),
  }
}

/** "Final performance: best 2.12, last 2.01", "2.12 (best)" say themselves what the figure is. */
function calledBest({ claims }: Statement, { to }: Claim, value: Quantity): boolean {
  return claims.some(
    ({ kind, from }) => (kind === 'best' || kind === 'extremum-high') && from >= to && from <= value.to + BESIDE,
  )
}

const BESIDE = 4

function isPrintedAs({ quantity }: PrintedPoint, value: Quantity): boolean {
  return quantity.value === value.value && quantity.decimals === value.decimals && quantity.unit === value.unit
}

function bestOf(curve: PrintedSeries): PrintedPoint | null {
  const goal = goalOf([curve.subject, ...titlesAbove(curve.section)]) ?? 'high'
  const sign = goal === 'high' ? 1 : -1
  return curve.points
    .filter(isExact)
    .reduce<PrintedPoint | null>(
      (best, point) => (best === null || sign * point.quantity.value > sign * best.quantity.value ? point : best),
      null,
    )
}

/** "Final performance differs by 3.6 %": the gap of the bests, and of no late stretch. */
function gapOfBests(statement: Statement, curves: readonly PrintedSeries[]): Fault | null {
  const gap = percentageOf(statement)
  if (gap === null || curves.length !== 2) return null
  const [a, b] = curves.map(({ points }) => points.filter(isExact))
  const [bestA, bestB] = [bestOf(curves[0]), bestOf(curves[1])]
  const [lastA, lastB] = [a[a.length - 1], b[b.length - 1]]
  if (bestA === null || bestB === null || lastA.step !== lastB.step) return null
  const claimed = size(gap.quantity.range)
  if (!gaps(bestA.quantity.range, bestB.quantity.range).some(gap => canMeet(gap, claimed))) return null
  // Best against best when both are last is final against final.
  const most = Math.min(MOST_TAILS, Math.max(1, Math.floor(Math.min(a.length, b.length) / 2)))
  for (let count = 1; count <= most; count += 1) {
    const [tailA, tailB] = [meanRange(a.slice(-count)), meanRange(b.slice(-count))]
    if (gaps(tailA, tailB).some(gap => canMeet(gap, claimed))) return null
  }
  const expected = percent((lastB.quantity.value - lastA.quantity.value) / lastA.quantity.value)
  return {
    offset: gap.offset,
    message: message('audit.final-gap-is-best-gap', {
      found: printed(gap.quantity),
      bestA: printed(bestA.quantity),
      bestB: printed(bestB.quantity),
      lastA: printed(lastA.quantity),
      lastB: printed(lastB.quantity),
      step: lastA.step,
      expected,
    }),
    found: `${printed(gap.quantity)} %`,
    expected: `${expected} %`,
  }
}

/** Of longer curves nobody means more than these last points one by one. */
const MOST_TAILS = 500

function percentageOf(statement: Statement): { readonly quantity: Quantity; readonly offset: number } | null {
  const isPercentage = ({ unit, ends, bound }: Quantity): boolean => unit === '%' && ends === null && bound === null
  if (statement.cell === null) {
    const quantity = statement.quantities.find(isPercentage)
    return quantity === undefined ? null : { quantity, offset: statement.offsetOf(quantity.from) }
  }
  const { row } = statement.cell
  const cells = statement.cell.column === 0 ? (statement.table?.rows[row] ?? []) : []
  const found = cells.flatMap(cell =>
    cell.quantities.filter(isPercentage).map(quantity => ({ quantity, offset: cell.offset })),
  )
  return found[0] ?? null
}

function meanRange(points: readonly PrintedPoint[]): Range {
  const sum = (pick: (range: Range) => number): number =>
    points.reduce((total, { quantity }) => total + pick(quantity.range), 0) / points.length
  return { low: sum(({ low }) => low), high: sum(({ high }) => high) }
}

/** The relative gap, by either base. */
function gaps(a: Range, b: Range): readonly Range[] {
  const difference = subtract(a, b)
  return [divide(difference, a), divide(difference, b)].flatMap(ratio => (ratio === null ? [] : [size(scaled(ratio))]))
}

function scaled({ low, high }: Range): Range {
  return { low: 100 * low, high: 100 * high }
}
