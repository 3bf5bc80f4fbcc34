import { textWidth } from './label.js'

/** Labels beside points, where they cover neither each other nor the edge of the plot. Of those that fit, the one that covers least. */

export interface Labelled {
  readonly x: number
  readonly y: number
  readonly text: string
}

/** From a point to the text beside it, in pixels. */
const AWAY = 10

/** Several sides start at one place; one label is enough for equal words this close, in pixels. */
const SAME_PLACE = 14

/** Of a label beside its point: x is the left end of the text, y its middle. */
export interface PlacedLabel {
  readonly label: Labelled
  readonly x: number
  readonly y: number
  readonly wide: number
}

interface Room {
  readonly width: number
  readonly height: number
  readonly size: number
  /** What a label had better not cover. */
  readonly points: readonly { readonly x: number; readonly y: number }[]
}

export function placeLabels(
  labels: readonly Labelled[],
  { width, height, size, points }: Room,
): readonly PlacedLabel[] {
  const placed: PlacedLabel[] = []
  for (const [i, label] of labels.entries()) {
    const alike = labels
      .slice(0, i)
      .some(other => other.text === label.text && Math.hypot(other.x - label.x, other.y - label.y) < SAME_PLACE)
    if (alike) continue
    const wide = textWidth(label.text, size)
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

function covers(
  x: number,
  y: number,
  wide: number,
  size: number,
  point: { readonly x: number; readonly y: number },
): boolean {
  return point.x > x - 5 && point.x < x + wide + 5 && Math.abs(point.y - y) < size / 2 + 4
}

function overlap(x: number, width: number, otherX: number, otherWidth: number): boolean {
  return x < otherX + otherWidth + 4 && otherX < x + width + 4
}

/** Right, above, below, left, then further away above and below. */
function placesAround(
  { x, y }: Labelled,
  wide: number,
  size: number,
): readonly { readonly x: number; readonly y: number }[] {
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
