import { type ReportDocument, readDocument } from '../logs/document/document.js'
import { htmlAsMarkdown, isHtml } from '../logs/document/html.js'
import { placesIn } from '../logs/document/places.js'
import { forgetTexts } from '../logs/document/remembered.js'
import { type Assertion, type CheckOutcome, type Fault, type JudgedAssertion, UNCHECKED } from './assertion.js'
import { type AuditConfig, configured } from './config.js'
import { evidenceOf, type ReportEvidence } from './evidence.js'
import { withFixes } from './fix.js'
import { assertionsFrom, type Complete, isShownBy, type Proposal, readWith } from './llm-reader.js'
import { CHECKLIST, RELATIONS_CHECKED, RULES, relationNamed } from './registry.js'
import { isClaimed } from './stance.js'
import type { LedgerEntry } from './trace/entry.js'
import { ledgerOf, type StrictSections } from './trace/ledger.js'
import type { LoggedRuns } from './trace/log.js'
import { type RemadeReport, reproduce } from './trace/remade.js'
import { againstVerdicts, type ComparedPair, claimsIn } from './trace/verdict-claims.js'

/**
 * Reports against themselves and against each other. Every relation reads its assertions off single sentences and tables
 * and computes them; rules over the whole report follow. One fault is said once: where two findings attack the same
 * figure, the graver stays, and of equals the first.
 */
export interface AuditFinding extends Omit<Fault, 'offset' | 'also'> {
  readonly line: number
  readonly column: number
  /** All lines that the finding is about, its own included. */
  readonly lines: readonly number[]
}

export interface AuditedFile {
  readonly file: string
  /** As it was read: the offsets of the ledger are places in it. */
  readonly text: string
  readonly findings: readonly AuditFinding[]
  readonly quantities: number
  readonly assertions: { readonly confirmed: number; readonly refuted: number; readonly unchecked: number }
  readonly judged: readonly JudgedAssertion[]
  /** Findings that a comment in the report explains away. */
  readonly suppressed: number
  /** Findings that the baseline holds. */
  readonly known: number
  /** Every figure against the logs; null where no logs were given. */
  readonly ledger: readonly LedgerEntry[] | null
}

export interface ReportText {
  readonly file: string
  readonly text: string
  /** The same report made again from the logs, where klens wrote it. */
  readonly remade?: RemadeReport | null
}

/** What the logs behind a report say: every series, and the verdicts of `compare` on the pairs that it speaks of. */
export interface Logs extends LoggedRuns {
  readonly verdicts: readonly ComparedPair[]
}

export interface AuditOptions {
  /** The runs that the reports are about. */
  readonly logs?: Logs | null
  /** Assertions that somebody else read, for each report. */
  readonly proposals?: readonly Proposal[]
  /** Also list the words that need a test. */
  readonly checklist?: boolean
  /** What the repository wants of its audits. */
  readonly config?: Pick<AuditConfig, 'rules' | 'sections'> | null
  /** Whether a figure that no log has is an error, and in which sections; none named: in all. */
  readonly strict?: boolean
  readonly sections?: StrictSections
}

export function auditReports(reports: readonly ReportText[], options: AuditOptions = {}): readonly AuditedFile[] {
  forgetTexts()
  const all = reports.map(readReport)
  return all.map(read => {
    const others = all.filter(other => other !== read).map(({ evidence }) => evidence)
    return auditOne(read, others, options)
  })
}

/** Reports as documents, to know what has to be looked up for them. */
export function readReports(reports: readonly ReportText[]): readonly ReportDocument[] {
  return reports.map(report => readReport(report).evidence.document)
}

/** As `auditReports`, after a model has read each report and proposed assertions. */
export async function auditWithReader(
  reports: readonly ReportText[],
  { complete, address }: { readonly complete: Complete; readonly address: string },
  options: AuditOptions = {},
): Promise<readonly AuditedFile[]> {
  const proposals = [...(options.proposals ?? [])]
  for (const report of reports) proposals.push(...(await readWith(complete, readReport(report).evidence, address)))
  return auditReports(reports, { ...options, proposals })
}

/** A page is read as Markdown; its findings stand where they stand in the page. */
function readReport(report: ReportText) {
  const { file, text, remade = null } = report
  if (!isHtml(text)) return { report, remade, evidence: evidenceOf(readDocument(file, text)) }
  const { text: words, originOf } = htmlAsMarkdown(text)
  const inPage = placesIn(text)
  const document = { ...readDocument(file, words), placeOf: (offset: number) => inPage(originOf(offset)) }
  const remadeWords = remade === null ? null : { ...remade, text: htmlAsMarkdown(remade.text).text }
  return { report, remade: remadeWords, evidence: evidenceOf(document) }
}

