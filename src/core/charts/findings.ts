import type { Chart, ChartFinding, ProgressUnit } from './chart.js'
import { EDGE, type HeadRoom, type PlacedBlock } from './head.js'
import { wrapped } from './label.js'
import { type AxisScale, clamped, pixelAt, progressSpan } from './scale.js'
import { type Area, lines, type PixelPoint, rect, type Shape, segment, text, texts } from './shapes.js'
import { TYPE } from './theme.js'
import { saying } from './words.js'

/**
 * Findings along training: above the plots a numbered badge where each begins and a line as far as it lasts, below them
 * what the number means. Sentences inside a plot would lie over the data and over each other.
 */

/** A finding within the axis, and where its badge and its line stand. */
export interface PlacedFinding {
  readonly finding: ChartFinding
  readonly number: number
  /** Rows count upwards from the plot. */
  readonly row: number
  readonly x: number
  readonly until: number
}

const BADGE = 16
const BADGE_ROW = 20

/** Numbered over the whole course, so that zooming changes no number; one that would lie on another goes one row up. */
export function placeFindings(findings: readonly ChartFinding[], scale: AxisScale): readonly PlacedFinding[] {
  const placed: PlacedFinding[] = []
  for (const [i, finding] of findings.toSorted((a, b) => a.from - b.from || a.to - b.to).entries()) {
    if (finding.to < scale.domain[0] || finding.from > scale.domain[1]) continue
    const [from, to] = [finding.from, finding.to].map(step => pixelAt(scale, clamped(step, ...scale.domain)))
    const x = clamped(from, scale.range[0] + BADGE / 2, scale.range[1] - BADGE / 2)
    let row = 0
    while (placed.some(other => other.row === row && other.until + BADGE / 2 + 3 > x - BADGE / 2)) row += 1
    placed.push({ finding, number: i + 1, row, x, until: Math.max(to, x) })
  }
  return placed
}

/** Height to keep free above a plot. */
export function badgeRoom(placed: readonly PlacedFinding[]): number {
  return placed.length === 0 ? 0 : 4 + BADGE_ROW * (1 + Math.max(...placed.map(({ row }) => row)))
}

/** Through the plot: where each begins and ends, and one shade for all; over nearly everything it would say nothing. */
export function findingShades(
  findings: readonly PlacedFinding[],
  scale: AxisScale,
  { y, height }: Area,
): readonly Shape[] {
  const spans = findings.map(({ finding }) =>
    [finding.from, finding.to].map(step => pixelAt(scale, clamped(step, ...scale.domain))),
  )
  const shades: number[][] = []
  for (const [from, to] of spans) {
    const last = shades.at(-1)
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to)
    else shades.push([from, to])
  }
  const isEverywhere = shades.reduce((sum, [from, to]) => sum + to - from, 0) > 0.9 * (scale.range[1] - scale.range[0])
  return [
    ...(isEverywhere ? [] : shades).map(([from, to]) =>
      rect(from, y, to - from, height, { fill: { colour: 'shade', opacity: 0.16 } }),
    ),
    ...spans.flatMap((ends, i) =>
      lines(
        [...new Set(ends)].map(x => segment(x, y, x, y + height)),
        { colour: findings[i].finding.severity, width: 1, dash: [3, 3], opacity: 0.7 },
      ),
    ),
  ]
}

export function findingBadge({ finding, number, row, x, until }: PlacedFinding, { y }: Area): readonly Shape[] {
  const middle = y - 4 - BADGE_ROW / 2 - row * BADGE_ROW
  const line = until > x ? [segment(x, middle, until, middle)] : []
  return [
    ...lines(line, { colour: finding.severity, width: 2, opacity: 0.6 }),
    ...badge([x, middle], finding.severity, number),
  ]
}

/** Errors are full, warnings ringed, notes thinly ringed: the three differ without colour. */
function badge(centre: PixelPoint, severity: ChartFinding['severity'], number: number): readonly Shape[] {
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
  { width, measure, language, unit }: HeadRoom & Pick<Chart, 'language'> & { readonly unit: ProgressUnit },
): PlacedBlock {
  const say = saying(language)
  const shapes: Shape[] = []
  let y = top + 11
  for (const { finding, number } of placed) {
    const at = progressSpan(finding.from, finding.to, unit)
    const sentence = say('charts.finding', { axis: say(`charts.axis.${unit}`, {}), at, label: finding.label })
    const rows = wrapped(sentence, width - 2 * EDGE - 24, TYPE.small, 3, measure)
    shapes.push(
      ...badge([EDGE + BADGE / 2, y], finding.severity, number),
      ...texts([EDGE + 24, y], rows, KEY_LINE, TYPE.small),
    )
    y += rows.length * KEY_LINE + 4
  }
  return { shapes, bottom: placed.length === 0 ? top : y + 2 }
}
