import type { Chart, ChartFinding } from './chart.js'
import { type Block, EDGE, type Sheet } from './head.js'
import { wrapped } from './label.js'
import { clamped, pixelAt, type Scale, stepsText } from './scale.js'
import { type Area, lines, type Point, rect, type Shape, segment, text, texts } from './shapes.js'
import { TYPE } from './theme.js'
import { saying } from './words.js'

/**
 * Findings along training: a shaded range with a number above it, and what the number means below the plots. Sentences
 * inside a plot would lie over the data and over each other.
 */

/** A finding within the axis, and where its badge stands. */
export interface PlacedFinding {
  readonly finding: ChartFinding
  readonly number: number
  /** Rows count upwards from the plot. */
  readonly row: number
  readonly x: number
}

const BADGE = 16
const BADGE_ROW = 20

/** Numbered over the whole course, so that zooming changes no number; a badge that would lie on another goes one row up. */
export function placeFindings(findings: readonly ChartFinding[], scale: Scale): readonly PlacedFinding[] {
  const placed: PlacedFinding[] = []
  for (const [i, finding] of findings.toSorted((a, b) => a.from - b.from || a.to - b.to).entries()) {
    if (finding.to < scale.domain[0] || finding.from > scale.domain[1]) continue
    const x = clamped(pixelAt(scale, finding.from), scale.range[0] + BADGE / 2, scale.range[1] - BADGE / 2)
    let row = 0
    while (placed.some(other => other.row === row && Math.abs(other.x - x) < BADGE + 3)) row += 1
    placed.push({ finding, number: i + 1, row, x })
  }
  return placed
}

/** Height to keep free above a plot. */
export function badgeRoom(placed: readonly PlacedFinding[]): number {
  return placed.length === 0 ? 0 : BADGE_ROW * (1 + Math.max(...placed.map(({ row }) => row)))
}

export function findingShade({ finding }: PlacedFinding, scale: Scale, { y, height }: Area): readonly Shape[] {
  const { from, to, severity } = finding
  const [left, right] = [from, to].map(step => pixelAt(scale, clamped(step, ...scale.domain)))
  const ends = right - left < 1 ? [left] : [left, right]
  const edge = { colour: severity, width: 1, dash: [3, 3], opacity: 0.7 } as const
  return [
    ...(ends.length === 1 ? [] : [rect(left, y, right - left, height, { fill: { colour: severity, opacity: 0.07 } })]),
    ...lines(
      ends.map(x => segment(x, y, x, y + height)),
      edge,
    ),
  ]
}

export function findingBadge({ finding, number, row, x }: PlacedFinding, { y }: Area): readonly Shape[] {
  return badge([x, y - BADGE_ROW / 2 - row * BADGE_ROW], finding.severity, number)
}

/** Errors are full, warnings ringed, notes thinly ringed: the three differ without colour. */
function badge(centre: Point, severity: ChartFinding['severity'], number: number): readonly Shape[] {
  const full = severity === 'error'
  return [
    {
      kind: 'symbols',
      symbol: 'circle',
      size: BADGE,
      at: [centre],
      fill: { colour: full ? severity : 'paper' },
      stroke: { colour: severity, width: severity === 'note' ? 1 : 2 },
    },
    text(
      centre,
      String(number),
      { size: number < 10 ? 11 : 9, bold: true, colour: full ? 'paper' : severity },
      'middle',
    ),
  ]
}

const KEY_LINE = 17

/** What the numbers mean, below the plots. */
export function findingKey(
  placed: readonly PlacedFinding[],
  top: number,
  { width, measure, language }: Sheet & Pick<Chart, 'language'>,
): Block {
  const shapes: Shape[] = []
  let y = top + 11
  for (const { finding, number } of placed) {
    const steps = stepsText(finding.from, finding.to)
    const sentence = saying(language)('charts.marker', { steps, label: finding.label })
    const rows = wrapped(sentence, width - 2 * EDGE - 24, TYPE.small, 3, measure)
    shapes.push(
      ...badge([EDGE + BADGE / 2, y], finding.severity, number),
      ...texts([EDGE + 24, y], rows, KEY_LINE, TYPE.small),
    )
    y += rows.length * KEY_LINE + 4
  }
  return { shapes, bottom: placed.length === 0 ? top : y + 2 }
}
