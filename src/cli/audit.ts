import type { Command } from 'commander'
import { type AuditAnswer, audit, auditRules } from '../ask/audit.js'
import { Problem } from '../model/problem.js'
import { message } from '../text/say.js'
import { type Context, collect, verb } from './context.js'
import { countBySeverity, SEVERITY_COLOURS, severitiesFrom } from './print/severities.js'
import { alignTable, printable } from './print/style.js'

interface Options {
  readonly json?: boolean
  readonly data?: readonly string[]
  readonly format: string
  readonly failOn: string
  readonly rules?: boolean
}

type Finding = AuditAnswer['files'][number]['findings'][number]

export function auditVerb(context: Context): Command {
  return verb('audit', context.say('audit.about', {}), context)
    .argument('[report...]', context.say('audit.files', {}))
    .option('--data <run>', context.say('audit.option.data', {}), collect)
    .option('--format <format>', context.say('audit.option.format', {}), 'text')
    .option('--fail-on <severity>', context.say('audit.option.fail-on', {}), 'error')
    .option('--rules', context.say('audit.option.rules', {}))
    .action((reports: string[], options: Options) =>
      options.rules ? printRules(context, options) : auditAll(context, reports, options),
    )
}

async function auditAll(context: Context, reports: readonly string[], options: Options): Promise<void> {
  const failOn = severitiesFrom(options.failOn)
  const { format, data } = options
  if (!['text', 'json', 'sarif'].includes(format)) {
    throw new Problem('bad-request', message('audit.bad-format', { value: format }))
  }
  const answer = await context.ask(audit, { reports, data, sarif: format === 'sarif' })
  if (format === 'sarif') context.printJson(answer.sarif)
  else if (options.json || format === 'json') context.printJson(answer)
  else printFiles(context, answer)
  if (answer.files.some(({ findings }) => findings.some(({ severity }) => failOn.has(severity)))) process.exitCode = 1
}

function printFiles(context: Context, { files }: AuditAnswer): void {
  for (const { file, findings, suppressed } of files) {
    context.print(context.paint('bold', printable(file, 200)))
    const rows = findings.map(finding => findingRow(context, finding))
    for (const line of alignTable(rows, new Set([0]))) context.print(`  ${line}`)
    if (findings.length === 0) context.print(`  ${context.say('audit.clean', {})}`)
    if (suppressed > 0) context.print(`  ${context.say('audit.suppressed', { count: suppressed })}`)
    context.print('')
  }
  const total = (member: 'quantities' | 'claims'): number => files.reduce((sum, file) => sum + file[member], 0)
  const counts = countBySeverity(files.flatMap(({ findings }) => findings))
  context.print(context.say('audit.summary', { ...counts, quantities: total('quantities'), claims: total('claims') }))
}

function findingRow(context: Context, { line, column, severity, rule, message }: Finding): string[] {
  return [
    `${line}:${column}`,
    context.paint(SEVERITY_COLOURS[severity], context.say(`severity.${severity}`, {})),
    context.paint('dim', rule),
    printable(message, 400),
  ]
}

async function printRules(context: Context, { json }: Options): Promise<void> {
  const answer = await context.ask(auditRules, {})
  if (json) return context.printJson(answer)
  for (const { id, kind, severity, example } of answer.rules) {
    const level = context.paint(SEVERITY_COLOURS[severity], context.say(`severity.${severity}`, {}))
    context.print(`${context.paint('bold', id)}  ${level}  ${kind}`)
    for (const [key, text] of [
      ['audit.rule.faulty', example.faulty],
      ['audit.rule.sound', example.sound],
    ] as const) {
      context.print(`  ${context.say(key, {})}`)
      for (const line of text.split('\n')) context.print(`    ${line}`)
    }
    context.print('')
  }
}
