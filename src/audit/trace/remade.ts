import { linesOf } from '../../logs/document/markdown.js'
import { lastAtMost } from '../../logs/document/places.js'

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
  /** The figure that differs in a stretch of the text. */
  readonly differingIn: (from: number, to: number) => DifferingFigure | undefined
}

export interface DifferingFigure {
  readonly offset: number
  readonly found: string
  readonly expected: string
}

interface TextLine {
  readonly offset: number
  readonly text: string
  /** Without its figures. */
  readonly words: string
}

export function reproduce(text: string, { command, isSame, text: remade }: RemadeReport): Reproduction {
  const own = linesIn(text)
  const pairs = commonCourse(own, linesIn(remade), isSame)
  const starts = own.map(({ offset }) => offset)
  const lineAt = (offset: number): number => starts[lastAtMost(starts, offset)] ?? Number.NaN
  const reproduced = new Set(pairs.map(([line]) => line.offset))
  const differing = pairs.flatMap(figuresApart)
  const wrong = new Set(differing.map(({ offset }) => lineAt(offset)))
  return {
    command,
    isReproduced: offset => reproduced.has(lineAt(offset)),
    differsAt: offset => wrong.has(lineAt(offset)),
    differing,
    differingIn: (from, to) => differing.find(({ offset, found }) => offset < to && offset + found.length > from),
  }
}

/** A number of its own: no part of a name, a hash or a version. */
const FIGURE = /(?<![\p{L}\d_./])[+−-]?\d+(?:[.,]\d+)*(?:e[−-]?\d+)?(?![\p{L}\d_]|\.\d)/gu

/** The lines that say something. The comment with the recipe is no part of what is read. */
function linesIn(text: string): readonly TextLine[] {
  return Array.from(linesOf(text), ({ from, to }) => ({ offset: from, text: text.slice(from, to).trimEnd() }))
    .filter(line => line.text !== '' && !line.text.startsWith('<!-- klens-report'))
    .map(line => ({ ...line, words: line.text.replace(FIGURE, '#') }))
}

type LinePair = readonly [own: TextLine, other: TextLine]

/** So many pairs of lines are looked at; no report of klens's has as many lines. */
const MOST_PAIRS = 4_000_000

/** One line that is the same outweighs all that are alike but for their figures. */
const SAME = 4_096

/** The lines that both have in their order, by the longest common subsequence. */
function commonCourse(own: readonly TextLine[], other: readonly TextLine[], mayDiffer: boolean): readonly LinePair[] {
  if (own.length * other.length > MOST_PAIRS) return []
  const likeness = (a: TextLine, b: TextLine): number =>
    a.text === b.text ? SAME : Number(mayDiffer && a.words === b.words)
  const width = other.length + 1
  // By row and column of what is left of both.
  const best = new Uint32Array((own.length + 1) * width)
  const bestAt = (row: number, column: number): number => best[row * width + column] ?? 0
  for (const [row, a] of [...own.entries()].reverse()) {
    for (let column = other.length - 1; column >= 0; column -= 1) {
      const b = other[column]
      const paired = bestAt(row + 1, column + 1) + (b === undefined ? 0 : likeness(a, b))
      best[row * width + column] = Math.max(paired, bestAt(row + 1, column), bestAt(row, column + 1))
    }
  }
  const found: LinePair[] = []
  let [row, column] = [0, 0]
  for (let [a, b] = [own[0], other[0]]; a !== undefined && b !== undefined; [a, b] = [own[row], other[column]]) {
    if (bestAt(row, column) === bestAt(row + 1, column)) row += 1
    else if (bestAt(row, column) === bestAt(row, column + 1)) column += 1
    else {
      found.push([a, b])
      row += 1
      column += 1
    }
  }
  return found
}

function figuresApart([line, pair]: LinePair): readonly DifferingFigure[] {
  const expected = pair.text.match(FIGURE) ?? []
  return Array.from(line.text.matchAll(FIGURE), ({ 0: found, index }, i) => ({
    offset: line.offset + index,
    found,
    expected: expected[i] ?? '',
  })).filter(figure => figure.found !== figure.expected)
}
