import type { Finding, Severity } from '../../logs/model/finding.js'
import { groupBy } from '../../logs/model/util/group-by.js'
import { graverFirst } from './diagnose.js'
import type { Examination } from './rule.js'

/** Many runs at a glance: which is sick, of what, since when; and what is said of many of them, said once. */
export interface Overview {
  /** The sickest run first; among equally sick ones, as they were given. */
  readonly rows: readonly OverviewRow[]
  /** Findings that several runs share, the gravest and most common first. They still stand in each run's own. */
  readonly shared: readonly SharedFinding[]
}

export interface OverviewRow {
  /** The run's id. */
  readonly run: string
  readonly worst: Finding | null
  /** The first step at which the worst shows. */
  readonly since: number | null
  readonly counts: { readonly [severity in Severity]: number }
}

export interface SharedFinding {
  /** As the first of the runs has it. */
  readonly finding: Finding
  readonly runs: readonly string[]
  /** Whether it says the same of each, figures included. */
  readonly isSame: boolean
}

export interface DiagnosedRun {
  readonly run: string
  readonly diagnosis: Examination<Finding>
}

export function overview(diagnosed: readonly DiagnosedRun[]): Overview {
  const rows = diagnosed.map(({ run, diagnosis: { findings } }): OverviewRow => {
    const worst = findings.toSorted(graverFirst)[0] ?? null
    const count = (severity: Severity): number => findings.filter(finding => finding.severity === severity).length
    const counts = { error: count('error'), warning: count('warning'), note: count('note') }
    return { run, worst, since: worst?.steps[0] ?? null, counts }
  })
  return {
    rows: rows.sort(sickerFirst),
    shared: sharedFindings(diagnosed.flatMap(({ diagnosis }) => diagnosis.findings)),
  }
}

function sickerFirst({ counts: a }: OverviewRow, { counts: b }: OverviewRow): number {
  return b.error - a.error || b.warning - a.warning || b.note - a.note
}

/** By rule and sentence, not by its figures: eleven logs of one framework have one trap in common. */
function sharedFindings(findings: readonly Finding[]): readonly SharedFinding[] {
  const alike = groupBy(findings, ({ rule, severity, message }) => `${severity} ${rule} ${message.key}`)
  return [...alike.values()]
    .flatMap((group): SharedFinding[] => {
      const runs = [...new Set(group.map(({ run }) => run))]
      const texts = new Set(group.map(({ message }) => JSON.stringify(message.params)))
      return runs.length < 2 ? [] : [{ finding: group[0], runs, isSame: texts.size === 1 }]
    })
    .sort((a, b) => graverFirst(a.finding, b.finding) || b.runs.length - a.runs.length)
}
