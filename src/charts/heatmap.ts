import { say } from '../text/say.js'
import type { Chart, ChartMetric, ChartRequest } from './chart.js'
import { drawing } from './drawing.js'
import { BASE, EDGE, freeText, graphicOption, gridAt, head } from './frame.js'
import { CELL_HEIGHT, cellShapes, type HeatCell, keyShapes, lettersOf, type Matrix } from './heatmap-cells.js'
import { fitted, textWidth, wrapped } from './label.js'
import { goalNote, joined } from './notes.js'
import { decimalsFor, extentOf } from './scale.js'
import { colour, TEXT, WIDTH } from './theme.js'

/** The matrix of a sweep: a value in each cell, missing cells hatched and named, identical cells under one letter. */

export interface HeatmapRequest extends ChartRequest {
  readonly metric: ChartMetric
  /** What the rows are, such as the knob; what the columns are. */
  readonly down: string
  readonly across: string
  readonly rows: readonly string[]
  readonly columns: readonly string[]
  /** By row, then by column. */
  readonly cells: readonly (readonly HeatCell[])[]
  /** Groups of cells, each as row and column, whose values are equal to the last digit. */
  readonly identical?: readonly (readonly (readonly [number, number])[])[]
}

const NARROWEST_CELL = 72
const WIDEST_CELL = 150
const WIDEST_ROW_NAME = 220
const HEADING_LINE = 16
const KEY_ROOM = 44

export function heatmapChart(request: HeatmapRequest): Chart {
  const { metric, down, across, rows, columns, cells, identical = [], language, width: wanted = WIDTH } = request
  const values = cells.flat().flatMap(cell => ('value' in cell && Number.isFinite(cell.value) ? [cell.value] : []))
  const [low, high] = extentOf(values)
  const decimals = decimalsFor(high - low)
  const rowRoom =
    Math.min(WIDEST_ROW_NAME, Math.max(...[down, ...rows].map(name => textWidth(name, TEXT.label)), 40)) + 12
  const left = EDGE + rowRoom
  const fair = (wanted - left - EDGE) / Math.max(1, columns.length)
  const cellWidth = Math.min(WIDEST_CELL, Math.max(NARROWEST_CELL, fair))
  const plotWidth = cellWidth * columns.length
  // More columns than fit make the picture wider: the numbers are what it is for.
  const width = Math.max(wanted, Math.ceil(left + plotWidth + EDGE))
  const height = CELL_HEIGHT * rows.length
  const letters = lettersOf(identical)
  const hasMissing = cells.flat().some(cell => 'missing' in cell)
  const above = head({
    title: say(language, 'charts.heatmap.title', { metric: metric.name, down, across }),
    notes: [
      joined(language, [
        ...goalNote(language, metric.goal ?? null),
        ...(values.length === 0 ? [say(language, 'charts.empty', {})] : []),
        ...(cells.flat().some(cell => 'spread' in cell) ? [say(language, 'charts.heatmap.spread', {})] : []),
      ]),
    ].filter(note => note !== ''),
    entries: [],
    width,
  })
  const headings = columns.map(name => wrapped(name, cellWidth - 6, TEXT.label, 2))
  const headingBottom = above.bottom + 14 + HEADING_LINE * Math.max(1, ...headings.map(({ length }) => length))
  const top = headingBottom + 5
  const drawn: Matrix = { cells, letters, low, high, decimals, cellWidth, language }
  return {
    width,
    height: top + height + KEY_ROOM,
    description: say(language, 'charts.heatmap.described', {
      metric: metric.name,
      down,
      across,
      missing: cells.flat().filter(cell => 'missing' in cell).length,
      cells: cells.flat().length,
    }),
    option: {
      ...BASE,
      graphic: graphicOption([
        ...above.graphics,
        freeText(EDGE, headingBottom - HEADING_LINE + 1, fitted(down, rowRoom - 8, TEXT.small), {
          size: TEXT.small,
          colour: colour('muted'),
        }),
        freeText(left, above.bottom - 4, fitted(across, Math.max(plotWidth, width - left - EDGE), TEXT.small), {
          size: TEXT.small,
          colour: colour('muted'),
        }),
        ...rows.map((name, i) =>
          freeText(left - 10, top + (i + 0.5) * CELL_HEIGHT - 7, fitted(name, rowRoom - 12, TEXT.label), {
            size: TEXT.label,
            colour: colour('ink'),
            align: 'right',
          }),
        ),
        ...headings.flatMap((lines, i) =>
          lines.map((text, line) =>
            freeText(left + (i + 0.5) * cellWidth, headingBottom - (lines.length - line) * HEADING_LINE, text, {
              size: TEXT.label,
              colour: colour('ink'),
              align: 'center',
            }),
          ),
        ),
      ]),
      grid: gridAt({ left, top, width: plotWidth, height }),
      xAxis: { type: 'value', min: 0, max: Math.max(1, columns.length), show: false },
      yAxis: { type: 'value', min: 0, max: Math.max(1, rows.length), inverse: true, show: false },
      series: [
        drawing(place => cellShapes(drawn, place), { z: 2, clip: false }),
        drawing(
          ({ box }) =>
            keyShapes(drawn, { x: EDGE, y: box.y + box.height + 24, hasMissing, hasValues: values.length > 0 }),
          { z: 2, clip: false },
        ),
      ],
    },
  }
}
