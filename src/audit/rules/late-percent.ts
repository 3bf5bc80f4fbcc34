import type { Quantity } from '../../document/quantity.js'
import { message } from '../../text/say.js'
import { asPrinted, canBe, percentOf, percentOfEnd, shown } from '../change.js'
import { type CurvePair, curvePair } from '../curves.js'
import type { AuditDocument, Statement, Table } from '../document.js'
import { namedIn } from '../names.js'
import type { AuditRule, Fault } from '../rule.js'
import { mainQuantity } from '../table-view.js'

/**
 * "Late in training A is 3.6 % ahead", and no stretch of last evaluations shows it: neither the last one nor the mean of
 * the last two, three and so on up to half of them. Often the figure is the gap between two bests.
 */
export const latePercent: AuditRule = {
  id: 'late-percent',
  kind: 'arithmetic',
  severity: 'warning',
  example: {
    faulty:
      '| step | base | tuned |\n|---|---|---|\n| 5 | 1.80 | 1.70 |\n| 10 | 2.20 | 1.90 |\n| 15 | 2.00 | 2.10 |\n| 20 | 2.00 | 2.10 |\n\n- Late performance: tuned is ahead (+3.0%)',
    sound:
      '| step | base | tuned |\n|---|---|---|\n| 5 | 1.80 | 1.70 |\n| 10 | 2.20 | 1.90 |\n| 15 | 2.00 | 2.10 |\n| 20 | 2.00 | 2.10 |\n\n- Late performance: tuned is ahead (+5.0%)',
  },
  *check(document: AuditDocument) {
    const pair = curvePair(document)
    if (pair === null || pair.shared.length < FEWEST_POINTS) return
    const names: readonly [string, string] = [pair.first.subject, pair.second.subject]
    for (const statement of document.statements) yield* inStatement(pair, names, statement)
    for (const table of document.tables) yield* inTable(pair, names, table)
  },
}

/** Fewer shared evaluations have no late part. */
const FEWEST_POINTS = 4
const LATE = /后期|末期|训练末尾|(?<![a-z])late(?:r)?(?: (?:in training|performance|phase|stage))/i

/** Of longer curves nobody means more than these last points one by one. */
const MOST_WINDOWS = 500

type Names = readonly [string, string]

/** Rows such as "late performance | … | A (+3.6 %)" that print no values of their own. */
function* inTable(pair: CurvePair, names: Names, { rows }: Table): Generator<Fault> {
  for (const [label, ...cells] of rows) {
    if (!LATE.test(label.text)) continue
    for (const cell of cells) {
      const [said] = cell.quantities
      const others = cells.filter(other => other !== cell && mainQuantity(other) !== null)
      if (said !== undefined && others.length === 0 && cell.quantities.length === 1) {
        yield* wrong(pair, namedIn(cell.text, names), said, cell.offset)
      }
    }
  }
}

function* inStatement(
  pair: CurvePair,
  names: Names,
  { kind, text, quantities, offsetOf }: Statement,
): Generator<Fault> {
  const [said] = quantities
  if (kind === 'cell' || kind === 'code' || quantities.length !== 1 || !LATE.test(text)) return
  yield* wrong(pair, namedIn(text, names), said, offsetOf(said.from))
}

function* wrong(pair: CurvePair, named: 0 | 1 | null, said: Quantity, offset: number): Generator<Fault> {
  if (named === null || said.unit !== '%' || !said.signed || said.ends !== null) return
  const windows = Array.from({ length: Math.min(MOST_WINDOWS, Math.floor(pair.shared.length / 2)) }, (_, i) =>
    pair.shared.slice(-1 - i),
  )
  const readings = windows.map(points => {
    const [a, b] = [meanOf(points.map(({ first }) => first)), meanOf(points.map(({ second }) => second))]
    return named === 0 ? { side: a, base: b } : { side: b, base: a }
  })
  const isShown = readings.some(({ side, base }) =>
    [percentOf(base, side), percentOfEnd(base, side)].some(reading => canBe(said, reading)),
  )
  if (isShown) return
  const listed = readings
    .slice(0, 3)
    .map(({ side, base }) => shown(100 * (side.value / base.value - 1), 1, { sign: true }))
  const found = asPrinted(said)
  const expected = listed.join(', ')
  yield {
    offset,
    message: message('audit.late-percent', { found, expected, windows: listed.length }),
    found: `${found}%`,
    expected,
  }
}

function meanOf(points: readonly Quantity[]): Quantity {
  const [first] = points
  const mean = (of: (point: Quantity) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length
  const range = { low: mean(({ range }) => range.low), high: mean(({ range }) => range.high) }
  return { ...first, value: mean(({ value }) => value), range }
}
