import { axes, bottomRoom, leftRoom, rightRoom, topRoom } from './axes.js'
import type { Axis, Chart, Extent, Mark, Panel, Series } from './chart.js'
import { isDense, stretchSize } from './envelope.js'
import { progressExtent, valueExtent, visible } from './extent.js'
import { badgeRoom, findingBadge, findingKey, findingShade, type PlacedFinding, placeFindings } from './findings.js'
import { EDGE, head, legendOf } from './head.js'
import { fitted, type Measure, textWidth } from './label.js'
import { type Beyond, type Drawn, draw, type Place, pathLabels, type Reading } from './marks.js'
import { beyondNotes, layoutNotes } from './notes.js'
import { type AxisRange, logRange, progressRange, type Scale, valueRange } from './scale.js'
import { type Area, moved, type Shape, symbols, text } from './shapes.js'
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

/** Narrower than this, panels stand below each other. */
const TWO_COLUMNS = 560
const BETWEEN = 24
const TITLE_ROOM = 26
const NOTE_ROOM = 17

/** Heights of plots: alone, with a measured quantity on both axes, among others; of one row of names, and where words stand beside it on three lines. */
const ALONE = 260
const SQUARE = 320
const AMONG = 130
const ROW = 44
const ROW_OF_WORDS = 54
const NARROWEST_CELL = 72
const WIDEST_CELL = 150

/** Symbols at the ends of the axis stay clear of its labels. */
const POINT_ROOM = 8

export function layout(chart: Chart, { width = WIDTH, measure = textWidth, view }: LayoutOptions = {}): Drawing {
  const { language, panels } = chart
  const sheet = sheetOf(chart, { width, measure, view })
  const stretch = stretchOf(panels, sheet.progress, sheet.plotWidth, view)
  const plots = panels.map((panel, i) => {
    const { top, area, x, y } = sheet.places[i]
    const place: Place = { area, x, y, stretch, view, measure, language }
    const drawn = panel.marks.map(mark => draw(mark, place))
    const beyond = drawn.flatMap(one => one.beyond)
    const findings = panel.x.kind === 'progress' ? placeFindings(chart.findings, x) : []
    const shapes = [
      ...panelTitle(panel, beyond, place, { top: top + TITLE_ROOM / 2, left: sheet.left }),
      ...findings.flatMap(one => findingShade(one, x, area)),
      ...axes(panel, { ...place, room: sheet, isNamed: i >= panels.length - sheet.columns }),
      ...layered(drawn, area, view !== undefined || beyond.length > 0),
      ...pathLabels(panel.marks, place),
      ...arrows(beyond),
      ...(i < sheet.columns ? findings.flatMap(one => findingBadge(one, area)) : []),
    ]
    return { panel, place, drawn, beyond, findings, shapes }
  })
  const note = joined(language, layoutNotes(chart, plots, stretch))
  const above = head(chart.title, note, legendOf(chart, stretch !== null), { width: sheet.width, measure })
  const below = findingKey(plots[0]?.findings ?? [], above.bottom + sheet.height, {
    width: sheet.width,
    measure,
    language,
  })
  return {
    width: sheet.width,
    height: Math.ceil(below.bottom),
    description: chart.description,
    shapes: [
      ...above.shapes,
      ...plots.flatMap(({ shapes }) => shapes.map(shape => moved(shape, above.bottom))),
      ...below.shapes,
    ],
    panels: plots.map(({ panel, place: { area, x, y }, drawn, findings }) => ({
      title: panel.title ?? chart.title,
      area: { ...area, y: area.y + above.bottom },
      x,
      y: { ...y, range: [y.range[0] + above.bottom, y.range[1] + above.bottom] },
      readings: drawn.flatMap(one => one.readings),
      findings,
    })),
  }
}

/** Where the plots stand below the head, whose height is known only when they have been drawn. */
interface Sheet {
  readonly width: number
  readonly height: number
  readonly columns: number
  readonly left: number
  readonly right: number
  readonly plotWidth: number
  readonly progress: Extent
  readonly places: readonly PanelPlace[]
}

interface PanelPlace {
  /** Where its title begins. */
  readonly top: number
  readonly area: Area
  readonly x: Scale
  readonly y: Scale
}

