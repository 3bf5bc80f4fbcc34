import { count } from '../../text/numbers.js'
import { axes } from './axes.js'
import {
  type Chart,
  type ChartMark,
  type ChartSeries,
  type Extent,
  isMeasured,
  type Panel,
  type ProgressUnit,
} from './chart.js'
import { isDense, stretchSize } from './envelope.js'
import { visible } from './extent.js'
import { findingBadge, findingKey, findingShades, type PlacedFinding, placeFindings } from './findings.js'
import { head, legendOf } from './head.js'
import { fitted, type Measure, textWidth } from './label.js'
import { draw, fewEnough, pathLabels } from './marks.js'
import { type AxisScale, extentOf, progressText, stepText } from './scale.js'
import {
  type Area,
  type Beyond,
  type ChartReading,
  type DrawnMark,
  type MarkLayers,
  type PanelFrame,
  type Shape,
  symbols,
  text,
} from './shapes.js'
import { NOTE_ROOM, type Sheet, sheetOf, TITLE_ROOM } from './sheet.js'
import { lookOf, TYPE } from './theme.js'
import { joined, saying } from './words.js'

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
  /** Of each plot; by its kind unless given. */
  readonly height?: number
  /** Title, legend and how the lines are made stand beside the picture; only what is cut off is said in it. */
  readonly isBare?: boolean
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
  readonly x: AxisScale
  readonly y: AxisScale
  readonly readings: readonly ChartReading[]
  readonly findings: readonly PlacedFinding[]
}

const WIDTH = 760

export function layout(
  chart: Chart,
  { width = WIDTH, measure = textWidth, view, height, isBare = false }: LayoutOptions = {},
): Drawing {
  const { language, panels } = chart
  const sheet = sheetOf(chart, { width, measure, view, ...(height !== undefined && { height }) })
  const unit = panels[0]?.x.kind === 'progress' ? panels[0].x.unit : 'steps'
  const stretch = stretchOf(panels, sheet, unit, view)
  const plots = panels.map((panel, i) => {
    const { top, area, x, y } = sheet.places[i]
    // Beside panels of many points one of few still shows each of them.
    const isRanged = stretch !== null && isDense(exactIn([panel], view), sheet.plotWidth)
    const place: PanelFrame = { area, x, y, stretch: isRanged ? stretch : null, view, measure, language }
    const drawn = panel.marks.map(mark => draw(mark, place))
    const isFixed = panel.y.kind === 'value' && panel.y.fixed !== undefined
    const beyond = isFixed ? [] : drawn.flatMap(one => one.beyond)
    const findings = panel.x.kind === 'progress' ? placeFindings(chart.findings, x) : []
    const shapes = [
      ...panelTitle(panel, beyond, place, { top: top + TITLE_ROOM / 3, left: sheet.left }),
      ...findingShades(findings, x, area),
      ...axes(panel, { ...place, room: sheet, isNamed: i >= panels.length - sheet.columns }),
      ...layered(drawn, area, view !== undefined || isFixed || beyond.length > 0),
      ...pathLabels(panel.marks, place),
      ...arrows(beyond),
      ...(i < sheet.columns ? findings.flatMap(one => findingBadge(one, area)) : []),
    ]
    return { panel, place, drawn, beyond, findings, shapes }
  })
  const room = { width: sheet.width, measure }
  const above = isBare
    ? head('', joined(language, cutNotes(chart, plots)), [], room)
    : head(
        chart.title,
        joined(language, layoutNotes(chart, plots, stretch, unit)),
        legendOf(chart, stretch !== null),
        room,
      )
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
      let readings: readonly ChartReading[] | null = null
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
  // Powers of ten give some points more room than others; there are never many more of them than pixels.
  if (panels[0]?.x.kind === 'progress' && panels[0].x.log) return null
  const exact = exactIn(panels, view)
  return isDense(exact, plotWidth) ? stretchSize(exact, progress, plotWidth, unit) : null
}

function exactIn(panels: readonly Panel[], view: Extent | undefined): readonly ChartSeries[] {
  return panels.flatMap(({ marks }) => marks.flatMap(exactLines)).map(line => visible(line, view))
}

/** What can be drawn as ranges. */
function exactLines(mark: ChartMark): readonly ChartSeries[] {
  if (mark.kind === 'curve') return [mark.line, ...(mark.runs ?? [])].filter(line => 'x' in line)
  return mark.kind === 'points' && mark.stems ? [mark] : []
}

