import type { Evidence, Finding, Severity } from '../model/finding.js'
import type { Message } from '../model/run.js'
import type { Subject } from './subject.js'

/**
 * What a pathology is to klens: what it needs to be seen, and how it shows. A rule reads one run and says what it sees;
 * it never guesses. Thresholds are constants of its file, each with where it comes from.
 */
export interface Rule {
  readonly id: string
  readonly severity: Severity
  /** Canonical metrics without which nothing can be said; of a nested list any one will do. */
  readonly needs: readonly (string | readonly string[])[]
  /** Canonical metrics that it looks at where they are there. */
  readonly uses?: readonly string[]
  /** `findings`: what the rules before it in the registry have found. */
  readonly detect: (
    subject: Subject,
    findings: readonly Finding[],
  ) => Symptom | readonly Symptom[] | CannotSay | undefined
}

/** One thing that a rule saw. */
export interface Symptom {
  /** Where it is milder or graver than the rule usually is. */
  readonly severity?: Severity
  readonly steps: readonly [number, number]
  readonly evidence: Evidence
  readonly message: Message
  readonly remedy: Message
}

/** The metrics are there, but this run cannot be judged: too few points, a setting that nothing tells. */
export interface CannotSay {
  readonly cannotSay: Message
}

export function cannotSay(reason: Message): CannotSay {
  return { cannotSay: reason }
}
