import type { Command } from 'commander'
import { type Diagnosis, diagnose } from '../diagnosis/diagnose.js'
import { overview } from '../diagnosis/overview.js'
import type { Finding } from '../model/finding.js'
import { shownName } from '../store/manifest.js'
import { workspaceWords } from '../store/meaning.js'
import type { LoadedRun } from '../store/series.js'
import { openWorkspace } from '../store/workspace.js'
import { type Context, verb } from './context.js'
import { findAllRuns } from './find-runs.js'
import { countBySeverity, SEVERITY_COLOURS, severitiesFrom } from './severities.js'
import { alignTable, printable, shortStep } from './style.js'

interface Options {
  readonly json?: boolean
  readonly failOn: string
  readonly all?: boolean
}

export function diagnoseVerb(context: Context): Command {
  return verb('diagnose', context.say('diagnose.about', {}), context)
    .argument('<run...>', context.say('diagnose.runs', {}))
    .option('--fail-on <severity>', context.say('diagnose.option.fail-on', {}), 'never')
    .option('--all', context.say('diagnose.option.all', {}))
    .action((names: string[], options: Options) => diagnoseRuns(context, names, options))
}

interface Examined {
  readonly run: LoadedRun
  readonly diagnosis: Diagnosis
}

async function diagnoseRuns(context: Context, names: readonly string[], options: Options): Promise<void> {
  const failOn = severitiesFrom(context, options.failOn)
  const words = await workspaceWords(await openWorkspace())
  const examined: Examined[] = []
  for (const run of await findAllRuns(context, names)) examined.push({ run, diagnosis: await diagnose(run, words) })
  if (options.json) context.printJson(diagnosisJson(context, examined))
  else printDiagnoses(context, examined, options.all === true)
  if (examined.some(({ diagnosis }) => diagnosis.findings.some(({ severity }) => failOn.has(severity)))) {
    process.exitCode = 1
  }
}

/** Of several runs, a check has passed when it could be made on all of them and found nothing in any. */
function diagnosisJson(context: Context, examined: readonly Examined[]): object {
  const findings = examined.flatMap(({ diagnosis }) => diagnosis.findings)
  const everywhere = examined[0]?.diagnosis.passed ?? []
  return {
    findings: findings.map(finding => ({
      ...finding,
      message: context.render(finding.message),
      remedy: context.render(finding.remedy),
    })),
    passed: everywhere.filter(rule => examined.every(({ diagnosis }) => diagnosis.passed.includes(rule))),
    notChecked: examined.flatMap(({ run, diagnosis }) =>
      diagnosis.notChecked.map(({ rule, reason }) => ({ rule, run: run.manifest.id, reason: context.render(reason) })),
    ),
  }
}

/** Of several runs a table first, and the sickest run before the others. */
function printDiagnoses(context: Context, examined: readonly Examined[], all: boolean): void {
  const { rows } = overview(examined.map(({ run, diagnosis }) => ({ run: run.manifest.id, diagnosis })))
  const byId = new Map(examined.map(each => [each.run.manifest.id, each]))
  const ordered = rows.flatMap(({ run }) => byId.get(run) ?? [])
  if (ordered.length > 1) {
    const cells = rows.map(({ worst, since }, i) => [
      printable(shownName(ordered[i].run.manifest)),
      worst === null ? '–' : context.say(`severity.${worst.severity}`, {}),
      worst?.rule ?? '',
      since === null ? '' : context.say('diagnose.step', { from: shortStep(since) }),
    ])
    for (const line of alignTable(cells)) context.print(line)
    context.print('')
  }
  for (const each of ordered) printDiagnosis(context, each, all)
}

function printDiagnosis(context: Context, { run, diagnosis }: Examined, all: boolean): void {
  const { findings, passed, notChecked } = diagnosis
  context.print(context.paint('bold', printable(shownName(run.manifest))))
  const heads = findings.map(finding => [
    `  ${context.say(`severity.${finding.severity}`, {})}`,
    finding.rule,
    stepsText(context, finding.steps),
  ])
  for (const [i, head] of alignTable(heads).entries()) printFinding(context, head, findings[i])
  const counts = { passed: passed.length, unchecked: notChecked.length }
  context.print(
    findings.length === 0
      ? `  ${context.say('diagnose.healthy', counts)}`
      : `  ${context.say('diagnose.summary', { ...countBySeverity(findings), ...counts })}`,
  )
  if (all || findings.length === 0)
    context.print(`  ${context.say('diagnose.passed', {})}: ${passed.join(', ') || '–'}`)
  if (all) {
    context.print(`  ${context.say('diagnose.not-checked', {})}:`)
    const rows = notChecked.map(({ rule, reason }) => [rule, printable(context.render(reason), 200)])
    for (const line of alignTable(rows)) context.print(`    ${line}`)
  }
  context.print('')
}

function printFinding(context: Context, head: string, { severity, message, remedy }: Finding): void {
  context.print(context.paint(SEVERITY_COLOURS[severity], head))
  context.print(`      ${printable(context.render(message), 400)}`)
  context.print(`      → ${printable(context.render(remedy), 400)}`)
}

function stepsText(context: Context, [from, to]: readonly [number, number]): string {
  if (from === to) return context.say('diagnose.step', { from: shortStep(from) })
  return context.say('diagnose.steps', { from: shortStep(from), to: shortStep(to) })
}
