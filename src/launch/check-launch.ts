import type { Message } from '../model/run.js'
import { LAUNCH_RULES } from './registry.js'
import type { LaunchFinding, LaunchSubject } from './rule.js'

export interface LaunchCheck {
  /** The gravest first, then by line. */
  readonly findings: readonly LaunchFinding[]
  readonly passed: readonly string[]
  /** What the launch and its data do not tell. */
  readonly notChecked: readonly { readonly rule: string; readonly reason: Message }[]
}

const ORDER = { error: 0, warning: 1, note: 2 } as const

export function checkLaunch(subject: LaunchSubject): LaunchCheck {
  const findings: LaunchFinding[] = []
  const passed: string[] = []
  const notChecked: { rule: string; reason: Message }[] = []
  for (const { id, severity, check } of LAUNCH_RULES) {
    const outcome = check(subject)
    if (outcome !== undefined && 'cannotTell' in outcome) {
      notChecked.push({ rule: id, reason: outcome.cannotTell })
      continue
    }
    const symptoms = [outcome ?? []].flat()
    if (symptoms.length === 0) passed.push(id)
    for (const symptom of symptoms) findings.push({ severity, ...symptom, rule: id })
  }
  findings.sort((a, b) => ORDER[a.severity] - ORDER[b.severity] || a.line - b.line)
  return { findings, passed, notChecked }
}
