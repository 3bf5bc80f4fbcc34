import type { Statement } from '../logs/document/document.js'
import { everyMatch } from '../logs/document/matches.js'
import type { Line, Matrix, MatrixAxis } from '../logs/document/matrix.js'
import { rememberedText } from '../logs/document/remembered.js'
import { memoByObject, memoOfLast } from '../logs/model/util/memo.js'
import { type Name, type NameWord, namesOf, wordsOf } from './names.js'

/**
 * Which rows and columns a text speaks of: those whose names stand in it, and those of a step that it names. Relations
 * ask about one statement at a time, for table after table, so all that is known of the last one is kept and no more.
 */
export interface Mention extends Pick<Name, 'axes' | 'isRow' | 'isWhole'> {
  readonly matrix: Matrix
  readonly from: number
  readonly to: number
}

interface KnownStatement {
  readonly words: readonly NameWord[]
  /** What stands above it and may say what it is about. */
  readonly above: readonly string[]
  readonly mentions: Map<Matrix, readonly Mention[]>
}

const known = memoOfLast(({ text, leads, section }: Statement): KnownStatement => {
  const above = section === null || section.level === 1 ? leads : [...leads, section.title]
  return { words: wordsOf(text), above, mentions: new Map() }
})

const NONE: readonly Mention[] = []

/** What a statement names of a table, in the order of the text; a name inside a longer one does not count. */
export function mentionsIn(statement: Statement, matrix: Matrix): readonly Mention[] {
  const { words, mentions } = known(statement)
  const found = mentions.get(matrix)
  if (found !== undefined) return found
  const named = namedBy(words, matrix)
  const { byStep } = namesOf(matrix)
  for (const { first, last: end, from, to } of statement.steps)
    if (first === end) for (const name of byStep.get(first) ?? []) named.push(mention(name, matrix, from, to))
  // "Epoch 2-5" does not name epoch 2.
  const isCut = (to: number): boolean => /^\d\s?[-–~]\s?\d/.test(statement.text.slice(to - 1, to + 3))
  const made = longest(named.filter(({ to }) => !isCut(to)))
  mentions.set(matrix, made)
  return made
}

function mention({ isRow, axes, isWhole }: Name, matrix: Matrix, from: number, to: number): Mention {
  return { matrix, isRow, axes, from, to, isWhole }
}

const mentionsOfText = rememberedText((text: string) =>
  memoByObject((matrix: Matrix) => longest(namedBy(wordsOf(text), matrix))),
)

/** What a title, a lead or a header names. */
export function mentionsInText(text: string, matrix: Matrix): readonly Mention[] {
  return mentionsOfText(text)(matrix)
}

/** What the name of a row or column says of the others: "B vs A" names A and B. */
export function mentionsInName(own: MatrixAxis, matrix: Matrix): readonly Mention[] {
  return longest(namedBy(wordsOf(own.name), matrix).filter(({ axes }) => !axes.includes(own)))
}

function namedBy(words: readonly NameWord[], matrix: Matrix): Mention[] {
  const found: Mention[] = []
  const { byWord } = namesOf(matrix)
  for (const [at, first] of words.entries()) {
    for (const name of byWord.get(first.text) ?? []) {
      const last = words[at + name.words.length - 1]
      if (last !== undefined && standsAt(name.words, words, at)) found.push(mention(name, matrix, first.from, last.to))
    }
  }
  return found
}

function standsAt(name: readonly string[], words: readonly NameWord[], at: number): boolean {
  for (let i = 0; i < name.length; i += 1) if (words[at + i]?.text !== name[i]) return false
  return true
}

/** "All data sets" in a table whose first column is headed "data set". */
export function namesCorner(text: string, matrix: Matrix): boolean {
  const { corner } = namesOf(matrix)
  const words = wordsOf(text)
  return corner.join('').length > 1 && words.some((_, i) => standsAt(corner, words, i))
}

function longest(mentions: readonly Mention[]): readonly Mention[] {
  if (mentions.length < 2) return mentions.length === 0 ? NONE : mentions
  return mentions
    .filter(
      (one, i) =>
        !mentions.some((other, j) => {
          if (j === i || other.from > one.from || other.to < one.to) return false
          if (other.to - other.from > one.to - one.from || (other.isWhole && !one.isWhole)) return true
          return j < i && other.isWhole === one.isWhole && other.isRow === one.isRow && other.axes[0] === one.axes[0]
        }),
    )
    .sort((a, b) => a.from - b.from)
}

/** A stretch of a statement that says one thing. */
export interface ReportClause {
  readonly statement: Statement
  readonly from: number
  readonly to: number
  readonly text: string
}

/** A comma between digits belongs to a number, one inside brackets to what the brackets hold. */
const CLAUSE_END =
  /[。；;！？!?]|[,，](?!\d{3})(?![^(（]{0,40}[)）])|\.(?=\s)|(?:但是?|而且?(?![非])|(?<![A-Za-z])(?:however|but|although|while|whereas)(?![A-Za-z])|虽然)/gi

export const clausesOf = memoOfLast((statement: Statement): readonly ReportClause[] => {
  const { text } = statement
  const marks = everyMatch(text, CLAUSE_END)
  const starts = [0, ...marks.map(({ index, 0: mark }) => index + mark.length)]
  return starts
    .map((from, i) => ({ from, to: marks[i]?.index ?? text.length }))
    .filter(({ from, to }) => to > from)
    .map(({ from, to }) => ({ statement, from, to, text: text.slice(from, to) }))
})

/** Whether one of the names is that of the line itself. */
export function areOf({ of, isColumn }: Line, mentions: readonly Mention[]): boolean {
  return mentions.some(one => one.isRow !== isColumn && one.axes.includes(of))
}

/** What a clause speaks of in one table: what it names itself, else what the clause before it named. */
export interface Focus {
  readonly matrix: Matrix
  readonly own: readonly Mention[]
  /** Rows or columns are taken over from what stands before the clause. */
  readonly inherited: readonly Mention[]
}

/** All but those who were named before. */
const OTHERS = /其余|其他|其它|(?<![A-Za-z])(?:others?|the (?:rest|remaining)|elsewhere)(?![A-Za-z])/i

export function focusOf(clause: ReportClause, matrix: Matrix): Focus {
  const { statement, from, to, text } = clause
  const all = mentionsIn(statement, matrix)
  const own = all.filter(one => one.from >= from && one.to <= to)
  const inherited = inheritedBy(statement, matrix, own.length === all.length ? NONE : all.filter(one => one.to <= from))
  // "The others" are those who were not named before.
  return { matrix, own, inherited: inherited.length > 0 && OTHERS.test(text) ? NONE : inherited }
}

/** Of rows and of columns what the last clause before it named; else the one whole name in what stands above. */
function inheritedBy(statement: Statement, matrix: Matrix, earlier: readonly Mention[]): readonly Mention[] {
  const above = known(statement).above.map(text => mentionsInText(text, matrix))
  if (earlier.length === 0 && above.every(named => named.length === 0)) return NONE
  return [true, false].flatMap(isRow => {
    const before = earlier.filter(one => one.isRow === isRow)
    const latest = before.at(-1)
    if (latest !== undefined) {
      const home = clausesOf(statement).find(clause => clause.from <= latest.from && clause.to >= latest.to)
      return before.filter(one => one.from >= (home?.from ?? 0))
    }
    const whole = above.map(all => all.filter(one => one.isRow === isRow && one.isWhole))
    const named = whole.find(all => all.length > 0) ?? NONE
    return named.length === 1 ? named : NONE
  })
}
