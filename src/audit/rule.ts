import type { Severity } from '../model/finding.js'
import type { Message } from '../model/run.js'
import type { AuditDocument } from './document.js'

/** What kind of fault it is (DESIGN section 7): scripts group by it. */
export type FaultKind =
  | 'arithmetic'
  | 'contradiction'
  | 'cross-report'
  | 'invented'
  | 'copied'
  | 'impossible'
  | 'selection'
  | 'resolution'
  | 'untested'
  | 'window'
  | 'confound'
  | 'trivial'
  | 'stale'
  | 'timeline'
  | 'data'

/** A fault of one document, or of one against the others that were given with it. */
export interface AuditRule {
  readonly id: string
  readonly kind: FaultKind
  readonly severity: Severity
  /** A line that shows the fault, and what the rule says to it; for `klens audit --rules` and the docs, and run as a test. */
  readonly example: {
    readonly faulty: string
    readonly sound: string
    /** Another report that was given together with it, where the rule compares reports. */
    readonly beside?: string
  }
  readonly check: (document: AuditDocument, others: readonly AuditDocument[]) => Iterable<Fault>
}

/** One place where the rule is broken. */
export interface Fault {
  /** Where in the document's text. */
  readonly offset: number
  readonly message: Message
  /** As printed, and what follows from the document's own numbers. */
  readonly found: string
  readonly expected: string
  readonly severity?: Severity
}
