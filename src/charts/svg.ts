import type { Chart } from './chart.js'
import { shown } from './label.js'
import { type Drawing, layout } from './layout.js'
import { type Fill, outline, places, type Shape, type Stroke, type TextShape } from './shapes.js'
import { FONT, paint, type Scheme } from './theme.js'

/** A laid-out chart as SVG text. Equal charts give equal bytes, and text of others stays text. */

export interface SvgOptions {
  /** Begins every id in the SVG; different for each chart of a page. */
  readonly prefix: string
  readonly scheme: Scheme
}

export function chartSvg(chart: Chart, options: SvgOptions): string {
  return toSvg(layout(chart), options)
}

export function toSvg({ width, height, description, shapes }: Drawing, { prefix, scheme }: SvgOptions): string {
  const paper: Shape = { kind: 'rect', area: { x: 0, y: 0, width, height }, fill: { colour: 'paper' } }
  let clips = 0
  const written = (shape: Shape): string => {
    if (shape.kind === 'clip') {
      clips += 1
      const id = `${prefix}-${clips}`
      const { x, y, width, height } = shape.area
      return `<clipPath id="${id}"><rect${attributes({ x, y, width, height })}/></clipPath><g clip-path="url(#${id})">\n${shape.shapes.map(written).join('\n')}\n</g>`
    }
    if (shape.kind === 'text') return textElement(shape, scheme)
    const style = `${fillOf(shape.fill, scheme)}${strokeOf(shape.stroke, scheme)}`
    if (shape.kind === 'rect') return `<rect${attributes({ ...shape.area })}${style}/>`
    return `<path d="${outline(shape)}"${style}/>`
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" class="klens-chart" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(shortened(description))}" font-family="${FONT}">
${[paper, ...shapes].map(written).join('\n')}
</svg>`
}

function textElement({ at, text, type, anchor, halo = false }: TextShape, scheme: Scheme): string {
  // Not every viewer knows dominant-baseline (librsvg does not); a third of an em is the same place in any font.
  const place = `${attributes({ x: at[0], y: at[1] })} dy="0.35em"${anchor === 'start' ? '' : ` text-anchor="${anchor}"`}`
  const face = ` font-size="${type.size}"${type.bold ? ' font-weight="bold"' : ''}${fillOf(type, scheme)}`
  const around = halo ? `${strokeOf({ colour: 'paper', width: 3 }, scheme)} paint-order="stroke"` : ''
  return `<text${place}${face}${around}>${escaped(text)}</text>`
}

function attributes(values: { readonly [name: string]: number }): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${places(value)}"`)
    .join('')
}

function fillOf(fill: Fill | undefined, scheme: Scheme): string {
  if (fill === undefined) return ' fill="none"'
  const opacity = fill.opacity === undefined ? '' : ` fill-opacity="${fill.opacity}"`
  return ` fill="${paint(fill.colour, scheme)}"${opacity}`
}

function strokeOf(stroke: Stroke | undefined, scheme: Scheme): string {
  if (stroke === undefined) return ''
  const { colour, width, dash = [], opacity } = stroke
  return [
    ` stroke="${paint(colour, scheme)}" stroke-width="${width}" stroke-linejoin="round"`,
    ...(dash.length === 0 ? [] : [` stroke-dasharray="${dash.join(' ')}"`]),
    ...(opacity === undefined ? [] : [` stroke-opacity="${opacity}"`]),
  ].join('')
}

/** In characters; a description is read aloud. */
const LONGEST = 600

function shortened(text: string): string {
  const characters = [...text.slice(0, 2 * LONGEST)]
  return characters.length < LONGEST ? text : `${characters.slice(0, LONGEST - 1).join('')}…`
}

function escaped(text: string): string {
  return shown(text).replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
