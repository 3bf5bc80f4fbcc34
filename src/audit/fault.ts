import type { Severity } from '../model/finding.js'
import type { Message } from '../model/run.js'
import type { Fault, Outcome } from './assertion.js'
import { type FaultKind, KNOWN_RULES, type RuleId } from './rules.js'

interface More {
  readonly kind?: FaultKind
  readonly severity?: Severity
  readonly found?: string
  readonly expected?: string
  readonly also?: readonly number[]
  /** The figure found may be replaced by the expected one: arithmetic alone decides. */
  readonly isFix?: boolean
}

/** A fault by its rule: what was found and expected are the blanks of the sentence, unless they are given apart. */
export function fault(rule: RuleId, offset: number, message: Message, more: More = {}): Fault {
  const { kind, severity } = KNOWN_RULES[rule]
  const found = more.found ?? String(message.params.found ?? message.params.quote ?? '')
  const expected = more.expected ?? String(message.params.expected ?? '')
  const fix = more.isFix ? { offset, found, instead: expected } : undefined
  return {
    rule,
    kind: more.kind ?? kind,
    severity: more.severity ?? severity,
    offset,
    message,
    found,
    expected,
    also: more.also,
    fix,
  }
}

/** The verdict on an assertion that no reading saves. */
export function refute(rule: RuleId, offset: number, message: Message, more: More = {}): Outcome {
  return { verdict: 'refuted', fault: fault(rule, offset, message, more) }
}
