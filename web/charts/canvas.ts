import type { Drawing } from '../../src/core/charts/layout.js'
import { toCsv } from '../../src/core/charts/readings.js'
import { type Area, CORNERS, type Shape } from '../../src/core/charts/shapes.js'
import { toSvg } from '../../src/core/charts/svg.js'
import { FONT, paint, type Scheme } from '../../src/core/charts/theme.js'
import type { Theme } from '../preferences.js'

/** A laid-out chart on a canvas, and as a file: the same shapes that a report writes as SVG. */

export function drawOn(canvas: HTMLCanvasElement, drawing: Drawing, scheme: Scheme, scale: number): void {
  const context = canvas.getContext('2d')
  if (context === null) return
  canvas.width = Math.round(drawing.width * scale)
  canvas.height = Math.round(drawing.height * scale)
  context.setTransform(scale, 0, 0, scale, 0, 0)
  context.fillStyle = paint('paper', scheme)
  context.fillRect(0, 0, drawing.width, drawing.height)
  context.lineJoin = 'round'
  for (const shape of drawing.shapes) drawShape(context, shape, scheme)
}

function drawShape(context: CanvasRenderingContext2D, shape: Shape, scheme: Scheme): void {
  switch (shape.kind) {
    case 'group':
      context.save()
      if (shape.down !== undefined) context.translate(0, shape.down)
      if (shape.clip !== undefined) {
        context.beginPath()
        rectangle(context, shape.clip)
        context.clip()
      }
      for (const inner of shape.shapes) drawShape(context, inner, scheme)
      context.restore()
      return
    case 'text':
      context.font = fontOf(shape.type)
      context.textAlign = shape.anchor === 'middle' ? 'center' : shape.anchor
      context.textBaseline = 'middle'
      if (shape.halo) {
        context.strokeStyle = paint('paper', scheme)
        context.lineWidth = 3
        context.setLineDash([])
        context.strokeText(shape.text, ...shape.at)
      }
      context.globalAlpha = 1
      context.fillStyle = paint(shape.type.colour, scheme)
      context.fillText(shape.text, ...shape.at)
      return
    case 'rect':
      context.beginPath()
      rectangle(context, shape.area)
      inked(context, shape, scheme)
      return
    case 'path':
      context.beginPath()
      for (const line of shape.lines) {
        // By index: a comparison has a hundred thousand points, and pairs with their places would be as many objects more.
        for (let i = 0; i < line.length; i += 1) {
          if (i === 0) context.moveTo(line[i][0], line[i][1])
          else context.lineTo(line[i][0], line[i][1])
        }
        if (shape.closed) context.closePath()
      }
      inked(context, shape, scheme)
      return
    case 'symbols':
      context.beginPath()
      for (const [x, y] of shape.at) symbolAt(context, shape, x, y)
      inked(context, shape, scheme)
  }
}

/** Stroke by stroke: to write an outline as text and read it again takes a third of a frame of a zoom. */
function symbolAt(
  context: CanvasRenderingContext2D,
  { symbol, size }: Extract<Shape, { kind: 'symbols' }>,
  x: number,
  y: number,
): void {
  const half = size / 2
  if (symbol === 'circle') {
    context.moveTo(x + half, y)
    context.arc(x, y, half, 0, 2 * Math.PI)
    return
  }
  const corners = CORNERS[symbol]
  context.moveTo(x + corners[0] * half, y + corners[1] * half)
  for (let i = 2; i < corners.length; i += 2) context.lineTo(x + corners[i] * half, y + corners[i + 1] * half)
  context.closePath()
}

function inked(
  context: CanvasRenderingContext2D,
  { fill, stroke }: Extract<Shape, { kind: 'rect' | 'path' | 'symbols' }>,
  scheme: Scheme,
): void {
  if (fill !== undefined) {
    context.globalAlpha = fill.opacity ?? 1
    context.fillStyle = paint(fill.colour, scheme)
    context.fill()
  }
  if (stroke !== undefined) {
    context.globalAlpha = stroke.opacity ?? 1
    context.strokeStyle = paint(stroke.colour, scheme)
    context.lineWidth = stroke.width
    context.setLineDash([...(stroke.dash ?? [])])
    context.stroke()
  }
  context.globalAlpha = 1
}

function rectangle(context: CanvasRenderingContext2D, { x, y, width, height }: Area): void {
  context.rect(x, y, width, height)
}

interface Letters {
  readonly size: number
  readonly bold?: boolean
}

function fontOf({ size, bold = false }: Letters): string {
  return `${bold ? 'bold ' : ''}${size}px ${FONT}`
}

const widths = new Map<string, number>()
const MOST_WIDTHS = 5000
let ruler: CanvasRenderingContext2D | null = null

/** How wide a text is in this browser's font. */
export function measured(text: string, letters: Letters): number {
  const key = `${letters.bold ? 'b' : ''}${letters.size} ${text}`
  const known = widths.get(key)
  if (known !== undefined) return known
  ruler ??= document.createElement('canvas').getContext('2d')
  if (ruler === null) return text.length * letters.size * 0.6
  ruler.font = fontOf(letters)
  const { width } = ruler.measureText(text)
  if (widths.size > MOST_WIDTHS) widths.clear()
  widths.set(key, width)
  return width
}

/** What is seen, as a file: the same drawing, not another one made for the file. */
export function saveDrawing(drawing: Drawing, name: string, format: 'png' | 'svg' | 'csv', theme: Theme): void {
  const file = `${name.replace(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 80) || 'chart'}.${format}`
  if (format === 'svg') save(file, 'image/svg+xml', toSvg(drawing, { prefix: 'klens', scheme: theme }))
  else if (format === 'csv') save(file, 'text/csv', toCsv(drawing))
  else {
    const canvas = document.createElement('canvas')
    drawOn(canvas, drawing, theme, 2)
    canvas.toBlob(blob => {
      if (blob !== null) saveBlob(file, blob)
    })
  }
}

function save(file: string, type: string, text: string): void {
  saveBlob(file, new Blob([text], { type: `${type};charset=utf-8` }))
}

function saveBlob(file: string, blob: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = file
  link.click()
  window.setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
