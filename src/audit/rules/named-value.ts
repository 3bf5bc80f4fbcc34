import type { Quantity } from '../../document/quantity.js'
import { canMeet } from '../../stats/rounding.js'
import { message } from '../../text/say.js'
import type { AuditDocument, Statement } from '../document.js'
import { isLevel } from '../extremes.js'
import { type Grid, gridFor, type Line, metricsNamed, sameUnit, thingsNamed } from '../grid.js'
import { isAlone } from '../naming.js'
import { printed } from '../printed-curves.js'
import type { AuditRule, Fault } from '../rule.js'

/**
 * "At β = 0.02 it is 43.6" while the row prints 43.1. Where the sentence names the column, that cell decides; where it does
 * not, only a row in which one cell is close and all others are far: then a warning. Values over steps are
 * `value-contradicted`.
 */
export const namedValue: AuditRule = {
  id: 'named-value',
  kind: 'contradiction',
  severity: 'error',
  example: {
    faulty:
      '| beta | MATH | KL |\n|---|---|---|\n| 0.01 | 42.7 | 0.148 |\n| 0.02 | 43.1 | 0.097 |\n\nMATH at beta = 0.02 is 43.6.',
    sound:
      '| beta | MATH | KL |\n|---|---|---|\n| 0.01 | 42.7 | 0.148 |\n| 0.02 | 43.1 | 0.097 |\n\nMATH at beta = 0.02 is 43.1.',
  },
  *check(document: AuditDocument) {
    for (const statement of document.statements) {
      const { kind, quantities, text } = statement
      if (kind === 'cell' || kind === 'code' || kind === 'heading' || quantities.length === 0) continue
      if (statement.steps.length > 0 || OTHERWISE.test(text)) continue
      const fault = gridFor(document, statement, grid => against(document, grid, statement))
      if (fault !== null && fault !== 'right') yield fault
    }
  },
}

const LINK =
  /^\)?\s?(?:上|下|时)?\s?(?:的\s?[^\d,;。]{0,12})?(?:is|was|=|为|是|:|reaches|reached|达到|has|scores?|scored|gets|achieves)\s?$/i
/** Another table, another time, an estimate: the row need not have it. */
const OTHERWISE =
  /之前|上次|上周|旧|此前|预计|估计|目标|平均|如果|阈值|(?<![a-z])(?:previous(?:ly)?|earlier|last|expected|estimated|target|average|mean|if|would|should|reported|paper|rerun|seeds?|threshold|up to)(?![a-z])/i

function against(document: AuditDocument, grid: Grid, statement: Statement): Fault | 'right' | null {
  const { text, quantities } = statement
  const things = thingsNamed(statement, grid)
  if (things.length !== 1 || !isAlone(grid, things[0].line)) return null
  const [{ line, to }] = things
  const said = quantities.find(({ from }) => from >= to)
  if (said === undefined || !isPlain(said) || !LINK.test(text.slice(to, said.from))) return null
  if (/^\s?(?:→|->|to |到|至|[×x*/])/.test(text.slice(said.to, said.to + 4))) return null
  const cells = grid.metrics.flatMap(metric => {
    const quantity = grid.at(line, metric)
    return quantity === null ? [] : [{ metric, quantity }]
  })
  if (cells.some(({ quantity }) => canMeet(quantity.range, said.range))) return 'right'
  const named = metricsNamed(text, grid)
  if (named.length > 1) return null
  const one = named.length === 1 ? cells.find(({ metric }) => metric === named[0]) : closest(cells, said)
  if (one === undefined || !sameUnit(one.quantity, said)) return null
  const cell = grid.cellAt(line, one.metric)
  return {
    offset: statement.offsetOf(said.from),
    message: message('audit.named-value', {
      found: printed(said),
      name: line.name,
      expected: printed(one.quantity),
      column: one.metric.name,
      line: document.placeOf(cell.offset).line,
    }),
    found: printed(said),
    expected: printed(one.quantity),
    ...(named.length === 1 ? {} : { severity: 'warning' as const }),
  }
}

function isPlain(quantity: Quantity): boolean {
  return isLevel(quantity) && !quantity.signed && (quantity.unit === null || quantity.unit === '%')
}

const CLOSE = 0.05
const FAR = 0.5

function closest<T extends { readonly metric: Line; readonly quantity: Quantity }>(
  cells: readonly T[],
  { value, decimals }: Quantity,
): T | undefined {
  const off = ({ quantity }: T): number => Math.abs(quantity.value - value) / Math.max(Math.abs(value), 1e-12)
  const [first, second] = cells.toSorted((a, b) => off(a) - off(b))
  if (first === undefined || decimals === 0 || first.quantity.decimals !== decimals) return undefined
  return off(first) <= CLOSE && (second === undefined || off(second) >= FAR) ? first : undefined
}
