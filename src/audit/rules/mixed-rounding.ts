import { message } from '../../text/say.js'
import { type AggregateCell, aggregatesIn, plainAggregate } from '../aggregates.js'
import { asPrinted, shown } from '../change.js'
import { differenceColumns } from '../difference-readings.js'
import type { AuditDocument } from '../document.js'
import type { AuditRule, Fault } from '../rule.js'
import { type TableView, viewOf } from '../table-view.js'

/**
 * A mean that is printed with fewer digits than the others, and a difference that was taken from the rounded number: each
 * figure is right by itself, and the comparison is not.
 */
export const mixedRounding: AuditRule = {
  id: 'mixed-rounding',
  kind: 'arithmetic',
  severity: 'warning',
  example: {
    faulty:
      '| beta | s1 | s2 | mean | vs 0.2 |\n|---|---|---|---|---|\n| 0.1 | 57.0 | 56.1 | 56.55 | +0.35 |\n| 0.2 | 58.1 | 54.2 | 56.2 | - |\n| 0.3 | 57.2 | 56.3 | 56.75 | +0.55 |',
    sound:
      '| beta | s1 | s2 | mean | vs 0.2 |\n|---|---|---|---|---|\n| 0.1 | 57.0 | 56.1 | 56.55 | +0.40 |\n| 0.2 | 58.1 | 54.2 | 56.15 | - |\n| 0.3 | 57.2 | 56.3 | 56.75 | +0.60 |',
  },
  *check({ tables }: AuditDocument) {
    for (const table of tables) yield* inTable(viewOf(table))
  },
}

function* inTable(view: TableView): Generator<Fault> {
  for (const { kind, cells, right, wrong } of aggregatesIn(view)) {
    if (kind !== 'mean' || right < 2 || wrong >= right) continue
    const usual = usualDecimals(cells)
    for (const cell of cells) {
      const decimals = cell.printed.decimals ?? 0
      if (!cell.fits || decimals >= usual) continue
      const mean = plainAggregate('mean', cell.parts)
      if (Math.abs(mean - cell.printed.value) < 0.5 * 10 ** -usual) continue
      yield* distorted(view, cells, cell, usual)
    }
  }
}

/** The number of digits that most cells have. */
function usualDecimals(cells: readonly AggregateCell[]): number {
  const counts = new Map<number, number>()
  for (const { printed } of cells) counts.set(printed.decimals ?? 0, (counts.get(printed.decimals ?? 0) ?? 0) + 1)
  return [...counts].toSorted((a, b) => b[1] - a[1] || b[0] - a[0])[0]?.[0] ?? 0
}

/** The first difference that would come out otherwise with all digits. */
function* distorted(
  view: TableView,
  cells: readonly AggregateCell[],
  coarse: AggregateCell,
  usual: number,
): Generator<Fault> {
  const digits = coarse.parts.reduce((most, { decimals }) => Math.max(most, decimals ?? 0), 0) + 2
  const mean = shown(plainAggregate('mean', coarse.parts), digits).replace(/0$/, '')
  for (const { rows } of differenceColumns(view)) {
    for (const { printed, start, end, fit } of rows) {
      if ((start !== coarse.printed && end !== coarse.printed) || (fit !== 'points' && fit !== 'difference')) continue
      const exact = (quantity: typeof start): number => {
        const own = cells.find(cell => cell.printed === quantity)
        return own === undefined ? quantity.value : plainAggregate('mean', own.parts)
      }
      const gap = exact(end) - exact(start)
      const unit = 10 ** -Math.max(usual, printed.decimals ?? 0)
      if (Math.abs(Math.abs(gap) - Math.abs(printed.value)) < 0.5 * unit) continue
      const expected = shown(gap, Math.max(usual, printed.decimals ?? 0) + 1, { sign: true })
      const found = asPrinted(coarse.printed)
      yield {
        offset: coarse.cell.offset,
        message: message('audit.mixed-rounding', { found, mean, usual, gap: asPrinted(printed), expected }),
        found,
        expected: mean,
      }
      return
    }
  }
}
