import type { Finding } from '../../logs/model/finding.js'
import type { RunView } from '../analysis/run-view.js'
import { RULES } from './registry.js'
import { byGravity, type Examination, examineBy } from './rule.js'
import type { RunRule, Symptom } from './run-rule.js'
import { type Subject, subjectOf, withoutSteps } from './subject.js'

/** Every rule on one run: what is wrong, what was looked at and is well, and what could not be looked at. */
export type Diagnosis = Examination<Finding>

export async function diagnose(run: RunView): Promise<Diagnosis> {
  return examine(await subjectOf(run, MEANINGS))
}

const MEANINGS = [...new Set(RULES.flatMap(({ needs, uses }) => [...needs.flat(), ...uses]))]

export function examine(subject: Subject, rules: readonly RunRule[] = RULES): Diagnosis {
  let shown = subject
  const { findings, ...rest } = examineBy<RunRule, Finding>(rules, (rule, before) => {
    const seen = rule.check(shown, before)
    if ('cannotSay' in seen) return seen
    if (rule.spoilsSteps)
      shown = withoutSteps(
        shown,
        seen.map(({ steps }) => steps),
      )
    return seen.map(symptom => findingOf(rule, symptom, subject))
  })
  return { findings: findings.toSorted(graverFirst), ...rest }
}

function findingOf({ id, severity }: RunRule, symptom: Symptom, { manifest }: Subject): Finding {
  return { rule: id, run: manifest.id, ...symptom, severity: symptom.severity ?? severity }
}

export function graverFirst(a: Finding, b: Finding): number {
  return byGravity(a, b) || a.steps[0] - b.steps[0]
}
