import type { AuditAnswer, AuditRulesAnswer } from '../../app/ask/audit.js'
import { message as words } from '../../text/say.js'
import { type Block, code, paragraph, SEVERITY_TONES, section, strong, table, toned } from './blocks.js'
import { countBySeverity, severityWord } from './diagnosis.js'
import { type Speaker, saying } from './speaker.js'

/**
 * What is wrong with some reports. With logs, first the figures that these contradict, then those that come from none;
 * then errors and warnings; a note is one line for its rule.
 */

type AuditedFile = AuditAnswer['files'][number]

const GRAVE_FIRST = ['error', 'warning'] as const

export function auditBlocks({ files }: AuditAnswer, speaker: Speaker): readonly Block[] {
  return [...files.map(file => fileBlock(file, speaker)), ...totalBlocks(files, speaker)]
}

function fileBlock({ file, findings, suppressed, known, ledger, judged = [] }: AuditedFile, speaker: Speaker): Block {
  const say = saying(speaker, words)
  const byLogs = ledger === null ? [] : findings.filter(({ kind, rule }) => kind === 'data' && rule !== 'data-untraced')
  const rest = findings.filter(
    finding => !byLogs.includes(finding) && (ledger === null || finding.rule !== 'data-untraced'),
  )
  const grave = GRAVE_FIRST.flatMap(level => rest.filter(({ severity }) => severity === level))
  const contradicted = byLogs.map(({ line, column, severity, message }) => [
    `${line}:${column}`,
    toned(say('audit.state.contradicted', {}), SEVERITY_TONES[severity]),
    message,
  ])
  const open = ledger?.filter(({ state }) => state === 'untraced') ?? []
  const isStrict = new Set(
    findings.filter(({ rule }) => rule === 'data-untraced').map(({ line, column }) => `${line}:${column}`),
  )
  const untraced = open
    .slice(0, MOST_UNTRACED)
    .map(({ line, column, text, says }) => [
      `${line}:${column}`,
      toned(say('audit.state.untraced', {}), SEVERITY_TONES[isStrict.has(`${line}:${column}`) ? 'error' : 'note']),
      say('audit.untraced', { text, says }),
    ])
  const rows = grave.map(({ line, column, severity, rule, message }) => [
    `${line}:${column}`,
    toned(severityWord(severity, speaker), SEVERITY_TONES[severity]),
    toned(rule, 'quiet'),
    message,
  ])
  return section(
    file,
    ...(ledger === null ? [] : [paragraph(say('audit.figures', countsOf(ledger)))]),
    ...(contradicted.length + untraced.length === 0 ? [] : [table([], [...contradicted, ...untraced])]),
    ...(open.length <= MOST_UNTRACED
      ? []
      : [paragraph(say('audit.more-untraced', { count: open.length - MOST_UNTRACED }))]),
    ...(rows.length === 0 ? [] : [table([], rows)]),
    ...findings
      .filter(({ severity }) => severity === 'note')
      .map(({ rule, message }) => paragraph(toned(rule, 'quiet'), `  ${message}`)),
    ...(findings.length === 0 ? [paragraph(say('audit.clean', {}))] : []),
    ...(suppressed === 0 ? [] : [paragraph(say('audit.suppressed', { count: suppressed }))]),
    ...(known === 0 ? [] : [paragraph(say('audit.known', { count: known }))]),
    ...(judged.length === 0 ? [] : [table([], judged.map(judgedRow))]),
  )
}

/** Of more the page and the JSON tell. */
const MOST_UNTRACED = 40

/** What is computed from traced figures counts as traced. */
function countsOf(ledger: NonNullable<AuditedFile['ledger']>) {
  const count = (...states: readonly (typeof ledger)[number]['state'][]): number =>
    ledger.filter(({ state }) => states.includes(state)).length
  return {
    total: ledger.length,
    traced: count('traced', 'derived'),
    contradicted: count('contradicted'),
    untraced: count('untraced'),
  }
}

function judgedRow({ line, verdict, relation, stance, quote }: NonNullable<AuditedFile['judged']>[number]) {
  return [String(line), verdict, `${relation} (${stance})`, quote]
}

function totalBlocks(files: AuditAnswer['files'], speaker: Speaker): readonly Block[] {
  const say = saying(speaker, words)
  const sum = (member: 'confirmed' | 'refuted' | 'unchecked'): number =>
    files.reduce((all, { assertions }) => all + assertions[member], 0)
  const judged = { confirmed: sum('confirmed'), refuted: sum('refuted'), unchecked: sum('unchecked') }
  const total = judged.confirmed + judged.refuted + judged.unchecked
  const counts = countBySeverity(files.flatMap(({ findings }) => findings))
  return [
    paragraph(say('audit.summary', { ...counts, total, ...judged })),
    ...(files.every(({ ledger }) => ledger === null) ? [] : [paragraph(toned(say('audit.html-hint', {}), 'quiet'))]),
  ]
}

/** What is looked for, each rule with a line that breaks it and one that does not. */
export function auditRuleBlocks({ rules }: AuditRulesAnswer, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, words)
  return rules.flatMap(({ id, kind, severity, help, example }) => [
    paragraph(strong(id), '  ', toned(severityWord(severity, speaker), SEVERITY_TONES[severity]), `  ${kind}`),
    paragraph(help),
    section(say('audit.rule.faulty', {}), ...linesOf(example.faulty)),
    section(say('audit.rule.sound', {}), ...linesOf(example.sound)),
  ])
}

function linesOf(text: string): readonly Block[] {
  return text.split('\n').map(line => paragraph(code(line)))
}
