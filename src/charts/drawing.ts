import type { CustomSeriesOption } from 'echarts/charts'

/**
 * Shapes that ECharts has no series for (bands, brackets, hatching, badges), drawn in one custom series in the coordinates
 * of its axes, so that the same option works at another size.
 */

export interface Place {
  /** Pixels of a point given in axis values. */
  at(x: number, y: number): readonly [number, number]
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
}

interface Stroke {
  readonly colour: string
  readonly width: number
  readonly dash?: number[]
  readonly opacity?: number
}

export interface Fill {
  readonly colour: string
  readonly opacity?: number
}

export type Shape =
  | ReturnType<typeof line>
  | ReturnType<typeof polygon>
  | ReturnType<typeof rect>
  | ReturnType<typeof disc>
  | ReturnType<typeof word>

export function line(from: readonly [number, number], to: readonly [number, number], stroke: Stroke) {
  return {
    type: 'line' as const,
    shape: { x1: from[0], y1: from[1], x2: to[0], y2: to[1] },
    style: strokeStyle(stroke),
  }
}

export function polygon(points: readonly (readonly [number, number])[], fill: Fill | null, stroke?: Stroke) {
  return {
    type: 'polygon' as const,
    shape: { points: points.map(([x, y]) => [x, y]) },
    style: { ...fillStyle(fill), ...(stroke && strokeStyle(stroke)) },
  }
}

export function rect(x: number, y: number, width: number, height: number, fill: Fill | null, stroke?: Stroke) {
  return {
    type: 'rect' as const,
    shape: { x, y, width, height },
    style: { ...fillStyle(fill), ...(stroke && strokeStyle(stroke)) },
  }
}

export function disc(centre: readonly [number, number], radius: number, fill: Fill | null, stroke?: Stroke) {
  return {
    type: 'circle' as const,
    shape: { cx: centre[0], cy: centre[1], r: radius },
    style: { ...fillStyle(fill), ...(stroke && strokeStyle(stroke)) },
  }
}

export interface WordStyle {
  readonly size: number
  readonly colour: string
  readonly align?: 'left' | 'center' | 'right'
  readonly bold?: boolean
  /** Drawn around the letters, so that they stay readable over lines. */
  readonly halo?: string
}

/** Text centred vertically on the point. */
export function word([x, y]: readonly [number, number], text: string, style: WordStyle) {
  const { size, colour, align = 'left', bold = false, halo } = style
  return {
    type: 'text' as const,
    style: {
      x,
      y,
      text,
      align,
      verticalAlign: 'middle' as const,
      fill: colour,
      fontSize: size,
      fontWeight: bold ? ('bold' as const) : ('normal' as const),
      ...(halo !== undefined && { stroke: halo, lineWidth: 3 }),
    },
  }
}

function fillStyle(fill: Fill | null): { readonly fill: string; readonly fillOpacity?: number } {
  return fill === null ? { fill: 'none' } : { fill: fill.colour, fillOpacity: fill.opacity ?? 1 }
}

function strokeStyle({ colour, width, dash, opacity }: Stroke): {
  readonly stroke: string
  readonly lineWidth: number
  readonly lineDash?: number[]
  readonly strokeOpacity?: number
} {
  return { stroke: colour, lineWidth: width, ...(dash && { lineDash: dash }), strokeOpacity: opacity ?? 1 }
}

export interface DrawingPlace {
  readonly name?: string
  readonly gridIndex?: number
  /** Above 2 lies over the lines, below under them. */
  readonly z?: number
  readonly clip?: boolean
  /** Of the legend's sign. */
  readonly fill?: Fill
}

export function drawing(
  draw: (place: Place) => readonly Shape[],
  { name, gridIndex = 0, z = 1, clip = true, fill }: DrawingPlace = {},
): CustomSeriesOption {
  return {
    type: 'custom',
    ...(name !== undefined && { name }),
    xAxisIndex: gridIndex,
    yAxisIndex: gridIndex,
    silent: true,
    clip,
    z,
    ...(fill !== undefined && { itemStyle: { color: fill.colour, opacity: fill.opacity ?? 1 } }),
    data: [[0, 0]],
    renderItem: ({ coordSys }, api) => {
      const at = (x: number, y: number): readonly [number, number] => {
        const [left, top] = api.coord([x, y])
        return [left, top]
      }
      return { type: 'group', children: draw({ at, box: boxOf(coordSys) }).map(shape => ({ ...shape, silent: true })) }
    },
  }
}

/** ECharts types the coordinate system of a custom series loosely, because there are many kinds of them. */
function boxOf(system: object): Place['box'] {
  const side = (name: string): number => Number(Object.getOwnPropertyDescriptor(system, name)?.value ?? 0)
  return { x: side('x'), y: side('y'), width: side('width'), height: side('height') }
}
