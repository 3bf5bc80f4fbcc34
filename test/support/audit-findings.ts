import { auditReports } from '../../src/audit/audit.js'
import { EVIDENCE_RULES } from '../../src/audit/rules/evidence.js'
import { render } from '../../src/text/sentences.js'

/** What the rules on evidence say to a report, given together with others: `line rule`, or with the words. */
export function evidenceIn(text: string, ...beside: readonly string[]): readonly string[] {
  return audited(text, beside).map(({ line, rule }) => `${line} ${rule}`)
}

export function wordsOn(text: string, rule: string, ...beside: readonly string[]): readonly string[] {
  return audited(text, beside).flatMap(found => (found.rule === rule ? [render(found.message, 'en')] : []))
}

export function severitiesOf(text: string, rule: string): readonly string[] {
  return audited(text, []).flatMap(found => (found.rule === rule ? [found.severity] : []))
}

function audited(text: string, beside: readonly string[]) {
  const reports = [text, ...beside].map((content, i) => ({ file: `report-${i}.md`, text: content }))
  return auditReports(reports, EVIDENCE_RULES)[0].findings
}

/** The text between a rule's findings is hard to read in one line; rows are given one by one. */
export function table(header: string, ...rows: readonly string[]): string {
  const dashes = header.split('|').map(() => '---')
  return [`| ${header} |`, `| ${dashes.join(' | ')} |`, ...rows.map(row => `| ${row} |`)].join('\n')
}
