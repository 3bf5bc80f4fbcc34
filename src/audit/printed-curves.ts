import type { Quantity } from '../document/quantity.js'
import { divide, type Range, subtract } from '../stats/rounding.js'
import { curvesOf } from './curves.js'
import type { AuditDocument, Statement } from './document.js'
import type { PrintedPoint, PrintedSeries } from './table-view.js'

/**
 * All curves that a document prints: columns of tables over steps, and lists such as "Step 10: 1.992"; and the changes
 * from each point to the next. A point that the author marked as a guess is kept but known as one.
 */
export function printedCurves(document: AuditDocument): readonly PrintedSeries[] {
  return [...tableCurves(document), ...listedCurves(document)]
}

const inLists = new WeakMap<AuditDocument, readonly PrintedSeries[]>()

const inTables = new WeakMap<AuditDocument, readonly PrintedSeries[]>()

/** Read once, since several rules ask. */
export function tableCurves(document: AuditDocument): readonly PrintedSeries[] {
  const before = inTables.get(document)
  if (before !== undefined) return before
  const curves = curvesOf(document).map(inOrder)
  inTables.set(document, curves)
  return curves
}

function inOrder(curve: PrintedSeries): PrintedSeries {
  const points = curve.points.filter(({ quantity }) => quantity.ends === null)
  return { ...curve, points: points.toSorted((a, b) => a.step - b.step) }
}

/** Without those that only repeat a part of another. */
export function distinctCurves(curves: readonly PrintedSeries[]): readonly PrintedSeries[] {
  const kept: PrintedSeries[] = []
  for (const curve of curves.toSorted((a, b) => b.points.length - a.points.length).slice(0, MOST_CURVES)) {
    if (!kept.some(other => repeats(curve, other))) kept.push(curve)
  }
  return kept
}

const MOST_CURVES = 100

function repeats(curve: PrintedSeries, other: PrintedSeries): boolean {
  const values = new Map(other.points.map(({ step, quantity }) => [step, quantity.value]))
  return curve.points.every(({ step, quantity }) => values.get(step) === quantity.value)
}

/** Not "~1.85", not "1.85 (estimated)". */
export function isExact({ quantity }: PrintedPoint): boolean {
  return quantity.hedge === null
}

export interface Change {
  readonly from: PrintedPoint
  readonly to: PrintedPoint
  /** Relative to the earlier value. */
  readonly relative: number
  /** As far as the printed digits tell. */
  readonly range: Range
}

/** From one evaluation to the next; where the steps between them are uneven, wide gaps are no single change. */
export function changesOf(points: readonly PrintedPoint[]): readonly Change[] {
  const gaps = points.slice(1).map((point, i) => point.step - points[i].step)
  const usual = gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0
  return points.slice(1).flatMap((to, i): Change[] => {
    const from = points[i]
    if (gaps[i] <= 0 || gaps[i] > 1.5 * usual || from.quantity.value <= 0) return []
    const range = divide(subtract(to.quantity.range, from.quantity.range), from.quantity.range)
    if (range === null) return []
    return [{ from, to, relative: to.quantity.value / from.quantity.value - 1, range }]
  })
}

interface OpenCurve extends PrintedSeries {
  readonly lead: string
  readonly points: PrintedPoint[]
}

/** Lines of a list or a code block that give one value at one step each. */
export function listedCurves(document: AuditDocument): readonly PrintedSeries[] {
  const before = inLists.get(document)
  if (before !== undefined) return before
  const curves = readLists(document)
  inLists.set(document, curves)
  return curves
}

function readLists({ statements }: AuditDocument): readonly PrintedSeries[] {
  const curves: OpenCurve[] = []
  let open: OpenCurve | null = null
  for (const statement of statements) {
    const point = listedPoint(statement)
    if (point === null) {
      if (statement.kind !== 'item' || statement.steps.length === 0) open = null
      continue
    }
    const lead = statement.leads[0] ?? ''
    const last = open?.points[open.points.length - 1]
    if (open === null || open.lead !== lead || (last !== undefined && last.step >= point.step)) {
      const subject: string = (lead === '' ? (statement.section?.title ?? '') : lead).replace(/(?<![:\s])[:\s]+$/, '')
      open = { subject, section: statement.section, points: [], lead }
      curves.push(open)
    }
    open.points.push(point)
  }
  return curves.filter(({ points }) => points.length >= 2).map(inOrder)
}

/** "Step 10: 1.992 (…)": the number directly behind the step. */
function listedPoint({ kind, text, steps, quantities, offsetOf }: Statement): PrintedPoint | null {
  if (kind !== 'code' && kind !== 'item') return null
  const [mark] = steps
  if (mark === undefined || mark.first !== mark.last || mark.from > 4) return null
  const value = quantities.find(({ from }) => from >= mark.to)
  if (value === undefined || !/^[:=→-]?[~≈]?$/.test(text.slice(mark.to, value.from).replace(/\s/g, ''))) return null
  return { step: mark.first, quantity: value, offset: offsetOf(value.from) }
}

/** "+17.7": per cent of a relative change; the sentence puts the sign of its language behind it. */
export function percent(relative: number): string {
  const shown = (100 * relative).toFixed(1)
  return `${relative > 0 ? '+' : ''}${shown.replace('-', '−')}`
}

/** As the author printed it. */
export function printed({ value, decimals }: Quantity): string {
  return decimals === null || decimals > 12 ? String(value) : value.toFixed(decimals)
}
