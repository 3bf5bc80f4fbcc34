import type { Measure } from './label.js'
import type { Type } from './theme.js'

/** Labels beside points, where they cover neither each other nor the edge of the plot. Of those that fit, the one that covers least. */

export interface Labelled extends Spot {
  readonly text: string
}

/** From a point to the text beside it, in pixels. */
const AWAY = 10

/** Several sides start at one place; one label is enough for equal words this close, in pixels. */
const SAME_PLACE = 14

/** Of a label beside its point: x is the left end of the text, y its middle. */
export interface PlacedLabel extends Spot {
  readonly label: Labelled
  readonly wide: number
}

interface Room {
  readonly width: number
  readonly height: number
  readonly type: Type
  readonly measure: Measure
  /** What a label had better not cover. */
  readonly points: readonly Spot[]
}

interface Spot {
  readonly x: number
  readonly y: number
}

export function placeLabels(
  labels: readonly Labelled[],
  { width, height, type, points, measure }: Room,
): readonly PlacedLabel[] {
  const { size } = type
  const placed: PlacedLabel[] = []
  for (const [i, label] of labels.entries()) {
    const alike = labels
      .slice(0, i)
      .some(other => other.text === label.text && Math.hypot(other.x - label.x, other.y - label.y) < SAME_PLACE)
    if (alike) continue
    const wide = measure(label.text, type)
    const free = placesAround(label, wide, size).filter(
      ({ x, y }) =>
        x >= 2 &&
        x + wide <= width - 2 &&
        y >= size / 2 &&
        y <= height - size / 2 &&
        !placed.some(other => overlap(x, wide, other.x, other.wide) && Math.abs(y - other.y) < size + 3) &&
        !labels.some(point => covers(x, y, wide, size, point)),
    )
    const covered = free.map(({ x, y }) => points.filter(point => covers(x, y, wide, size, point)).length)
    const best = free[covered.indexOf(Math.min(...covered))]
    if (best !== undefined) placed.push({ label, ...best, wide })
  }
  return placed
}

function covers(x: number, y: number, wide: number, size: number, spot: Spot): boolean {
  return spot.x > x - 5 && spot.x < x + wide + 5 && Math.abs(spot.y - y) < size / 2 + 4
}

function overlap(x: number, width: number, otherX: number, otherWidth: number): boolean {
  return x < otherX + otherWidth + 4 && otherX < x + width + 4
}

/** Right, above, below, left, then further away above and below. */
function placesAround({ x, y }: Spot, wide: number, size: number): readonly Spot[] {
  const lines = [1, 2, 3, 4, 5].flatMap(line => [-line, line])
  return [
    { x: x + AWAY, y },
    { x: x - wide / 2, y: y - AWAY - size / 2 },
    { x: x - wide / 2, y: y + AWAY + size / 2 },
    { x: x - wide - AWAY, y },
    ...lines.flatMap(line => [
      { x: x + AWAY, y: y + line * (size + 3) },
      { x: x - wide - AWAY, y: y + line * (size + 3) },
    ]),
  ]
}
