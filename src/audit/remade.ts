import { linesOf } from '../document/markdown.js'
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
  const lineAt = (offset: number): number => starts[lastAtMost(starts, offset)]
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

type Pair = readonly [own: TextLine, other: TextLine]

/** So many pairs of lines are looked at; no report of klens's has as many lines. */
const MOST_PAIRS = 4_000_000

/** One line that is the same outweighs all that are alike but for their figures. */
const SAME = 4_096

/** The lines that both have in their order, by the longest common subsequence. */
function commonCourse(own: readonly TextLine[], other: readonly TextLine[], mayDiffer: boolean): readonly Pair[] {
  if (own.length * other.length > MOST_PAIRS) return []
  const likeness = (a: TextLine, b: TextLine): number =>
    a.text === b.text ? SAME : Number(mayDiffer && a.words === b.words)
  const best = Array.from({ length: own.length + 1 }, () => new Uint32Array(other.length + 1))
  for (let row = own.length - 1; row >= 0; row -= 1) {
    for (let column = other.length - 1; column >= 0; column -= 1) {
      const paired = best[row + 1][column + 1] + likeness(own[row], other[column])
      best[row][column] = Math.max(paired, best[row + 1][column], best[row][column + 1])
    }
  }
  const found: Pair[] = []
  for (let [row, column] = [0, 0]; row < own.length && column < other.length; ) {
    if (best[row][column] === best[row + 1][column]) row += 1
    else if (best[row][column] === best[row][column + 1]) column += 1
    else found.push([own[row++], other[column++]])
  }
  return found
}

function figuresApart([line, pair]: Pair): readonly DifferingFigure[] {
  const expected = pair.text.match(FIGURE) ?? []
  return Array.from(line.text.matchAll(FIGURE), ({ 0: found, index }, i) => ({
    offset: line.offset + index,
    found,
    expected: expected[i],
  })).filter(figure => figure.found !== figure.expected)
}
