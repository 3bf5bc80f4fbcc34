import type { Above } from './binding.js'
import { agrees, type PrintedFigure, scaleOf } from './figure.js'
import type { Address, Log, LogRun } from './log.js'
import type { TableAxis, TableCell } from './table-axes.js'

/** Under whatever name a report prints a run: three figures in four at their steps are its figures. */
export function fittedColumns(
  log: Log,
  above: Above,
  cells: readonly TableCell[],
): readonly (readonly [TableAxis, LogRun])[] {
  const stepped = cells.filter(
    ({ row, column, figure }) =>
      row.runs === null &&
      column.runs === null &&
      row.seed === null &&
      !column.isChange &&
      above.runs.length === 0 &&
      significant(figure.quantity) >= 3 &&
      row.parts.some(({ word }) => word === 'at'),
  )
  return [...new Set(stepped.map(({ column }) => column))].flatMap(column => {
    const own = stepped.filter(one => one.column === column)
    const scored = log.runs.flatMap(run =>
      [...log.metrics.values()]
        .filter(({ isValidation }) => isValidation)
        .map(metric => ({
          run,
          fits: own.filter(({ row, figure }) => {
            const step = row.parts.find(({ word }) => word === 'at')?.steps?.[0] ?? 0
            const address: Address = { runs: [run], metric: metric.name, part: { kind: 'at', step }, across: null }
            return log
              .at(address)
              .some(({ value }) => agrees(figure.quantity, value * scaleOf(figure.quantity, metric)))
          }).length,
        })),
    )
    const best = scored.reduce((a, b) => (b.fits > a.fits ? b : a), { run: log.runs[0], fits: 0 })
    return best.run !== undefined && best.fits >= 3 && best.fits >= 0.75 * own.length
      ? [[column, best.run] as const]
      : []
  })
}

export const significant = ({ value, decimals }: PrintedFigure['quantity']): number =>
  Math.abs(value)
    .toFixed(Math.min(12, Math.max(0, decimals)))
    .replace(/^0*\.?0*|\./g, '').length
