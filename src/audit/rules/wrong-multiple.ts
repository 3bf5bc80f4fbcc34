import type { Quantity } from '../../document/quantity.js'
import { message } from '../../text/say.js'
import { asPrinted, canBe, middle, multipleOf, shown } from '../change.js'
import type { AuditDocument } from '../document.js'
import { pairsIn } from '../pairs.js'
import type { AuditRule, Fault } from '../rule.js'
import { isDifferenceHeader, mainQuantity, type TableView, viewOf } from '../table-view.js'

/**
 * "10 times" for two numbers that are not ten times apart. "Raised by 10 times" is taken as tenfold or elevenfold, since
 * writers mean either.
 */
export const wrongMultiple: AuditRule = {
  id: 'wrong-multiple',
  kind: 'arithmetic',
  severity: 'error',
  example: {
    faulty: 'The learning rate went from 5e-6 to 5e-5 (100 times).',
    sound: 'The learning rate went from 5e-6 to 5e-5 (10 times).',
  },
  *check({ statements, tables }: AuditDocument) {
    for (const statement of statements) {
      if (statement.kind === 'code') continue
      for (const { first, second, said } of pairsIn(statement)) {
        for (const printed of said) yield* wrong(first, second, printed, statement.offsetOf(printed.from))
      }
    }
    for (const table of tables) yield* inTable(viewOf(table))
  },
}

function* inTable({ table, roles }: TableView): Generator<Fault> {
  const values = roles.flatMap((role, column) => (role === 'value' ? [column] : []))
  const column = table.header.findIndex(({ text }, at) => at > 0 && isDifferenceHeader(text))
  if (column < 0 || values.length !== 2) return
  for (const cells of table.rows) {
    const [first, second] = values.map(at => mainQuantity(cells[at]))
    const printed = cells[column].quantities.find(({ unit }) => unit === 'times')
    if (first !== null && second !== null && printed !== undefined) {
      yield* wrong(first, second, printed, cells[column].offset)
    }
  }
}

function* wrong(first: Quantity, second: Quantity, printed: Quantity, offset: number): Generator<Fault> {
  if (printed.unit !== 'times' || printed.ends !== null || first.unit !== second.unit) return
  if ([first, second].some(({ ends, bound }) => ends !== null || bound !== null)) return
  const ratios = [multipleOf(first, second), multipleOf(second, first)].filter(ratio => ratio !== null)
  if (ratios.length < 2) return
  const readings = ratios.flatMap(({ low, high }) => [
    { low, high },
    { low: low - 1, high: high - 1 },
  ])
  if (readings.some(reading => canBe(printed, reading))) return
  const larger = ratios.map(middle).reduce((a, b) => Math.max(a, b))
  const expected = shown(larger, larger < 10 ? Math.max(1, printed.decimals ?? 0) : (printed.decimals ?? 0))
  yield {
    offset,
    message: message('audit.wrong-multiple', {
      first: asPrinted(first),
      second: asPrinted(second),
      expected,
      found: asPrinted(printed),
    }),
    found: asPrinted(printed),
    expected,
  }
}
