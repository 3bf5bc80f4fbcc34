import type { Quantity } from '../../document/quantity.js'
import { canMeet, type Range } from '../../stats/rounding.js'
import { message } from '../../text/say.js'
import { asPrinted, meant, middle, shown } from '../change.js'
import type { AuditDocument, Statement, Table } from '../document.js'
import { columnsNamed, tableBefore } from '../nearby.js'
import { pairsIn } from '../pairs.js'
import type { AuditRule, Fault } from '../rule.js'
import { cellsIn, mainQuantity, viewOf } from '../table-view.js'

/**
 * "All within 4 %", "the two differ by about 3 %" over a table whose values are further apart. The largest and the
 * smallest are compared in the way that is kindest to the author. A sentence that names no column and is true of one of
 * them only gets a note.
 */
export const spreadExceeded: AuditRule = {
  id: 'spread-exceeded',
  kind: 'arithmetic',
  severity: 'error',
  example: {
    faulty:
      '| beta | KL |\n|---|---|\n| 0.1 | 0.0738 |\n| 0.2 | 0.0714 |\n| 0.3 | 0.0700 |\n\nAll KL values differ by less than 4 %.',
    sound:
      '| beta | KL |\n|---|---|\n| 0.1 | 0.0738 |\n| 0.2 | 0.0714 |\n| 0.3 | 0.0700 |\n\nAll KL values differ by less than 6 %.',
  },
  *check(document: AuditDocument) {
    for (const statement of document.statements) {
      if (statement.kind === 'code' || statement.kind === 'cell' || statement.kind === 'heading') continue
      const claimed = claimedSpread(statement)
      if (claimed === null || pairsIn(statement).length > 0) continue
      const table = tableBefore(document, statement)
      if (table !== null) yield* against(table, statement, claimed)
    }
  },
}

const DIFFER =
  /差异|差距|相差|差别|(?<![a-z])(?:differ(?:s|ences?|ing)?|spread|gap|apart|within|of each other|variation)(?![a-z])/i
/** A spread of one thing over time, or against something else, is no spread of a column. */
const OTHERWISE =
  /波动|相比|相对|提升|下降|上升|标准差|比.{1,16}[高低]|(?<![a-z])(?:(?:higher|lower|better|worse|faster|slower) than|over time|fluctuat\w*|std|between steps)(?![a-z])/i

function claimedSpread({ text, quantities }: Statement): Quantity | null {
  const [claimed, ...more] = quantities.filter(({ unit }) => unit === '%')
  if (claimed === undefined || more.length > 0 || claimed.signed || claimed.ends !== null) return null
  if (claimed.bound === 'above' || (claimed.bound === null && claimed.hedge === null)) return null
  return DIFFER.test(text) && !OTHERWISE.test(text) ? claimed : null
}

interface Spread {
  readonly column: number
  readonly lowest: Quantity
  readonly highest: Quantity
  /** In per cent of the smaller; what rounding allows. */
  readonly ofLowest: Range
  readonly ofHighest: Range
}

function* against(table: Table, statement: Statement, claimed: Quantity): Generator<Fault> {
  const named = columnsNamed(table, statement.text)
  if (named.length === 1) {
    const spread = spreadOf(table, named[0], statement)
    if (spread !== null && !holds(spread, claimed, statement.text)) yield faultAt(table, statement, claimed, spread)
    return
  }
  if (named.length > 1 || table.rows.length !== 2) return
  const spreads = viewOf(table).roles.flatMap((role, column) =>
    role === 'value' ? (spreadOf(table, column, statement) ?? []) : [],
  )
  const broken = spreads.filter(
    spread => !holds(spread, claimed, statement.text) && middle(spread.ofHighest) > claimed.value,
  )
  if (broken.length === 0 || broken.length === spreads.length) return
  const worst = broken.reduce((a, b) => (middle(b.ofHighest) > middle(a.ofHighest) ? b : a))
  yield { ...faultAt(table, statement, claimed, worst), severity: 'note' }
}

/** Of the rows that the sentence names, where it names several; else of all. */
function spreadOf(table: Table, column: number, { text }: Statement): Spread | null {
  const named = table.rows.filter(([label]) => label.text.length >= 2 && text.includes(label.text))
  const cells = cellsIn(table, column).filter(({ row }) => named.length < 2 || named.includes(table.rows[row]))
  const values = cells.flatMap(cell => {
    const quantity = cell.pending ? null : mainQuantity(cell)
    return quantity === null || quantity.ends !== null || quantity.value <= 0 ? [] : [quantity]
  })
  if (values.length < 2 || values.some(({ unit }) => unit !== values[0].unit)) return null
  const lowest = values.reduce((a, b) => (b.value < a.value ? b : a))
  const highest = values.reduce((a, b) => (b.value > a.value ? b : a))
  const [low, high] = [meant(lowest), meant(highest)]
  if (low.low <= 0 || lowest.value === highest.value) return null
  const ratio = { low: high.low / low.high, high: high.high / low.low }
  return {
    column,
    lowest,
    highest,
    ofLowest: { low: 100 * (ratio.low - 1), high: 100 * (ratio.high - 1) },
    ofHighest: { low: 100 * (1 - 1 / ratio.low), high: 100 * (1 - 1 / ratio.high) },
  }
}

/** Within so much of a middle: twice as far from each other. */
const AROUND = /±|上下|偏离|(?<![a-z])(?:within|deviat\w*|of the mean|around)(?![a-z])/i

function holds({ ofLowest, ofHighest }: Spread, claimed: Quantity, text: string): boolean {
  const share = AROUND.test(text) && !/of each other|彼此|之间/i.test(text) ? 0.5 : 1
  if (claimed.bound === 'below') return share * ofHighest.low <= meant(claimed).high
  const half = { low: share * ofHighest.low, high: share * ofLowest.high }
  return [ofLowest, ofHighest, half].some(reading => canMeet(reading, meant(claimed)))
}

function faultAt(table: Table, statement: Statement, claimed: Quantity, spread: Spread): Fault {
  const expected = shown(middle(spread.ofLowest), 1)
  const figures = {
    column: table.header[spread.column].text,
    lowest: asPrinted(spread.lowest),
    highest: asPrinted(spread.highest),
    expected,
    found: asPrinted(claimed),
  }
  return {
    offset: statement.offsetOf(claimed.from),
    message:
      claimed.bound === null ? message('audit.spread-differs', figures) : message('audit.spread-exceeded', figures),
    found: `${asPrinted(claimed)}%`,
    expected: `${expected}%`,
  }
}
