import type { Command } from 'commander'
import { type DiagnoseAnswer, diagnose } from '../ask/diagnose.js'
import { type Context, verb } from './context.js'
import { interruptible } from './interrupt.js'
import { countBySeverity, SEVERITY_COLOURS, severitiesFrom } from './print/severities.js'
import { alignTable, printable, shortStep } from './print/style.js'
import { watchRuns } from './watch.js'

interface Options {
  readonly json?: boolean
  readonly failOn: string
  readonly all?: boolean
  readonly follow?: boolean
}

type Finding = DiagnoseAnswer['findings'][number]

export function diagnoseVerb(context: Context): Command {
  return verb('diagnose', context.say('diagnose.about', {}), context)
    .argument('<run...>', context.say('diagnose.runs', {}))
    .option('--fail-on <severity>', context.say('diagnose.option.fail-on', {}), 'never')
    .option('--all', context.say('diagnose.option.all', {}))
    .option('-f, --follow', context.say('diagnose.option.follow', {}))
    .action(async (runs: string[], options: Options) => {
      if (options.follow) return watchRuns(context, runs, { ...options, stop: 'none' })
      const failOn = severitiesFrom(options.failOn)
      const answer = await interruptible(signal => context.ask(diagnose, { runs }, { signal }))
      if (options.json) context.printJson(answer)
      else printDiagnoses(context, answer, options.all === true)
      if (answer.findings.some(({ severity }) => failOn.has(severity))) process.exitCode = 1
    })
}

/** Of several runs a table first, the sickest before the others; a note that several share is said once, at the end. */
function printDiagnoses(context: Context, answer: DiagnoseAnswer, all: boolean): void {
  if (answer.runs.length > 1) {
    const rows = answer.runs.map(({ name, worst }) => [
      printable(name),
      worst === null ? '–' : context.say(`severity.${worst.severity}`, {}),
      worst?.rule ?? '',
      worst === null ? '' : context.say('diagnose.step', { from: shortStep(worst.since) }),
    ])
    for (const line of alignTable(rows)) context.print(line)
    context.print('')
  }
  const notes = all ? [] : answer.shared.filter(({ severity, isSame }) => severity === 'note' && isSame)
  const isFolded = (finding: Finding): boolean =>
    notes.some(
      ({ rule, message, runs }) => rule === finding.rule && message === finding.message && runs.includes(finding.run),
    )
  const own = { ...answer, findings: answer.findings.filter(finding => !isFolded(finding)) }
  for (const run of answer.runs) printDiagnosis(context, own, run, all)
  for (const { rule, message, runs } of notes) {
    const head = `${context.say('severity.note', {})}  ${rule}  ${context.say('diagnose.in-runs', { count: runs.length })}`
    context.print(context.paint(SEVERITY_COLOURS.note, head))
    context.print(`    ${printable(message, 400)}`)
  }
}

function printDiagnosis(
  context: Context,
  answer: DiagnoseAnswer,
  { id, name, passed }: DiagnoseAnswer['runs'][number],
  all: boolean,
): void {
  const findings = answer.findings.filter(({ run }) => run === id)
  const notChecked = answer.notChecked.filter(({ run }) => run === id)
  context.print(context.paint('bold', printable(name)))
  const heads = findings.map(({ severity, rule, steps }) => [
    `  ${context.say(`severity.${severity}`, {})}`,
    rule,
    stepsText(context, steps),
  ])
  for (const [i, head] of alignTable(heads).entries()) printFinding(context, head, findings[i])
  const counts = { passed: passed.length, unchecked: notChecked.length }
  context.print(
    findings.length === 0
      ? `  ${context.say('diagnose.healthy', counts)}`
      : `  ${context.say('diagnose.summary', { ...countBySeverity(findings), ...counts })}`,
  )
  if (all || findings.length === 0)
    context.print(`  ${context.say('diagnose.passed', { rules: passed.join(', ') || '–' })}`)
  if (all) {
    context.print(`  ${context.say('diagnose.not-checked', {})}`)
    const rows = notChecked.map(({ rule, reason }) => [rule, printable(reason, 200)])
    for (const line of alignTable(rows)) context.print(`    ${line}`)
  }
  context.print('')
}

function printFinding(context: Context, head: string, { severity, message, remedy }: Finding): void {
  context.print(context.paint(SEVERITY_COLOURS[severity], head))
  context.print(`      ${printable(message, 400)}`)
  context.print(`      → ${printable(remedy, 400)}`)
}

function stepsText(context: Context, [from, to]: readonly [number, number]): string {
  if (from === to) return context.say('diagnose.step', { from: shortStep(from) })
  return context.say('diagnose.steps', { from: shortStep(from), to: shortStep(to) })
}
