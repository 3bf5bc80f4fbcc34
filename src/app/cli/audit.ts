import type { Command } from 'commander'
import { Problem } from '../../logs/model/problem.js'
import { message } from '../../text/say.js'
import { type AuditAnswer, type AuditProgress, audit, auditRules } from '../ask/audit.js'
import { type Context, collect, verb } from './context.js'
import { countBySeverity, SEVERITY_COLOURS, severitiesFrom } from './print/severities.js'
import { statusLine } from './print/status-line.js'
import { alignTable, printable } from './print/style.js'

interface Options {
  readonly json?: boolean
  readonly data?: readonly string[]
  readonly ledger?: string
  readonly assertions?: string
  readonly reader?: string
  readonly printAssertions?: boolean
  readonly fix?: boolean
  readonly format: string
  readonly failOn: string
  readonly rules?: boolean
}

type Finding = AuditAnswer['files'][number]['findings'][number]

export function auditVerb(context: Context): Command {
  return verb('audit', context.say('audit.about', {}), context)
    .argument('[report...]', context.say('audit.files', {}))
    .option('--data <run>', context.say('audit.option.data', {}), collect)
    .option('--ledger <file>', context.say('audit.option.ledger', {}))
    .option('--assertions <file>', context.say('audit.option.assertions', {}))
    .option('--reader <url#model>', context.say('audit.option.reader', {}))
    .option('--print-assertions', context.say('audit.option.print-assertions', {}))
    .option('--fix', context.say('audit.option.fix', {}))
    .option('--format <format>', context.say('audit.option.format', {}), 'text')
    .option('--fail-on <severity>', context.say('audit.option.fail-on', {}), 'error')
    .option('--rules', context.say('audit.option.rules', {}))
    .action((reports: string[], options: Options) =>
      options.rules ? printRules(context, options) : auditAll(context, reports, options),
    )
}

async function auditAll(context: Context, reports: readonly string[], options: Options): Promise<void> {
  const failOn = severitiesFrom(options.failOn)
  const { format } = options
  if (!['text', 'json', 'sarif'].includes(format)) {
    throw new Problem('bad-request', message('audit.bad-format', { value: format }))
  }
  const { data, ledger, assertions, reader, printAssertions, fix } = options
  const asked = { reports, data, ledger, assertions, reader, printAssertions, fix, sarif: format === 'sarif' }
  const waiting = waitingLine(context, format !== 'text' || options.json === true)
  const answer = await context.ask(audit, asked, { onProgress: waiting.update }).finally(waiting.done)
  if (format === 'sarif') context.printJson(answer.sarif)
  else if (options.json || format === 'json') context.printJson(answer)
  else if (fix) printPatches(context, answer)
  else printFiles(context, answer)
  if (answer.files.some(({ findings }) => findings.some(({ severity }) => failOn.has(severity)))) process.exitCode = 1
}

/** A model may take minutes over one piece, so the line is painted by the clock and not by what it answers. */
function waitingLine(context: Context, quiet: boolean) {
  const line = statusLine(quiet)
  let pieces = 0
  const clock = setInterval(() => {
    if (pieces > 0) line.paint(seconds => context.say('audit.reading', { pieces, seconds: Math.round(seconds) }))
  }, 500)
  return {
    update: (progress: AuditProgress): void => {
      pieces = progress.pieces
    },
    done: (): void => {
      clearInterval(clock)
      line.clear()
    },
  }
}

/** As they are, for `git apply`: a line of a patch may end in spaces that count. */
function printPatches(context: Context, { files }: AuditAnswer): void {
  for (const { patch = '' } of files) if (patch !== '') context.print(patch.replace(/\n$/, ''))
}

const GRAVE_FIRST = ['error', 'warning'] as const

/** Errors first, then warnings; a note is one line for its rule. */
function printFiles(context: Context, { files }: AuditAnswer): void {
  for (const { file, findings, suppressed, judged = [] } of files) {
    context.print(context.paint('bold', printable(file, 200)))
    const grave = GRAVE_FIRST.flatMap(level => findings.filter(({ severity }) => severity === level))
    const rows = grave.map(finding => findingRow(context, finding))
    for (const line of alignTable(rows, new Set([0]))) context.print(`  ${line}`)
    for (const { rule, message } of findings.filter(({ severity }) => severity === 'note')) {
      context.print(`  ${context.paint('dim', rule)}  ${printable(message, 400)}`)
    }
    if (findings.length === 0) context.print(`  ${context.say('audit.clean', {})}`)
    if (suppressed > 0) context.print(`  ${context.say('audit.suppressed', { count: suppressed })}`)
    for (const { line, verdict, relation, stance, quote } of judged) {
      context.print(`  ${line}  ${verdict}  ${relation} (${stance})  ${printable(quote, 120)}`)
    }
    context.print('')
  }
  printTotals(context, files)
}

function printTotals(context: Context, files: AuditAnswer['files']): void {
  const figures = files.flatMap(({ ledger }) => ledger ?? [])
  if (files.some(({ ledger }) => ledger !== null)) {
    const count = (wanted: (typeof figures)[number]['state']): number =>
      figures.filter(({ state }) => state === wanted).length
    const [logged, derived] = [count('traced'), count('derived')]
    const states = {
      traced: logged + derived,
      logged,
      derived,
      contradicted: count('contradicted'),
      untraced: count('untraced'),
    }
    context.print(context.say('audit.ledger', { total: figures.length, ...states }))
  }
  const sum = (member: 'confirmed' | 'refuted' | 'unchecked'): number =>
    files.reduce((all, { assertions }) => all + assertions[member], 0)
  const [confirmed, refuted, unchecked] = [sum('confirmed'), sum('refuted'), sum('unchecked')]
  const counts = countBySeverity(files.flatMap(({ findings }) => findings))
  const total = confirmed + refuted + unchecked
  context.print(context.say('audit.summary', { ...counts, total, confirmed, refuted, unchecked }))
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
