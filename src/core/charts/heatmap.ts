import { type CellsMark, type Chart, type HeatmapCell, isMeasured } from './chart.js'
import { fitted } from './label.js'
import { type ChartMetric, type ChartRequest, goalNotes } from './request.js'
import { decimalsFor, extentOf, fixedText, pixelAt } from './scale.js'
import {
  type Area,
  type DrawnMark,
  lines,
  type PanelFrame,
  type PixelPoint,
  rect,
  type Shape,
  symbols,
  text,
} from './shapes.js'
import { type Colour, HEAT, TYPE } from './theme.js'
import { saying } from './words.js'

/** The cells of a matrix: a value on a shade, missing ones hatched and named, identical ones under one letter. */

export function cellShapes({ cells, identical }: CellsMark, place: PanelFrame): Pick<DrawnMark, 'layers' | 'readings'> {
  const { x, y, language, measure } = place
  const facts = cellFacts(cells)
  const letters = new Map(
    identical.flatMap((group, i) => group.map(([row, column]) => [`${row} ${column}`, letterAt(i)])),
  )
  const areaAt = (row: number, column: number): Area => {
    const [left, top] = [pixelAt(x, column - 0.5), pixelAt(y, row - 0.5)]
    return { x: left, y: top, width: pixelAt(x, column + 0.5) - left, height: pixelAt(y, row + 0.5) - top }
  }
  const shapes = cells.flatMap((row, i) =>
    row.flatMap((cell, j) => {
      const area = areaAt(i, j)
      if (!('missing' in cell)) return valueCell(cell, area, facts, letters.get(`${i} ${j}`))
      const words = saying(language)(`charts.heatmap.no-${cell.missing}`, {})
      return missingCell(area, fitted(words, area.width - 8, TYPE.small, measure), place)
    }),
  )
  return {
    layers: { top: shapes },
    readings: cells.flatMap((row, i) =>
      row.flatMap((cell, j) =>
        'missing' in cell || !isMeasured(cell.value)
          ? []
          : [{ series: x.ticks[j].text, x: y.ticks[i].text, y: cell.value, ...spreadOf(cell.value, cell.spread) }],
      ),
    ),
  }
}

function spreadOf(value: number, spread: number | undefined): { readonly low?: number; readonly high?: number } {
  return spread === undefined ? {} : { low: value - spread, high: value + spread }
}

interface CellFacts {
  readonly low: number
  readonly high: number
  readonly decimals: number
}

export function cellFacts(cells: CellsMark['cells']): CellFacts {
  const [low, high] = extentOf(cells.flat().map(cell => ('value' in cell ? cell.value : null)))
  return { low, high, decimals: decimalsFor(high - low) }
}

/** A cell carries its own ink, which unlike the page's does not switch. */
interface Shades {
  readonly fill: Colour
  readonly ink: Colour
}

const PLAIN: Shades = { ink: 'ink', fill: 'paper' }

function shadesOf(value: number | null, { low, high }: CellFacts): Shades {
  if (!isMeasured(value)) return PLAIN
  const share = high > low ? (value - low) / (high - low) : 0.5
  return HEAT[Math.min(HEAT.length - 1, Math.floor(share * HEAT.length))]
}

function valueCell(
  { value, spread }: Extract<HeatmapCell, { value: number | null }>,
  { x, y, width, height }: Area,
  facts: CellFacts,
  letter: string | undefined,
): readonly Shape[] {
  const { fill, ink } = shadesOf(value, facts)
  const [centre, middle] = [x + width / 2, y + height / 2]
  return [
    rect(x, y, width, height, { fill: { colour: fill }, stroke: { colour: 'paper', width: 2 } }),
    text(
      [centre, spread === undefined ? middle : middle - 7],
      fixedText(value, facts.decimals),
      { ...TYPE.strong, colour: ink },
      'middle',
    ),
    ...(spread === undefined
      ? []
      : [
          text(
            [centre, middle + 9],
            `± ${fixedText(spread, facts.decimals)}`,
            { ...TYPE.small, colour: ink },
            'middle',
          ),
        ]),
    ...(letter === undefined
      ? []
      : [
          rect(x + 2, y + 2, width - 4, height - 4, { stroke: { colour: ink, width: 1.5 } }),
          ...letterSign([x + width - 12, y + 12], letter, { fill, ink }),
        ]),
  ]
}

function missingCell({ x, y, width, height }: Area, words: string, { measure }: PanelFrame): readonly Shape[] {
  const wide = measure(words, TYPE.small) + 8
  return [
    ...hatching({ x: x + 1, y: y + 1, width: width - 2, height: height - 2 }),
    rect(x + (width - wide) / 2, y + height / 2 - 9, wide, 18, { fill: { colour: 'paper' } }),
    text([x + width / 2, y + height / 2], words, TYPE.small, 'middle'),
  ]
}

const HATCH = 8

/** Rising lines, cut at the edges. */
export function hatching({ x, y, width, height }: Area): readonly Shape[] {
  const strokes = Array.from({ length: Math.floor((width + height) / HATCH) }, (_, i): PixelPoint[] => {
    const reach = (i + 1) * HATCH
    return [
      [x + Math.max(0, reach - height), y + Math.min(height, reach)],
      [x + Math.min(width, reach), y + Math.max(0, reach - width)],
    ]
  })
  return [
    rect(x, y, width, height, { stroke: { colour: 'grid', width: 1 } }),
    ...lines(strokes, { colour: 'shade', width: 1 }),
  ]
}

export function letterSign(centre: PixelPoint, letter: string, { fill, ink }: Shades = PLAIN): readonly Shape[] {
  return [
    ...symbols([centre], { symbol: 'circle', colour: ink, body: 'full', size: 15, dash: [] }),
    text(centre, letter, { size: letter.length > 1 ? 8 : 10, colour: fill, bold: true }, 'middle'),
  ]
}

function letterAt(i: number): string {
  const letter = String.fromCharCode(65 + (i % 26))
  return i < 26 ? letter : `${letter}${Math.floor(i / 26) + 1}`
}

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
