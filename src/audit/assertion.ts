import type { Statement, Table } from '../logs/document/document.js'
import type { Matrix } from '../logs/document/matrix.js'
import type { Quantity } from '../logs/document/quantity.js'
import type { Severity } from '../logs/model/finding.js'
import type { Message } from '../logs/model/run.js'
import type { ReportEvidence } from './evidence.js'
import { type FaultKind, KNOWN_RULES, type RuleId } from './rules.js'

/**
 * The nouns of the audit. An assertion is what one sentence or one table states about its own figures, before anybody
 * asks whether it is true. A relation knows the form in which it is written and how it is computed. No assertion is bound
 * to figures elsewhere in the report: on texts that nobody tuned to, such bindings were wrong two times in three.
 */

/** How the author stands to it: only what is said of something measured can be judged. */
export type Stance = 'said' | 'hedged' | 'supposed' | 'planned' | 'advised' | 'defined' | 'quoted'

/** A figure that the assertion states, with the part it plays. */
export interface StatedFigure {
  readonly role: FigureRole
  readonly quantity: Quantity
  /** Where it stands in the file. */
  readonly offset: number
  /** As printed, its unit included. */
  readonly text: string
}

export type FigureRole = 'from' | 'to' | 'result' | 'part' | 'whole' | 'term' | 'span'

export interface Assertion {
  /** The relation that reads and checks it, by its name. */
  readonly relation: string
  readonly stance: Stance
  /** The words that state it, as printed without markup. */
  readonly quote: string
  readonly offset: number
  readonly figures: readonly StatedFigure[]
  /** The sentence or the table that states it. */
  readonly scope: { readonly statement: Statement | null; readonly table: Table | null }
  /** What its relation needs to know beside the figures: an operator, a verb, the name of a row. */
  readonly manner: string
}

export type CheckOutcome =
  | { readonly verdict: 'confirmed'; readonly by: string }
  | { readonly verdict: 'unchecked' }
  | { readonly verdict: 'refuted'; readonly fault: Fault }

/** An assertion with what came of it. */
export interface JudgedAssertion {
  readonly assertion: Assertion
  readonly outcome: CheckOutcome
  readonly line: number
}

export const UNCHECKED: CheckOutcome = { verdict: 'unchecked' }
export const confirmed = (by: string): CheckOutcome => ({ verdict: 'confirmed', by })

/** What is wrong, where, and what would be right. */
export interface Fault {
  readonly rule: string
  readonly kind: FaultKind
  readonly severity: Severity
  readonly offset: number
  readonly message: Message
  /** As printed, and what follows from the document's own numbers. */
  readonly found: string
  readonly expected: string
  /** Where else in the text: the cells or lines that contradict it. */
  readonly also: readonly number[]
  /** What was found may be replaced by what was expected: the logs vouch for it. */
  readonly isFix: boolean
}

/** One relation: the form in which a statement or a table states it, and how it is checked. Its file holds its sentences too. */
export interface Relation {
  readonly name: string
  readonly inStatement?: (statement: Statement, following: () => readonly Statement[]) => Iterable<Assertion>
  readonly inTable?: (matrix: Matrix) => Iterable<Assertion>
  readonly check: (assertion: Assertion) => CheckOutcome
}

/** A rule over the whole report. It makes no assertions of its own. */
export type ReportRule = (evidence: ReportEvidence, others: readonly ReportEvidence[]) => Iterable<Fault>

type More = Partial<Pick<Fault, 'severity' | 'found' | 'expected' | 'also' | 'isFix'>>

/** A fault by its rule: what was found and expected are the blanks of the sentence, unless they are given apart. */
export function fault(rule: RuleId, offset: number, message: Message, more: More = {}): Fault {
  const { kind, severity } = KNOWN_RULES[rule]
  const { found, quote, expected } = message.params
  const blanks = { found: String(found ?? quote ?? ''), expected: String(expected ?? '') }
  return { rule, kind, severity, offset, message, ...blanks, also: [], isFix: false, ...more }
}

/** The verdict on an assertion that its own figures refute. */
export function refute(rule: RuleId, offset: number, message: Message, more: More = {}): CheckOutcome {
  return { verdict: 'refuted', fault: fault(rule, offset, message, more) }
}
