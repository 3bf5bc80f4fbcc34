import type { Evidence, Finding } from '../../logs/model/finding.js'
import type { RunView } from '../analysis/run-view.js'
import { type Coverage, coverageOf } from './coverage.js'
import { RULES } from './registry.js'
import { byGravity, type Examination, examineBy } from './rule.js'
import type { RunRule, Symptom } from './run-rule.js'
import { type Subject, sidesOfSeams, subjectOf, withoutSteps } from './subject.js'

/** Every rule on one run: what is wrong, what was looked at and is well, and what could not be looked at. */
export interface Diagnosis extends Examination<Finding> {
  readonly coverage: Coverage
}

export async function diagnose(run: RunView): Promise<Diagnosis> {
  return examine(await subjectOf(run, MEANINGS))
}

const MEANINGS = [...new Set(RULES.flatMap(({ needs, uses }) => [...needs.flat(), ...uses]))]

/**
 * Where a training was started again, no rule compares what was before with what came after: what it finds must show on
 * one side of each seam too, and is told as it shows there.
 */
export function examine(subject: Subject, rules: readonly RunRule[] = RULES): Diagnosis {
  const { whole, sides } = sidesOfSeams(subject)
  const examination = examineWhole(whole, rules)
  const found = examination.findings.map(({ rule }) => rule)
  const diagnosis = { ...examination, coverage: coverageOf(whole, rules, { ...examination, found }) }
  if (sides.length < 2 || diagnosis.findings.length === 0) return diagnosis
  const onSides = sides.toReversed().flatMap(side => examineWhole(side, rules).findings)
  const taken = new Set<Finding>()
  const findings = diagnosis.findings.flatMap(finding => {
    const alike = onSides.filter(other => other.rule === finding.rule && other.message.key === finding.message.key)
    if (alike.some(({ message }) => JSON.stringify(message) === JSON.stringify(finding.message))) return [finding]
    const side = alike.find(other => !taken.has(other))
    if (side !== undefined) taken.add(side)
    return side ?? []
  })
  const left = new Set(findings.map(({ rule }) => rule))
  const seams = diagnosis.findings.flatMap(({ rule }) => (left.has(rule) ? [] : [rule]))
  return { ...diagnosis, findings: findings.toSorted(graverFirst), passed: [...diagnosis.passed, ...new Set(seams)] }
}

function examineWhole(subject: Subject, rules: readonly RunRule[]): Examination<Finding> {
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

function findingOf({ id, severity }: RunRule, symptom: Symptom, subject: Subject): Finding {
  const evidence = { ...symptom.evidence, ...placeOf(symptom, subject) }
  return { rule: id, run: subject.manifest.id, ...symptom, evidence, severity: symptom.severity ?? severity }
}

/** The data set, environment and subset that the metric speaks of, apart from its name. */
function placeOf({ evidence: { metric } }: Symptom, { meaningOf }: Subject): Evidence {
  const { dataset, environment, subset } = typeof metric === 'string' ? meaningOf(metric).condition : {}
  return {
    ...(dataset !== undefined && { dataset }),
    ...(environment !== undefined && { environment }),
    ...(subset !== undefined && { subset }),
  }
}

export function graverFirst(a: Finding, b: Finding): number {
  return byGravity(a, b) || a.steps[0] - b.steps[0]
}
