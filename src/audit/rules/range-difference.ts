import type { Quantity } from '../../document/quantity.js'
import { canMeet, printedRange, type Range } from '../../stats/rounding.js'
import { message } from '../../text/say.js'
import { shown } from '../change.js'
import type { AuditDocument, Statement, Table } from '../document.js'
import { isNamedIn, tableBefore } from '../nearby.js'
import { isCalledChange } from '../pairs.js'
import type { AuditRule, Fault } from '../rule.js'

/**
 * The difference of two ranges: from 193-205 s to 205-220 s is +12 to +15 s. If every single difference were within
 * +15-20, so would be that of the lower ends and that of the upper ends; where one is not, the range is wrong.
 */
export const rangeDifference: AuditRule = {
  id: 'range-difference',
  kind: 'arithmetic',
  severity: 'error',
  example: {
    faulty: '| | A | B |\n|---|---|---|\n| step time | 193-205 s | 205-220 s |\n\nThe step time is longer (+15-20 s).',
    sound: '| | A | B |\n|---|---|---|\n| step time | 193-205 s | 205-220 s |\n\nThe step time is longer (+12-15 s).',
  },
  *check(document: AuditDocument) {
    for (const statement of document.statements) {
      if (statement.kind === 'code' || statement.kind === 'cell') continue
      for (const said of statement.quantities) {
        if (said.ends === null || !(said.signed || isCalledChange(statement.text, said))) continue
        const sides = inSentence(statement, said) ?? inTable(tableBefore(document, statement), statement.text, said)
        if (sides !== null) yield* wrong(sides, said, statement.offsetOf(said.from))
      }
    }
  },
}

interface Sides {
  readonly first: Quantity
  readonly second: Quantity
}

/** "193-205 s → 205-220 s (+15-20 s)". */
function inSentence({ text, quantities }: Statement, said: Quantity): Sides | null {
  const at = quantities.indexOf(said)
  const [first, second] = quantities.slice(Math.max(0, at - 2), at)
  if (first === undefined || second === undefined) return null
  if (!/^[^,;。]{0,20}(?:→|->|vs\.?|to|到|升至|降至)\s?[^,;。\d]{0,12}$/i.test(text.slice(first.to, second.from)))
    return null
  return comparable(first, second, said) ? { first, second } : null
}

function inTable(table: Table | null, text: string, said: Quantity): Sides | null {
  for (const cells of table?.rows ?? []) {
    if (!isNamedIn(cells[0].text, text)) continue
    const ranges = cells.slice(1).flatMap(({ quantities }) => quantities.filter(({ ends }) => ends !== null))
    const [first, second] = ranges
    if (ranges.length === 2 && comparable(first, second, said)) return { first, second }
  }
  return null
}

function comparable(first: Quantity, second: Quantity, said: Quantity): boolean {
  return first.ends !== null && second.ends !== null && first.unit === second.unit && said.unit === first.unit
}

function* wrong({ first, second }: Sides, said: Quantity, offset: number): Generator<Fault> {
  if (first.ends === null || second.ends === null || said.ends === null) return
  const [low, high] = [second.ends[0] - first.ends[0], second.ends[1] - first.ends[1]]
  const sign = low + high < 0 && said.ends[0] >= 0 && !said.signed ? -1 : 1
  const claimed: Range = { low: Math.min(...said.ends), high: Math.max(...said.ends) }
  const digits = Math.min(first.decimals ?? 0, second.decimals ?? 0)
  // Two printed ends are subtracted, so each difference is uncertain by a whole unit of the last digit.
  const possible = [low, high].map(difference => printedRange(sign * difference, digits)).map(widened)
  const whole = { low: second.ends[0] - first.ends[1], high: second.ends[1] - first.ends[0] }
  const isWhole = canMeet(widened(printedRange(whole.low, digits)), printedRange(claimed.low, said.decimals ?? 0))
  if (possible.every(range => canMeet(range, claimed)) || isWhole) return
  const expected = [low, high].map(value => shown(value, digits, { sign: true })).join(' … ')
  const ends = ({ ends, decimals }: Quantity): string => (ends ?? []).map(end => shown(end, decimals ?? 0)).join('-')
  const found = `${said.signed && said.value > 0 ? '+' : ''}${ends(said)}`
  yield {
    offset,
    message: message('audit.range-difference', { first: ends(first), second: ends(second), expected, found }),
    found,
    expected,
    ...(first.hedge === null && second.hedge === null && said.hedge === null ? {} : { severity: 'warning' }),
  }
}

function widened({ low, high }: Range): Range {
  const half = (high - low) / 2
  return { low: low - half, high: high + half }
}
