import { lastAtMost } from '../document/places.js'

/**
 * A report of klens's beside the same report made again from the logs. Lines are paired in order, and figures within
 * lines that say the same otherwise: what both have is reproduced, what differs is known with its right value, and a
 * line that a person wrote or reworded is neither. Nothing that the report says of itself has to be believed.
 */
export interface RemadeReport {
  readonly text: string
  /** What made it, for people. */
  readonly command: string
  /** By the same klens from the same data: then a figure that differs is wrong, and not merely older. */
  readonly isSame: boolean
}

export interface Reproduction {
  readonly command: string
  /** Whether the line here says what the remade one says, figures that differ apart. */
  readonly isReproduced: (offset: number) => boolean
  /** Whether a figure of the line here is known to be wrong. */
  readonly differsAt: (offset: number) => boolean
  readonly differing: readonly DifferingFigure[]
}

export interface DifferingFigure {
  readonly offset: number
  readonly found: string
  readonly expected: string
}

interface TextLine {
  readonly offset: number
  readonly text: string
}

interface ChangedLine {
  readonly line: TextLine
  readonly figures: readonly DifferingFigure[]
}

export function reproduce(text: string, remade: RemadeReport): Reproduction {
  const [own, other] = [linesOf(text), linesOf(remade.text)]
  const matches = matching(own, other)
  const changed = remade.isSame ? changedLines(own, other, matches) : []
  const reproduced = new Set([...matches.map(([i]) => own[i].offset), ...changed.map(({ line }) => line.offset)])
  const wrong = new Set(changed.map(({ line }) => line.offset))
  const starts = own.map(({ offset }) => offset)
  const lineAt = (offset: number): number => starts[lastAtMost(starts, offset)]
  return {
    command: remade.command,
    isReproduced: offset => reproduced.has(lineAt(offset)),
    differsAt: offset => wrong.has(lineAt(offset)),
    differing: changed.flatMap(({ figures }) => figures),
  }
}

/** The lines that say something. The comment with the recipe is no part of what is read. */
function linesOf(text: string): readonly TextLine[] {
  const lines: TextLine[] = []
  for (let offset = 0; offset < text.length; ) {
    const end = text.indexOf('\n', offset)
    const line = text.slice(offset, end < 0 ? text.length : end)
    if (line.trim() !== '' && !line.startsWith('<!-- klens-report')) lines.push({ offset, text: line.trimEnd() })
    offset = end < 0 ? text.length : end + 1
  }
  return lines
}

/** So many pairs of lines are looked at; a report that differs in more has been written anew. */
const MOST_PAIRS = 4_000_000

type Match = readonly [own: number, other: number]

/** The longest common course of lines: the same beginning and end first, which is all of an untouched report. */
function matching(own: readonly TextLine[], other: readonly TextLine[]): readonly Match[] {
  let head = 0
  while (head < own.length && head < other.length && own[head].text === other[head].text) head += 1
  let tail = 0
  while (
    tail < own.length - head &&
    tail < other.length - head &&
    own[own.length - 1 - tail].text === other[other.length - 1 - tail].text
  )
    tail += 1
  const matches: Match[] = Array.from({ length: head }, (_, i) => [i, i] as const)
  matches.push(...commonCourse(own, other, head, tail))
  for (let i = tail; i > 0; i -= 1) matches.push([own.length - i, other.length - i])
  return matches
}

function commonCourse(own: readonly TextLine[], other: readonly TextLine[], head: number, tail: number): Match[] {
  const [rows, columns] = [own.length - head - tail, other.length - head - tail]
  if (rows * columns === 0 || rows * columns > MOST_PAIRS) return []
  const width = columns + 1
  const lengths = new Uint16Array((rows + 1) * width)
  const isSame = (row: number, column: number): boolean => own[head + row].text === other[head + column].text
  for (let row = rows - 1; row >= 0; row -= 1) {
    for (let column = columns - 1; column >= 0; column -= 1) {
      lengths[row * width + column] = isSame(row, column)
        ? lengths[(row + 1) * width + column + 1] + 1
        : Math.max(lengths[(row + 1) * width + column], lengths[row * width + column + 1])
    }
  }
  const found: Match[] = []
  for (let [row, column] = [0, 0]; row < rows && column < columns; ) {
    if (isSame(row, column)) {
      found.push([head + row, head + column])
      row += 1
      column += 1
    } else if (lengths[(row + 1) * width + column] >= lengths[row * width + column + 1]) row += 1
    else column += 1
  }
  return found
}

/** Between two common lines, a line that differs in figures alone stands for the one of the same words. */
function changedLines(
  own: readonly TextLine[],
  other: readonly TextLine[],
  matches: readonly Match[],
): readonly ChangedLine[] {
  const found: ChangedLine[] = []
  let [row, column] = [0, 0]
  for (const [nextRow, nextColumn] of [...matches, [own.length, other.length] as const]) {
    if ((nextRow - row) * (nextColumn - column) <= MOST_PAIRS) {
      const left = other.slice(column, nextColumn).map(line => ({ line, words: withoutFigures(line.text) }))
      for (const line of own.slice(row, nextRow)) {
        const words = withoutFigures(line.text)
        const at = left.findIndex(pair => pair.words === words)
        if (at >= 0) found.push({ line, figures: figuresApart(line, left.splice(0, at + 1)[at].line) })
      }
    }
    row = nextRow + 1
    column = nextColumn + 1
  }
  return found
}

/** A number of its own: no part of a name, a hash or a version. */
const FIGURE = /(?<![\p{L}\d_./])[+−-]?\d+(?:[.,]\d+)*(?:e[−-]?\d+)?(?![\p{L}\d_]|\.\d)/gu

function withoutFigures(text: string): string {
  return text.replace(FIGURE, '#')
}

function figuresApart(line: TextLine, pair: TextLine): readonly DifferingFigure[] {
  const expected = [...pair.text.matchAll(FIGURE)].map(([figure]) => figure)
  return [...line.text.matchAll(FIGURE)].flatMap(({ 0: figure, index }, i) => {
    const right = expected[i]
    return right === figure ? [] : [{ offset: line.offset + index, found: figure, expected: right }]
  })
}
