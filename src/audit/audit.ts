import type { Severity } from '../model/finding.js'
import type { Message } from '../model/run.js'
import { type AuditDocument, readDocument } from './document.js'
import type { AuditRule, FaultKind } from './rule.js'
import { AUDIT_RULES } from './rules/registry.js'
import { suppressions } from './suppress.js'

/** Reports against themselves and against each other: what is false, unsupported or copied, line by line. */
export interface AuditFinding {
  readonly rule: string
  readonly kind: FaultKind
  readonly severity: Severity
  readonly line: number
  readonly column: number
  readonly message: Message
  readonly found: string
  readonly expected: string
}

export interface AuditedFile {
  readonly file: string
  readonly findings: readonly AuditFinding[]
  /** How much was looked at. */
  readonly quantities: number
  readonly claims: number
  /** Findings that a comment in the report explains away. */
  readonly suppressed: number
}

export function auditReports(
  reports: readonly { readonly file: string; readonly text: string }[],
  rules: readonly AuditRule[] = AUDIT_RULES,
): readonly AuditedFile[] {
  const documents = reports.map(({ file, text }) => readDocument(file, text))
  return documents.map(document =>
    auditDocument(
      document,
      documents.filter(other => other !== document),
      rules,
    ),
  )
}

function auditDocument(
  document: AuditDocument,
  others: readonly AuditDocument[],
  rules: readonly AuditRule[],
): AuditedFile {
  const found = new Map<string, AuditFinding>()
  for (const { id, kind, severity, check } of rules) {
    for (const fault of check(document, others)) {
      const { line, column } = document.placeOf(fault.offset)
      const { message, found: printed, expected } = fault
      const finding = {
        rule: id,
        kind,
        severity: fault.severity ?? severity,
        line,
        column,
        message,
        found: printed,
        expected,
      }
      found.set(`${id} ${line} ${column} ${printed} ${expected}`, finding)
    }
  }
  const explained = suppressions(document.text)
  const findings = answered([...found.values()]).sort((a, b) => a.line - b.line || a.column - b.column)
  const kept = findings.filter(({ rule, line }) => !explained(rule, line))
  return {
    file: document.file,
    findings: kept,
    quantities: quantitiesIn(document),
    claims: document.statements.reduce((sum, { claims }) => sum + claims.length, 0),
    suppressed: findings.length - kept.length,
  }
}

/** A claim that the logs have answered need not be called untested as well. */
function answered(findings: readonly AuditFinding[]): AuditFinding[] {
  const place = ({ line, column }: AuditFinding): string => `${line}:${column}`
  const judged = new Set(findings.filter(({ rule }) => rule === 'data-verdict').map(place))
  return findings.filter(finding => finding.kind !== 'untested' || !judged.has(place(finding)))
}

function quantitiesIn({ tables, statements }: AuditDocument): number {
  const inCells = tables.flatMap(({ rows }) => rows.flat()).reduce((sum, { quantities }) => sum + quantities.length, 0)
  const prose = statements.filter(({ kind }) => kind !== 'cell')
  return inCells + prose.reduce((sum, { quantities }) => sum + quantities.length, 0)
}
