import type { Quantity } from '../../document/quantity.js'
import { canMeet, multiply, type Range } from '../../stats/rounding.js'
import { message } from '../../text/say.js'
import { asPrinted, meant, middle, shown } from '../change.js'
import type { AuditDocument, Cell } from '../document.js'
import type { AuditRule, Fault } from '../rule.js'
import { isSummary, mainQuantity, type TableView, viewOf } from '../table-view.js'

/**
 * "GPUs × hours = GPU-hours": a column that is the product of two others in most rows, and in one is not. The table's own
 * rows say that it is a product; no header is trusted for it.
 */
export const productColumn: AuditRule = {
  id: 'product-column',
  kind: 'arithmetic',
  severity: 'error',
  example: {
    faulty:
      '| run | GPUs | hours | GPU-hours |\n|---|---|---|---|\n| a | 16 | 11.5 | 184 |\n| b | 16 | 17.0 | 272 |\n| c | 16 | 16.5 | 246 |',
    sound:
      '| run | GPUs | hours | GPU-hours |\n|---|---|---|---|\n| a | 16 | 11.5 | 184 |\n| b | 16 | 17.0 | 272 |\n| c | 16 | 16.5 | 264 |',
  },
  *check({ tables }: AuditDocument) {
    for (const table of tables) {
      if (table.rows.length >= FEWEST_ROWS && table.rows.length <= MOST_ROWS) yield* inTable(viewOf(table))
    }
  },
}

const FEWEST_ROWS = 3
const MOST_ROWS = 500
const MOST_COLUMNS = 10
/** A product printed more coarsely than this is met by chance. */
const WIDEST = 0.08

function* inTable({ table, roles }: TableView): Generator<Fault> {
  const rows = table.rows.filter(([label]) => !isSummary(label.text))
  const columns = roles.flatMap((role, at) => (role === 'value' || role === 'mean' ? [at] : [])).slice(0, MOST_COLUMNS)
  for (const product of columns) {
    for (const [i, first] of columns.entries()) {
      for (const second of columns.slice(i + 1)) {
        if (first === product || second === product) continue
        const tried = rows.flatMap(row => triedIn(row, first, second, product) ?? [])
        const wrong = tried.filter(({ fits }) => !fits)
        const held = tried.filter(({ fits }) => fits)
        // Two rows that say the same prove it once.
        const proofs = new Set(held.map(({ printed, left }) => `${left.value} ${printed.value}`)).size
        if (wrong.length === 0 || proofs < 2 || held.length < 2 * wrong.length) continue
        const names = { first: table.header[first].text, second: table.header[second].text }
        yield* wrong.map(one => faultOf(one, names))
        return
      }
    }
  }
}

interface Tried {
  readonly cell: Cell
  readonly printed: Quantity
  readonly left: Quantity
  readonly right: Quantity
  readonly computed: Range
  readonly fits: boolean
}

function triedIn(row: readonly Cell[], first: number, second: number, product: number): Tried | null {
  const [left, right, printed] = [first, second, product].map(column => mainQuantity(row[column]))
  if (left === null || right === null || printed === null) return null
  if (
    [left, right, printed].some(
      ({ ends, bound, hedge, signed }) => ends !== null || bound !== null || hedge !== null || signed,
    )
  ) {
    return null
  }
  if (Math.min(left.value, right.value, printed.value) <= 0 || left.value === 1 || right.value === 1) return null
  const computed = multiply(exactCount(left), exactCount(right))
  if (computed.high - computed.low > WIDEST * computed.high) return null
  return { cell: row[product], printed, left, right, computed, fits: canMeet(computed, meant(printed)) }
}

/** Whole numbers in a product are counts. */
function exactCount(quantity: Quantity): Range {
  const { value, decimals } = quantity
  return decimals === 0 && value < 1_000 ? { low: value, high: value } : meant(quantity)
}

function faultOf(
  { cell, printed, left, right, computed }: Tried,
  names: { readonly first: string; readonly second: string },
): Fault {
  const expected = shown(middle(computed), printed.decimals ?? 0)
  const found = asPrinted(printed)
  return {
    offset: cell.offset,
    message: message('audit.product-column', {
      left: asPrinted(left),
      right: asPrinted(right),
      expected,
      found,
      ...names,
    }),
    found,
    expected,
  }
}
