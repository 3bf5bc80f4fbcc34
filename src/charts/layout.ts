import { axes } from './axes.js'
import type { Chart, Extent, Mark, Panel, ProgressUnit, Series } from './chart.js'
import type { Beyond, Drawn, Place, Reading } from './drawn.js'
import { isDense, stretchSize } from './envelope.js'
import { visible } from './extent.js'
import { findingBadge, findingKey, findingShades, type PlacedFinding, placeFindings } from './findings.js'
import { head, legendOf } from './head.js'
import { fitted, type Measure, textWidth } from './label.js'
import { draw, pathLabels } from './marks.js'
import { beyondNotes, layoutNotes } from './notes.js'
import type { Scale } from './scale.js'
import { type Area, type Shape, symbols, text } from './shapes.js'
import { NOTE_ROOM, type Sheet, sheetOf, TITLE_ROOM } from './sheet.js'
import { lookOf, TYPE } from './theme.js'
import { joined } from './words.js'

/**
 * From what a chart shows to shapes in pixels, for one width and one window along training. It needs no browser: text is
 * measured by a table unless a better measure is given. Nothing is sampled: where points outnumber pixels, ranges are
 * drawn, and the notes under the title say so.
 */

export interface LayoutOptions {
  /** Pixels. A matrix with many columns gets wider. */
  readonly width?: number
  readonly measure?: Measure
  /** The part of the progress axis to show; all of it unless given. */
  readonly view?: Extent
}

export interface Drawing {
  readonly width: number
  readonly height: number
  readonly description: string
  readonly shapes: readonly Shape[]
  readonly panels: readonly PlacedPanel[]
}

/** Where a panel lies, how its pixels and values belong together, and the numbers that are seen in it. */
export interface PlacedPanel {
  readonly title: string
  readonly area: Area
  readonly x: Scale
  readonly y: Scale
  readonly readings: readonly Reading[]
  readonly findings: readonly PlacedFinding[]
}

const WIDTH = 760

export function layout(chart: Chart, { width = WIDTH, measure = textWidth, view }: LayoutOptions = {}): Drawing {
  const { language, panels } = chart
  const sheet = sheetOf(chart, { width, measure, view })
  const unit = panels[0]?.x.kind === 'progress' ? panels[0].x.unit : 'steps'
  const stretch = stretchOf(panels, sheet, unit, view)
  const plots = panels.map((panel, i) => {
    const { top, area, x, y } = sheet.places[i]
    const place: Place = { area, x, y, stretch, view, measure, language }
    const drawn = panel.marks.map(mark => draw(mark, place))
    const beyond = drawn.flatMap(one => one.beyond)
    const findings = panel.x.kind === 'progress' ? placeFindings(chart.findings, x) : []
    const shapes = [
      ...panelTitle(panel, beyond, place, { top: top + TITLE_ROOM / 3, left: sheet.left }),
      ...findingShades(findings, x, area),
      ...axes(panel, { ...place, room: sheet, isNamed: i >= panels.length - sheet.columns }),
      ...layered(drawn, area, view !== undefined || beyond.length > 0),
      ...pathLabels(panel.marks, place),
      ...arrows(beyond),
      ...(i < sheet.columns ? findings.flatMap(one => findingBadge(one, area)) : []),
    ]
    return { panel, place, drawn, beyond, findings, shapes }
  })
  const note = joined(language, layoutNotes(chart, plots, stretch, unit))
  const above = head(chart.title, note, legendOf(chart, stretch !== null), { width: sheet.width, measure })
  const below = findingKey(plots[0]?.findings ?? [], above.bottom + sheet.height, {
    width: sheet.width,
    measure,
    language,
    unit,
  })
  return {
    width: sheet.width,
    height: Math.ceil(below.bottom),
    description: chart.description,
    shapes: [
      ...above.shapes,
      { kind: 'group', down: above.bottom, shapes: plots.flatMap(({ shapes }) => shapes) },
      ...below.shapes,
    ],
    panels: plots.map(({ panel, place: { area, x, y }, drawn, findings }) => {
      let readings: readonly Reading[] | null = null
      return {
        title: panel.title ?? chart.title,
        area: { ...area, y: area.y + above.bottom },
        x,
        y: { ...y, range: [y.range[0] + above.bottom, y.range[1] + above.bottom] },
        // A comparison has ten thousand of them, and most pictures are only looked at.
        get readings() {
          readings ??= drawn.flatMap(one => one.readings)
          return readings
        },
        findings,
      }
    }),
  }
}

/** One size of range for all panels, so that they can be compared; null where every point can be seen. */
function stretchOf(
  panels: readonly Panel[],
  { progress, plotWidth }: Sheet,
  unit: ProgressUnit,
  view?: Extent,
): number | null {
  const exact = panels.flatMap(({ marks }) => marks.flatMap(exactLines)).map(line => visible(line, view))
  return isDense(exact, plotWidth) ? stretchSize(exact, progress, plotWidth, unit) : null
}

/** What can be drawn as ranges. */
function exactLines(mark: Mark): readonly Series[] {
  if (mark.kind === 'curve') return [mark.line, ...(mark.runs ?? [])].filter(line => 'x' in line)
  return mark.kind === 'points' && mark.stems ? [mark] : []
}

/** Bands below lines, lines below symbols, whichever side they belong to. */
function layered(drawn: readonly Drawn[], area: Area, cut: boolean): readonly Shape[] {
  const shapes = [...drawn.flatMap(({ under }) => under), ...drawn.flatMap(({ over }) => over)]
  return [...(cut ? [{ kind: 'group' as const, clip: area, shapes }] : shapes), ...drawn.flatMap(({ top }) => top)]
}

const ARROWS = { up: 'triangle', down: 'triangle-down', left: 'triangle-left', right: 'triangle-right' } as const
const ARROW = 7

/** Marks at the edge for values beyond it; of those that would lie on each other one stands for all. */
function arrows(beyond: readonly Beyond[]): readonly Shape[] {
  const placed: Beyond[] = []
  for (const one of beyond) {
    const isCovered = placed.some(
      ({ at, edge }) => edge === one.edge && Math.hypot(at[0] - one.at[0], at[1] - one.at[1]) < ARROW,
    )
    if (!isCovered) placed.push(one)
  }
  return placed.flatMap(({ at, edge, style }) =>
    symbols([at], { ...lookOf(style), body: 'full', symbol: ARROWS[edge], size: ARROW }),
  )
}

/** The name of a panel, and at the other end of its line what lies outside of it; below, what else must be said. */
function panelTitle(
  { title, note = '' }: Panel,
  beyond: readonly Beyond[],
  { area, measure, language }: Place,
  { top, left }: { readonly top: number; readonly left: number },
): readonly Shape[] {
  if (title === undefined) return []
  const room = area.width + left
  const outside = fitted(
    joined(language, beyondNotes(language, beyond, 'charts.beyond-here')),
    room * 0.6,
    TYPE.note,
    measure,
  )
  const name = fitted(title, room - (outside === '' ? 0 : measure(outside, TYPE.note) + 12), TYPE.strong, measure)
  return [
    text([area.x - left, top], name, TYPE.strong),
    text([area.x + area.width, top], outside, TYPE.note, 'end'),
    text([area.x - left, top + NOTE_ROOM], fitted(note, room, TYPE.note, measure), TYPE.note),
  ].filter(shape => shape.text !== '')
}