/** Bands below lines, lines below symbols, whichever side they belong to. */
function layered(drawn: readonly DrawnMark[], area: Area, cut: boolean): readonly Shape[] {
  const all = (layer: keyof MarkLayers): readonly Shape[] => drawn.flatMap(({ layers }) => layers[layer] ?? [])
  const shapes = [...all('under'), ...all('over')]
  return [...(cut ? [{ kind: 'group' as const, clip: area, shapes }] : shapes), ...all('top')]
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
  { area, measure, language }: PanelFrame,
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

/** What a reader must know about a chart as it was laid out: only what applies. */

interface Plot {
  readonly place: PanelFrame
  readonly drawn: readonly DrawnMark[]
  readonly beyond: readonly Beyond[]
}

function layoutNotes(
  chart: Chart,
  plots: readonly Plot[],
  stretch: number | null,
  unit: ProgressUnit,
): readonly string[] {
  const { panels, notes, language } = chart
  const say = saying(language)
  const drawn = plots.flatMap(plot => plot.drawn)
  if (drawn.every(({ readings }) => readings.length === 0)) return [...notes, say('charts.empty', {})]
  const marks = panels.flatMap(panel => panel.marks)
  const curves = marks.filter(mark => mark.kind === 'curve')
  const hasRuns = curves.some(({ runs = [] }) => runs.length > 0)
  const hasBand = curves.some(({ band }) => band !== undefined)
  const over = Math.max(0, ...curves.map(({ smoothed }) => smoothed?.over ?? 0))
  const size = Math.max(stretch ?? 0, ...curves.map(({ line }) => ('stretches' in line ? line.size : 0)))
  const span = say(`charts.span.${unit}`, { n: progressText(size, unit) })
  const ranges = { span, points: count(drawn.reduce((sum, { ranged }) => sum + ranged, 0)) }
  const shared = marks.find(mark => mark.kind === 'strokes')?.x ?? []
  const isShared = plots.every(({ place }) => fewEnough(shared, place.area))
  const told = [
    [size > 0 && curves.length === 0, say('charts.envelope-of-differences', ranges)],
    [size > 0 && curves.length > 0, say(hasRuns ? 'charts.envelope-of-runs' : 'charts.envelope', ranges)],
    [size === 0 && hasRuns, say('charts.replicates', {})],
    [over > 0, say('charts.smoothed', { n: over })],
    [size === 0 && hasBand, say('charts.band', {})],
    [shared.length > 0, say(isShared ? 'charts.shared' : 'charts.shared-many', { n: shared.length })],
    [drawn.some(({ gaps }) => gaps), say('charts.gaps', {})],
  ] as const
  return [...notes, ...told.flatMap(([applies, note]) => (applies ? [note] : [])), ...cutNotes(chart, plots)]
}

/** What is logged and not seen. */
function cutNotes({ panels, language }: Chart, plots: readonly Plot[]): readonly string[] {
  const hidden = plots.reduce(
    (sum, { place }, i) => sum + (place.y.kind === 'log' ? notPositive(panels[i].marks) : 0),
    0,
  )
  // A panel with a title says beside it what lies outside.
  const outside = plots.flatMap(({ beyond }, i) => (panels[i].title === undefined ? beyond : []))
  return [
    ...(hidden > 0 ? [saying(language)('charts.not-positive', { n: hidden })] : []),
    ...beyondNotes(language, outside),
  ]
}

function notPositive(marks: readonly ChartMark[]): number {
  const values = marks.flatMap(mark => (mark.kind === 'curve' && 'y' in mark.line ? mark.line.y : []))
  return values.filter(value => isMeasured(value) && value <= 0).length
}

const SIGNS = { up: '▲', down: '▼', right: '▶', left: '◀' } as const

/** How much lies outside the axes, and how far. */
function beyondNotes(
  language: Chart['language'],
  beyond: readonly Beyond[],
  key: 'charts.beyond' | 'charts.beyond-here' = 'charts.beyond',
): readonly string[] {
  return (['up', 'down', 'right', 'left'] as const).flatMap(edge => {
    const values = beyond.filter(one => one.edge === edge).map(({ value }) => value)
    if (values.length === 0) return []
    const [least, greatest] = extentOf(values)
    const most = edge === 'up' || edge === 'right' ? greatest : least
    return [saying(language)(key, { sign: SIGNS[edge], n: values.length, most: stepText(Number(most.toPrecision(3))) })]
  })
}
