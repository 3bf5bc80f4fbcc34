import { expect, it } from 'vitest'
import { examine } from '../../src/core/diagnosis/diagnose.js'
import type { RunRule } from '../../src/core/diagnosis/run-rule.js'
import { type MadeUp, madeUpSubject } from './subject.js'

/** A made-up run and what a rule must say about it. */
export interface Case extends MadeUp {
  readonly name: string
  /** Severity, message and steps; null where there is nothing to say, 'unchecked' where nothing can be said. */
  readonly expected: readonly [severity: string, message: string, from: number, to: number] | null | 'unchecked'
}

export function cases(rule: RunRule, each: readonly Case[]): void {
  for (const { name, expected, ...run } of each) {
    it(name, () => expect(verdictOf(rule, run)).toEqual(expected))
  }
}

function verdictOf(rule: RunRule, run: MadeUp): readonly (string | number)[] | null | 'unchecked' {
  const { findings, notChecked } = examine(madeUpSubject(run), [rule])
  const [first] = findings
  if (first !== undefined) return [first.severity, first.message.key, ...first.steps]
  return notChecked.length > 0 ? 'unchecked' : null
}
