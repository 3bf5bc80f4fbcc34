import type { Message } from '../model/run.js'
import type { Fault, Outcome } from './assertion.js'
import { KNOWN_RULES, type RuleId } from './rules.js'

type More = Partial<Pick<Fault, 'severity' | 'found' | 'expected' | 'also' | 'isFix'>>

/** A fault by its rule: what was found and expected are the blanks of the sentence, unless they are given apart. */
export function fault(rule: RuleId, offset: number, message: Message, more: More = {}): Fault {
  const { kind, severity } = KNOWN_RULES[rule]
  const { found, quote, expected } = message.params
  const blanks = { found: String(found ?? quote ?? ''), expected: String(expected ?? '') }
  return { rule, kind, severity, offset, message, ...blanks, also: [], isFix: false, ...more }
}

/** The verdict on an assertion that no reading saves. */
export function refute(rule: RuleId, offset: number, message: Message, more: More = {}): Outcome {
  return { verdict: 'refuted', fault: fault(rule, offset, message, more) }
}
