import { COUNT, countOf } from '../../document/numerals.js'
import type { Quantity } from '../../document/quantity.js'
import { canMeet } from '../../stats/rounding.js'
import { message } from '../../text/say.js'
import { type AggregateCell, type AggregateKind, aggregateOf, aggregatesIn, plainAggregate } from '../aggregates.js'
import { asPrinted, meant, shown } from '../change.js'
import type { AuditDocument, Statement } from '../document.js'
import { tableBefore } from '../nearby.js'
import type { AuditRule, Fault } from '../rule.js'
import { mainQuantity, viewOf } from '../table-view.js'

/**
 * A mean or total that its values do not have: in a column over the row, in a row under the column, in a sentence behind
 * a list of numbers. Where most of a column's means are right, one that is not is wrong; where none is, it may be a
 * weighted mean, unless it lies outside its values.
 */
export const wrongMean: AuditRule = {
  id: 'wrong-mean',
  kind: 'arithmetic',
  severity: 'error',
  example: {
    faulty: 'Three seeds gave 0.71, 0.73, 0.75 (mean 0.76).',
    sound: 'Three seeds gave 0.71, 0.73, 0.75 (mean 0.73).',
  },
  *check(document: AuditDocument) {
    const { tables, statements } = document
    for (const table of tables) {
      for (const { kind, cells, right, wrong } of aggregatesIn(viewOf(table))) {
        const isTrusted = right >= (kind === 'sum' ? 2 : 1) && right >= wrong
        for (const one of cells) {
          if (one.fits) continue
          if (isTrusted) yield faultAt(kind, one.parts, one.printed, one.cell.offset)
          else if (right === 0 && kind === 'mean' && cells.length <= FEW_CELLS) {
            yield { ...faultAt(kind, one.parts, one.printed, one.cell.offset), severity: alone(one) }
          }
        }
      }
    }
    for (const statement of statements) {
      yield* inSentence(statement)
      yield* ofColumn(document, statement)
    }
  },
}

const FEW_CELLS = 2

function alone({ parts, printed }: AggregateCell): 'error' | 'warning' {
  const { low, high } = meant(printed)
  const isOutside = parts.every(part => meant(part).high < low) || parts.every(part => meant(part).low > high)
  return isOutside ? 'error' : 'warning'
}

const SEPARATOR = /^\s?(?:[,、/;|]|,? and|和|与)\s?(?:and )?$/i
const CALLED: Record<AggregateKind, RegExp> = {
  mean: /^[\s(),:;=→*%]*(?:平均值?|均值|(?:the |a )?(?:mean|average|avg\.?)(?![a-z]))(?: of| is|为|是|:|=|\s)*$/i,
  sum: /^[\s(),:;=→*]*(?:合计|总计|总和|共计|(?:a )?(?:total|sum)(?![a-z]))(?: of| is|为|是|:|=|\s)*$/i,
}
const CALLED_BEFORE = /(?:平均值?|均值|(?<![a-z])(?:mean|average|avg\.?))(?: of| is|为|是|:|=|\s)*$/i
const FEWEST_NUMBERS = 3
const MOST_NUMBERS = 40

/** "57.0, 56.1, 55.1 (mean 56.1)", "mean 56.1 (57.0, 56.1, 55.1)". */
function* inSentence({ kind, text, quantities, offsetOf }: Statement): Generator<Fault> {
  if (kind === 'code' || kind === 'cell' || quantities.length > MOST_NUMBERS) return
  for (let start = 0; start < quantities.length; ) {
    let end = start + 1
    while (end < quantities.length && SEPARATOR.test(text.slice(quantities[end - 1].to, quantities[end].from))) end += 1
    const parts = quantities.slice(start, end)
    if (parts.length >= FEWEST_NUMBERS && parts.every(part => isPart(part, parts[0]))) {
      const behind = quantities[end]
      const before = quantities[start - 1]
      if (behind !== undefined) {
        const gap = text.slice(parts[parts.length - 1].to, behind.from)
        if (CALLED.mean.test(gap)) yield* checked('mean', parts, behind, offsetOf(behind.from))
        else if (CALLED.sum.test(gap)) yield* checked('sum', parts, behind, offsetOf(behind.from))
      }
      if (before !== undefined && /^\s?\(\s?$/.test(text.slice(before.to, parts[0].from))) {
        const isMean = CALLED_BEFORE.test(text.slice(Math.max(0, before.from - 16), before.from))
        if (isMean) yield* checked('mean', parts, before, offsetOf(before.from))
      }
    }
    start = end
  }
}

function isPart({ unit, ends, bound }: Quantity, first: Quantity): boolean {
  return unit === first.unit && ends === null && bound === null
}

function* checked(
  kind: AggregateKind,
  parts: readonly Quantity[],
  printed: Quantity,
  offset: number,
): Generator<Fault> {
  const isSame = printed.unit === null || parts[0].unit === null || printed.unit === parts[0].unit
  if (printed.ends !== null || !isSame || printed.bound !== null) return
  if (!canMeet(aggregateOf(kind, parts), meant(printed))) yield faultAt(kind, parts, printed, offset)
}

const OVER_ROWS = new RegExp(
  String.raw`(?<![a-z])(?:mean|average)(?![a-z])[^,;]{0,40}?(?:over|of|across) (?:the |all )(${COUNT}) |(${COUNT})\s?[个组对项]\s?[^,;。\d]{0,12}的?平均`,
  'i',
)

/** "The mean gain over the three pairs is 5.9": the one column of the table before whose values lie around it. */
function* ofColumn(document: AuditDocument, statement: Statement): Generator<Fault> {
  const { kind, text, quantities, offsetOf } = statement
  if (kind === 'code' || kind === 'cell') return
  const found = OVER_ROWS.exec(text.slice(0, 400))
  const count = found === null ? null : countOf(found[1] ?? found[2])
  const printed = quantities.filter(({ decimals }) => (decimals ?? 0) > 0)
  const table = found === null ? null : tableBefore(document, statement)
  if (count === null || printed.length !== 1 || table === null) return
  const [only] = printed
  if (only.ends !== null || only.bound !== null || only.hedge !== null || only.plusMinus) return
  const columns = table.header.flatMap((_, column) => {
    const parts = table.rows.flatMap(row => (row[column].pending ? [] : (mainQuantity(row[column]) ?? [])))
    return column === 0 || parts.length !== count || parts.some(({ ends }) => ends !== null) ? [] : [parts]
  })
  if (columns.some(parts => canMeet(aggregateOf('mean', parts), meant(only)))) return
  const around = columns.filter(parts => {
    const values = parts.map(({ value }) => value)
    return only.value >= Math.min(...values) && only.value <= Math.max(...values)
  })
  if (around.length === 1) yield faultAt('mean', around[0], only, offsetOf(only.from))
}

/** More numbers than these are not listed in the message. */
const MOST_LISTED = 6

function faultAt(kind: AggregateKind, parts: readonly Quantity[], printed: Quantity, offset: number): Fault {
  const digits = parts.reduce((most, { decimals }) => Math.max(most, decimals ?? 0), printed.decimals ?? 0)
  const expected = shown(plainAggregate(kind, parts), digits)
  const found = asPrinted(printed)
  const listed = parts.slice(0, MOST_LISTED).map(asPrinted).join(', ') + (parts.length > MOST_LISTED ? ', …' : '')
  const figures = { parts: listed, expected, found }
  return {
    offset,
    message: kind === 'mean' ? message('audit.wrong-mean', figures) : message('audit.wrong-total', figures),
    found,
    expected,
  }
}
