import type { Language } from '../../text/language.js'
import type { Extent } from './chart.js'
import type { Measure } from './label.js'
import type { AxisScale } from './scale.js'
import type { Colour, MarkLook, Style, SymbolName, Type } from './theme.js'

/** What a laid-out chart consists of, in pixels: few kinds of shapes, which any canvas can draw. */

export type PixelPoint = readonly [x: number, y: number]

export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface Stroke {
  readonly colour: Colour
  readonly width: number
  readonly dash?: readonly number[]
  readonly opacity?: number
}

export interface Fill {
  readonly colour: Colour
  readonly opacity?: number
}

interface Paint {
  readonly fill?: Fill
  readonly stroke?: Stroke
}

export type Shape =
  | ({ readonly kind: 'path'; readonly lines: readonly (readonly PixelPoint[])[]; readonly closed?: boolean } & Paint)
  | ({ readonly kind: 'rect'; readonly area: Area } & Paint)
  | ({
      readonly kind: 'symbols'
      readonly symbol: SymbolName
      /** Across. */
      readonly size: number
      readonly at: readonly PixelPoint[]
    } & Paint)
  | TextShape
  /** Shapes that stand further down, or of which only what lies within an area is seen. */
  | { readonly kind: 'group'; readonly down?: number; readonly clip?: Area; readonly shapes: readonly Shape[] }

export interface TextShape {
  readonly kind: 'text'
  /** The middle of the line, at its start, middle or end. */
  readonly at: PixelPoint
  readonly text: string
  readonly type: Type
  readonly anchor: 'start' | 'middle' | 'end'
  /** Paper around the letters, so that they stay readable over lines. */
  readonly halo?: boolean
}

export function segment(x1: number, y1: number, x2: number, y2: number): readonly PixelPoint[] {
  return [
    [x1, y1],
    [x2, y2],
  ]
}

export function lines(segments: readonly (readonly PixelPoint[])[], stroke: Stroke): readonly Shape[] {
  return segments.length === 0 ? [] : [{ kind: 'path', lines: segments, stroke }]
}

export function rect(x: number, y: number, width: number, height: number, paint: Paint): Shape {
  return { kind: 'rect', area: { x, y, width, height }, ...paint }
}

export function text(at: PixelPoint, words: string, type: Type, anchor: TextShape['anchor'] = 'start'): TextShape {
  return { kind: 'text', at, text: words, type, anchor }
}

/** Lines of text below each other. */
export function texts([x, y]: PixelPoint, rows: readonly string[], height: number, type: Type): readonly Shape[] {
  return rows.map((row, i) => text([x, y + i * height], row, type))
}

export function symbols(
  at: readonly PixelPoint[],
  { symbol, colour, body, size }: MarkLook,
  opacity?: number,
): readonly Shape[] {
  if (at.length === 0) return []
  const paint: Paint =
    body === 'full'
      ? { fill: { colour, opacity } }
      : {
          ...(body === 'hollow' && { fill: { colour: 'paper' } }),
          stroke: { colour, width: size > 8 ? 2 : 1.5, opacity },
        }
  return [{ kind: 'symbols', symbol, size, at, ...paint }]
}

/** The outline of a path or of symbols as SVG and canvas (`Path2D`) both read it. */
export function outline(shape: Extract<Shape, { kind: 'path' | 'symbols' }>): string {
  if (shape.kind === 'path') {
    return shape.lines.map(points => `M${points.map(pair).join('L')}${shape.closed ? 'Z' : ''}`).join('')
  }
  const half = shape.size / 2
  if (shape.symbol === 'circle') {
    const arc = (width: number): string => `a${places(half)},${places(half)} 0 1,1 ${places(width)},0`
    return shape.at.map(([x, y]) => `M${pair([x - half, y])}${arc(2 * half)}${arc(-2 * half)}Z`).join('')
  }
  const corners = CORNERS[shape.symbol]
  return shape.at
    .map(([x, y]) => corners.map((corner, i) => places((i % 2 === 0 ? x : y) + corner * half)).join(','))
    .map(points => `M${points}Z`)
    .join('')
}

/** As x and y in turn, in halves of the size; a little larger than a circle where they have less area. */
export const CORNERS: { readonly [name in Exclude<SymbolName, 'circle'>]: readonly number[] } = {
  square: [-0.9, -0.9, 0.9, -0.9, 0.9, 0.9, -0.9, 0.9],
  diamond: [0, -1.2, 1.2, 0, 0, 1.2, -1.2, 0],
  triangle: [0, -1.1, 1.1, 0.9, -1.1, 0.9],
  'triangle-down': [0, 1.1, 1.1, -0.9, -1.1, -0.9],
  'triangle-left': [-1.1, 0, 0.9, -1.1, 0.9, 1.1],
  'triangle-right': [1.1, 0, -0.9, -1.1, -0.9, 1.1],
}

function pair([x, y]: PixelPoint): string {
  return `${places(x)},${places(y)}`
}

/** A hundredth of a pixel is enough, and no machine's last digit shows. */
export function places(value: number): string {
  return String(Number(value.toFixed(2)))
}

/** Where the marks of a panel are drawn. */
export interface PanelFrame {
  readonly area: Area
  readonly x: AxisScale
  readonly y: AxisScale
  /** Steps in each range, where there are more points than pixels. */
  readonly stretch: number | null
  readonly view: Extent | undefined
  readonly measure: Measure
  readonly language: Language
}

/** The layers of a mark; those of all marks of a panel lie over each other in this order. */
export interface MarkLayers {
  /** Cut at the edges of the panel, like those over it. */
  readonly under?: readonly Shape[]
  readonly over?: readonly Shape[]
  /** Symbols and words, whole. */
  readonly top?: readonly Shape[]
}

/** A mark on its panel: its shapes, the numbers they stand for, and what did not fit. */
export interface DrawnMark {
  readonly layers: MarkLayers
  readonly readings: readonly ChartReading[]
  readonly beyond: readonly Beyond[]
  readonly gaps: boolean
  /** Values that went into ranges. */
  readonly ranged: number
}

/** A number as drawn: for whoever points at it, and for the table of what is seen. */
export interface ChartReading {
  readonly series: string
  readonly x: number | string
  /** The end of the range that was summed up. */
  readonly until?: number
  readonly y: number
  readonly low?: number
  readonly high?: number
}

/** A value outside the axes, and where on the edge it is marked. */
export interface Beyond {
  readonly edge: 'up' | 'down' | 'left' | 'right'
  readonly at: PixelPoint
  readonly value: number
  readonly style: Style
}
