import type { Line, Matrix } from '../logs/document/matrix.js'
import type { Quantity } from '../logs/document/quantity.js'
import {
  type Assertion,
  type CheckOutcome,
  confirmed,
  type Relation,
  type Stance,
  type StatedFigure,
  UNCHECKED,
} from './assertion.js'
import { type BindingFrame, framesOf, isBaseIn, type Named } from './binding.js'
import type { ReportEvidence } from './evidence.js'
import { type Mention, mentionsIn, type ReportClause } from './mentions.js'
import { mentionsUnknownName } from './unknown-names.js'

/** How readings become a verdict: the kindest one decides, and what is told is the one most surely meant. */

/** What one reading comes to. The weight says how surely the one that does not hold is meant; 0 is held against nobody. */
export type Interpretation =
  | { readonly holds: true; readonly by: string }
  | { readonly holds: false; readonly weight: number; readonly tell: () => CheckOutcome; readonly line: Line | null }

export const held = (by: string): Interpretation => ({ holds: true, by })
/** With the line that only names lead to; what the text prints itself needs none. */
export function missed(weight: number, tell: () => CheckOutcome, line: Line | null = null): Interpretation {
  return { holds: false, weight, tell, line }
}

/**
 * The verdict by charity: a reading that holds saves the assertion, else the one that is most surely meant is told,
 * unless the clause names what that table does not know.
 */
export function kindest(readings: Iterable<Interpretation>, clause: ReportClause | null = null): CheckOutcome {
  let told: Exclude<Interpretation, { readonly holds: true }> | null = null
  for (const reading of readings) {
    if (reading.holds) return confirmed(reading.by)
    if (reading.weight > (told?.weight ?? 0)) told = reading
  }
  if (told === null) return UNCHECKED
  if (clause !== null && told.line !== null && mentionsUnknownName(clause, told.line.matrix)) return UNCHECKED
  return told.tell()
}

const LONGEST_CODE = 1_000
const CODE_ABOVE = /```([^`]*)```[\s*>-]*$/

/** What stands right below a block of code or output that has two of the names is about that block. */
function isOfCode({ statement }: ReportClause, frames: readonly BindingFrame[], { document }: ReportEvidence): boolean {
  const start = statement.offsetOf(0)
  const [, code] = CODE_ABOVE.exec(document.text.slice(Math.max(0, start - LONGEST_CODE), start)) ?? []
  if (code === undefined) return false
  const named = frames.flatMap(({ subjects, bases, earlier }) => [...subjects, ...bases, ...earlier])
  const names = new Set(named.map(({ mention: { from, to } }) => statement.text.slice(from, to)))
  return [...names].filter(name => code.includes(name)).length > 1
}

/** An assertion of a clause, and all that the clause may speak of. */
export interface ClauseCheck {
  readonly assertion: Assertion
  readonly clause: ReportClause
  readonly frames: readonly BindingFrame[]
  readonly evidence: ReportEvidence
}

/** The check of a relation that clauses assert: what is planned, advised or defined is held against nobody. */
export function checkedBy(
  readings: (asked: ClauseCheck) => Iterable<Interpretation>,
  stances: readonly Stance[] = ['said', 'hedged'],
): Relation['check'] {
  return (assertion, evidence) => {
    const clause = clauseOf(assertion)
    if (clause === null || !stances.includes(assertion.stance)) return UNCHECKED
    const frames = framesOf(clause, evidence)
    const outcome = kindest(readings({ assertion, clause, frames, evidence }), clause)
    return outcome.verdict === 'refuted' && isOfCode(clause, frames, evidence) ? UNCHECKED : outcome
  }
}

/** The stretch that makes an assertion. */
export function clauseOf({ scope: { statement, stretch } }: Pick<Assertion, 'scope'>): ReportClause | null {
  if (statement === null) return null
  const { from, to } = stretch ?? { from: 0, to: statement.text.length }
  return { statement, from, to, text: statement.text.slice(from, to) }
}

/** Who is held against whom: two named points of one line, of which the left is measured against the right. */
export interface Pair {
  readonly frame: BindingFrame
  readonly left: Named
  readonly right: Named
}

/** "1.3 points above A and 7.7 above B": each that is named, else who was spoken of before, against each that is. */
export function rivalsOf(frame: BindingFrame, { statement: { text } }: ReportClause): readonly Pair[] {
  const { subjects, bases, earlier } = frame
  const before = earlier.filter(({ mention }) => !isBaseIn(text, mention)).slice(0, 1)
  const known = (subjects.length > 0 ? subjects : before).filter(one => bases.every(({ point }) => point !== one.point))
  return known.flatMap(left => bases.map(right => ({ frame, left, right })))
}

/** The figures of some that are no part of a name: "K=8", "v1.5". */
export function unnamed(
  figures: readonly Quantity[],
  { statement }: ReportClause,
  matrix: Matrix,
): readonly Quantity[] {
  return figures.filter(one => !isNamed(one, mentionsIn(statement, matrix)))
}

/** "448 → 672", where the columns of a near table are called 448 and 672: figures that head it are no levels. */
export function areHeads(figures: readonly StatedFigure[], evidence: ReportEvidence): boolean {
  const near = evidence.near(figures[0]?.offset ?? 0).slice(0, 4)
  const names = near.map(({ rows, columns }) => new Set([...rows, ...columns].map(({ name }) => name)))
  return names.some(heads => figures.every(({ text }) => heads.has(text.trim())))
}

export const isNamed = ({ from, to }: Quantity, mentions: readonly Mention[]): boolean =>
  mentions.some(name => name.from <= from && name.to >= to)

/** The pairs of the lines that are named; where none is, a mean speaks for all. */
export function meantOf(pairs: readonly Pair[]): readonly Pair[] {
  const named = pairs.filter(({ frame }) => frame.isNamed)
  const means = pairs.filter(({ frame }) => frame.line.of.role === 'summary')
  return [named, means].find(list => list.length > 0) ?? pairs
}
