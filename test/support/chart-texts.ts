import { textWidth } from '../../src/core/charts/label.js'
import type { Drawing } from '../../src/core/charts/layout.js'
import type { Shape } from '../../src/core/charts/shapes.js'

/** Where the texts of a chart stand, as far as a reader without a browser can tell. */
export interface TextBox {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** All shapes out of their groups, and how far down those stand. */
export function shapesOf(shapes: readonly Shape[], down = 0): readonly (readonly [Shape, down: number])[] {
  return shapes.flatMap(shape =>
    shape.kind === 'group' ? shapesOf(shape.shapes, down + (shape.down ?? 0)) : [[shape, down] as const],
  )
}

export function textBoxes({ shapes }: Drawing): readonly TextBox[] {
  const texts = shapesOf(shapes).flatMap(([shape, down]) => (shape.kind === 'text' ? [{ ...shape, down }] : []))
  return texts.map(({ text, type, at, anchor, down }) => {
    const [x, y] = [at[0], at[1] + down]
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
