import type { AuditAnswer, AuditRulesAnswer } from '../../app/ask/audit.js'
import { message as words } from '../../text/say.js'
import { type Block, code, paragraph, SEVERITY_TONES, section, strong, table, toned } from './blocks.js'
import { countBySeverity, severityWord } from './diagnosis.js'
import { type Speaker, saying } from './speaker.js'

/** What is wrong with some reports: of each, errors first, then warnings; a note is one line for its rule. */

type AuditedFile = AuditAnswer['files'][number]

const GRAVE_FIRST = ['error', 'warning'] as const

export function auditBlocks({ files }: AuditAnswer, speaker: Speaker): readonly Block[] {
  return [...files.map(file => fileBlock(file, speaker)), ...totalBlocks(files, speaker)]
}

function fileBlock({ file, findings, suppressed, known, judged = [] }: AuditedFile, speaker: Speaker): Block {
  const say = saying(speaker, words)
  const grave = GRAVE_FIRST.flatMap(level => findings.filter(({ severity }) => severity === level))
  const rows = grave.map(({ line, column, severity, rule, message }) => [
    `${line}:${column}`,
    toned(severityWord(severity, speaker), SEVERITY_TONES[severity]),
    toned(rule, 'quiet'),
    message,
  ])
  return section(
    file,
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

function judgedRow({ line, verdict, relation, stance, quote }: NonNullable<AuditedFile['judged']>[number]) {
  return [String(line), verdict, `${relation} (${stance})`, quote]
}

function totalBlocks(files: AuditAnswer['files'], speaker: Speaker): readonly Block[] {
  const say = saying(speaker, words)
  const figures = files.flatMap(({ ledger }) => ledger ?? [])
  const count = (wanted: (typeof figures)[number]['state']): number =>
    figures.filter(({ state }) => state === wanted).length
  const [logged, derived] = [count('traced'), count('derived')]
  const states = { traced: logged + derived, logged, derived }
  const others = { contradicted: count('contradicted'), untraced: count('untraced') }
  const sum = (member: 'confirmed' | 'refuted' | 'unchecked'): number =>
    files.reduce((all, { assertions }) => all + assertions[member], 0)
  const judged = { confirmed: sum('confirmed'), refuted: sum('refuted'), unchecked: sum('unchecked') }
  const total = judged.confirmed + judged.refuted + judged.unchecked
  const counts = countBySeverity(files.flatMap(({ findings }) => findings))
  return [
    ...(files.every(({ ledger }) => ledger === null)
      ? []
      : [paragraph(say('audit.ledger', { total: figures.length, ...states, ...others }))]),
    paragraph(say('audit.summary', { ...counts, total, ...judged })),
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
