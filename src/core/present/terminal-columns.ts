import { displayWidth, pad, printable } from './terminal-text.js'

/**
 * Texts on a terminal, two beside each other where there is room. They come from models: nothing in them may reach the
 * terminal as anything but letters.
 */

/** Narrower columns are unreadable; then one text stands under the other. */
const NARROWEST = 34
/** Of a pipe. */
const USUAL_WIDTH = 116

interface ColumnOptions {
  readonly paint: (format: 'dim', text: string) => string
  /** Null: a pipe. */
  readonly width: number | null
  readonly indent?: number
}

interface TitledText {
  readonly title: string
  readonly text: string
}

export function columnLines(
  items: readonly TitledText[],
  { paint, width, indent = 0 }: ColumnOptions,
): readonly string[] {
  const room = Math.min(200, Math.max(40, (width ?? USUAL_WIDTH) - indent))
  const column = Math.floor((room - 3) / 2)
  const titles = items.map(({ title }) => paint('dim', printable(title, column, column)))
  if (items.length < 2 || column < NARROWEST) {
    return items.flatMap(({ title, text }, i) => [
      ...(title === '' ? [] : [titles[i]]),
      ...wrapText(text, room - 2).map(line => `  ${line}`.trimEnd()),
    ])
  }
  const columns = items.map(({ text }) => wrapText(text, column))
  const rows = Math.max(...columns.map(({ length }) => length))
  const lines = Array.from({ length: rows }, (_, i) => columns.map(each => each[i] ?? ''))
  return [titles, ...lines].map(cells =>
    cells
      .map((cell, i) => (i === 0 ? pad(cell, column) : cell))
      .join(' │ ')
      .trimEnd(),
  )
}

/** Lines of at most `width` columns, broken at blanks where there are any. */
export function wrapText(text: string, width: number): readonly string[] {
  return text.split(/\r\n|\n/).flatMap(paragraph => {
    const lines: string[] = []
    let left = printable(paragraph.replaceAll('\t', '  '), paragraph.length * 6 + 1, null)
    do {
      const line = fitting(left, width)
      lines.push(line.trimEnd())
      left = left.slice(line.length).trimStart()
    } while (left !== '')
    return lines
  })
}

function fitting(text: string, width: number): string {
  let columns = 0
  let end = 0
  for (const character of text) {
    columns += displayWidth(character)
    if (columns > width) break
    end += character.length
  }
  if (end >= text.length) return text
  const blank = text.lastIndexOf(' ', end)
  return text.slice(0, blank > end / 2 ? blank : Math.max(end, 1))
}
