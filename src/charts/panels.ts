import { say } from '../text/say.js'
import { AXIS_ROOM, labelRoom, overhang, stepAxis, verticalAxis } from './axes.js'
import type { Chart, ChartLine, ChartMarker, ChartMetric, ChartRequest } from './chart.js'
import { isDense, stretchSize } from './envelope.js'
import { BASE, type Box, distinctNames, EDGE, freeText, graphicOption, gridAt, head, legendName } from './frame.js'
import { fitted } from './label.js'
import { badgeRoom, markerKey, markerSeries, placeMarkers } from './markers.js'
import { curveNotes } from './notes.js'
import { extentOf, stepScale, stepText, valueScale } from './scale.js'
import { lineHasGap, sideLines } from './side-lines.js'
import { colour, lookOf, TEXT, WIDTH } from './theme.js'

/** Small multiples over one step axis: entropy, length, gradient norm and so on, with findings through all of them. */

export interface PanelsRequest extends ChartRequest {
  readonly title: string
  /** The names of the sides, in the order of each panel's lines. */
  readonly sides: readonly string[]
  readonly panels: readonly Panel[]
  readonly markers?: readonly ChartMarker[]
}

export interface Panel {
  readonly metric: ChartMetric
  /** One per side; null where a side has not logged it. */
  readonly lines: readonly (ChartLine | null)[]
}

const COLUMNS = 2
const PLOT_HEIGHT = 120
const TITLE_ROOM = 24
const BETWEEN = 20

export function panelsChart({ title, sides, panels, markers = [], language, width = WIDTH }: PanelsRequest): Chart {
  const names = distinctNames(sides.map(label => legendName(label, width)))
  const all = panels.flatMap(({ lines }) => lines.filter(line => line !== null))
  const steps = extentOf(all.flatMap(line => Array.from(line.steps)))
  const scales = panels.map(({ lines }) =>
    valueScale(extentOf(lines.flatMap(line => (line === null ? [] : Array.from(line.values)))), 4),
  )
  const room = Math.max(28, ...scales.map(labelRoom))
  const columns = Math.min(COLUMNS, Math.max(1, panels.length))
  const right = overhang(stepText(steps[1]))
  const columnWidth = (width - 2 * EDGE - (columns - 1) * BETWEEN) / columns
  const plotWidth = columnWidth - room - right
  const scale = stepScale(steps, plotWidth / 70)
  const stretch = isDense(all, plotWidth) ? stretchSize(all, steps, plotWidth) : null
  const above = head({
    title,
    notes: curveNotes(language, {
      goal: null,
      replicates: false,
      band: false,
      stretch,
      shared: null,
      gaps: all.some(one => lineHasGap(one, stretch)),
      empty: all.length === 0,
    }),
    entries: names.filter((_, i) => panels.some(({ lines }) => lines[i] != null)).map(name => ({ name })),
    width,
  })
  const placed = placeMarkers(panels.length === 0 ? [] : markers, scale, { width: plotWidth })
  const badges = badgeRoom(placed)
  const rows = Math.ceil(panels.length / columns)
  const rowHeight = TITLE_ROOM + PLOT_HEIGHT + AXIS_ROOM - 18
  const boxOf = (i: number): Box => ({
    left: EDGE + (i % columns) * (columnWidth + BETWEEN) + room,
    top: above.bottom + TITLE_ROOM + badges + Math.floor(i / columns) * rowHeight,
    width: plotWidth,
    height: PLOT_HEIGHT,
  })
  const bottom = above.bottom + badges + rows * rowHeight + 16
  const key = markerKey(placed, bottom + 4, width, language)
  const titles = panels.flatMap(({ metric, lines }, i) => {
    const { left, top } = boxOf(i)
    const y = top - TITLE_ROOM + 4 - (i < columns ? badges : 0)
    const absent = names.filter((_, side) => lines[side] == null)
    const note = absent.length === 0 ? null : say(language, 'charts.panels.absent', { sides: absent.join(', ') })
    return [
      freeText(left - room, y, fitted(metric.name, columnWidth - 4, TEXT.label * 1.06), {
        size: TEXT.label,
        colour: colour('ink'),
        bold: true,
      }),
      ...(note === null
        ? []
        : [
            freeText(left + 6, top + 4, fitted(note, plotWidth - 12, TEXT.small), {
              size: TEXT.small,
              colour: colour('muted'),
            }),
          ]),
    ]
  })
  return {
    width,
    height: bottom + (placed.length > 0 ? key.height + 8 : 0),
    description: say(language, 'charts.panels.described', {
      title,
      metrics: panels.map(({ metric }) => metric.name).join(', '),
      sides: names.join(', '),
    }),
    option: {
      ...BASE,
      graphic: graphicOption([...above.graphics, ...titles, ...key.texts]),
      legend: above.legend,
      grid: panels.map((_, i) => gridAt(boxOf(i))),
      xAxis: panels.map((_, i) => ({
        ...stepAxis(scale, {
          gridIndex: i,
          ...(i >= panels.length - columns && { name: say(language, 'charts.step', {}) }),
        }),
      })),
      yAxis: panels.map((_, i) => verticalAxis(scales[i], i)),
      series: [
        ...panels.flatMap(({ lines }, gridIndex) => [
          ...markerSeries(placed, scale, { gridIndex, badges: gridIndex < columns }),
          ...lines.flatMap((line, i) =>
            line === null
              ? []
              : sideLines({ label: names[i], line }, { name: names[i], look: lookOf(i), index: i, gridIndex, stretch }),
          ),
        ]),
        ...key.series,
      ],
    },
  }
}
