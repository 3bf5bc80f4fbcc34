import type { Quantity } from '../../document/quantity.js'
import { message } from '../../text/say.js'
import {
  asPrinted,
  canBe,
  differenceOf,
  middle,
  multipleOf,
  percentOf,
  percentOfEnd,
  pointsOf,
  shown,
} from '../change.js'
import type { AuditDocument, Statement } from '../document.js'
import { type Grid, gridFor, type Line, thingsNamed } from '../grid.js'
import { clauseAt, isAlone, isInside, isSetting, oneMetric } from '../naming.js'
import { isCalledChange, pairsIn } from '../pairs.js'
import type { AuditRule, Fault } from '../rule.js'

/**
 * "wren-rl gains 4.5 points over wren": a difference between two named rows that none of the table's columns has. Where
 * the sentence prints both values itself, `stated-difference` judges it.
 */
export const namedDifference: AuditRule = {
  id: 'named-difference',
  kind: 'arithmetic',
  severity: 'error',
  example: {
    faulty:
      '| model | success |\n|---|---|\n| wren | 49.3% |\n| wren-rl | 54.7% |\n| heron | 60.1% |\n\nwren-rl gains 4.5 points over wren.',
    sound:
      '| model | success |\n|---|---|\n| wren | 49.3% |\n| wren-rl | 54.7% |\n| heron | 60.1% |\n\nwren-rl gains 5.4 points over wren.',
  },
  *check(document: AuditDocument) {
    for (const statement of document.statements) {
      const { kind, text, quantities } = statement
      if (kind === 'cell' || kind === 'code' || quantities.length === 0 || OTHERWISE.test(text)) continue
      const changes = quantities.filter(quantity => isChange(text, quantity))
      if (changes.length !== 1) continue
      // With values of its own the sentence is judged by these.
      if (pairsIn(statement).length > 0 || quantities.length - changes.length > 1) continue
      for (const change of changes) {
        const fault = gridFor(document, statement, grid => against(grid, statement, change))
        if (fault !== null && fault !== 'right') yield fault
      }
    }
  },
}

/** A mean or a range over several, or a change in time. */
const OTHERWISE = /平均|标准误|置信|(?<![a-z])(?:average|mean|standard error|interval|respectively)(?![a-z])|分别/i
const BEHIND =
  /^\s?(?:above|below|behind|ahead|over|more|less|higher|lower|better|worse)(?![a-z])|^\s?的?(?:差距|领先|优势)/i

function isChange(text: string, quantity: Quantity): boolean {
  const { ends, bound, hedge, plusMinus, unit, to } = quantity
  if (ends !== null || bound !== null || hedge !== null || plusMinus) return false
  if (unit !== 'points' && unit !== '%' && unit !== null) return false
  return isCalledChange(text, quantity) || BEHIND.test(text.slice(to, to + 16))
}

function against(grid: Grid, statement: Statement, change: Quantity): Fault | 'right' | null {
  const clause = clauseAt(statement.text, change.from)
  const named = thingsNamed(statement, grid)
  const inside = named.filter(one => isInside(one, clause))
  const meant = inside.length >= 2 ? inside : named
  if (meant.length !== 2 || meant.some(({ line }) => !isAlone(grid, line))) return null
  const [a, b] = meant.map(({ line }) => line)
  const columns = grid.metrics.flatMap(metric => {
    const [first, second] = [grid.at(a, metric), grid.at(b, metric)]
    if (first === null || second === null || first.unit !== second.unit) return []
    return isSetting(metric) || (metric.isDerived && !MEAN.test(metric.name)) ? [] : [{ metric, first, second }]
  })
  // Columns whose figures can be apart in this unit at all.
  const possible = columns.filter(({ first, second }) => change.unit !== 'points' || pointsOf(first, second) !== null)
  if (possible.length === 0) return null
  if (columns.some(({ first, second }) => fits(change, first, second))) return 'right'
  const metric = oneMetric(statement, grid, statement.text.slice(clause.from, clause.to))
  const only = possible.find(column => column.metric === metric) ?? (possible.length === 1 ? possible[0] : null)
  if (only === null && (possible.length > MOST_COLUMNS || metric !== null)) return null
  return only === null ? inNone(statement, change, a, b, possible) : inOne(statement, change, a, b, only)
}

/** With more columns than this nobody knows which is meant. */
const MOST_COLUMNS = 4
const MEAN = /^(?:平均|均值|mean|average|avg)/i

function fits(change: Quantity, first: Quantity, second: Quantity): boolean {
  const readings =
    change.unit === '%'
      ? [percentOf(first, second), percentOfEnd(first, second), pointsOf(first, second), hundredfold(first, second)]
      : change.unit === 'points'
        ? [pointsOf(first, second)]
        : [differenceOf(first, second), pointsOf(first, second)]
  return readings.some(reading => canBe(change, reading, { signFree: true }))
}

/** "66 % of": a share of the other. */
function hundredfold(first: Quantity, second: Quantity) {
  const ratio = multipleOf(first, second)
  return ratio === null ? null : { low: 100 * ratio.low, high: 100 * ratio.high }
}

interface Column {
  readonly metric: Line
  readonly first: Quantity
  readonly second: Quantity
}

function apart({ unit, decimals }: Quantity, { first, second }: Column): string {
  const range =
    unit === '%' ? percentOf(second, first) : unit === 'points' ? pointsOf(second, first) : differenceOf(first, second)
  const digits = Math.max(decimals ?? 0, unit === '%' ? 1 : (first.decimals ?? 0))
  return range === null ? '-' : shown(middle(range), digits, { sign: true })
}

function inOne(statement: Statement, change: Quantity, a: Line, b: Line, column: Column): Fault {
  const expected = apart(change, column)
  const found = asPrinted(change)
  return {
    offset: statement.offsetOf(change.from),
    message: message('audit.named-difference', {
      column: column.metric.name,
      name: a.name,
      other: b.name,
      first: asPrinted(column.first),
      second: asPrinted(column.second),
      expected,
      found,
    }),
    found,
    expected,
  }
}

function inNone(statement: Statement, change: Quantity, a: Line, b: Line, columns: readonly Column[]): Fault {
  const expected = columns.map(column => `${column.metric.name} ${apart(change, column)}`).join(', ')
  const found = asPrinted(change)
  return {
    offset: statement.offsetOf(change.from),
    message: message('audit.named-difference.any', { name: a.name, other: b.name, found, expected }),
    found,
    expected,
    severity: 'warning',
  }
}
