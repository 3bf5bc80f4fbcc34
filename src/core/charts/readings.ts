import { shown } from './label.js'
import type { Drawing, PlacedPanel } from './layout.js'
import { type AxisScale, pixelAt } from './scale.js'
import type { ChartReading } from './shapes.js'

/** What is seen in a chart, as numbers: under a pointer, and as a table. */

/** How far from a place on the axis a point may lie to be read there, as a share of the axis. */
const NEAR = 0.02

/** Of each series the point nearest to a place on the x axis, or the range around it: what a crosshair shows. */
export function readingsAt({ readings, x: scale }: PlacedPanel, x: number): readonly ChartReading[] {
  const nearest = new Map<string, { readonly reading: ChartReading; readonly away: number }>()
  for (const reading of readings) {
    const away = distance(reading, x, scale)
    if (away > NEAR * (scale.range[1] - scale.range[0])) continue
    const other = nearest.get(reading.series)
    if (other === undefined || away < other.away) nearest.set(reading.series, { reading, away })
  }
  return [...nearest.values()].map(({ reading }) => reading)
}

/** In pixels. */
function distance({ x: from, until }: ChartReading, x: number, scale: AxisScale): number {
  if (typeof from === 'string') return Number.POSITIVE_INFINITY
  if (x >= from && x <= (until ?? from)) return 0
  return Math.abs(pixelAt(scale, x) - pixelAt(scale, x < from ? from : (until ?? from)))
}

/** Everything that is seen, one row per point or range. */
export function toCsv({ panels }: Drawing): string {
  const rows = panels.flatMap(({ title, readings }) =>
    readings.map(({ series, x, until, y, low, high }) => [title, series, x, until, y, low, high]),
  )
  return [['panel', 'series', 'x', 'until', 'value', 'low', 'high'], ...rows]
    .map(row => `${row.map(field).join(',')}\r\n`)
    .join('')
}

/** A name that begins like a formula would be run by a spreadsheet. */
function field(value: string | number | undefined): string {
  if (typeof value !== 'string') return String(value ?? '')
  const text = shown(value).replace(/^(?=[=+\-@])/, "'")
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
