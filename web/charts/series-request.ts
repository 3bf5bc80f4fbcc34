import type { Extent, ProgressUnit } from '../../src/charts/chart.js'
import { viewIn } from './lines.js'

/** What panels ask for: as many ranges as they have pixels, along the axis and in the window that the address names. */

export const UNITS: readonly ProgressUnit[] = ['steps', 'seconds', 'tokens', 'samples']

/** Ranges of a series: one for each pixel or two of a panel, and fewer where there are many series. */
const LEAST = 100
const MOST = 600
const IN_ALL = 8000

export interface Axis {
  readonly along: ProgressUnit
  readonly view: Extent | undefined
}

export function axisIn(query: URLSearchParams): Axis {
  return { along: UNITS.find(unit => unit === query.get('along')) ?? 'steps', view: viewIn(query.get('x')) }
}

export function seriesRequest(runs: readonly string[], metrics: readonly string[], { along, view }: Axis) {
  const wide = metrics.length > 2 ? MOST : 2 * MOST
  return {
    runs,
    metric: metrics,
    along,
    most: Math.max(LEAST, Math.min(wide, Math.floor(IN_ALL / (runs.length * metrics.length || 1)))),
    ...(view && { from: view[0], to: view[1] }),
  }
}
