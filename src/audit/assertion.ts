import type { Section, Statement, Table } from '../logs/document/document.js'
import type { Matrix } from '../logs/document/matrix.js'
import type { Quantity, Stretch } from '../logs/document/quantity.js'
import type { Severity } from '../logs/model/finding.js'
import type { Message } from '../logs/model/run.js'
import type { ListEntry } from './entries.js'
import type { ReportEvidence } from './evidence.js'
import type { ReportClause } from './mentions.js'
import { type FaultKind, KNOWN_RULES, type RuleId } from './rules.js'

/**
 * The nouns of the audit. An assertion is what a sentence, a cell or a caption claims, before anybody asks whether it is
 * true. A relation knows how such an assertion is read off the text and how it is checked: it binds the assertion to
 * figures in every sensible way, and the outcome is the kindest of all readings. Refuted is only what no reading saves.
 */

/** How the author stands to it: only what is said of something measured can be held against the figures. */
export type Stance = 'said' | 'hedged' | 'denied' | 'planned' | 'advised' | 'defined'

/** A figure that the assertion states, with the part it plays. */
export interface StatedFigure {
  readonly role: FigureRole
  readonly quantity: Quantity
  /** Where it stands in the file. */
  readonly offset: number
  /** As printed, its unit included. */
  readonly text: string
}

export type FigureRole = 'from' | 'to' | 'result' | 'part' | 'whole' | 'value' | 'bound' | 'term' | 'count' | 'span'

export interface Assertion {
  /** The relation that reads and checks it, by one of its names. */
  readonly relation: string
  readonly stance: Stance
  /** The words that claim it, exactly as printed without markup. */
  readonly quote: string
  readonly offset: number
  /** Who or what it is about, by the names that the text uses. */
  readonly subjects: readonly string[]
  /** The quantity it is about, by the words that the text uses. */
  readonly quantity: string | null
  readonly figures: readonly StatedFigure[]
  /** Which way: up or down, high or low; null where the words do not tell. */
  readonly sense: 'up' | 'down' | null
  /** What it is confined to. */
  readonly scope: AssertionScope
  /** What its relation needs to know beside all that, as words: an operator, a quantifier. */
  readonly manner: string
}

export interface AssertionScope {
  readonly section: Section | null
  readonly table: Table | null
  readonly statement: Statement | null
  /** The stretch of the statement that makes the assertion; null where it is the whole. */
  readonly stretch: Stretch | null
}

export type CheckOutcome =
  | { readonly verdict: 'confirmed'; readonly by: string }
  | { readonly verdict: 'unchecked' }
  | { readonly verdict: 'refuted'; readonly fault: Fault }

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
  /** What was found may be replaced by what was expected: arithmetic alone decides. */
  readonly isFix: boolean
}

/**
 * One relation: what in a clause, a statement, a table or a list asserts it, and how it is checked. Its file holds its
 * sentences too. Statements come one at a time, so that what is known of their words need not be kept.
 */
export interface Relation {
  readonly names: readonly string[]
  readonly inClause?: (clause: ReportClause) => Iterable<Assertion>
  readonly inStatement?: (statement: Statement, evidence: ReportEvidence) => Iterable<Assertion>
  readonly inTable?: (matrix: Matrix) => Iterable<Assertion>
  readonly inEntries?: (entries: readonly ListEntry[]) => Iterable<Assertion>
  readonly check: (assertion: Assertion, evidence: ReportEvidence) => CheckOutcome
}

/** A rule over the whole report: structure of tables, or judgement. It makes no assertions of its own. */
export type ReportRule = (evidence: ReportEvidence, others: readonly ReportEvidence[]) => Iterable<Fault>

type More = Partial<Pick<Fault, 'severity' | 'found' | 'expected' | 'also' | 'isFix'>>

/** A fault by its rule: what was found and expected are the blanks of the sentence, unless they are given apart. */
export function fault(rule: RuleId, offset: number, message: Message, more: More = {}): Fault {
  const { kind, severity } = KNOWN_RULES[rule]
  const { found, quote, expected } = message.params
  const blanks = { found: String(found ?? quote ?? ''), expected: String(expected ?? '') }
  return { rule, kind, severity, offset, message, ...blanks, also: [], isFix: false, ...more }
}

/** The verdict on an assertion that no reading saves. */
export function refute(rule: RuleId, offset: number, message: Message, more: More = {}): CheckOutcome {
  return { verdict: 'refuted', fault: fault(rule, offset, message, more) }
}
