import { textWidth } from '../../src/charts/label.js'
import type { Drawing } from '../../src/charts/layout.js'
import type { Shape, TextShape } from '../../src/charts/shapes.js'

/** Where the texts of a chart stand, as far as a reader without a browser can tell. */
export interface TextBox {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

export function shapesOf(shapes: readonly Shape[]): readonly Shape[] {
  return shapes.flatMap(shape => (shape.kind === 'clip' ? shapesOf(shape.shapes) : [shape]))
}

export function textBoxes({ shapes }: Drawing): readonly TextBox[] {
  const texts = shapesOf(shapes).filter((shape): shape is TextShape => shape.kind === 'text')
  return texts.map(({ text, type, at: [x, y], anchor }) => {
    const wide = textWidth(text, type)
    const left = anchor === 'start' ? x : anchor === 'middle' ? x - wide / 2 : x - wide
    return { text, left, right: left + wide, top: y - type.size / 2, bottom: y + type.size / 2 }
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
