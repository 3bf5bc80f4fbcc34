import { message } from '../../text/say.js'
import { type Curve, curvesOf } from '../curves.js'
import type { AuditDocument } from '../document.js'
import { decimalsOf, shown, signed } from '../figures.js'
import type { AuditRule, Fault } from '../rule.js'
import type { PrintedPoint } from '../table-view.js'

/**
 * A column that goes up by the very same amount from row to row: a line that somebody drew. Where the values are marked
 * as estimates or with "~" three equal changes are enough; unmarked ones must be many and finely printed.
 */
export const linearFill: AuditRule = {
  id: 'linear-fill',
  kind: 'invented',
  severity: 'warning',
  example: {
    faulty:
      '| step | reward |\n|---|---|\n| 5 | 1.818 |\n| 10 | ~1.85 (estimated) |\n| 15 | ~1.90 (estimated) |\n| 20 | ~1.95 (estimated) |\n| 25 | ~2.00 (estimated) |',
    sound:
      '| step | reward |\n|---|---|\n| 5 | 1.818 |\n| 10 | 1.851 |\n| 15 | 1.907 |\n| 20 | 1.944 |\n| 25 | 2.003 |',
  },
  *check(document: AuditDocument) {
    for (const curve of curvesOf(document)) yield* inCurve(curve)
  },
}

const FEWEST_EQUAL_GUESSES = 3
const FEWEST_EQUAL_VALUES = 6
const FEWEST_DECIMALS = 3
/** What is linear by nature; `KL_BETA=0.1` is a run of that name. */
const SCHEDULED =
  /step|epoch|time|hour|token|sample|cost|lr|learning|rate|coef|beta|β|warm|temperature|threshold|budget|步|轮|时间|学习率|系数|温度|阈值|成本/i

function* inCurve(curve: Curve): Generator<Fault> {
  if (SCHEDULED.test(curve.subject) && !curve.subject.includes('=')) return
  const guesses = curve.points.filter(
    ({ quantity }) =>
      quantity.hedge !== null && quantity.ends === null && (quantity.unit === null || quantity.unit === '%'),
  )
  const marked = longestRun(guesses)
  if (marked.length > FEWEST_EQUAL_GUESSES) {
    yield faultAt(curve, marked)
    return
  }
  const run = longestRun(curve.points.filter(({ quantity }) => (quantity.decimals ?? 0) >= FEWEST_DECIMALS))
  if (run.length > FEWEST_EQUAL_VALUES) yield faultAt(curve, run)
}

/** The longest stretch with the same change for the same number of steps; a constant is another matter. */
function longestRun(points: readonly PrintedPoint[]): readonly PrintedPoint[] {
  let best: readonly PrintedPoint[] = []
  let start = 0
  for (let i = 2; i <= points.length; i += 1) {
    const goesOn = i < points.length && isStraight(points[i - 2], points[i - 1], points[i])
    if (goesOn) continue
    if (i - start > best.length) best = points.slice(start, i)
    start = i - 1
  }
  return best.length > 2 && best[0].quantity.value !== best[1].quantity.value ? best : []
}

function isStraight(a: PrintedPoint, b: PrintedPoint, c: PrintedPoint): boolean {
  if (b.step - a.step !== c.step - b.step) return false
  const bend = c.quantity.value - 2 * b.quantity.value + a.quantity.value
  return Math.abs(bend) < 1e-9 * Math.max(1, Math.abs(b.quantity.value))
}

function faultAt({ subject, points }: Curve, run: readonly PrintedPoint[]): Fault {
  const [first, second] = run
  const change = signed(second.quantity.value - first.quantity.value, decimalsOf(first.quantity, second.quantity))
  return {
    offset: first.offset,
    message: message('audit.linear-fill', {
      subject,
      count: run.length,
      all: points.length,
      change,
      from: first.step,
      to: run[run.length - 1].step,
    }),
    found: `${shown(first.quantity)} … ${shown(run[run.length - 1].quantity)}`,
    expected: '-',
  }
}
