import type { Finding } from '../../../logs/model/finding.js'
import { groupBy } from '../../../logs/model/util/group-by.js'
import { message as words } from '../../../text/say.js'
import { silenceMeans } from '../../diagnosis/coverage.js'
import type { Diagnosed } from '../../diagnosis/diagnosed-runs.js'
import { shownName } from '../../store/manifest.js'
import { type Block, code, heading, type Inline, paragraph, strong, table } from '../blocks.js'
import { severityWord } from '../diagnosis.js'
import type { Speaker } from '../speaker.js'

export type { Diagnosed }

/** What the rules found, run by run; notes are kept, because a note often explains a verdict. */
export function diagnosisBlocks(speaker: Speaker, diagnosed: readonly Diagnosed[]): readonly Block[] {
  if (diagnosed.length === 0) return []
  return [
    heading(speaker.say(words('report.head.diagnosis', {}))),
    ...diagnosed.flatMap(({ run, diagnosis: { findings, coverage } }) => [
      paragraph(strong(shownName(run.manifest))),
      findings.length === 0 ? paragraph(speaker.say(silenceMeans(coverage))) : findingsTable(speaker, findings),
    ]),
  ]
}

function findingsTable(speaker: Speaker, findings: readonly Finding[]): Block {
  const header = (['severity', 'since', 'finding', 'remedy'] as const).map(name =>
    speaker.say(words(`report.column.${name}`, {})),
  )
  return table(
    header,
    findings.map(({ severity, steps: [from, to], message, remedy }) => [
      severityWord(severity, speaker),
      from === to ? String(from) : `${from}–${to}`,
      speaker.sentence(speaker.say(message)),
      speaker.sentence(speaker.say(remedy)),
    ]),
  )
}

/** Findings of all runs with the name of the run, the gravest first. */
export function findingsOf(
  diagnosed: readonly Diagnosed[],
): readonly { readonly run: string; readonly finding: Finding }[] {
  const gravity = { error: 0, warning: 1, note: 2 }
  return diagnosed
    .flatMap(({ run, diagnosis }) => diagnosis.findings.map(finding => ({ run: shownName(run.manifest), finding })))
    .sort((a, b) => gravity[a.finding.severity] - gravity[b.finding.severity])
}

/** What a later report is compared with: all but notes, by the name of the run. */
export function rememberedFindings(diagnosed: readonly Diagnosed[]): readonly string[] {
  return findingsOf(diagnosed)
    .filter(({ finding }) => finding.severity !== 'note')
    .map(({ run, finding }) => `${run}: ${finding.rule}`)
    .sort()
}

/** Checks that could not be made on any of the runs, by reason: what is not logged, or too short, is said once. */
export function uncheckedItems(speaker: Speaker, diagnosed: readonly Diagnosed[]): readonly (readonly Inline[])[] {
  const [first, ...rest] = diagnosed
  if (first === undefined) return []
  const nowhere = first.diagnosis.notChecked.filter(({ rule }) =>
    rest.every(({ diagnosis }) => diagnosis.notChecked.some(other => other.rule === rule)),
  )
  const kinds = groupBy(nowhere, ({ reason }) => (isKind(reason.key) ? reason.key : speaker.say(reason)))
  return [...kinds.values()].map(checks => {
    const { key } = checks[0].reason
    const reason = isKind(key) ? speaker.say(words(`report.${key}`, {})) : speaker.say(checks[0].reason)
    return [...checks.flatMap(({ rule }, i) => [...(i === 0 ? [] : [', ']), code(rule)]), `: ${reason}`]
  })
}

function isKind(key: string): key is 'diagnose.not-logged' | 'diagnose.too-short' {
  return key === 'diagnose.not-logged' || key === 'diagnose.too-short'
}
