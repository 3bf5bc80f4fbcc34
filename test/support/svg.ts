import { textWidth } from '../../src/charts/label.js'

/** Where the texts of an SVG stand, as far as a reader without a browser can tell. */
export interface TextBox {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

export function textBoxes(svg: string): readonly TextBox[] {
  return [...svg.matchAll(/<text ([^>]*)>([^<]*)<\/text>/g)].map(([, attributes, escaped]) => {
    const number = (pattern: RegExp): number => Number(pattern.exec(attributes)?.[1] ?? 0)
    const shift = /translate\(([-\d.]+) ([-\d.]+)\)/.exec(attributes)
    const size = number(/font-size:([\d.]+)px/)
    const text = unescaped(escaped)
    const wide = textWidth(text, size)
    const x = number(/ x="([-\d.]+)"/) + Number(shift?.[1] ?? 0)
    const y = number(/ y="([-\d.]+)"/) + Number(shift?.[2] ?? 0)
    const anchor = /text-anchor="(\w+)"/.exec(attributes)?.[1] ?? 'start'
    const left = anchor === 'start' ? x : anchor === 'middle' ? x - wide / 2 : x - wide
    return { text, left, right: left + wide, top: y - size / 2, bottom: y + size / 2 }
  })
}

export function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

/** Pairs of texts that lie on each other. */
export function overlapping(boxes: readonly TextBox[]): readonly (readonly [string, string])[] {
  return boxes.flatMap((one, i) =>
    boxes
      .slice(i + 1)
      .filter(
        other =>
          one.left < other.right && other.left < one.right && one.top < other.bottom - 1 && other.top < one.bottom - 1,
      )
      .map(other => [one.text, other.text] as const),
  )
}