function auditOne(
  { report, evidence, remade }: ReturnType<typeof readReport>,
  others: readonly ReportEvidence[],
  { logs = null, proposals = [], checklist = false, config = null, strict = false, sections = [] }: AuditOptions,
): AuditedFile {
  const { document } = evidence
  const judged = judge(evidence, assertionsFrom(proposals, evidence))
  const faults = judged.flatMap(({ outcome }) => (outcome.verdict === 'refuted' ? [outcome.fault] : []))
  for (const rule of checklist ? [...RULES, CHECKLIST] : RULES) faults.push(...rule(evidence, others))
  const reproduction = remade === null ? null : reproduce(document.text, remade)
  const ledger = logs === null ? null : ledgerOf(document, logs, reproduction, strict ? sections : null)
  const isReproduced = (offset: number): boolean => reproduction?.isReproduced(offset) ?? false
  const claims = logs === null ? [] : (claimsIn([document], logs)[0] ?? [])
  const answered = logs === null ? [] : [...againstVerdicts(claims, logs.verdicts, isReproduced)]
  // Where the right figure is known, what else follows from the wrong one is no second fault.
  const isSettled = (one: Fault): boolean => reproduction?.differsAt(one.offset) || ledger?.settles(one) || false
  const told = [...[...faults, ...answered].filter(one => !isSettled(one)), ...(ledger?.faults ?? [])]
  const vouched = ledger === null ? told : withFixes(told, judged, ledger.vouched)
  const wanted = config === null ? (one: Fault) => one : configured(config, evidence)
  const findings = onePerFault(vouched.flatMap(one => wanted(one) ?? []).map(one => findingOf(document, one)))
  const explained = suppressions(report.text)
  const kept = findings.filter(({ rule, line }) => !explained(rule, line))
  const count = (verdict: CheckOutcome['verdict']): number =>
    judged.filter(({ outcome }) => outcome.verdict === verdict).length
  return {
    file: document.file,
    text: document.text,
    findings: kept,
    quantities: quantitiesIn(document),
    assertions: { confirmed: count('confirmed'), refuted: count('refuted'), unchecked: count('unchecked') },
    judged,
    suppressed: findings.length - kept.length,
    known: 0,
    ledger: ledger?.entries ?? null,
  }
}

/** Items that hang below a line stand right behind it. */
const MOST_FOLLOWING = 5

/** What klens reads itself, table by table and statement by statement; then what others propose. */
function judge(
  { document: { statements, placeOf }, matrices }: ReportEvidence,
  proposed: readonly Assertion[],
): readonly JudgedAssertion[] {
  const judged: JudgedAssertion[] = []
  const put = (assertions: Iterable<Assertion> = [], isShown = true): void => {
    for (const assertion of assertions) {
      const relation = isShown ? relationNamed(assertion.relation) : undefined
      const outcome = relation === undefined || !isClaimed(assertion.stance) ? UNCHECKED : relation.check(assertion)
      judged.push({ assertion, outcome, line: placeOf(assertion.offset).line })
    }
  }
  for (const matrix of matrices)
    if (!matrix.table.isQuoted) for (const { inTable } of RELATIONS_CHECKED) put(inTable?.(matrix))
  for (const [i, statement] of statements.entries()) {
    // Every form has two figures, or two times.
    if (statement.quantities.length + statement.clocks.length + statement.dates.length < 2) continue
    const following = () => statements.slice(i + 1, i + 1 + MOST_FOLLOWING)
    for (const { inStatement } of RELATIONS_CHECKED) put(inStatement?.(statement, following))
  }
  for (const one of proposed) put([one], isShownBy(one))
  return judged
}

function findingOf({ placeOf }: ReportDocument, { offset, also, ...fault }: Fault): AuditFinding {
  const { line, column } = placeOf(offset)
  const lines = new Set([line, ...also.map(other => placeOf(other).line)])
  return { ...fault, line, column, lines: [...lines].sort((a, b) => a - b) }
}

/** What the logs say outweighs what follows from the report alone. */
function rankOf({ severity, kind }: AuditFinding): number {
  return ['error', 'warning', 'note'].indexOf(severity) - (kind === 'data' ? 0.5 : 0)
}

/** Sorted by line; of findings on one place only the gravest stays, and of equally grave ones the first. */
function onePerFault(findings: readonly AuditFinding[]): readonly AuditFinding[] {
  const gravestLast = findings.toReversed().sort((a, b) => rankOf(b) - rankOf(a))
  const placeOf = ({ line, column, severity, rule }: AuditFinding): string =>
    `${line}:${column}:${severity === 'note' ? rule : ''}`
  const byPlace = new Map(gravestLast.map(finding => [placeOf(finding), finding]))
  return [...byPlace.values()].sort((a, b) => a.line - b.line || a.column - b.column)
}

/** Words in a cell are a statement too: its figures count once. Counted in place: a long report has a million cells. */
function quantitiesIn({ tables, statements }: ReportDocument): number {
  let count = 0
  for (const { rows } of tables) for (const row of rows) for (const cell of row) count += cell.quantities.length
  for (const { kind, quantities } of statements) if (kind !== 'cell') count += quantities.length
  return count
}

/**
 * `<!-- klens-ignore rule-id: reason -->` explains a finding away, on its own line or the next; `rule-id` may be a list
 * or `all`. Without a reason it does nothing: who silences a linter owes the reader an explanation.
 */
const COMMENT = /<!--\s*klens-ignore\s+([\w*, -]{1,400}?)\s*[:：]\s*(\S[^\n]{0,400}?)\s*-->/g

function suppressions(text: string): (rule: string, line: number) => boolean {
  const explained = new Set<string>()
  const placeOf = placesIn(text)
  for (const { 1: rules = '', index } of text.matchAll(COMMENT)) {
    const { line } = placeOf(index)
    for (const rule of rules.split(/[\s,]+/)) explained.add(`${rule} ${line}`).add(`${rule} ${line + 1}`)
  }
  return (rule, line) => explained.has(`${rule} ${line}`) || explained.has(`all ${line}`)
}
