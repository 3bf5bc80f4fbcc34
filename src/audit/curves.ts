import type { Quantity } from '../document/quantity.js'
import { groupBy } from '../model/group-by.js'
import { goalOf } from './direction.js'
import type { AuditDocument, Table } from './document.js'
import { type PrintedPoint, type PrintedSeries, seriesIn, titlesAbove, viewOf } from './table-view.js'

/**
 * The curves that a report prints, and the pair that it compares: two columns of one table over the same steps that
 * show one metric of two runs. Points marked as estimates are kept apart, because nobody measured them.
 */
export interface Curve extends PrintedSeries {
  readonly table: Table
  readonly measured: readonly PrintedPoint[]
}

export type Goal = 'up' | 'down'

export interface CurvePair {
  readonly first: Curve
  readonly second: Curve
  /** Measured in both. */
  readonly shared: readonly { readonly step: number; readonly first: Quantity; readonly second: Quantity }[]
  readonly goal: Goal | null
  /** Steps between two evaluations. */
  readonly interval: number
}

const known = new WeakMap<AuditDocument, readonly Curve[]>()

export function curvesOf(document: AuditDocument): readonly Curve[] {
  const before = known.get(document)
  if (before !== undefined) return before
  const curves = document.tables.flatMap(table =>
    seriesIn(viewOf(table)).map((series): Curve => {
      const points = series.points.toSorted((a, b) => a.step - b.step)
      return { ...series, table, points, measured: points.filter(isMeasured) }
    }),
  )
  known.set(document, curves)
  return curves
}

export function isMeasured({ quantity }: PrintedPoint): boolean {
  return quantity.hedge !== 'estimated' && quantity.ends === null
}

/** Fewer points are a table of results, not two curves. */
const FEWEST_POINTS = 4
/** Two runs of one metric lie closer together than this factor; two metrics mostly do not. */
const FARTHEST_LEVELS = 4

const pairs = new WeakMap<AuditDocument, CurvePair | null>()

/** The pair with most shared steps; null where the report compares none, or more than two. */
export function curvePair(document: AuditDocument): CurvePair | null {
  const before = pairs.get(document)
  if (before !== undefined) return before
  const found = findPair(document)
  pairs.set(document, found)
  return found
}

function findPair(document: AuditDocument): CurvePair | null {
  const long = curvesOf(document).filter(({ points }) => points.length >= FEWEST_POINTS)
  const candidates = [...groupBy(long, ({ table }) => table).values()].filter(
    inTable => inTable.length === 2 && sameMetric(inTable[0], inTable[1]),
  )
  const [longest] = candidates.toSorted((a, b) => b[0].points.length - a[0].points.length)
  if (longest === undefined) return null
  const [first, second] = longest
  const ofSecond = new Map(second.measured.map(point => [point.step, point.quantity]))
  const shared = first.measured.flatMap(({ step, quantity }) => {
    const other = ofSecond.get(step)
    return other === undefined ? [] : [{ step, first: quantity, second: other }]
  })
  return { first, second, shared, goal: goalIn(document, first, second), interval: spacing(first) }
}

const METRIC_WORDS =
  /loss|reward|acc(?:uracy)?|score|entropy|std|grad|norm|(?<![a-z])lr(?![a-z])|length|tokens?|perplexity|ppl|f1|train|val(?:id(?:ation)?)?(?![a-z])|test|损失|奖励|准确率|熵|梯度|长度|训练集|验证集|@\d+|top-?\d+|(?<!\d)\d+[- ]shot|shot \d+|mean|avg|average|max|min|平均|最大|最小|^kl(?:\s?(?:值|散度|div(?:ergence)?))?$/gi

function sameMetric(a: Curve, b: Curve): boolean {
  const words = ({ subject }: Curve) =>
    [...subject.toLowerCase().matchAll(METRIC_WORDS)].map(([word]) => word).join(' ')
  if (words(a) !== words(b)) return false
  const level = ({ points }: Curve) => points.reduce((sum, { quantity }) => sum + quantity.value, 0) / points.length
  const ratio = level(a) / level(b)
  return ratio > 1 / FARTHEST_LEVELS && ratio < FARTHEST_LEVELS
}

/** By the metric's name; else by which end the report itself calls the best. */
function goalIn(document: AuditDocument, first: Curve, second: Curve): Goal | null {
  const { table } = first
  for (const words of [
    `${first.subject} ${second.subject}`,
    ...titlesAbove(table.section),
    table.caption?.text ?? '',
  ]) {
    const named = goalOf([words])
    if (named !== null) return named === 'high' ? 'up' : 'down'
  }
  let votes = 0
  for (const { claims, quantities } of document.statements) {
    if (!claims.some(({ kind }) => kind === 'best')) continue
    for (const { value } of quantities) {
      for (const curve of [first, second]) {
        if (value === bestOf(curve, 'up').quantity.value) votes += 1
        if (value === bestOf(curve, 'down').quantity.value) votes -= 1
      }
    }
  }
  return votes === 0 ? null : votes > 0 ? 'up' : 'down'
}

/** The best printed point; of equals the first. */
export function bestOf({ points }: Curve, goal: Goal): PrintedPoint {
  const sign = goal === 'up' ? 1 : -1
  return points.reduce((best, point) => (sign * point.quantity.value > sign * best.quantity.value ? point : best))
}

/** The most common gap between neighbouring steps. */
function spacing({ points }: Curve): number {
  const counts = new Map<number, number>()
  for (let i = 1; i < points.length; i += 1) {
    const gap = points[i].step - points[i - 1].step
    counts.set(gap, (counts.get(gap) ?? 0) + 1)
  }
  const [most] = [...counts].toSorted((a, b) => b[1] - a[1] || a[0] - b[0])
  return most[0]
}
