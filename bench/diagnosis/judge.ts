import { claimOf } from './claims.js'
import type { Condition, Reasons, Truth } from './condition.js'
import type { ToolFinding } from './tools.js'

/** One tool on one log: what it said rightly, what wrongly, and what it should have said. */
export interface Judged {
  readonly right: readonly ToolFinding[]
  readonly falseAlarms: readonly ToolFinding[]
  readonly falseNotes: readonly ToolFinding[]
  readonly found: readonly Condition[]
  readonly missed: readonly Condition[]
  /** All that it said and that is so, asked for or not. */
  readonly true: ReadonlySet<Condition>
}

export function judge(tool: string, findings: readonly ToolFinding[], truth: Truth): Judged {
  const right: ToolFinding[] = []
  const wrong: ToolFinding[] = []
  const saidAndSo = new Set<Condition>()
  for (const finding of findings) {
    const holds = claimOf(tool, finding.id, finding.text).filter(condition => isSo(condition, finding.severity, truth))
    for (const condition of holds) saidAndSo.add(condition)
    if (holds.length > 0) right.push(finding)
    else wrong.push(finding)
  }
  const expected = conditionsOf(truth.present)
  return {
    right,
    falseAlarms: wrong.filter(({ severity }) => severity === 'warning'),
    falseNotes: wrong.filter(({ severity }) => severity === 'note'),
    found: expected.filter(condition => saidAndSo.has(condition)),
    missed: expected.filter(condition => !saidAndSo.has(condition)),
    true: saidAndSo,
  }
}

function isSo(condition: Condition, severity: ToolFinding['severity'], { present, allowed, notes }: Truth): boolean {
  return condition in present || condition in allowed || (severity === 'note' && condition in notes)
}

export function conditionsOf(reasons: Reasons): readonly Condition[] {
  return Object.keys(reasons).filter((key): key is Condition => key in reasons)
}
