import type { RunView } from '../analysis/run-view.js'
import type { Finding, Severity } from '../model/finding.js'
import type { Message } from '../model/run.js'
import { RULES } from './registry.js'
import { type CannotSay, notLogged, type Rule, type Symptom } from './rule.js'
import { type Subject, subjectOf, withoutSteps } from './subject.js'

/** Every rule on one run: what is wrong, what was looked at and is well, and what could not be looked at. */
export interface Diagnosis {
  readonly findings: readonly Finding[]
  readonly passed: readonly string[]
  readonly notChecked: readonly NotChecked[]
}

export interface NotChecked {
  readonly rule: string
  readonly reason: Message
}

export async function diagnose(run: RunView): Promise<Diagnosis> {
  return examine(await subjectOf(run, MEANINGS))
}

const MEANINGS = [...new Set(RULES.flatMap(({ needs, uses = [] }) => [...needs.flat(), ...uses]))]

export function examine(subject: Subject, rules: readonly Rule[] = RULES): Diagnosis {
  const findings: Finding[] = []
  const passed: string[] = []
  const notChecked: NotChecked[] = []
  let shown = subject
  for (const rule of rules) {
    const seen = whatIsMissing(rule, shown) ?? rule.detect(shown, findings)
    if (seen !== undefined && 'cannotSay' in seen) {
      notChecked.push({ rule: rule.id, reason: seen.cannotSay })
      continue
    }
    const symptoms = seen === undefined ? [] : isSeveral(seen) ? seen : [seen]
    if (symptoms.length === 0) passed.push(rule.id)
    for (const symptom of symptoms) findings.push(findingOf(rule, symptom, subject))
    if (rule.spoilsSteps === true)
      shown = withoutSteps(
        shown,
        symptoms.map(({ steps }) => steps),
      )
  }
  return { findings: findings.sort(graverFirst), passed, notChecked }
}

function isSeveral(seen: Symptom | readonly Symptom[]): seen is readonly Symptom[] {
  return Array.isArray(seen)
}

function whatIsMissing({ needs }: Rule, subject: Subject): CannotSay | null {
  const missing = needs.filter(need => ![need].flat().some(canonical => subject.curve(canonical) !== undefined))
  return missing.length === 0 ? null : notLogged(missing)
}

function findingOf({ id, severity }: Rule, symptom: Symptom, { manifest }: Subject): Finding {
  return { rule: id, run: manifest.id, ...symptom, severity: symptom.severity ?? severity }
}

const GRAVITY: { readonly [severity in Severity]: number } = { error: 0, warning: 1, note: 2 }

export function graverFirst(a: Finding, b: Finding): number {
  return GRAVITY[a.severity] - GRAVITY[b.severity] || a.steps[0] - b.steps[0]
}
