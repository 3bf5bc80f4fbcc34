import type { Chart } from './chart.js'
import { shown } from './label.js'
import { type Drawing, layout } from './layout.js'
import { type Fill, outline, places, rect, type Shape, type Stroke, type TextShape } from './shapes.js'
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
  let clips = 0
  const element = (shape: Shape): string => {
    if (shape.kind === 'text') return textElement(shape, scheme)
    if (shape.kind === 'rect') return `<rect${attributes({ ...shape.area })}${paintOf(shape, scheme)}/>`
    if (shape.kind !== 'group') return `<path d="${outline(shape)}"${paintOf(shape, scheme)}/>`
    const inside = `${shape.shapes.map(element).join('\n')}\n</g>`
    if (shape.clip === undefined) return `<g transform="translate(0 ${places(shape.down ?? 0)})">\n${inside}`
    clips += 1
    const id = `${prefix}-${clips}`
    return `<clipPath id="${id}"><rect${attributes({ ...shape.clip })}/></clipPath><g clip-path="url(#${id})">\n${inside}`
  }
  const paper = rect(0, 0, width, height, { fill: { colour: 'paper' } })
  return `<svg xmlns="http://www.w3.org/2000/svg" class="klens-chart" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(shortened(description))}" font-family="${FONT}">
${[paper, ...shapes].map(element).join('\n')}
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

function paintOf({ fill, stroke }: { readonly fill?: Fill; readonly stroke?: Stroke }, scheme: Scheme): string {
  return `${fill === undefined ? ' fill="none"' : fillOf(fill, scheme)}${stroke === undefined ? '' : strokeOf(stroke, scheme)}`
}

function fillOf({ colour, opacity }: Fill, scheme: Scheme): string {
  return ` fill="${paint(colour, scheme)}"${opacity === undefined ? '' : ` fill-opacity="${opacity}"`}`
}

function strokeOf({ colour, width, dash = [], opacity }: Stroke, scheme: Scheme): string {
  const dashes = dash.length === 0 ? '' : ` stroke-dasharray="${dash.join(' ')}"`
  const strength = opacity === undefined ? '' : ` stroke-opacity="${opacity}"`
  return ` stroke="${paint(colour, scheme)}" stroke-width="${width}" stroke-linejoin="round"${dashes}${strength}`
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
