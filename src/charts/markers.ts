import type { Language } from '../text/language.js'
import { say } from '../text/say.js'
import type { ChartMarker, ChartSeries } from './chart.js'
import { disc, drawing, line, type Place, rect, type Shape, word } from './drawing.js'
import { type Box, EDGE, type FreeText, freeText } from './frame.js'
import { wrapped } from './label.js'
import { type Scale, stepText } from './scale.js'
import { colour, TEXT } from './theme.js'

/**
 * Findings on the step axis: a shaded range with a number above it, and what the number means below the plot. Sentences
 * inside a plot would lie over the data and over each other.
 */

const BADGE = 8
const ROW = 20
const KEY_LINE = 17

export interface PlacedMarker {
  readonly marker: ChartMarker
  readonly number: number
  /** Rows count upwards from the plot. */
  readonly row: number
  readonly x: number
}

/** Those within the axis, in order of their start; a badge that would lie on another goes one row up. */
export function placeMarkers(
  markers: readonly ChartMarker[],
  scale: Scale,
  box: Pick<Box, 'width'>,
): readonly PlacedMarker[] {
  const pixel = (step: number): number => ((clamped(step, scale) - scale.min) / (scale.max - scale.min)) * box.width
  const placed: PlacedMarker[] = []
  const visible = markers
    .filter(({ from, to }) => to >= scale.min && from <= scale.max)
    .toSorted((a, b) => a.from - b.from || a.to - b.to)
  visible.forEach((marker, i) => {
    const x = Math.min(Math.max(pixel(marker.from), BADGE), box.width - BADGE)
    let row = 0
    while (placed.some(other => other.row === row && Math.abs(other.x - x) < 2 * BADGE + 3)) row += 1
    placed.push({ marker, number: i + 1, row, x })
  })
  return placed
}

function clamped(step: number, { min, max }: Scale): number {
  return Math.min(Math.max(step, min), max)
}

/** Height to keep free above the plot. */
export function badgeRoom(placed: readonly PlacedMarker[]): number {
  return placed.length === 0 ? 0 : ROW * (1 + Math.max(...placed.map(({ row }) => row)))
}

export function markerSeries(
  placed: readonly PlacedMarker[],
  scale: Scale,
  { gridIndex = 0, badges = true }: { readonly gridIndex?: number; readonly badges?: boolean } = {},
): readonly ChartSeries[] {
  if (placed.length === 0) return []
  const shades = ({ at, box }: Place): readonly Shape[] =>
    placed.flatMap(({ marker }) => shade(marker, scale, step => at(step, 0)[0], box))
  const signs = ({ box }: Place): readonly Shape[] => placed.flatMap(one => badge(one, box))
  return [drawing(shades, { gridIndex, z: 0 }), ...(badges ? [drawing(signs, { gridIndex, z: 6, clip: false })] : [])]
}

function shade(
  { from, to, severity }: ChartMarker,
  scale: Scale,
  pixel: (step: number) => number,
  box: Place['box'],
): readonly Shape[] {
  const [left, right] = [pixel(clamped(from, scale)), pixel(clamped(to, scale))]
  const edge = { colour: colour(severity), width: 1, dash: [3, 3], opacity: 0.7 }
  const bottom = box.y + box.height
  const start = line([left, box.y], [left, bottom], edge)
  if (right - left < 1) return [start]
  const end = line([right, box.y], [right, bottom], edge)
  return [rect(left, box.y, right - left, box.height, { colour: colour(severity), opacity: 0.07 }), start, end]
}

/** Errors are full, warnings ringed, notes thinly ringed: the three differ without colour. */
function badge({ marker: { severity }, number, row, x }: PlacedMarker, box: Place['box']): readonly Shape[] {
  const centre = [box.x + x, box.y - ROW / 2 - row * ROW] as const
  return badgeShapes(centre, severity, number)
}

function badgeShapes(
  centre: readonly [number, number],
  severity: ChartMarker['severity'],
  number: number,
): readonly Shape[] {
  const full = severity === 'error'
  const ring = { colour: colour(severity), width: severity === 'note' ? 1 : 2 }
  return [
    disc(centre, BADGE, { colour: full ? colour(severity) : colour('paper') }, ring),
    word(centre, String(number), {
      size: number < 10 ? 11 : 9,
      bold: true,
      align: 'center',
      colour: full ? colour('paper') : colour(severity),
    }),
  ]
}

export interface MarkerKey {
  readonly texts: readonly FreeText[]
  readonly height: number
  /** The same badges again, at the left of each line. */
  readonly series: readonly ChartSeries[]
}

export function markerKey(placed: readonly PlacedMarker[], top: number, width: number, language: Language): MarkerKey {
  const texts: FreeText[] = []
  const signs: { readonly centre: readonly [number, number]; readonly placed: PlacedMarker }[] = []
  let y = top
  for (const one of placed) {
    const { from, to, label } = one.marker
    const steps = from === to ? stepText(from) : `${stepText(from)}–${stepText(to)}`
    const lines = wrapped(say(language, 'charts.marker', { steps, label }), width - 2 * EDGE - 24, TEXT.small, 3)
    signs.push({ centre: [EDGE + BADGE, y + 7], placed: one })
    for (const text of lines) {
      texts.push(freeText(EDGE + 24, y, text, { size: TEXT.small, colour: colour('ink') }))
      y += KEY_LINE
    }
    y += 4
  }
  const draw = (): readonly Shape[] =>
    signs.flatMap(({ centre, placed: { marker, number } }) => badgeShapes(centre, marker.severity, number))
  return { texts, height: y - top, series: signs.length === 0 ? [] : [drawing(draw, { z: 6, clip: false })] }
}
