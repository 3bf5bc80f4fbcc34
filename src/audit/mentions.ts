import type { Statement } from '../document/document.js'
import { everyMatch } from '../document/matches.js'
import type { Axis, Line, Matrix } from '../document/matrix.js'
import type { Stretch } from '../document/quantity.js'
import { remembered, rememberedText } from '../document/remembered.js'
import { isIn } from './evidence.js'
import { type Name, namesOf, type Word, wordsOf } from './names.js'

/**
 * Which rows and columns a text speaks of: those whose names stand in it, and those of a step that it names. Relations
 * ask about one statement at a time, for table after table, so all that is known of the last one is kept and no more.
 */
export interface Mention extends Pick<Name, 'axes' | 'isRow' | 'isWhole'> {
  readonly matrix: Matrix
  readonly from: number
  readonly to: number
}

interface Known {
  readonly statement: Statement
  readonly words: readonly Word[]
  readonly ends: readonly End[]
  /** What stands above it and may say what it is about. */
  readonly above: readonly string[]
  readonly mentions: Map<Matrix, readonly Mention[]>
}

let last: Known | null = null

function known(statement: Statement): Known {
  if (last?.statement !== statement) {
    const { text, leads, section } = statement
    const titles = section === null || section.level === 1 ? [] : [section.title]
    const above = [...leads, ...titles]
    last = { statement, words: wordsOf(text), ends: endsIn(text), above, mentions: new Map() }
  }
  return last
}

const NONE: readonly Mention[] = []

/** What a statement names of a table, in the order of the text; a name inside a longer one does not count. */
export function mentionsIn(statement: Statement, matrix: Matrix): readonly Mention[] {
  const { words, ends, mentions } = known(statement)
  const found = mentions.get(matrix)
  if (found !== undefined) return found
  const named = namedBy(words, matrix)
  const names = namesOf(matrix)
  for (const { first, last: end, from, to } of statement.steps)
    if (first === end) for (const name of names.byStep.get(first) ?? []) named.push(mention(name, matrix, from, to))
  // The end of another experiment is another end.
  const { section } = matrix.table
  if (ends.length > 0 && (isIn(section, statement.section) || isIn(statement.section, section)))
    for (const { first, last: final } of names.ends)
      for (const { isLast, from, to } of ends) named.push(mention(isLast ? final : first, matrix, from, to))
  const made = longest(named.filter(({ to }) => !isCut(statement.text, to)))
  mentions.set(matrix, made)
  return made
}

/** "Epoch 2-5" does not name epoch 2. */
function isCut(text: string, to: number): boolean {
  return isDigit(text.charCodeAt(to - 1)) && /^\s?[-–~]\s?\d/.test(text.slice(to, to + 3))
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

const mention = ({ isRow, axes, isWhole }: Name, matrix: Matrix, from: number, to: number): Mention => ({
  matrix,
  isRow,
  axes,
  from,
  to,
  isWhole,
})

const mentionsOfText = rememberedText((text: string) =>
  remembered((matrix: Matrix) => longest(namedBy(wordsOf(text), matrix))),
)

/** What a title, a lead or a header names. */
export function mentionsInText(text: string, matrix: Matrix): readonly Mention[] {
  return mentionsOfText(text)(matrix)
}

/** What the name of a row or column says of the others: "B vs A" names A and B. */
export function mentionsInName(own: Axis, matrix: Matrix): readonly Mention[] {
  return longest(namedBy(wordsOf(own.name), matrix).filter(({ axes }) => !axes.includes(own)))
}

function namedBy(words: readonly Word[], matrix: Matrix): Mention[] {
  const found: Mention[] = []
  const { byWord } = namesOf(matrix)
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]
    const names = byWord.get(word.text)
    if (names === undefined) continue
    for (const name of names)
      if (standsAt(name.words, words, at))
        found.push(mention(name, matrix, word.from, words[at + name.words.length - 1].to))
  }
  return found
}

function standsAt(name: readonly string[], words: readonly Word[], at: number): boolean {
  for (let i = 0; i < name.length; i += 1) if (words[at + i]?.text !== name[i]) return false
  return true
}

/** "All data sets" in a table whose first column is headed "data set". */
export function namesCorner(text: string, matrix: Matrix): boolean {
  const { corner } = namesOf(matrix)
  const words = wordsOf(text)
  return corner.join('').length > 1 && words.some((_, i) => standsAt(corner, words, i))
}

