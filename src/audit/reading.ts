import type { Line } from '../document/matrix.js'
import { type Assertion, confirmed, type Outcome, type Relation, type Stance, UNCHECKED } from './assertion.js'
import { type Frame, framesOf } from './binding.js'
import type { Evidence } from './evidence.js'
import type { Clause } from './mentions.js'
import { namesStranger } from './strangers.js'

/** How readings become a verdict: the kindest one decides, and what is told is the one most surely meant. */

/** What one reading comes to. The weight says how surely the one that does not hold is meant; 0 is held against nobody. */
export type Reading =
  | { readonly holds: true; readonly by: string }
  | { readonly holds: false; readonly weight: number; readonly tell: () => Outcome; readonly line: Line | null }

export const held = (by: string): Reading => ({ holds: true, by })
/** With the line that only names lead to; what the text prints itself needs none. */
export function missed(weight: number, tell: () => Outcome, line: Line | null = null): Reading {
  return { holds: false, weight, tell, line }
}

/**
 * The verdict by charity: a reading that holds saves the assertion, else the one that is most surely meant is told,
 * unless the clause names what that table does not know.
 */
export function kindest(readings: Iterable<Reading>, clause: Clause | null = null): Outcome {
  let told: Exclude<Reading, { readonly holds: true }> | null = null
  for (const reading of readings) {
    if (reading.holds) return confirmed(reading.by)
    if (reading.weight > (told?.weight ?? 0)) told = reading
  }
  if (told === null) return UNCHECKED
  if (clause !== null && told.line !== null && namesStranger(clause, told.line.matrix)) return UNCHECKED
  return told.tell()
}

const LONGEST_CODE = 1_000
const CODE_ABOVE = /```([^`]*)```[\s*>-]*$/

/** What stands right below a block of code or output that has two of the names is about that block. */
function isOfCode({ statement }: Clause, frames: readonly Frame[], { document }: Evidence): boolean {
  const start = statement.offsetOf(0)
  const [, code] = CODE_ABOVE.exec(document.text.slice(Math.max(0, start - LONGEST_CODE), start)) ?? []
  if (code === undefined) return false
  const named = frames.flatMap(({ subjects, bases, earlier }) => [...subjects, ...bases, ...earlier])
  const names = new Set(named.map(({ mention: { from, to } }) => statement.text.slice(from, to)))
  return [...names].filter(name => code.includes(name)).length > 1
}

/** An assertion of a clause, and all that the clause may speak of. */
export interface Asked {
  readonly assertion: Assertion
  readonly clause: Clause
  readonly frames: readonly Frame[]
  readonly evidence: Evidence
}

/** The check of a relation that clauses assert: what is planned, advised or defined is held against nobody. */
export function checkedBy(
  readings: (asked: Asked) => Iterable<Reading>,
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
export function clauseOf({ scope: { statement, stretch } }: Pick<Assertion, 'scope'>): Clause | null {
  if (statement === null) return null
  const { from, to } = stretch ?? { from: 0, to: statement.text.length }
  return { statement, from, to, text: statement.text.slice(from, to) }
}
