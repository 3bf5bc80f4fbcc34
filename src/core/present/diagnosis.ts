import type { z } from 'zod'
import type { Severity } from '../../logs/model/finding.js'
import type { Encoded } from '../../text/encode.js'
import { message as words } from '../../text/say.js'
import type { diagnosedRuns } from '../diagnosis/diagnosed-runs.js'
import { type Block, fold, paragraph, section, table, toned } from './blocks.js'
import type { Speaker } from './speaker.js'
import { shortStep } from './terminal-text.js'

/** What the rules found on some runs: the gravest first, and what could not be checked. */

type DiagnoseAnswer = Encoded<z.infer<typeof diagnosedRuns>>
type RunDiagnosis = DiagnoseAnswer['runs'][number]
type Finding = DiagnoseAnswer['findings'][number]

/** Of several runs a table first, the sickest before the others; a note that several share is said once, at the end. */
export function diagnosisBlocks(
  answer: DiagnoseAnswer,
  speaker: Speaker,
  { all = false, explain = false }: { readonly all?: boolean; readonly explain?: boolean } = {},
): readonly Block[] {
  const notes = all ? [] : answer.shared.filter(({ severity, isSame }) => severity === 'note' && isSame)
  const isFolded = (finding: Finding): boolean =>
    notes.some(
      ({ rule, message, runs }) => rule === finding.rule && message === finding.message && runs.includes(finding.run),
    )
  const own = { ...answer, findings: answer.findings.filter(finding => !isFolded(finding)) }
  return [
    ...(answer.runs.length > 1 ? [runTable(answer, speaker)] : []),
    ...answer.runs.map(run =>
      section(run.name, ...healthBlocks(own, run, speaker, all), uncheckedFold(own, run, speaker)),
    ),
    ...(notes.length === 0
      ? []
      : [findingsBlock(notes, speaker, ({ runs }) => speaker.say(words('diagnose.in-runs', { count: runs.length })))]),
    ...(explain && answer.findings.length > 0 ? [recordSection(answer, speaker)] : []),
  ]
}

/** Of each rule that spoke, how often it was right so far and where its numbers come from. */
function recordSection({ findings }: DiagnoseAnswer, speaker: Speaker): Block {
  const byRule = new Map(findings.map(finding => [finding.rule, finding]))
  const rows = [...byRule].map(([rule, { record, metrics }]) => [rule, record, metrics.join(', ')])
  return section(speaker.say(words('diagnose.records', {})), table([], rows))
}

function runTable({ runs }: DiagnoseAnswer, speaker: Speaker): Block {
  const rows = runs.map(({ name, worst }) =>
    worst === null
      ? [name, '–', '', '']
      : [name, severityWord(worst.severity, speaker), worst.rule, stepsText([worst.since, worst.since], speaker)],
  )
  return table([], rows)
}

/** One run: its findings, and how many checks passed; which ones where all is wanted or nothing was found. */
function healthBlocks(
  answer: DiagnoseAnswer,
  { id, passed, silence, unknownNames }: RunDiagnosis,
  speaker: Speaker,
  all = false,
): readonly Block[] {
  const findings = answer.findings.filter(({ run }) => run === id)
  const notChecked = answer.notChecked.filter(({ run }) => run === id)
  const counts = { passed: passed.length, unchecked: notChecked.length }
  return [
    ...(findings.length === 0 ? [] : [findingsBlock(findings, speaker, ({ steps }) => stepsText(steps, speaker))]),
    paragraph(silence ?? speaker.say(words('diagnose.summary', { ...countBySeverity(findings), ...counts }))),
    ...(all || findings.length === 0
      ? [paragraph(speaker.say(words('diagnose.passed', { rules: passed.join(', ') || '–' })))]
      : []),
    ...(unknownNames === 0
      ? []
      : [paragraph(toned(speaker.say(words('diagnose.unknown-names', { count: unknownNames })), 'quiet'))]),
  ]
}

function uncheckedFold({ notChecked }: DiagnoseAnswer, { id }: RunDiagnosis, speaker: Speaker): Block {
  const rows = notChecked.filter(({ run }) => run === id).map(({ rule, reason }) => [rule, reason])
  return fold(speaker.say(words('diagnose.not-checked', {})), table([], rows))
}

interface Found {
  readonly severity: Severity
  readonly rule: string
  readonly message: string
  readonly remedy?: string
}

/** Findings of any kind; `where`: the steps, or the place in a file. */
export function findingsBlock<Finding extends Found>(
  findings: readonly Finding[],
  speaker: Speaker,
  where: (finding: Finding) => string,
): Block {
  return {
    kind: 'findings',
    items: findings.map(finding => {
      const { severity, rule, message, remedy = null } = finding
      const word = severityWord(severity, speaker)
      return { severity, word, rule, where: where(finding), message, remedy, evidence: [] }
    }),
  }
}

export function severityWord(severity: Severity, speaker: Speaker): string {
  return speaker.say(words(`severity.${severity}`, {}))
}

function stepsText([from, to]: readonly [number, number], speaker: Speaker): string {
  return speaker.say(
    from === to
      ? words('diagnose.step', { from: shortStep(from) })
      : words('diagnose.steps', { from: shortStep(from), to: shortStep(to) }),
  )
}

export function countBySeverity(findings: readonly { readonly severity: Severity }[]) {
  const count = (severity: Severity): number => findings.filter(finding => finding.severity === severity).length
  return { errors: count('error'), warnings: count('warning'), notes: count('note') }
}