/** "The final checkpoint" names the last row or column of a course. */
interface End extends Stretch {
  readonly isLast: boolean
}

const LAST =
  /(?<![a-z])(?:the )?(?:final|last) (?:checkpoint|step|epoch|iteration|evaluation|update|round)(?![a-z])|(?:by|at|in|to) the end(?! of the (?:table|report))|(?:最终|最后)(?:一[个次步轮]|的?(?:checkpoint|检查点|模型|轮次|评估))/gi
const FIRST =
  /(?<![a-z])(?:the )?(?:initial|first) (?:checkpoint|step|epoch|iteration|evaluation|value)(?![a-z])|at the start|(?:初始|起始)(?:时|的?(?:checkpoint|检查点|模型|值))/gi

function endsIn(text: string): readonly End[] {
  if (!/final|last|first|initial|the end|the start|最[终后]|[初起]始/i.test(text)) return []
  return [LAST, FIRST].flatMap(pattern =>
    everyMatch(text, pattern).map(({ index, 0: found }) => ({
      from: index,
      to: index + found.length,
      isLast: pattern === LAST,
    })),
  )
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
export interface Clause {
  readonly statement: Statement
  readonly from: number
  readonly to: number
  readonly text: string
}

/** A comma between digits belongs to a number, one inside brackets to what the brackets hold. */
const CLAUSE_END =
  /[。；;！？!?]|[,，](?!\d{3})(?![^(（]{0,40}[)）])|\.(?=\s)|(?:但是?|而且?(?![非])|(?<![A-Za-z])(?:however|but|although|while|whereas)(?![A-Za-z])|虽然)/gi

let lastSplit: { readonly statement: Statement; readonly clauses: readonly Clause[] } | null = null

export function clausesOf(statement: Statement): readonly Clause[] {
  if (lastSplit?.statement !== statement) lastSplit = { statement, clauses: split(statement) }
  return lastSplit.clauses
}

function split(statement: Statement): readonly Clause[] {
  const { text } = statement
  const parts: Clause[] = []
  let start = 0
  const put = (end: number): void => {
    if (end > start) parts.push({ statement, from: start, to: end, text: text.slice(start, end) })
  }
  for (const { index, 0: mark } of everyMatch(text, CLAUSE_END)) {
    put(index)
    start = index + mark.length
  }
  put(text.length)
  return parts
}

/** The stretch that makes an assertion. */
export function clauseOf({
  scope: { statement, stretch },
}: {
  readonly scope: { readonly statement: Statement | null; readonly stretch: Stretch | null }
}): Clause | null {
  if (statement === null) return null
  const { from, to } = stretch ?? { from: 0, to: statement.text.length }
  return { statement, from, to, text: statement.text.slice(from, to) }
}

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
export const OTHERS = /其余|其他|其它|(?<![A-Za-z])(?:others?|the (?:rest|remaining)|elsewhere)(?![A-Za-z])/i

export function focusOf(clause: Clause, matrix: Matrix): Focus {
  const { statement, from, to } = clause
  const all = mentionsIn(statement, matrix)
  const own = all.every(one => one.from >= from && one.to <= to)
    ? all
    : all.filter(one => one.from >= from && one.to <= to)
  const inherited = inheritedBy(clause, matrix, all === own ? NONE : all.filter(one => one.to <= from))
  // "The others" are those who were not named before.
  return { matrix, own, inherited: inherited.length > 0 && OTHERS.test(clause.text) ? NONE : inherited }
}

/** Of rows and of columns what the last clause before it named; else the one whole name in what stands above. */
function inheritedBy({ statement }: Clause, matrix: Matrix, earlier: readonly Mention[]): readonly Mention[] {
  const above: (readonly Mention[])[] = []
  for (const text of known(statement).above) {
    const named = mentionsInText(text, matrix)
    if (named.length > 0) above.push(named)
  }
  if (earlier.length === 0 && above.length === 0) return NONE
  return [true, false].flatMap(isRow => {
    const last = earlier.findLast(one => one.isRow === isRow)
    if (last !== undefined) {
      const home = clausesOf(statement).find(clause => clause.from <= last.from && clause.to >= last.to)
      return earlier.filter(one => one.isRow === isRow && one.from >= (home?.from ?? 0))
    }
    const whole = above.map(all => all.filter(one => one.isRow === isRow && one.isWhole))
    const named = whole.find(all => all.length > 0) ?? NONE
    return named.length === 1 ? named : NONE
  })
}