function sheetOf(
  { panels, findings }: Chart,
  { width: wanted, measure, view }: { readonly width: number; readonly measure: Measure; readonly view?: Extent },
): Sheet {
  const progress = view ?? progressExtent(panels.flatMap(({ marks }) => marks))
  const columns = panels.length > 1 && wanted >= TWO_COLUMNS ? 2 : 1
  const columnWidth = (wanted - 2 * EDGE - (columns - 1) * BETWEEN) / columns
  const heights = panels.map(panel => heightOf(panel, panels.length === 1, wanted < TWO_COLUMNS))
  const ups = panels.map((panel, i) => rangeOf(panel, 'y', heights[i] / 32, progress, view))
  const left = Math.max(0, ...panels.map((panel, i) => leftRoom(panel, ups[i].ticks, wanted, measure)))
  const acrosses = panels.map(panel => rangeOf(panel, 'x', (columnWidth - left) / 80, progress, view))
  const right = Math.max(0, ...panels.map((panel, i) => rightRoom(panel, acrosses[i].ticks, wanted, measure)))
  const plotWidth = widthOf(panels, columnWidth - left - right)
  const placeAcross = (i: number): Scale => {
    const from = EDGE + (i % columns) * (columnWidth + BETWEEN) + left
    const { x, marks } = panels[i]
    const inset = x.kind === 'progress' && marks.some(({ kind }) => kind === 'points') ? POINT_ROOM : 0
    return { ...acrosses[i], kind: kindOf(x), range: [from + inset, from + plotWidth - inset] }
  }
  const badges = panels[0]?.x.kind === 'progress' ? badgeRoom(placeFindings(findings, placeAcross(0))) : 0
  const tops = panels.map(
    (panel, i) =>
      (panel.title === undefined ? 0 : TITLE_ROOM) +
      (panel.note === undefined ? 0 : NOTE_ROOM) +
      topRoom(panel, plotWidth, measure) +
      (i < columns ? badges : 0),
  )
  let bottom = 0
  const places = panels.map((panel, i): PanelPlace => {
    const row = i - (i % columns)
    const top = bottom
    const x = EDGE + (i % columns) * (columnWidth + BETWEEN) + left
    const y = top + Math.max(...tops.slice(row, row + columns))
    const area = { x, y, width: plotWidth, height: heights[i] }
    if (i === panels.length - 1 || (i + 1) % columns === 0) {
      bottom = area.y + area.height + bottomRoom(panel, i >= panels.length - columns)
    }
    const range: Extent = panel.y.kind === 'names' ? [area.y, area.y + area.height] : [area.y + area.height, area.y]
    return { top, area, x: placeAcross(i), y: { ...ups[i], kind: kindOf(panel.y), range } }
  })
  const width = Math.max(wanted, Math.ceil(plotWidth + left + right + 2 * EDGE))
  return { width, height: bottom, columns, left, right, plotWidth, progress, places }
}

function heightOf({ x, y }: Panel, alone: boolean, narrow: boolean): number {
  if (y.kind === 'names') return y.names.length * (narrow && y.words !== undefined ? ROW_OF_WORDS : ROW)
  if (!alone) return AMONG
  return x.kind === 'value' ? SQUARE : ALONE
}

function kindOf(axis: Axis): Scale['kind'] {
  if (axis.kind === 'names') return 'names'
  return axis.kind === 'value' && axis.log ? 'log' : 'linear'
}

function rangeOf(
  { x, y, marks }: Panel,
  which: 'x' | 'y',
  about: number,
  progress: Extent,
  view: Extent | undefined,
): AxisRange {
  const axis = which === 'x' ? x : y
  if (axis.kind === 'progress') return progressRange(progress, about, axis.unit)
  if (axis.kind === 'value') {
    const extent = valueExtent(marks, which, axis, x.kind === 'progress' ? view : undefined)
    return axis.log ? logRange(extent ?? [1, 10], about) : valueRange(extent ?? [0, 1], about)
  }
  return {
    domain: [-0.5, Math.max(1, axis.names.length) - 0.5],
    ticks: axis.names.map((name, value) => ({ value, text: name })),
  }
}

/** More columns than fit make the picture wider: the numbers are what it is for. */
function widthOf(panels: readonly Panel[], fair: number): number {
  const columns = Math.max(0, ...panels.map(({ x }) => (x.kind === 'names' ? x.names.length : 0)))
  if (columns === 0) return fair
  return columns * Math.min(WIDEST_CELL, Math.max(NARROWEST_CELL, fair / columns))
}

/** One size of range for all panels, so that they can be compared; null where every point can be seen. */
function stretchOf(panels: readonly Panel[], progress: Extent, pixels: number, view?: Extent): number | null {
  const exact = panels.flatMap(({ marks }) => marks.flatMap(exactLines)).map(line => visible(line, view))
  return isDense(exact, pixels) ? stretchSize(exact, progress, pixels) : null
}

/** What can be drawn as ranges. */
function exactLines(mark: Mark): readonly Series[] {
  if (mark.kind === 'curve') return [mark.line, ...(mark.runs ?? [])].filter(line => 'x' in line)
  return mark.kind === 'points' && mark.stems ? [mark] : []
}

/** Bands below lines, lines below symbols, whichever side they belong to. */
function layered(drawn: readonly Drawn[], area: Area, cut: boolean): readonly Shape[] {
  const shapes = [...drawn.flatMap(({ under }) => under), ...drawn.flatMap(({ over }) => over)]
  return [...(cut ? [{ kind: 'clip' as const, area, shapes }] : shapes), ...drawn.flatMap(({ top }) => top)]
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
  const outside = fitted(joined(language, beyondNotes(language, beyond)), room * 0.6, TYPE.note, measure)
  const name = fitted(title, room - (outside === '' ? 0 : measure(outside, TYPE.note) + 12), TYPE.strong, measure)
  return [
    text([area.x - left, top], name, TYPE.strong),
    text([area.x + area.width, top], outside, TYPE.note, 'end'),
    text([area.x - left, top + NOTE_ROOM], fitted(note, room, TYPE.note, measure), TYPE.note),
  ].filter(shape => shape.text !== '')
}
