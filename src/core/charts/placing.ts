import type { ChartSeries, CurveMark, PathMark, PointsMark } from './chart.js'
import type { PlottedPoint } from './envelope.js'
import { visible } from './extent.js'
import { type AxisScale, clamped, pixelAt } from './scale.js'
import type { Beyond, DrawnMark, PanelFrame, PixelPoint } from './shapes.js'

/** Where values lie on a panel: their pixels, what is seen of a line, and what lies beyond the axes. */

export const NOTHING: DrawnMark = { layers: {}, readings: [], beyond: [], gaps: false, ranged: 0 }

/** No line needs to run further than this out of the picture. */
const FAR = 1e5

export function at({ x, y }: PanelFrame, across: number, up: number): PixelPoint {
  return [clamped(pixelAt(x, across), -FAR, FAR), clamped(pixelAt(y, up), -FAR, FAR)]
}

/** What is not positive is inside powers of ten where their foot has a tick for it. */
export function isInside({ domain, kind, ticks }: AxisScale, value: number): boolean {
  if (kind === 'log' && value <= 0) return ticks[0]?.value === 0
  const slack = (domain[1] - domain[0]) * 1e-9
  return value >= domain[0] - slack && value <= domain[1] + slack
}

export function isShown({ x, y }: PanelFrame, point: PlottedPoint): boolean {
  return isInside(x, point.x) && isInside(y, point.y)
}

/** What is seen of a line; powers of ten reach neither zero nor anything below it, which leaves gaps. */
export function placed({ x, y }: ChartSeries, place: PanelFrame): ChartSeries {
  const seen = visible({ x, y }, place.view)
  return place.y.kind === 'log' ? { x: seen.x, y: seen.y.map(value => (Number(value) > 0 ? value : null)) } : seen
}

export type Segments = readonly (readonly PlottedPoint[])[]

export function polylines(segments: Segments, place: PanelFrame): readonly (readonly PixelPoint[])[] {
  return segments.filter(({ length }) => length > 1).map(points => points.map(({ x, y }) => at(place, x, y)))
}

/** From the edge to the mark for what lies beyond it, in pixels. */
const INSET = 4

export function beyondOf(
  mark: CurveMark | PathMark | PointsMark,
  place: PanelFrame,
  { x, y }: PlottedPoint,
): readonly Beyond[] {
  const { area } = place
  const isAcross = isInside(place.x, x)
  // Outside of a window along training lies what the reader has chosen not to see.
  if (isShown(place, { x, y }) || (!isAcross && mark.kind !== 'path')) return []
  const isUp = isInside(place.y, y)
  const [left, top] = at(place, x, y)
  return [
    {
      edge: isUp ? (x > place.x.domain[1] ? 'right' : 'left') : y > place.y.domain[1] ? 'up' : 'down',
      at: [
        clamped(left, area.x + INSET, area.x + area.width - INSET),
        clamped(top, area.y + INSET, area.y + area.height - INSET),
      ],
      value: isUp ? x : y,
      style: mark.style,
    },
  ]
}
