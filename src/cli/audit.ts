import { readFile, stat } from 'node:fs/promises'
import type { Command } from 'commander'
import { type AuditedFile, type AuditFinding, auditReports } from '../audit/audit.js'
import { dataRules, type Logs } from '../audit/data.js'
import { AUDIT_RULES } from '../audit/rules/registry.js'
import { sarif } from '../audit/sarif.js'
import { readLogs } from './audit-logs.js'
import { type Context, collect, UserError, verb } from './context.js'
import { countBySeverity, SEVERITY_COLOURS, severitiesFrom } from './print/severities.js'
import { alignTable, printable } from './print/style.js'
import { version } from './version.js'

interface Options {
  readonly json?: boolean
  readonly data?: readonly string[]
  readonly format: string
  readonly failOn: string
  readonly rules?: boolean
}

export function auditVerb(context: Context): Command {
  return verb('audit', context.say('audit.about', {}), context)
    .argument('[report...]', context.say('audit.files', {}))
    .option('--data <run>', context.say('audit.option.data', {}), collect)
    .option('--format <format>', context.say('audit.option.format', {}), 'text')
    .option('--fail-on <severity>', context.say('audit.option.fail-on', {}), 'error')
    .option('--rules', context.say('audit.option.rules', {}))
    .action((paths: string[], options: Options) => audit(context, paths, options))
}

async function audit(context: Context, paths: readonly string[], options: Options): Promise<void> {
  if (options.rules) return printRules(context, options)
  const failOn = severitiesFrom(options.failOn)
  if (!['text', 'json', 'sarif'].includes(options.format)) {
    throw new UserError(context.say('audit.bad-format', { value: printable(options.format) }))
  }
  if (paths.length === 0) throw new UserError(context.say('audit.needs-file', {}))
  const reports = []
  for (const path of paths) reports.push({ file: path, text: await readReport(context, path) })
  const logs: Logs | null = options.data === undefined ? null : await readLogs(context, options.data)
  const rules = logs === null ? AUDIT_RULES : [...AUDIT_RULES, ...dataRules(logs)]
  const files = auditReports(reports, rules)
  if (options.format === 'sarif') context.printJson(sarif(files, rules, { version: version(), render: context.render }))
  else if (options.json || options.format === 'json')
    context.printJson({ files: files.map(file => fileJson(context, file)) })
  else printFiles(context, files)
  if (files.some(({ findings }) => findings.some(({ severity }) => failOn.has(severity)))) process.exitCode = 1
}

const MOST_MEGABYTES = 200

async function readReport(context: Context, path: string): Promise<string> {
  const shown = printable(path, 200)
  try {
    const { size } = await stat(path)
    if (size > MOST_MEGABYTES * 1e6)
      throw new UserError(context.say('audit.too-large', { path: shown, limit: MOST_MEGABYTES }))
    const bytes = await readFile(path)
    if (bytes.subarray(0, 8192).includes(0)) throw new UserError(context.say('audit.binary', { path: shown }))
    return bytes
      .toString('utf8')
      .replace(/^\ufeff/, '')
      .replace(/\r\n?/g, '\n')
  } catch (error) {
    if (error instanceof UserError) throw error
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new UserError(context.say('audit.no-file', { path: shown }))
    }
    const reason = error instanceof Error ? error.message.replace(/:.*/s, '') : String(error)
    throw new UserError(context.say('audit.unreadable', { path: shown, reason: printable(reason) }))
  }
}

function fileJson(context: Context, { file, findings, quantities, claims, suppressed }: AuditedFile): object {
  return {
    file,
    findings: findings.map(finding => ({ ...finding, message: context.render(finding.message) })),
    quantities,
    claims,
    suppressed,
  }
}

function printFiles(context: Context, files: readonly AuditedFile[]): void {
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

function findingRow(context: Context, { line, column, severity, rule, message }: AuditFinding): string[] {
  return [
    `${line}:${column}`,
    context.paint(SEVERITY_COLOURS[severity], context.say(`severity.${severity}`, {})),
    context.paint('dim', rule),
    printable(context.render(message), 400),
  ]
}

function printRules(context: Context, { json }: Options): void {
  if (json) {
    context.printJson({
      rules: AUDIT_RULES.map(({ id, kind, severity, example }) => ({ id, kind, severity, example })),
    })
    return
  }
  for (const { id, kind, severity, example } of AUDIT_RULES) {
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
