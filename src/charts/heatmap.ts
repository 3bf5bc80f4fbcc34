import type { CellsMark, Chart, HeatmapCell } from './chart.js'
import { type ChartMetric, type ChartRequest, goalNotes } from './request.js'
import { saying } from './words.js'

/** The matrix of a sweep: a value in each cell, missing cells hatched and named, identical cells under one letter. */

export interface HeatmapRequest extends ChartRequest {
  readonly metric: ChartMetric
  /** What the rows are, such as the knob; what the columns are. */
  readonly down: string
  readonly across: string
  readonly rows: readonly string[]
  readonly columns: readonly string[]
  /** By row, then by column. */
  readonly cells: readonly (readonly HeatmapCell[])[]
  readonly identical?: CellsMark['identical']
}

export function heatmapChart(request: HeatmapRequest): Chart {
  const { language, metric, down, across, rows, columns, cells, identical = [] } = request
  const say = saying(language)
  const all = cells.flat()
  const names = { metric: metric.name, down, across }
  const missing = all.filter(cell => 'missing' in cell).length
  return {
    language,
    title: say('charts.heatmap.title', names),
    description: say('charts.heatmap.described', { ...names, missing, cells: all.length }),
    notes: [
      ...goalNotes(language, metric),
      ...(all.some(cell => 'spread' in cell) ? [say('charts.heatmap.spread', {})] : []),
    ],
    panels: [
      {
        x: { kind: 'names', name: across, names: columns },
        y: { kind: 'names', name: down, names: rows },
        marks: [{ kind: 'cells', cells, identical }],
      },
    ],
    findings: [],
  }
}
